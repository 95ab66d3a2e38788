// Messages of a request: roles, parts, and the pairing of calls and results. A part of a type that the protocol does
// not know passes through untouched.
#include "host_protocol/history.h"
#include "host_protocol/json_out.h"
#include "step_shapes.h"

namespace host_protocol::shape {
namespace {

constexpr std::array<Field, 1> kTextPart{{{"text", Kind::text, kRequired}}};
constexpr std::array<Field, 3> kCallPart{{
    {"toolCallId", Kind::text, kRequired, 1},
    {"toolName", Kind::text, kRequired, 1},
    {"input", Kind::any, kRequired},
}};
constexpr std::array<Field, 3> kResultPart{{
    {"toolCallId", Kind::text, kRequired, 1},
    {"toolName", Kind::text, kRequired, 1},
    {"output", Kind::object, kRequired},
}};
constexpr std::array<std::string_view, 1> kOutputTypes{"json"};
constexpr std::array<Field, 2> kOutput{{
    {"type", Kind::word, kRequired, 0, kUnbounded, kOutputTypes},
    {"value", Kind::any, kRequired},
}};
constexpr std::array<Field, 1> kPart{{{"type", Kind::text, kRequired}}};
constexpr std::array<Field, 2> kMessage{{
    {"role", Kind::text, kRequired},
    {"content", Kind::any, kRequired},
}};
constexpr std::size_t kMostFields = 3;

/// Where a part may stand.
Status check_home(std::string_view role, std::string_view home, const Place& place) {
    if (role == home) return ok();
    return fault(place.member("type"), concat({"a part that belongs to a message of role '", home, "'"}),
                 "text, reasoning, or a part of this role");
}

Status check_result(JsonValue part, const Place& place) {
    JsonValue found[kMostFields];
    Status status = check(part, kResultPart, place, found);
    if (!status) return status;
    JsonValue output[kMostFields];
    return check(found[2], kOutput, place.member("output"), output);
}

Status check_part(JsonValue part, std::string_view role, const Place& place) {
    JsonValue found[kMostFields];
    Status status = check(part, kPart, place, found);
    if (!status) return status;
    const std::string_view type = found[0].string();
    if (type == part_types::kText || type == part_types::kReasoning) return check(part, kTextPart, place, found);
    if (type == part_types::kToolCall) {
        status = check_home(role, roles::kAssistant, place);
        return status ? check(part, kCallPart, place, found) : status;
    }
    if (type == part_types::kToolResult) {
        status = check_home(role, roles::kTool, place);
        return status ? check_result(part, place) : status;
    }
    return ok();
}

Status check_role(std::string_view role, const Place& place) {
    constexpr std::string_view kSystem = "system";
    if (role == kSystem)
        return fault(place, "the role 'system'", "'user', 'assistant' or 'tool': the system prompt is the server's");
    for (const std::string_view known : kRoles)
        if (role == known) return ok();
    return fault(place, "another role", "'user', 'assistant' or 'tool'");
}

Status check_message(JsonValue message, const Place& place) {
    JsonValue found[kMostFields];
    Status status = check(message, kMessage, place, found);
    if (!status) return status;
    const std::string_view role = found[0].string();
    status = check_role(role, place.member("role"));
    if (!status) return status;
    const JsonValue content = found[1];
    const Place here = place.member("content");
    if (content.is(JsonType::string)) return ok();
    if (!content.is(JsonType::array)) return fault(here, describe(content), "a string or an array of parts");
    std::size_t index = 0;
    for (const JsonValue part : content.elements()) {
        status = check_part(part, role, here.element(index++));
        if (!status) return status;
    }
    return ok();
}

Error refuse_part(const CallPlace& at, const Place& place, std::string_view found, std::string_view allowed) {
    const Place message = place.element(at.message);
    const Place content = message.member("content");
    Error error = fault(content.element(at.part), found, allowed);
    error.message = concat({"Message ", decimal(at.message), ": ", error.message});
    return error;
}

}  // namespace

Status check_messages(JsonValue messages, const Place& place, std::uint32_t first) {
    std::size_t index = first;
    for (const JsonValue message : messages.elements()) {
        Status status = check_message(message, place.element(index++));
        if (!status) return status;
    }
    return ok();
}

Status check_history(JsonValue messages, const Place& place) {
    const HistoryFaults faults = examine_history(messages);
    if (!faults.open.empty())
        return refuse_part(faults.open.front(), place, "a tool call without a later result",
                           "a call that a later tool-result answers");
    if (!faults.orphans.empty())
        return refuse_part(faults.orphans.front(), place, "a tool result without an earlier call",
                           "a result that answers an earlier tool-call");
    return ok();
}

}  // namespace host_protocol::shape
