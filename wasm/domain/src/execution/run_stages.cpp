// Stages 10 to 15: the start, the attempts, the output (spec: domain.md §§6.3, 6.4).
#include "execution/execution.h"

namespace domain {

using host_protocol::JsonDocument;
using host_protocol::JsonValue;

Step Execution::start(double now) {
    if (aborted_) return cancel(codes::kCancelled, now);
    around_.audit.started(envelope(), approval_id_, now);
    return around_.options.strict_audit ? ask(Ask::audit_started) : execute();
}

Step Execution::execute() {
    attempts_ += 1;
    return ask(Ask::execute, capability().timeout_ms.value_or(around_.options.timeout_ms));
}

Step Execution::executed(Told told, std::string_view text, double now) {
    // Of time and token the first cause wins: a token that is aborted after the time was up ends only the retries.
    if (told == Told::timed_out) return attempt_failed(failure_of(codes::kTimeout), now);
    // The caller's token is terminal for the execution, whatever the handler made of it.
    if (told == Told::stopped || aborted_) return cancel(codes::kCancelled, now);
    if (told == Told::output) {
        executed_ = true;
        return check_output(now);
    }
    const auto facts = JsonDocument::read(std::string(text), kToldLimits);
    Failure failure = facts ? thrown_failure(facts->root()) : failure_of(codes::kExecutionFailed);
    // A procedure that checks its own output has run when that is not valid.
    executed_ = failure.code == codes::kOutputInvalid;
    return attempt_failed(std::move(failure), now);
}

Step Execution::attempt_failed(Failure failure, double now) {
    const Capability& what = capability();
    pending_ = std::move(failure);
    const bool repeatable = !is_write_like(what.side_effect) || what.idempotent;
    const bool allowed = what.max_retries > 0 && attempts_ <= what.max_retries && pending_->retryable && repeatable &&
                         pending_->code != codes::kOutputInvalid;
    if (allowed && what.asks_before_retry && !aborted_) return ask(Ask::may_retry, 0, failure_text(*pending_));
    return retry_or_end(allowed, now);
}

Step Execution::retry_or_end(bool allowed, double now) {
    if (!allowed) return end_attempts(now);
    if (aborted_) return cancel(codes::kCancelled, now);
    around_.audit.retried(envelope(), attempts_ + 1, pending_->code, now);
    double wait = capability().backoff_ms;
    // Past a day of doubling the wait is no wait any more; the caller's token ends it.
    for (double done = 1; done < attempts_ && wait < 1e15; ++done) wait *= 2;
    return ask(Ask::back_off, wait);
}

Step Execution::end_attempts(double now) {
    if (pending_->code == codes::kTimeout && !pending_->is_own) return cancel(codes::kTimeout, now);
    return fail(*pending_, now);
}

Step Execution::check_output(double now) {
    return capability().has_output_schema ? ask(Ask::validate_output) : redact(now);
}

Step Execution::redact(double now) { return capability().redacts_output ? ask(Ask::redact) : complete(now); }

Step Execution::complete(double now) {
    around_.audit.completed(envelope(), duration(now), attempts_, now);
    return finish({});
}

}  // namespace domain
