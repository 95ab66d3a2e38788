// A decoded step as text, and back.
#include "host_protocol/json_out.h"
#include "host_protocol/step_request.h"
#include "host_protocol/vocabulary.h"
#include "step_shapes.h"

namespace host_protocol {
namespace {

void append_tool(std::string& out, const StepTool& tool) {
    out += '{';
    append_text_member(out, "wireName", tool.wire_name);
    append_text_member(out, "canonicalId", tool.canonical_id);
    append_text_member(out, "plane", tool.plane);
    append_json_member(out, "description", tool.description);
    append_json_member(out, "inputSchema", tool.input_schema);
    append_text_member(out, "effect", tool.effect);
    append_text_member(out, "confirmation", tool.confirmation);
    append_bool_member(out, "available", tool.available);
    if (!tool.unavailable_reason.empty()) append_text_member(out, "unavailableReason", tool.unavailable_reason);
    out += '}';
}

void append_state(std::string& out, const StepState& state) {
    out += '{';
    append_text_member(out, "wireName", state.wire_name);
    append_bool_member(out, "available", state.available);
    if (!state.unavailable_reason.empty()) append_text_member(out, "unavailableReason", state.unavailable_reason);
    if (!state.note.empty()) append_text_member(out, "note", state.note);
    out += '}';
}

template <class Items, class Append>
void append_list(std::string& out, std::string_view key, const Items& items, const Append& append) {
    append_key(out, key);
    out += '[';
    bool first = true;
    for (const auto& item : items) {
        if (!first) out += ',';
        first = false;
        append(out, item);
    }
    out += ']';
}

/// The string's JSON text, or an empty string's.
std::string_view text_json(JsonValue value) {
    return value.is(JsonType::string) ? value.raw() : std::string_view("\"\"");
}

bool available(JsonValue value) { return !value.is(JsonType::boolean) || value.boolean(); }

void read_tools(StepRequest& step, JsonValue tools) {
    if (!tools.is(JsonType::array)) return;
    step.tools.reserve(tools.size());
    for (const JsonValue tool : tools.elements()) {
        const auto text = [&tool](std::string_view key) { return text_or(tool.find(key), {}); };
        const JsonValue schema = tool.find("inputSchema");
        step.tools.push_back({text("wireName"), text("canonicalId"), text("plane"), text("effect"),
                              text("confirmation"), text_json(tool.find("description")),
                              schema.is(JsonType::object) ? schema.raw() : std::string_view("{}"),
                              available(tool.find("available")), text("unavailableReason")});
    }
}

void read_state(StepRequest& step, JsonValue state) {
    if (!state.is(JsonType::array)) return;
    for (const JsonValue entry : state.elements())
        step.state.push_back({text_or(entry.find("wireName"), {}), available(entry.find("available")),
                              text_or(entry.find("unavailableReason"), {}), text_or(entry.find("note"), {})});
}

void read_scope(StepRequest& step, JsonValue scope) {
    if (!scope.is(JsonType::array)) return;
    step.requested_scope.emplace();
    for (const JsonValue token : scope.elements())
        if (token.is(JsonType::string)) step.requested_scope->push_back(token.string());
}

double number_or(JsonValue value, double fallback) { return value.is(JsonType::number) ? value.number() : fallback; }

}  // namespace

std::string step_json(const StepRequest& step) {
    std::string out = "{";
    out.reserve(step.document.text().size() + 256);
    append_number_member(out, "protocolVersion", step.protocol_version);
    append_text_member(out, "conversationId", step.conversation_id);
    append_text_member(out, "turnId", step.turn_id);
    append_number_member(out, "stepIndex", step.step_index);
    append_text_member(out, "pathname", step.pathname);
    if (step.model_id) append_text_member(out, "modelId", *step.model_id);
    append_json_member(out, "messages", step.messages ? step.messages.raw() : std::string_view("[]"));
    append_text_member(out, "catalogMode", step.catalog_mode);
    if (step.requested_scope) append_list(out, "requestedScope", *step.requested_scope, append_json_string);
    append_list(out, "frontendTools", step.tools, append_tool);
    append_list(out, "frontendState", step.state, append_state);
    if (step.truncated) {
        append_key(out, "truncated");
        out += '{';
        append_number_member(out, "dropped", step.truncated->dropped);
        append_text_member(out, "reason", step.truncated->reason);
        out += '}';
    }
    return out + '}';
}

Result<StepRequest> read_step(std::string text) {
    Result<JsonDocument> document = JsonDocument::read(std::move(text), {std::size_t{1} << 30, bounds::kMaxJsonDepth});
    if (!document) return make_error(definition_codes::kInvalidDefinition, document.error().message, "step");
    StepRequest step(std::move(*document));
    const JsonValue root = step.document.root();
    if (!root.is(JsonType::object))
        return make_error(definition_codes::kInvalidDefinition, "A step is an object.", "step");
    step.protocol_version = number_or(root.find("protocolVersion"), kProtocolVersion) == 1 ? 1 : kProtocolVersion;
    step.conversation_id = text_or(root.find("conversationId"), {});
    step.turn_id = text_or(root.find("turnId"), {});
    step.step_index = handle_of(number_or(root.find("stepIndex"), 0));
    step.pathname = text_or(root.find("pathname"), {});
    if (root.find("modelId").is(JsonType::string)) step.model_id = root.find("modelId").string();
    step.messages = root.find("messages");
    step.catalog_mode = text_or(root.find("catalogMode"), catalog_modes::kDirect);
    read_scope(step, root.find("requestedScope"));
    read_tools(step, root.find("frontendTools"));
    read_state(step, root.find("frontendState"));
    const JsonValue truncated = root.find("truncated");
    if (truncated.is(JsonType::object))
        step.truncated = StepTruncation{number_or(truncated.find("dropped"), 0), text_or(truncated.find("reason"), {})};
    return step;
}

std::string decode_step_request_text(std::string body, const ProtocolLimits& limits) {
    const Admitted<StepRequest> decoded = decode_step_request(std::move(body), limits);
    if (const Refusal* refusal = refusal_of(decoded)) return refusal_json(*refusal);
    return concat({"{\"ok\":true,\"step\":", step_json(std::get<StepRequest>(decoded)), "}"});
}

}  // namespace host_protocol
