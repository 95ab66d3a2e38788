// Policies of one batch, combined: failure outranks deny (decision 6), and what is not understood is a failure (SI-7).
#include "domain/policy_batch.h"

#include "domain/value_facts.h"
#include "host_protocol/json_out.h"

namespace domain {
namespace {

using host_protocol::JsonValue;
using host_protocol::text_or;

void append_applicable(std::vector<const Policy*>& batch, const std::vector<Policy>& policies, Phase phase) {
    for (const Policy& policy : policies)
        if (policy.applies_to(phase)) batch.push_back(&policy);
}

std::optional<std::string> text_of(JsonValue value) {
    return is_text(value) ? std::optional<std::string>(value.string()) : std::nullopt;
}

/// None when it is ill-formed. A lifetime that is no time is a fault, not a wish for the default (decision 5).
std::optional<ApprovalDemand> read_demand(JsonValue decision) {
    const JsonValue type = decision.find("approvalType"), lifetime = decision.find("expiresInMs");
    ApprovalDemand demand{std::string(text_or(decision.find("reason"), "")), text_of(type), std::nullopt};
    if (demand.reason.empty() || (type && !demand.type)) return std::nullopt;
    if (!lifetime) return demand;
    if (!is_number(lifetime) || lifetime.number() <= 0) return std::nullopt;
    demand.expires_in_ms = lifetime.number();
    return demand;
}

Verdict verdict_of(Stance stance) {
    switch (stance) {
        case Stance::allow: return Verdict::allow;
        case Stance::require_approval: return Verdict::require_approval;
        case Stance::hide: return Verdict::hide;
        case Stance::deny: return Verdict::deny;
        case Stance::error: break;
    }
    return Verdict::failure;
}

void record(BatchOutcome& outcome, const Policy& policy, Stance stance) {
    outcome.records.push_back({policy.name, stance});
    const Verdict verdict = verdict_of(stance);
    if (verdict > outcome.verdict) outcome.verdict = verdict;
}

void add_deny(BatchOutcome& outcome, const Policy& policy, JsonValue decision) {
    if (outcome.deny_policy.data() != nullptr) return;
    outcome.deny_policy = policy.name;
    outcome.deny_code = text_of(decision.find("code"));
    outcome.deny_message = text_of(decision.find("message"));
}

/// What one policy's item comes to; keeps what else the decision says.
Stance take_decision(BatchOutcome& outcome, const Policy& policy, JsonValue decision) {
    const std::string_view type = text_or(decision.find("type"), "");
    if (type == decisions::kAllow) return Stance::allow;
    if (type == decisions::kHide) return Stance::hide;
    if (type == decisions::kDeny) {
        add_deny(outcome, policy, decision);
        return Stance::deny;
    }
    if (type != decisions::kRequireApproval) return Stance::error;
    auto demand = read_demand(decision);
    if (!demand) return Stance::error;
    outcome.demands.push_back(std::move(*demand));
    return Stance::require_approval;
}

}  // namespace

std::vector<const Policy*> batch_of(const std::vector<Policy>& runtime, const Capability& capability, Phase phase) {
    std::vector<const Policy*> batch;
    append_applicable(batch, runtime, phase);
    append_applicable(batch, capability.policies, phase);
    return batch;
}

BatchOutcome combine(const std::vector<const Policy*>& batch, JsonValue outcomes) {
    BatchOutcome outcome;
    outcome.records.reserve(batch.size());
    if (!outcomes) {
        for (const Policy* policy : batch) record(outcome, *policy, Stance::allow);
        return outcome;
    }
    std::size_t reached = 0;
    if (is_list(outcomes))
        for (JsonValue item : outcomes.elements()) {
            const std::string_view word = text_or(item, "");
            if (reached == batch.size() || word == "late" || word == "no-time") break;
            const Policy& policy = *batch[reached++];
            record(outcome, policy, take_decision(outcome, policy, item));
        }
    // The batch stopped here, or nobody said how the rest went: nothing of it counts as an allow.
    for (; reached < batch.size(); ++reached) record(outcome, *batch[reached], Stance::error);
    return outcome;
}

}  // namespace domain
