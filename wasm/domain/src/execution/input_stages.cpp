// Stages 5 to 7 and 9: the input, the actor, the policies; and what conceals a capability (decision 18).
#include "domain/value_facts.h"
#include "execution/execution.h"
#include "host_protocol/canonical_json.h"
#include "host_protocol/json_out.h"

namespace domain {

using host_protocol::JsonDocument;
using host_protocol::JsonValue;

Step Execution::validate(double now) {
    return capability().has_input_schema ? ask(Ask::validate_input) : input_validated(now);
}

Step Execution::input_validated(double now) {
    if (is_resume_) {
        // Without a schema the stored input is what was hashed already.
        return capability().has_input_schema ? hash(HashFor::validated) : consume(now);
    }
    return around_.audit.wanted() ? hash(HashFor::audit) : authenticate(now);
}

Step Execution::input_refused(Failure failure, double now) {
    pending_ = std::move(failure);
    return run_policies(Purpose::conceal, now);
}

Step Execution::conceal(double now) {
    return deny(failure_of(codes::kCapabilityNotFound), denied_reasons::kHidden, now);
}

Step Execution::conceal_or_fail(const BatchOutcome& outcome, double now) {
    if (outcome.verdict == Verdict::hide || outcome.verdict == Verdict::failure) return conceal(now);
    // What discovery's policies said was not asked for this call's sake.
    policies_.clear();
    return fail(*pending_, now);
}

Step Execution::hash(HashFor purpose) {
    hash_for_ = purpose;
    return ask(Ask::hash_input);
}

Step Execution::hashed(Told told, std::string_view text, double now) {
    std::string digest;
    if (told == Told::hashed) {
        const auto document = JsonDocument::read(std::string(text), {std::size_t{64} << 20, 1000});
        if (document) digest = host_protocol::sha256_hex(host_protocol::canonical_json(document->root()));
    }
    switch (hash_for_) {
        case HashFor::audit:
            hash_tried_ = true;
            input_hash_ = std::move(digest);
            return authenticate(now);
        case HashFor::gate:
            hash_tried_ = true;
            input_hash_ = std::move(digest);
            return request_approval(now);
        case HashFor::stored:
            if (digest.empty() || digest != stored_hash_) return fail(failure_of(codes::kApprovalInputMismatch), now);
            input_hash_ = std::move(digest);
            capability_ = around_.registry.find(capability_id_);
            return look_up(now);
        case HashFor::validated: break;
    }
    // Decision 1: what runs is what was approved.
    if (digest != stored_hash_) return fail(failure_of(codes::kApprovalInputMismatch), now);
    return consume(now);
}

Step Execution::consume(double now) {
    // A caller that is gone does not burn the approval (decision 4).
    return aborted_ ? cancel(codes::kCancelled, now) : ask(Ask::consume_approval);
}

Step Execution::authenticate(double now) {
    if (!actor_.is_well_formed) return input_refused(failure_of(codes::kUnauthenticated), now);
    return run_policies(Purpose::invocation, now);
}

Step Execution::run_policies(Purpose purpose, double now) {
    purpose_ = purpose;
    const Phase phase = purpose == Purpose::conceal      ? Phase::discovery
                        : purpose == Purpose::invocation ? Phase::invocation
                                                         : Phase::execution;
    if (!batch_of(around_.options.policies, capability(), phase).empty())
        return ask(Ask::run_policies, static_cast<double>(phase));
    return policies_ran({}, now);
}

Step Execution::policies_ran(std::string_view text, double now) {
    const Phase phase = purpose_ == Purpose::conceal      ? Phase::discovery
                        : purpose_ == Purpose::invocation ? Phase::invocation
                                                          : Phase::execution;
    const auto batch = batch_of(around_.options.policies, capability(), phase);
    BatchOutcome outcome;
    if (text.empty()) {
        outcome = combine(batch, JsonValue());
    } else {
        const auto outcomes = JsonDocument::read(std::string(text), kToldLimits);
        if (!outcomes) return break_down(now);
        outcome = combine(batch, outcomes->root());
    }
    policies_.insert(policies_.end(), outcome.records.begin(), outcome.records.end());
    if (purpose_ == Purpose::conceal) return conceal_or_fail(outcome, now);
    return purpose_ == Purpose::invocation ? invocation_decided(outcome, now) : execution_decided(outcome, now);
}

/// None: the outcome lets the call through. `reason` is the audit's word for it.
std::optional<Failure> Execution::refusal_of(const BatchOutcome& outcome, std::string_view& reason) const {
    switch (outcome.verdict) {
        case Verdict::failure: reason = denied_reasons::kPolicyFailed; return failure_of(codes::kPolicyFailed);
        case Verdict::hide: reason = denied_reasons::kHidden; return failure_of(codes::kCapabilityNotFound);
        case Verdict::deny: {
            reason = denied_reasons::kPolicyDenied;
            Failure failure = failure_of(codes::kPolicyDenied);
            if (outcome.deny_message) failure.message = *outcome.deny_message;
            failure.details = "{";
            host_protocol::append_text_member(failure.details, "policy", outcome.deny_policy);
            if (outcome.deny_code) host_protocol::append_text_member(failure.details, "code", *outcome.deny_code);
            failure.details += '}';
            return failure;
        }
        case Verdict::require_approval:
        case Verdict::allow: break;
    }
    return std::nullopt;
}

Step Execution::invocation_decided(const BatchOutcome& outcome, double now) {
    std::string_view reason;
    if (auto refusal = refusal_of(outcome, reason)) return deny(*refusal, reason, now);
    if (capability().approval_required || !outcome.demands.empty()) return open_gate(outcome.demands, now);
    return run_policies(Purpose::execution, now);
}

/// Stage 9: the same refusals, but the event says failed. An approval that there is satisfies every demand (9b).
Step Execution::execution_decided(const BatchOutcome& outcome, double now) {
    std::string_view reason;
    if (auto refusal = refusal_of(outcome, reason)) return fail(*refusal, now);
    if (!outcome.demands.empty() && approval_id_.empty()) {
        gate_is_second_ = true;
        return open_gate(outcome.demands, now);
    }
    return start(now);
}

}  // namespace domain
