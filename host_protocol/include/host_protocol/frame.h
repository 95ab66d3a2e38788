// Frames: the lines of a response (spec: host-protocol.md, "Frames").
//
//     std::string line = tool_result_frame({"call_1", "domain_list", "domain:list"}, true, result);   // ends with \n
//     Result<std::string> line = encode_frame(json, limits);          // whoever has the frame as JSON text
//     Result<std::optional<Frame>> frame = read_frame(value);         // empty: a type of a newer server
//
// A frame never leaves longer than maxFrameBytes: a tool result is answered OUTPUT_TOO_LARGE, anything else becomes an
// error frame. Unknown members are kept and ignored.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "host_protocol/json_text.h"
#include "host_protocol/protocol_vocabulary.h"
#include "host_protocol/result.h"

namespace host_protocol {

/// In the order of kFrameTypes.
enum class FrameType : std::uint8_t {
    step_start,
    text_delta,
    reasoning_delta,
    tool_call,
    tool_result,
    inspector,
    step_finish,
    error
};

struct Frame {
    FrameType type;
    JsonValue value;  // the whole object, every field checked
};

/// PROTOCOL_DECODE_ERROR for what is no frame; nothing for a frame type that is not known.
Result<std::optional<Frame>> read_frame(JsonValue value);

/// One line of a frame's JSON text. Fails as read_frame, and for a type that is not known.
Result<std::string> encode_frame(std::string_view frame, const ProtocolLimits& limits = {});

struct StepIds {
    std::string_view step_id;
    std::string_view turn_id;
    std::string_view conversation_id;
};
/// `domain_tools` is JSON text: the catalog's entries.
std::string step_start_frame(const StepIds& ids, std::string_view domain_tools, std::string_view catalog_mode,
                             std::span<const std::string> scope);
std::string text_delta_frame(std::string_view text);
std::string reasoning_delta_frame(std::string_view text);

struct CallIds {
    std::string_view tool_call_id;
    std::string_view wire_name;
    std::string_view canonical_id;
};
/// `input` and `result` are JSON text.
std::string tool_call_frame(const CallIds& ids, std::string_view executor, std::string_view input);
std::string tool_result_frame(const CallIds& ids, bool ok, std::string_view result);

struct InspectorNews {
    std::string_view lane;
    std::string_view event_type;
    std::string_view summary;
    std::string_view correlation{};  // JSON text, or empty
    std::string_view data{};         // JSON text, or empty
};
std::string inspector_frame(const InspectorNews& news);

struct StepEnd {
    std::string_view step_id;
    std::string_view finish_reason;
    std::string_view response_messages;   // JSON text of an array
    std::string_view pending_tool_calls;  // JSON text of an array
    std::string_view usage{};             // JSON text, or empty: the provider reported nothing
};
/// An error frame RUN_LIMIT_EXCEEDED instead when it would be longer than a frame may be.
std::string step_finish_frame(const StepEnd& end, const ProtocolLimits& limits = {});
std::string error_frame(std::string_view code, std::string_view message);

struct CappedResult {
    bool ok;
    std::string result;
};
/// A server tool's result over 32 KiB is answered with { error: { code: "OUTPUT_TOO_LARGE", … } }: what the stream and
/// the model are both given.
CappedResult cap_tool_result(bool ok, std::string_view result);

}  // namespace host_protocol
