// Phase 10: the one result of a call, and everything that ends with it.
#include <algorithm>

#include "invocation/pipeline.h"

namespace viewcap {
namespace {

/// Ended calls whose handlers may still settle, remembered for the audit only.
constexpr std::size_t kMaxLateCalls = 256;

}  // namespace

Answer Pipeline::settle(InvocationHandle handle, SettleOutcome outcome, std::string_view text, double now) {
    if (!asking_.empty() && asking_.count(handle) != 0)
        return end_asking(handle,
                          outcome == SettleOutcome::cancelled ? InvocationInput::cancel : InvocationInput::refuse, now);
    Invocation* invocation = find(handle);
    Answer answer = invocation == nullptr ? ignored(handle, now) : end(*invocation, outcome, text, now);
    dispatch_promoted();
    return answer;
}

Answer Pipeline::end(Invocation& invocation, SettleOutcome outcome, std::string_view text, double now) {
    if (outcome == SettleOutcome::cancelled) return apply(invocation, InvocationInput::cancel, now);
    if (outcome == SettleOutcome::internal) return refuse(invocation, failures::internal(), now);
    // A handler that comes after its time is late even when the timer has not fired yet.
    if (invocation.state == InvocationState::running && now >= invocation.deadline())
        return apply(invocation, InvocationInput::expire, now);
    switch (outcome) {
        case SettleOutcome::no_output: return done(invocation, {}, now);
        case SettleOutcome::output: return done(invocation, text, now);
        case SettleOutcome::not_json: {
            const Failure failure = failures::output_invalid();
            return apply(invocation, InvocationInput::fail, now, &failure);
        }
        default: break;
    }
    const bool on_server = invocation.is_procedure();
    Failure failure = outcome == SettleOutcome::thrown_error
                          ? thrown(text, on_server ? failures::Thrower::executor : failures::Thrower::handler)
                          : failures::handler_error(text == "{\"transient\":true}", on_server);
    if (invocation.aborted) failure = failures::cancelled(true);
    return apply(invocation, InvocationInput::fail, now, &failure);
}

std::optional<Failure> Pipeline::check_output(const Capability& capability, std::string_view output) {
    if (output.size() > options_.limits.max_output_bytes)
        return failures::output_too_large(output.size(), options_.limits.max_output_bytes);
    if (!capability.output || output.empty()) return std::nullopt;
    auto value = payload_reader_.read(output, {options_.limits.max_output_bytes, ~std::uint32_t{0}});
    if (!value || !capability.output->validate(*value).empty()) return failures::output_invalid();
    return std::nullopt;
}

Answer Pipeline::done(Invocation& invocation, std::string_view output, double now) {
    if (const auto failure = check_output(invocation.capability(), output))
        return apply(invocation, InvocationInput::fail, now, &*failure);
    if (next_invocation_step(invocation.state, InvocationInput::finish, false).outcome != InvocationOutcome::done)
        return Answer::of(AnswerKind::ignored);
    invocation.state = InvocationState::settled;
    const ResultHead head = head_of(invocation);
    Answer answer = Answer::of(AnswerKind::done);
    answer.surface_version = head.version;
    answer.surface_changed = head.changed;
    if (invocation.ticket)
        remember(invocation.ticket, true, {true, head.changed, head.version, std::string(output)}, now);
    close(invocation, {{}, output, now});
    return answer;
}

Answer Pipeline::fail(Invocation& invocation, const Failure& failure, double now) {
    Answer answer = Answer::settled(error_result(head_of(invocation), failure));
    if (invocation.ticket) remember(invocation.ticket, is_cacheable(failure), {false, false, 0, answer.result}, now);
    close(invocation, {failure.code, {}, now});
    return answer;
}

void Pipeline::remember(const DedupeCache::Ticket& ticket, bool cacheable, StoredResult result, double now) {
    if (cacheable)
        dedupe_.keep(ticket, std::move(result), now);
    else
        dedupe_.forget(ticket);
}

void Pipeline::close(Invocation& invocation, const Settlement& settlement) {
    if (!invocation.confirmation_id.empty()) {
        if (invocation.dispatched)
            confirmations_.settle(invocation.confirmation_id, invocation.handle, invocation.started_at);
        else
            confirmations_.release(invocation.confirmation_id, invocation.handle);
    }
    if (invocation.queued_at >= 0) invocation.queue_wait_ms += settlement.now - invocation.queued_at;
    if (!log_.silent()) log_.settled(record_of(invocation), settlement);
    Registration* const live = surface_.by_handle(invocation.registration);
    if (live != nullptr) {
        auto& list = live->in_flight;
        list.erase(std::remove(list.begin(), list.end(), invocation.handle), list.end());
    }
    const InvocationHandle turn = admissions_.leave(place_of(invocation, live));
    auto node = in_flight_.extract(invocation.handle);
    if (log_.wants_audit() && !settlement.code.empty()) {
        if (late_.size() >= kMaxLateCalls) late_.pop_front();
        late_.push_back({invocation.handle, std::move(node.mapped())});
    }
    // While everything ends, a place that becomes free is nobody's turn.
    if (Invocation* next = turn != 0 && !disposing_ ? find(turn) : nullptr) {
        next->queue_wait_ms += settlement.now - next->queued_at;
        next->queued_at = -1;
        apply(*next, InvocationInput::promote, settlement.now);
        promoted_.push_back(turn);
    }
}

void Pipeline::deliver(InvocationHandle handle, const Answer& answer) {
    if (answer.kind == AnswerKind::result) outbox_.settle(handle, answer.result);
    dispatch_promoted();
}

void Pipeline::dispatch_promoted() {
    for (InvocationHandle handle : promoted_) outbox_.dispatch(handle);
    promoted_.clear();
}

Answer Pipeline::ignored(InvocationHandle handle, double now) {
    const auto late =
        std::find_if(late_.begin(), late_.end(), [handle](const LateCall& call) { return call.handle == handle; });
    if (late != late_.end()) {
        log_.late_settlement(record_of(*late->invocation), now);
        late_.erase(late);
    }
    return Answer::of(AnswerKind::ignored);
}

}  // namespace viewcap
