// Frames as lines.
#include "host_protocol/frame.h"
#include "host_protocol/history.h"
#include "host_protocol/json_out.h"
#include "host_protocol/vocabulary.h"
#include "one_line.h"
#include "shape.h"

namespace host_protocol {
namespace {

// What is written is longer than what may be sent only in an honest mistake; this bounds the reading of it.
constexpr JsonLimits kAnyFrame{std::size_t{1} << 30, bounds::kMaxJsonDepth};

std::string open_frame(std::string_view type) { return one_member("type", type); }

/// The object is closed already: members go before its bracket.
std::string reopened(std::string_view type) {
    std::string out = open_frame(type);
    out.pop_back();
    return out;
}

std::string closed(std::string out) { return std::move(out += "}\n"); }

void append_ids(std::string& out, const CallIds& ids) {
    append_text_member(out, "toolCallId", ids.tool_call_id);
    append_text_member(out, "wireName", ids.wire_name);
    append_text_member(out, "canonicalId", ids.canonical_id);
}

std::string too_large(std::string_view type, std::size_t bytes, const ProtocolLimits& limits) {
    return error_frame(
        host_codes::kRunLimitExceeded,
        concat({"A ", type, " frame of ", shape::decimal(static_cast<double>(bytes)), " bytes cannot be sent; at most ",
                shape::decimal(limits.max_frame_bytes), " are allowed."}));
}

std::string output_too_large(std::size_t bytes) {
    return failed_result(
        tool_codes::kOutputTooLarge,
        concat({"The result has ", shape::decimal(static_cast<double>(bytes)), " bytes of JSON; at most ",
                shape::decimal(bounds::kMaxToolResultBytes), " are allowed. Ask for less."}),
        retry::kWithChanges);
}

std::string shorter(const Frame& frame, std::size_t bytes, const ProtocolLimits& limits) {
    const auto text = [&frame](std::string_view key) { return frame.value.find(key).string(); };
    if (frame.type == FrameType::tool_result) {
        const CallIds ids{text("toolCallId"), text("wireName"), text("canonicalId")};
        std::string line = tool_result_frame(ids, false, output_too_large(frame.value.find("result").raw().size()));
        if (line.size() <= limits.max_frame_bytes + 1) return line;
    }
    return too_large(text("type"), bytes, limits);
}

}  // namespace

std::string step_start_frame(const StepIds& ids, std::string_view domain_tools, std::string_view catalog_mode,
                             std::span<const std::string> scope) {
    std::string out = reopened(frame_types::kStepStart);
    append_text_member(out, "stepId", ids.step_id);
    append_text_member(out, "turnId", ids.turn_id);
    append_text_member(out, "conversationId", ids.conversation_id);
    append_json_member(out, "domainTools", domain_tools);
    append_text_member(out, "catalogMode", catalog_mode);
    append_key(out, "scope");
    out += '[';
    for (std::size_t i = 0; i < scope.size(); ++i) {
        if (i > 0) out += ',';
        append_json_string(out, scope[i]);
    }
    out += ']';
    return closed(std::move(out));
}

std::string text_delta_frame(std::string_view text) {
    std::string out = reopened(frame_types::kTextDelta);
    append_text_member(out, "text", text);
    return closed(std::move(out));
}

std::string reasoning_delta_frame(std::string_view text) {
    std::string out = reopened(frame_types::kReasoningDelta);
    append_text_member(out, "text", text);
    return closed(std::move(out));
}

std::string tool_call_frame(const CallIds& ids, std::string_view executor, std::string_view input) {
    std::string out = reopened(frame_types::kToolCall);
    append_ids(out, ids);
    append_text_member(out, "executor", executor);
    append_json_member(out, "input", input);
    return closed(std::move(out));
}

std::string tool_result_frame(const CallIds& ids, bool ok, std::string_view result) {
    std::string out = reopened(frame_types::kToolResult);
    append_ids(out, ids);
    append_bool_member(out, "ok", ok);
    append_json_member(out, "result", result);
    return closed(std::move(out));
}

std::string inspector_frame(const InspectorNews& news) {
    std::string out = reopened(frame_types::kInspector);
    append_text_member(out, "lane", news.lane);
    append_text_member(out, "eventType", news.event_type);
    append_text_member(out, "summary", news.summary);
    if (!news.correlation.empty()) append_json_member(out, "correlation", news.correlation);
    if (!news.data.empty()) append_json_member(out, "data", news.data);
    return closed(std::move(out));
}

std::string step_finish_frame(const StepEnd& end, const ProtocolLimits& limits) {
    std::string out = reopened(frame_types::kStepFinish);
    append_text_member(out, "stepId", end.step_id);
    append_text_member(out, "finishReason", end.finish_reason);
    append_json_member(out, "responseMessages", end.response_messages);
    append_json_member(out, "pendingToolCalls", end.pending_tool_calls);
    if (!end.usage.empty()) append_json_member(out, "usage", end.usage);
    out = closed(std::move(out));
    // The newline is not the frame's.
    if (out.size() > limits.max_frame_bytes + std::size_t{1})
        return too_large(frame_types::kStepFinish, out.size() - 1, limits);
    return out;
}

std::string error_frame(std::string_view code, std::string_view message) {
    std::string out = reopened(frame_types::kError);
    append_key(out, "error");
    out += '{';
    append_text_member(out, "code", code);
    append_text_member(out, "message", message);
    out += '}';
    return closed(std::move(out));
}

CappedResult cap_tool_result(bool ok, std::string_view result) {
    if (result.size() <= bounds::kMaxToolResultBytes) return {ok, std::string(result)};
    return {false, output_too_large(result.size())};
}

Result<std::string> encode_frame(std::string_view text, const ProtocolLimits& limits) {
    JsonReader reader;
    const Result<JsonValue> value = reader.read(text, kAnyFrame);
    if (!value) return shape::unreadable(value.error());
    const Result<std::optional<Frame>> frame = read_frame(*value);
    if (!frame) return frame.error();
    if (!*frame)
        return make_error(host_codes::kProtocolDecodeError, "Found a frame of a type that the protocol does not have.",
                          "/type");
    const std::string_view raw = value->raw();
    if (raw.size() > limits.max_frame_bytes) return shorter(**frame, raw.size(), limits);
    std::string line;
    line.reserve(raw.size() + 1);
    append_line(line, raw);
    return line;
}

}  // namespace host_protocol
