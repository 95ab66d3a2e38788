// Bytes of a stranger become a step, or a refusal that says where (spec: host-protocol.md, "Step request").
#include <cmath>

#include "host_protocol/json_out.h"
#include "host_protocol/step_request.h"
#include "step_shapes.h"

namespace host_protocol {
namespace {

using shape::Place;

constexpr int kTooLarge = 413;
constexpr std::uint32_t kOldVersion = 1;
constexpr std::string_view kNoPathname = "/";

Refusal refused(Error error) {
    const int status = http_status(error.code);
    return {status, std::move(error)};
}

/// Fills a step out of a body; the first fault ends it.
class Decoder {
  public:
    Decoder(StepRequest& step, const ProtocolLimits& limits) : step_(step), limits_(limits) {}

    Status run() {
        const JsonValue body = step_.document.root();
        if (!body.is(JsonType::object)) return shape::fault({}, shape::describe(body), "an object");
        Status status = take_version(body.find("protocolVersion"));
        if (!status) return status;
        return step_.protocol_version == kOldVersion ? take_old(body) : take_new(body);
    }

  private:
    Status take_version(JsonValue version);
    Status take_old(JsonValue body);
    Status take_new(JsonValue body);
    void take_head(const JsonValue* found);
    Status take_scope(JsonValue scope, const Place& place);
    Status take_truncation(JsonValue truncation, const Place& place);
    Status take_tools(JsonValue tools, const Place& place);
    Status take_state(JsonValue state, const Place& place);
    Status check_count(std::string_view plane, std::uint32_t count, std::uint32_t limit, const Place& place) const;
    Status take_lists(JsonValue tools, const Place& tools_place);
    void lift_availability();

