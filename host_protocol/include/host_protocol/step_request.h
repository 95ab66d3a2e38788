// The step request: one POST is one model step (spec: host-protocol.md, "Step request").
//
//     Admitted<StepRequest> decoded = decode_step_request(std::move(body));
//     if (const Refusal* refusal = refusal_of(decoded)) return respond(*refusal);
//     StepRequest& step = std::get<StepRequest>(decoded);            // legal, within every bound, version 1 normalised
//
// Order of the checks: bytes, UTF-8 and JSON, version, fields, counts of tools and messages, messages, legality of the
// history, tools, state. Lengths are UTF-16 code units. Unknown members are ignored; messages keep theirs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/json_text.h"
#include "host_protocol/refusal.h"

namespace host_protocol {

/// What a page declares: visibility only, the executor never leaves the tab.
struct StepTool {
    std::string_view wire_name;
    std::string_view canonical_id;
    std::string_view plane;
    std::string_view effect;
    std::string_view confirmation;
    std::string_view description;   // JSON text of the string
    std::string_view input_schema;  // JSON text of the object
    bool available = true;
    std::string_view unavailable_reason;
};

struct StepState {
    std::string_view wire_name;
    bool available = true;
    std::string_view unavailable_reason;
    std::string_view note;
};

struct StepTruncation {
    double dropped;
    std::string_view reason;
};

/// Movable; the views stay valid, they point into the document.
struct StepRequest {
    explicit StepRequest(JsonDocument body) : document(std::move(body)) {}

    JsonDocument document;
    std::uint32_t protocol_version = 0;  // as it was sent
    std::string_view conversation_id;
    std::string_view turn_id;
    std::uint32_t step_index = 0;
    std::string_view pathname;  // "/" in version 1, which has none
    std::optional<std::string_view> model_id;
    JsonValue messages;
    std::string_view catalog_mode;
    std::optional<std::vector<std::string_view>> requested_scope;
    std::vector<StepTool> tools;
    std::vector<StepState> state;  // version 1: lifted from the tools
    std::optional<StepTruncation> truncated;
};

Admitted<StepRequest> decode_step_request(std::string body, const ProtocolLimits& limits = {});

/// The step as js-api.md has it: { protocolVersion, conversationId, turnId, stepIndex, pathname, modelId?, messages,
/// catalogMode, requestedScope?, frontendTools, frontendState, truncated? }. Messages are copied byte for byte.
std::string step_json(const StepRequest& step);

/// Reads step_json's text back. Whoever has a step may have changed it: what is not of its type is as if absent, and
/// the catalog's own rules see to it. INVALID_DEFINITION for what is no JSON object.
Result<StepRequest> read_step(std::string text);

/// Text in, text out: `{"ok":true,"step":{…}}` or refusal_json.
std::string decode_step_request_text(std::string body, const ProtocolLimits& limits = {});

}  // namespace host_protocol
