// Between the plan and the result: gates, admission, settlement, and what ends a call from outside.
#include "invocation/pipeline.h"

#include <algorithm>
#include <cmath>

#include "host_protocol/vocabulary.h"

namespace viewcap {
namespace {

namespace phases = host_protocol::unmount_phases;

/// Ended calls whose handlers may still settle, remembered for the audit only.
constexpr std::size_t kMaxLateCalls = 256;

host_protocol::JsonLimits payload_limits() { return {std::size_t{1} << 20, 64}; }

}  // namespace

Pipeline::Pipeline(const RegistryOptions& options, Surface& surface, Outbox& outbox, EventLog& log)
    : options_(options), surface_(surface), outbox_(outbox), log_(log), dedupe_(options.limits) {
    if (auto empty = empty_reader_.read("{}", payload_limits())) empty_object_ = *empty;
}

Invocation* Pipeline::find(InvocationHandle handle) const {
    const auto found = in_flight_.find(handle);
    return found == in_flight_.end() ? nullptr : found->second.get();
}

ResultHead Pipeline::head_of(const Invocation& invocation) const {
    return {invocation.invocation_id, invocation.capability().id, surface_.version(),
            surface_.version() != invocation.version_at_begin};
}

CallRecord Pipeline::record_of(const Invocation& invocation) {
    CallRecord call;
    call.invocation_id = invocation.invocation_id;
    call.capability_id = invocation.capability().id;
    call.registration_id = invocation.registration_id;
    call.consumer_id = std::string_view(invocation.consumer_key).substr(invocation.consumer_key.find(':') + 1);
    call.level = invocation.capability().audit;
    call.input = invocation.audit_input;
    call.began_at = invocation.began_at;
    call.started_at = invocation.started_at;
    return call;
}

Failure Pipeline::thrown(std::string_view text) {
    auto payload = payload_reader_.read(text, payload_limits());
    return failures::thrown(payload ? *payload : host_protocol::JsonValue());
}

Answer Pipeline::advance(InvocationHandle handle, AdvanceStep step, std::string_view text, double now) {
    Invocation* invocation = find(handle);
    if (invocation == nullptr) return Answer::of(AnswerKind::ignored);
    Answer answer = take_step(*invocation, step, text, now);
    dispatch_promoted();
    return answer;
}

Answer Pipeline::take_step(Invocation& invocation, AdvanceStep step, std::string_view text, double now) {
    const auto refuse = [&](const Failure& failure) {
        return apply(invocation, InvocationInput::refuse, now, &failure);
    };
    switch (step) {
        case AdvanceStep::unavailable: return refuse(failures::not_available(text));
        case AdvanceStep::input:
            return refuse(invocation.input_failure ? *invocation.input_failure : failures::internal());
        case AdvanceStep::external_issues: return refuse(failures::invalid_input_json(text));
        case AdvanceStep::precondition: {
            auto payload = payload_reader_.read(text, payload_limits());
            return refuse(failures::precondition(payload ? *payload : host_protocol::JsonValue()));
        }
        case AdvanceStep::thrown: return refuse(thrown(text));
        case AdvanceStep::admit: return admit(invocation, now);
        case AdvanceStep::check_again: return check_again(invocation, now);
        case AdvanceStep::hold: return apply(invocation, InvocationInput::hold, now);
    }
    return refuse(failures::internal());
}

Answer Pipeline::admit(Invocation& invocation, double now) {
    if (invocation.input_failure) return apply(invocation, InvocationInput::refuse, now, &*invocation.input_failure);
    if (invocation.state == InvocationState::queued) return Answer::of(AnswerKind::ignored);
    if (!invocation.is_action()) return apply(invocation, InvocationInput::admit, now);
    Registration* registration = surface_.by_handle(invocation.registration);
    if (registration != nullptr && registration->queue.holder() == invocation.handle)
        return apply(invocation, InvocationInput::admit, now);
    if (invocation.on_own_queue || registration == nullptr) {
        const Failure failure = registration == nullptr ? failures::unmounted(phases::kQueued) : failures::own_queue();
        return apply(invocation, InvocationInput::refuse, now, &failure);
    }
    switch (registration->queue.enter(invocation.handle, options_.limits.action_queue_depth)) {
        case Admission::run: return apply(invocation, InvocationInput::admit, now);
        case Admission::wait: return apply(invocation, InvocationInput::wait, now);
        case Admission::full: break;
    }
    return apply(invocation, InvocationInput::overflow, now);
}

Answer Pipeline::check_again(Invocation& invocation, double now) {
    Registration* registration = surface_.by_handle(invocation.registration);
    if (registration == nullptr) {
        const Failure failure = failures::unmounted(phases::kQueued);
        return apply(invocation, InvocationInput::refuse, now, &failure);
    }
    const Availability availability = registration->availability_before_gates(invocation.capability_index);
    if (!availability.available) {
        const Failure failure = failures::not_available(availability.reason);
        return apply(invocation, InvocationInput::refuse, now, &failure);
    }
    return admit(invocation, now);
}

Answer Pipeline::apply(Invocation& invocation, InvocationInput input, double now, const Failure* failure) {
    const InvocationStep step = next_invocation_step(invocation.state, input, invocation.is_navigation());
    const InvocationState before = invocation.state;
    invocation.state = step.state;
    switch (step.outcome) {
        case InvocationOutcome::run: invocation.started_at = now; return Answer::of(AnswerKind::go);
        case InvocationOutcome::refused:
        case InvocationOutcome::failed:
            return fail(invocation, failure != nullptr ? *failure : failures::internal(), now);
        case InvocationOutcome::queue_full: return fail(invocation, failures::queue_full(), now);
        case InvocationOutcome::timed_out:
            return fail(invocation, failures::timeout(invocation.timeout_ms, invocation.capability().idempotent), now);
        case InvocationOutcome::cancelled: return fail(invocation, failures::cancelled(true), now);
        case InvocationOutcome::disposed: return fail(invocation, failures::cancelled(false), now);
        case InvocationOutcome::unmounted_queued: return fail(invocation, failures::unmounted(phases::kQueued), now);
        case InvocationOutcome::unmounted_mid_flight:
            return fail(invocation, failures::unmounted(phases::kMidFlight), now);
        case InvocationOutcome::abort_only:
            invocation.aborted = true;
            outbox_.abort(invocation.handle);
            return Answer::of(AnswerKind::ignored);
        case InvocationOutcome::done:
        case InvocationOutcome::none: break;
    }
    const bool waits = step.state == InvocationState::queued && before == InvocationState::gating;
    return Answer::of(waits ? AnswerKind::wait : AnswerKind::ignored);
}

Answer Pipeline::settle(InvocationHandle handle, SettleOutcome outcome, std::string_view text, double now) {
    Invocation* invocation = find(handle);
    Answer answer = invocation == nullptr ? ignored(handle, now) : end(*invocation, outcome, text, now);
    dispatch_promoted();
    return answer;
}

Answer Pipeline::end(Invocation& invocation, SettleOutcome outcome, std::string_view text, double now) {
    if (outcome == SettleOutcome::cancelled) return apply(invocation, InvocationInput::cancel, now);
    if (outcome == SettleOutcome::internal) {
        const Failure failure = failures::internal();
        return apply(invocation, InvocationInput::refuse, now, &failure);
    }
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
    Failure failure =
        outcome == SettleOutcome::thrown_error ? thrown(text) : failures::handler_error(text == "{\"transient\":true}");
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
    if (!log_.silent()) log_.settled(record_of(invocation), settlement);
    InvocationHandle promoted = 0;
    if (Registration* registration = surface_.by_handle(invocation.registration)) {
        auto& list = registration->in_flight;
        list.erase(std::remove(list.begin(), list.end(), invocation.handle), list.end());
        promoted = registration->queue.leave(invocation.handle);
    }
    auto node = in_flight_.extract(invocation.handle);
    if (log_.wants_audit() && !settlement.code.empty()) {
        if (late_.size() >= kMaxLateCalls) late_.pop_front();
        late_.push_back({invocation.handle, std::move(node.mapped())});
    }
    if (Invocation* next = promoted != 0 && !disposing_ ? find(promoted) : nullptr) {
        apply(*next, InvocationInput::promote, settlement.now);
        promoted_.push_back(promoted);
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

void Pipeline::unmounted(const Registration& registration, double now) {
    for (InvocationHandle handle : registration.in_flight) {
        Invocation* invocation = find(handle);
        if (invocation == nullptr) continue;
        deliver(handle, apply(*invocation, InvocationInput::unmount, now));
    }
}

void Pipeline::dispose(double now) {
    disposing_ = true;  // a place that becomes free now is nobody's turn
    std::vector<InvocationHandle> handles;
    for (const auto& [handle, invocation] : in_flight_) handles.push_back(handle);
    for (InvocationHandle handle : handles) {
        deliver(handle, apply(*find(handle), InvocationInput::dispose, now));
    }
}

double Pipeline::expire(double now) {
    std::vector<InvocationHandle> over;
    for (const auto& [handle, invocation] : in_flight_)
        if (invocation->state == InvocationState::running && invocation->deadline() <= now) over.push_back(handle);
    for (InvocationHandle handle : over) {
        deliver(handle, apply(*find(handle), InvocationInput::expire, now));
    }
    double next = -1;
    for (const auto& [handle, invocation] : in_flight_)
        if (invocation->state == InvocationState::running && (next < 0 || invocation->deadline() - now < next))
            next = invocation->deadline() - now;
    return next < 0 ? -1 : std::ceil(next);
}

}  // namespace viewcap
