// How an execution starts, what it is told, and how it ends.
#include "execution/execution.h"

#include "domain/value_facts.h"
#include "host_protocol/canonical_json.h"
#include "host_protocol/json_out.h"

namespace domain {

using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::text_or;

Execution::Execution(Surroundings around, ExecutionHandle handle, std::string_view execution_id, double now)
    : around_(around), handle_(handle), execution_id_(execution_id), started_at_(now) {}

Step Execution::ask(Ask what, double number, std::string text) {
    asked_ = what;
    Step step;
    step.ask = what;
    step.execution = handle_;
    step.capability = capability_;
    step.number = number;
    step.text = std::move(text);
    return step;
}

Step Execution::finish(std::string text) { return ask(Ask::finished, 0, std::move(text)); }

Envelope Execution::envelope() const {
    return {surface_text_, &actor_, execution_id_, capability_id_, correlation_id_, input_hash_};
}

namespace {

std::string ended(std::string_view status, const Failure& failure) {
    std::string out = "{";
    host_protocol::append_text_member(out, "status", status);
    host_protocol::append_json_member(out, "error", failure_text(failure));
    return out + '}';
}

/// Whether `told` can answer `asked`; broke can answer everything.
bool fits(Ask asked, Told told) {
    switch (told) {
        case Told::valid:
        case Told::invalid: return asked == Ask::validate_input || asked == Ask::validate_output;
        case Told::hashed:
        case Told::unhashable: return asked == Ask::hash_input;
        case Told::batch: return asked == Ask::run_policies;
        case Told::decided:
        case Told::undecided: return asked == Ask::decide_inline;
        case Told::done:
            return asked == Ask::store_approval || asked == Ask::audit_started || asked == Ask::consume_approval ||
                   asked == Ask::back_off || asked == Ask::redact;
        case Told::refused:
            return asked == Ask::store_approval || asked == Ask::audit_started || asked == Ask::consume_approval ||
                   asked == Ask::redact || asked == Ask::decide_inline;
        case Told::output:
        case Told::threw:
        case Told::timed_out: return asked == Ask::execute;
        case Told::stopped: return asked == Ask::execute || asked == Ask::back_off;
        case Told::yes:
        case Told::no: return asked == Ask::may_retry;
        case Told::broke: return true;
    }
    return false;
}

}  // namespace

Step Execution::fail(const Failure& failure, double now) {
    around_.audit.failed(envelope(), failure, attempts_, executed_, policies_, now);
    return finish(ended("failed", failure));
}

Step Execution::deny(const Failure& failure, std::string_view reason, double now) {
    around_.audit.denied(envelope(), reason, failure.code, policies_, now);
    return finish(ended("failed", failure));
}

Step Execution::cancel(std::string_view code, double now) {
    around_.audit.cancelled(envelope(), code, duration(now), now);
    return finish(ended("cancelled", failure_of(code)));
}

/// Decision 2: an exception that nobody expected is an envelope too; what hides the capability still hides it.
Step Execution::break_down(double now) {
    // Discovery's policies that could not be run are a failure like any other of theirs (decision 18).
    if (asked_ == Ask::run_policies && purpose_ == Purpose::conceal) return conceal(now);
    Failure failure = asked_ == Ask::decide_inline || asked_ == Ask::store_approval
                          ? failure_of(codes::kInternalError, stages::kApproval)
                          : failure_of(codes::kInternalError);
    const bool in_stage_five =
        asked_ == Ask::validate_input || (asked_ == Ask::hash_input && hash_for_ == HashFor::audit);
    return in_stage_five ? input_refused(std::move(failure), now) : fail(failure, now);
}

/// Stages 2 to 4. An unknown and an unexposed id look alike outside (SI-8).
Step Execution::begin(JsonValue request, double now) {
    JsonValue parts[6];
    std::size_t count = 0;
    for (JsonValue part : request.elements())
        if (count < 6) parts[count++] = part;
    capability_id_ = text_or(parts[1], "");
    surface_text_ = text_or(parts[2], "");
    surface_ = surface_named(surface_text_);
    actor_ = read_actor(parts[3]);
    correlation_id_ = text_or(parts[4], "");
    aborted_ = host_protocol::is_true(parts[5]);
    capability_ = around_.registry.find(capability_id_);
    around_.audit.requested(envelope(), capability_ < 0 ? nullptr : &capability(), now);
    return look_up(now);
}

Step Execution::look_up(double now) {
    if (capability_ < 0) return deny(failure_of(codes::kCapabilityNotFound), denied_reasons::kUnknown, now);
    if (!surface_ || !capability().is_exposed_on(*surface_))
        return deny(failure_of(codes::kCapabilityNotFound), denied_reasons::kNotExposed, now);
    return validate(now);
}

namespace {

/// Guards that are given and ill-formed must not stand open: they match nobody.
ResumeGuards read_guards(JsonValue facts) {
    ResumeGuards guards;
    if (!facts || facts.is(JsonType::null)) return guards;
    const JsonValue actor = facts.find("actor"), surface = facts.find("surface");
    guards.wants_actor = actor || !is_record(facts);
    if (actor) guards.actor = read_actor(actor);
    if (surface) guards.surface = surface_named(text_or(surface, "")) ? surface.string() : "?";
    return guards;
}

}  // namespace

/// Steps 1 to 9 of spec §8.4. Steps 2 to 8 say nothing of the record to whoever may not resume it.
Step Execution::resume(JsonValue request, double now) {
    is_resume_ = true;
    JsonValue parts[4];
    std::size_t count = 0;
    for (JsonValue part : request.elements())
        if (count < 4) parts[count++] = part;
    aborted_ = host_protocol::is_true(parts[3]);
    surface_text_ = surfaces::kDirect;
    const std::optional<StoredApproval> record = read_stored_approval(parts[1]);
    if (!record) return fail(failure_of(codes::kInternalError, stages::kApproval), now);

    const ResumeGuards guards = read_guards(parts[2]);
    capability_id_ = record->capability_id;
    correlation_id_ = record->correlation_id;
    stored_hash_ = record->input_hash;
    const auto refusal = check_resume(*record, guards, around_.options.reject_self_approval, now);
    if (refusal == codes::kApprovalResumeMismatch) {
        // The evidence names who tried, not whose approval it is.
        if (guards.wants_actor) actor_ = guards.actor;
        if (surface_named(guards.surface)) surface_text_ = guards.surface;
        return fail(failure_of(*refusal), now);
    }
    actor_ = record->actor;
    surface_text_ = record->surface;
    surface_ = surface_named(surface_text_);
    if (refusal == codes::kInternalError) return fail(failure_of(*refusal, stages::kApproval), now);
    if (refusal) return fail(failure_of(*refusal), now);
    approval_id_ = record->id;
    return hash(HashFor::stored);
}

Step Execution::tell(Told told, std::string_view text, bool aborted, double now) {
    if (asked_ == Ask::finished || asked_ == Ask::ignored) return {};
    aborted_ = aborted_ || aborted;
    if (told == Told::broke || !fits(asked_, told)) return break_down(now);
    switch (asked_) {
        case Ask::validate_input: {
            if (told == Told::valid) return input_validated(now);
            const auto issues = host_protocol::JsonDocument::read(std::string(text), kToldLimits);
            return input_refused(invalid_input(issues ? issues->root() : JsonValue()), now);
        }
        case Ask::hash_input: return hashed(told, text, now);
        case Ask::run_policies: return policies_ran(text, now);
        case Ask::decide_inline: return decided_inline(told, text, now);
        case Ask::store_approval: return stored(told, now);
        case Ask::audit_started:
            if (told != Told::done) return fail(failure_of(codes::kAuditUnavailable), now);
            return aborted_ ? cancel(codes::kCancelled, now) : execute();
        case Ask::execute: return executed(told, text, now);
        case Ask::back_off: return told == Told::stopped || aborted_ ? cancel(codes::kCancelled, now) : execute();
        case Ask::validate_output:
            return told == Told::valid ? redact(now) : fail(failure_of(codes::kOutputInvalid), now);
        case Ask::redact: return told == Told::done ? complete(now) : fail(failure_of(codes::kExecutionFailed), now);
        case Ask::consume_approval:
            if (told != Told::done) return fail(failure_of(codes::kApprovalConsumed), now);
            return run_policies(Purpose::execution, now);
        case Ask::may_retry: return retry_or_end(told == Told::yes, now);
        case Ask::finished:
        case Ask::ignored: break;
    }
    return {};
}

}  // namespace domain
