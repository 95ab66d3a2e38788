// The life of one invocation as a table and a pure next() (design: state machines are a table).
//
//   asking ── resolve ─▶ gating ── admit ──▶ running ── finish ──▶ settled
//      │                   │  ╲              ▲
//      │                   │   wait ▶ queued ┘ promote, gates again
//      ╰───────────────────╰───── refuse, cancel, unmount, dispose ──▶ settled
#pragma once

#include <cstdint>

namespace viewcap {

/// asking: policies of discovery vote on whom it could mean. gating: the author's gates, policies and bindings run (or
/// wait in JavaScript). queued: waits for its place. running: the handler was started. settled: has its one result.
enum class InvocationState : std::uint8_t { asking, gating, queued, running, settled };
inline constexpr int kInvocationStates = 5;

enum class InvocationInput : std::uint8_t {
    resolve,
    admit,
    wait,
    overflow,
    refuse,
    hold,
    promote,
    finish,
    fail,
    expire,
    cancel,
    unmount,
    dispose
};
inline constexpr int kInvocationInputs = 13;

enum class InvocationOutcome : std::uint8_t {
    none,
    go_on,                 // the gates begin
    run,                   // start the handler
    refused,               // the failure that came with the input
    queue_full,            // RATE_LIMITED {queue-full}
    done,                  // the handler's output decides
    failed,                // the handler's error decides
    timed_out,             // TIMEOUT
    cancelled,             // CANCELLED, retry yes
    disposed,              // CANCELLED, retry no
    unmounted_queued,      // COMPONENT_UNMOUNTED {queued}
    unmounted_mid_flight,  // COMPONENT_UNMOUNTED {mid-flight}
    abort_only,            // a navigation loses its signal and settles on its handler
};

struct InvocationStep {
    InvocationState state;
    InvocationOutcome outcome;
};

/// What `input` does in `state`. `navigation`: the capability's effect is navigation. Anything in settled is ignored.
InvocationStep next_invocation_step(InvocationState state, InvocationInput input, bool navigation);

}  // namespace viewcap
