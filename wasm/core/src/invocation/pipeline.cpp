// Between the plan and the result: the steps of a call, and what ends it from outside.
#include "invocation/pipeline.h"

#include <algorithm>
#include <cmath>

#include "host_protocol/vocabulary.h"

namespace viewcap {
namespace {

namespace phases = host_protocol::unmount_phases;

}  // namespace

Pipeline::Pipeline(const RegistryOptions& options, Surface& surface, Outbox& outbox, EventLog& log)
    : options_(options),
      surface_(surface),
      outbox_(outbox),
      log_(log),
      dedupe_(options.limits),
      admissions_(options.limits),
      confirmations_(options, outbox, log) {
    if (auto empty = empty_reader_.read("{}", kPayload)) empty_object_ = *empty;
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
    call.level = invocation.audit;
    call.input = invocation.audit_input;
    call.began_at = invocation.began_at;
    call.started_at = invocation.started_at;
    call.queue_wait_ms = invocation.queue_wait_ms;
    return call;
}

Failure Pipeline::thrown(std::string_view text, failures::Thrower thrower) {
    auto payload = payload_reader_.read(text, kPayload);
    return failures::thrown(payload ? *payload : host_protocol::JsonValue(), thrower);
}

Answer Pipeline::advance(InvocationHandle handle, AdvanceStep step, std::string_view text, double now) {
    if (step == AdvanceStep::votes) return take_votes(handle, text, now);
    Invocation* invocation = find(handle);
    if (invocation == nullptr) return Answer::of(AnswerKind::ignored);
    Answer answer = take_step(*invocation, step, text, now);
    dispatch_promoted();
    return answer;
}

Answer Pipeline::take_step(Invocation& invocation, AdvanceStep step, std::string_view text, double now) {
    using failures::Thrower;
    switch (step) {
        case AdvanceStep::unavailable: return refuse(invocation, failures::not_available(text), now);
        case AdvanceStep::input:
            return refuse(invocation, invocation.input_failure ? *invocation.input_failure : failures::internal(), now);
        case AdvanceStep::external_issues: return refuse(invocation, failures::invalid_input_json(text), now);
        case AdvanceStep::precondition: {
            auto payload = payload_reader_.read(text, kPayload);
            return refuse(invocation, failures::precondition(payload ? *payload : host_protocol::JsonValue()), now);
        }
        case AdvanceStep::thrown: return refuse(invocation, thrown(text, Thrower::handler), now);
        case AdvanceStep::policy_threw: return refuse(invocation, thrown(text, Thrower::policy), now);
        case AdvanceStep::policy_denied: return refuse(invocation, failures::not_authorized(), now);
        case AdvanceStep::policy_hid: return refuse(invocation, failures::not_found(), now);
        case AdvanceStep::bound: return bind(invocation, text, now);
        case AdvanceStep::confirm: return confirm(invocation, text, now);
        case AdvanceStep::admit: return admit(invocation, now);
        case AdvanceStep::check_again: return check_again(invocation, now);
        case AdvanceStep::hold: return hold(invocation, now);
        case AdvanceStep::votes: break;
    }
    return Answer::of(AnswerKind::ignored);
}

Answer Pipeline::refuse(Invocation& invocation, const Failure& failure, double now) {
    return apply(invocation, InvocationInput::refuse, now, &failure);
}

/// Its gates are still running: what counted as dispatched was not.
Answer Pipeline::hold(Invocation& invocation, double now) {
    if (invocation.state == InvocationState::running) {
        invocation.dispatched = false;
        invocation.started_at = -1;
    }
    return apply(invocation, InvocationInput::hold, now);
}

Place Pipeline::place_of(const Invocation& invocation, Registration* live) {
    return {live,
            invocation.registration,
            invocation.capability_index,
            invocation.capability(),
            invocation.consumer_key,
            invocation.handle};
}

Answer Pipeline::admit(Invocation& invocation, double now) {
    if (invocation.state == InvocationState::queued) return Answer::of(AnswerKind::ignored);
    if (invocation.input_failure) return refuse(invocation, *invocation.input_failure, now);
    // Whoever drives the steps: what needs a person or a binding does not run without.
    const Capability& capability = invocation.capability();
    const bool unconfirmed = capability.confirmation == Confirmation::required && invocation.confirmation_id.empty();
    const bool unbound = !capability.bound.empty() && invocation.effective_input.empty();
    if (unconfirmed || unbound) return refuse(invocation, failures::internal(), now);
    // A place that was reserved at begin, or came with a turn, is held already.
    const Place place = place_of(invocation, surface_.by_handle(invocation.registration));
    if (place.live == nullptr) return refuse(invocation, failures::unmounted(phases::kQueued), now);
    if (admissions_.holds(place, invocation.handle)) return apply(invocation, InvocationInput::admit, now);
    if (invocation.on_own_queue && admissions_.probe(place) != Admission::run)
        return refuse(invocation, failures::own_queue(), now);
    switch (admissions_.enter(place)) {
        case Admission::run: return apply(invocation, InvocationInput::admit, now);
        case Admission::wait: invocation.queued_at = now; return apply(invocation, InvocationInput::wait, now);
        case Admission::full: break;
    }
    return apply(invocation, InvocationInput::overflow, now);
}

Answer Pipeline::check_again(Invocation& invocation, double now) {
    const Registration* registration = surface_.by_handle(invocation.registration);
    if (registration == nullptr) return refuse(invocation, failures::unmounted(phases::kQueued), now);
    const Availability availability = registration->availability_before_gates(invocation.capability_index);
    if (!availability.available) return refuse(invocation, failures::not_available(availability.reason), now);
    return admit(invocation, now);
}

Answer Pipeline::apply(Invocation& invocation, InvocationInput input, double now, const Failure* failure) {
    const InvocationStep step = next_invocation_step(invocation.state, input, invocation.is_navigation());
    const InvocationState before = invocation.state;
    invocation.state = step.state;
    switch (step.outcome) {
        case InvocationOutcome::run:
            invocation.dispatched = true;
            invocation.started_at = now;
            return Answer::of(AnswerKind::go);
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
        case InvocationOutcome::go_on:
        case InvocationOutcome::none: break;
    }
    const bool waits = step.state == InvocationState::queued && before == InvocationState::gating;
    return Answer::of(waits ? AnswerKind::wait : AnswerKind::ignored);
}

void Pipeline::unmounted(const Registration& registration, double now) {
    for (InvocationHandle handle : registration.in_flight) {
        Invocation* invocation = find(handle);
        if (invocation == nullptr) continue;
        deliver(handle, apply(*invocation, InvocationInput::unmount, now));
    }
}

void Pipeline::dispose(double now) {
    disposing_ = true;
    std::vector<InvocationHandle> asked;
    for (const auto& [handle, asking] : asking_) asked.push_back(handle);
    for (InvocationHandle handle : asked) deliver(handle, end_asking(handle, InvocationInput::dispose, now));
    std::vector<InvocationHandle> handles;
    for (const auto& [handle, invocation] : in_flight_) handles.push_back(handle);
    for (InvocationHandle handle : handles) {
        deliver(handle, apply(*find(handle), InvocationInput::dispose, now));
    }
    confirmations_.dispose(now);
}

double Pipeline::expire(double now) {
    std::vector<InvocationHandle> over;
    for (const auto& [handle, invocation] : in_flight_)
        if (invocation->state == InvocationState::running && invocation->deadline() <= now) over.push_back(handle);
    for (InvocationHandle handle : over) {
        deliver(handle, apply(*find(handle), InvocationInput::expire, now));
    }
    double next = confirmations_.expire(now);
    for (const auto& [handle, invocation] : in_flight_)
        if (invocation->state == InvocationState::running && (next < 0 || invocation->deadline() - now < next))
            next = invocation->deadline() - now;
    return next < 0 ? -1 : std::ceil(next);
}

}  // namespace viewcap
