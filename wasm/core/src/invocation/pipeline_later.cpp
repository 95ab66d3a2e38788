// Where a plan comes back for the core to decide: what a binding came to, and whether a person agreed.
#include <algorithm>

#include "host_protocol/canonical_json.h"
#include "invocation/pipeline.h"
#include "json_out.h"

namespace viewcap {
namespace {

using host_protocol::JsonType;
using host_protocol::JsonValue;

/// The agent's part, the bound values and the envelope around them: each is bounded on its own before.
constexpr host_protocol::JsonLimits kMerging{std::size_t{1} << 22, 128};

/// Whether the binding gave the keys that it promised, no more and no less.
bool gives_bound_keys(const Capability& capability, JsonValue bound) {
    if (!bound.is(JsonType::object) || bound.size() != capability.bound.size()) return false;
    return std::all_of(capability.bound.begin(), capability.bound.end(),
                       [bound](const BoundKey& key) { return static_cast<bool>(bound.find(key.key)); });
}

/// The agent's members in their order, then the bound ones that the agent did not override.
std::string merge(JsonValue input, JsonValue bound) {
    std::string out = "{";
    const auto append = [&out](std::string_view key, JsonValue value) {
        if (out.size() > 1) out += ',';
        host_protocol::append_json_string(out, key);
        out += ':';
        out += value.raw();
    };
    if (input.is(JsonType::object))
        for (const auto& [key, value] : input.members()) append(key, value);
    for (const auto& [key, value] : bound.members())
        if (!input.find(key)) append(key, value);
    return out + "}";
}

}  // namespace

Answer Pipeline::bind(Invocation& invocation, std::string_view text, double now) {
    const Capability& capability = invocation.capability();
    auto parts = payload_reader_.read(text, kMerging);
    if (!parts || !gives_bound_keys(capability, parts->find("bound")))
        return refuse(invocation, failures::binding_failed(), now);
    Answer answer = Answer::of(AnswerKind::pass);
    answer.text = merge(parts->find("input"), parts->find("bound"));
    host_protocol::JsonReader reader;
    auto merged = reader.read(answer.text, kMerging);
    if (!merged || !capability.full_input->validate(*merged).empty())
        return refuse(invocation, failures::binding_failed(), now);
    std::string effective = host_protocol::canonical_json(*merged);
    if (!invocation.effective_input.empty() && invocation.effective_input != effective)
        return refuse(invocation, failures::binding_changed(), now);
    invocation.effective_input = std::move(effective);
    return answer;
}

Answer Pipeline::confirm(Invocation& invocation, std::string_view text, double now) {
    const Capability& capability = invocation.capability();
    Answer answer = Answer::of(AnswerKind::pass);
    auto request = payload_reader_.read(text, kMerging);
    if (!request) return refuse(invocation, failures::internal(), now);
    if (capability.confirmation != Confirmation::required && !is_true(request->find("fired"))) return answer;

    const std::string input = host_protocol::canonical_json(request->find("input"));
    ConfirmationAsk ask;
    ask.consumer_key = invocation.consumer_key;
    ask.registration_id = invocation.registration_id;
    ask.capability_id = capability.id;
    ask.effect = effect_name(capability.effect);
    ask.description = capability.description;
    ask.input = input;
    ask.summary = text_or(request->find("summary"), "");
    const ConfirmationVerdict verdict =
        confirmations_.check(ask, invocation.evidence, text_or(request->find("freshId"), ""), invocation.handle, now);
    if (verdict.failure) return refuse(invocation, *verdict.failure, now);
    invocation.confirmation_id = invocation.evidence;
    answer.approved_at = verdict.approved_at;
    return answer;
}

}  // namespace viewcap
