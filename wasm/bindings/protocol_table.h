// The page's half of the host protocol in the table: objects that live for a conversation, a response or a turn.
#pragma once

namespace viewcap::table {

/// In the order of js_glue/src/runtime/table.ts.
enum class ProtocolKind : int { encoder, frames, accumulator, guard };

/// What `exchange` does with the call's text.
enum class ProtocolStep : int {
    messages,  // encoder: a JSON array of new messages; gives how many it has
    tools,     // encoder: the descriptor array
    ranks,     // encoder: [[priority, instanceId or null], …] of the next `tools`, beside `withheld`
    state,     // encoder: the state array
    encode,    // encoder: the head; gives the bytes of the body; numbers: dropped tools, trimmed messages
    reset,     // encoder
    push,    // frames: bytes, gives the bytes of a JSON array of frames; accumulator: a frame; guard: a call, gives the
             // verdict's bytes
    finish,  // frames: as push; accumulator: gives the outcome's bytes
};

/// `{"ok":handle}`; the text is `{}` or `{limits}`.
int open_protocol(int kind);
/// -1 for what is refused: `fault()` says why.
int exchange(int handle, int step);
void close_protocol(int handle);

}  // namespace viewcap::table