    StepRequest& step_;
    const ProtocolLimits& limits_;
    const Place top_{};
};

Status Decoder::take_version(JsonValue version) {
    const Place place = top_.member("protocolVersion");
    if (!version) return shape::fault(place, "nothing", "1 or 2");
    const bool integer = version.is(JsonType::number) && version.number() == std::trunc(version.number());
    if (!integer) return shape::fault(place, shape::describe(version), "the integer 1 or 2");
    for (const std::uint32_t served : kProtocolVersions) {
        if (version.number() != served) continue;
        step_.protocol_version = served;
        return ok();
    }
    return make_error(host_codes::kProtocolVersionMismatch,
                      concat({"Version ", shape::decimal(version.number()), " is not served; versions 1 and 2 are."}),
                      "/protocolVersion");
}

void Decoder::take_head(const JsonValue* found) {
    namespace at = shape::request;
    step_.conversation_id = found[at::conversation_id].string();
    step_.turn_id = found[at::turn_id].string();
    step_.step_index = static_cast<std::uint32_t>(found[at::step_index].number());
    if (found[at::model_id]) step_.model_id = found[at::model_id].string();
    step_.messages = found[at::messages];
    step_.catalog_mode = catalog_modes::kDirect;
}

Status Decoder::check_count(std::string_view plane, std::uint32_t count, std::uint32_t limit,
                            const Place& place) const {
    if (count <= limit) return ok();
    std::string message =
        concat({"Found ", shape::decimal(count), " ", plane, "; at most ", shape::decimal(limit), " are allowed."});
    return make_error(host_codes::kCatalogTooLarge, std::move(message), schema_detail::json_pointer(place));
}

/// Counts before contents: what is too long is not walked.
Status Decoder::take_lists(JsonValue tools, const Place& tools_place) {
    const bool old = step_.protocol_version == kOldVersion;
    const auto least = [](std::uint32_t one, std::uint32_t other) { return one < other ? one : other; };
    const Place messages_place = top_.member("messages");
    const std::uint32_t most_tools =
        old ? least(bounds::kMaxV1FrontendTools, limits_.max_frontend_tools) : limits_.max_frontend_tools;
    const std::uint32_t most_messages =
        old ? least(bounds::kMaxV1Messages, limits_.max_messages) : limits_.max_messages;
    Status status = check_count("frontend tools", tools.size(), most_tools, tools_place);
    if (status) status = check_count("messages", step_.messages.size(), most_messages, messages_place);
    if (status) status = shape::check_messages(step_.messages, messages_place);
    if (status) status = shape::check_history(step_.messages, messages_place);
    if (status) status = take_tools(tools, tools_place);
    return status;
}

Status Decoder::take_old(JsonValue body) {
    JsonValue found[shape::request::kV1Count];
    Status status = shape::check(body, shape::kRequestV1, top_, found);
    if (!status) return status;
    take_head(found);
    step_.pathname = kNoPathname;
    status = take_lists(found[shape::request::frontend_tools], top_.member("frontendTools"));
    if (status) lift_availability();
    return status;
}

Status Decoder::take_new(JsonValue body) {
    JsonValue found[shape::request::kCount];
    Status status = shape::check(body, shape::kRequest, top_, found);
    if (!status) return status;
    take_head(found);
    step_.pathname = found[shape::request::pathname].string();
    const Place place = top_.member("catalog");
    JsonValue parts[shape::catalog::kCount];
    status = shape::check(found[shape::request::catalog], shape::kCatalog, place, parts);
    if (!status) return status;
    if (parts[shape::catalog::mode]) step_.catalog_mode = parts[shape::catalog::mode].string();
    status = take_scope(parts[shape::catalog::scope], place.member("scope"));
    if (status) status = take_truncation(parts[shape::catalog::truncated], place.member("truncated"));
    if (status) status = take_lists(parts[shape::catalog::frontend_tools], place.member("frontendTools"));
    if (status) status = take_state(parts[shape::catalog::frontend_state], place.member("frontendState"));
    return status;
}

Status Decoder::take_scope(JsonValue scope, const Place& place) {
    if (!scope) return ok();
    step_.requested_scope.emplace();
    std::size_t index = 0;
    for (const JsonValue token : scope.elements()) {
        Status status = shape::check_value(token, shape::kScopeToken, place.element(index++));
        if (!status) return status;
        step_.requested_scope->push_back(token.string());
    }
    return ok();
}

Status Decoder::take_truncation(JsonValue truncation, const Place& place) {
    if (!truncation) return ok();
    JsonValue found[shape::truncation::kCount];
    Status status = shape::check(truncation, shape::kTruncation, place, found);
    if (status)
        step_.truncated =
            StepTruncation{found[shape::truncation::dropped].number(), found[shape::truncation::reason].string()};
    return status;
}

Status Decoder::take_tools(JsonValue tools, const Place& place) {
    namespace at = shape::tool;
    step_.tools.reserve(tools.size());
    JsonValue found[at::kCount];
    for (const JsonValue tool : tools.elements()) {
        Status status = shape::check(tool, shape::kTool, place.element(step_.tools.size()), found);
        if (!status) return status;
        step_.tools.push_back({found[at::wire_name].string(), found[at::canonical_id].string(),
                               found[at::plane].string(), found[at::effect].string(),
                               found[at::confirmation_level].string(), found[at::description].raw(),
                               found[at::input_schema].raw(), !found[at::available] || found[at::available].boolean(),
                               text_or(found[at::unavailable_reason], {})});
    }
    return ok();
}

Status Decoder::take_state(JsonValue state, const Place& place) {
    namespace at = shape::state;
    if (!state) return ok();
    step_.state.reserve(state.size());
    JsonValue found[at::kCount];
    for (const JsonValue entry : state.elements()) {
        Status status = shape::check(entry, shape::kState, place.element(step_.state.size()), found);
        if (!status) return status;
        step_.state.push_back({found[at::wire_name].string(), found[at::available].boolean(),
                               text_or(found[at::unavailable_reason], {}), text_or(found[at::note], {})});
    }
    return ok();
}

void Decoder::lift_availability() {
    for (const StepTool& tool : step_.tools)
        if (!tool.available) step_.state.push_back({tool.wire_name, false, tool.unavailable_reason, {}});
}

}  // namespace

Admitted<StepRequest> decode_step_request(std::string body, const ProtocolLimits& limits) {
    Result<JsonDocument> document = JsonDocument::read(std::move(body), {limits.max_body_bytes, bounds::kMaxJsonDepth});
    if (!document) {
        const bool too_large = document.error().code == json_fault::kTooLarge;
        Refusal refusal = refused(shape::unreadable(document.error()));
        if (too_large) refusal.status = kTooLarge;
        return refusal;
    }
    StepRequest step(std::move(*document));
    Status status = Decoder(step, limits).run();
    if (!status) return refused(std::move(status.error()));
    return step;
}

}  // namespace host_protocol
