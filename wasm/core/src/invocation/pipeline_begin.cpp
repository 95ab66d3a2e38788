// The way in: phases 1 to 5 and the plan.
#include "host_protocol/vocabulary.h"
#include "invocation/pipeline.h"
#include "invocation/resolution.h"

namespace viewcap {
namespace {

using host_protocol::JsonType;

/// Of a call that never became an invocation. What it meant is looked up only for the log: whether the capability is
/// audited at all, and whose it is.
CallRecord record_of_envelope(Surface& surface, const Envelope& envelope, double now) {
    CallRecord call;
    const Resolution meant = resolve(surface, envelope, now);
    if (meant.registration != nullptr) {
        call.registration_id = meant.registration->id;
        call.level = meant.registration->contract->capabilities[meant.capability].audit;
    }
    call.invocation_id = envelope.invocation_id;
    call.capability_id = envelope.capability_id;
    call.consumer_id = envelope.consumer_id;
    call.began_at = now;
    return call;
}

}  // namespace

Answer Pipeline::answer_at_once(const Envelope& envelope, const DedupeCache::Ticket& ticket, const Failure& failure,
                                double now) {
    const ResultHead head{envelope.invocation_id, envelope.capability_id, surface_.version(), false};
    std::string result = error_result(head, failure);
    if (ticket) remember(ticket, is_cacheable(failure), {false, false, 0, result}, now);
    if (!log_.silent()) {
        const CallRecord call = record_of_envelope(surface_, envelope, now);
        log_.started(call);
        log_.settled(call, {failure.code, {}, now});
    }
    return Answer::settled(std::move(result));
}

/// The id was seen before: the promise or the result that it has, or a conflict that leaves its record alone.
Answer Pipeline::answer_again(const Envelope& envelope, const DedupeCache::Lookup& seen, double now) {
    if (seen.verdict == DedupeCache::Verdict::conflict) return answer_at_once(envelope, {}, failures::conflict(), now);
    if (seen.verdict == DedupeCache::Verdict::join) {
        Answer answer = Answer::of(AnswerKind::join);
        answer.invocation = seen.invocation;
        return answer;
    }
    const StoredResult& stored = *seen.result;
    if (!stored.ok) return Answer::settled(stored.text);
    return Answer::settled(
        ok_result({envelope.invocation_id, envelope.capability_id, stored.version, stored.changed}, stored.text));
}

std::optional<Failure> Pipeline::check_input(const Capability& capability, const Envelope& envelope) {
    if (envelope.input_problem) return failures::invalid_input({*envelope.input_problem});
    if (capability.kind == CapabilityKind::observation) {
        if (!envelope.input || (envelope.input.is(JsonType::object) && envelope.input.size() == 0)) return std::nullopt;
        return failures::invalid_input({{"", "an observation takes no input; send {} or nothing"}});
    }
    if (!capability.external_input) {
        const std::vector<host_protocol::Issue> issues =
            capability.input->validate(envelope.input ? envelope.input : empty_object_);
        if (!issues.empty()) return failures::invalid_input(issues);
    }
    // Phase 6 fails closed: without a way to ask a person, what needs a person does not run.
    if (capability.confirmation == Confirmation::required) return failures::confirmation_unavailable();
    return std::nullopt;
}

Answer Pipeline::begin(std::string_view envelope_text, double now) {
    const Envelope envelope = read_envelope(envelope_reader_, envelope_text, options_.limits);
    if (!envelope.issues.empty()) return answer_at_once(envelope, {}, failures::invalid_input(envelope.issues), now);

    const InvocationHandle handle = next_handle_++;
    DedupeCache::Ticket ticket;
    if (!envelope.input_problem) {
        const auto seen =
            dedupe_.enter(envelope.consumer_key, envelope.invocation_id, request_text(envelope), handle, now);
        if (seen.verdict != DedupeCache::Verdict::fresh) return answer_again(envelope, seen, now);
        ticket = seen.ticket;
    }
    Resolution resolution = resolve(surface_, envelope, now);
    if (resolution.failure) return answer_at_once(envelope, ticket, *resolution.failure, now);
    Registration& registration = *resolution.registration;
    const Availability availability = registration.availability_before_gates(resolution.capability);
    if (!availability.available)
        return answer_at_once(envelope, ticket, failures::not_available(availability.reason), now);

    auto invocation = std::make_shared<Invocation>();
    invocation->handle = handle;
    invocation->registration = registration.handle;
    invocation->capability_index = resolution.capability;
    invocation->contract = registration.contract;
    invocation->registration_id = registration.id;
    invocation->invocation_id = envelope.invocation_id;
    invocation->consumer_key = envelope.consumer_key;
    invocation->ticket = ticket;
    invocation->version_at_begin = surface_.version();
    invocation->timeout_ms = envelope.timeout_ms != 0 ? envelope.timeout_ms : invocation->capability().timeout_ms;
    invocation->began_at = now;
    invocation->input_failure = check_input(invocation->capability(), envelope);
    if (log_.wants_audit() && invocation->capability().audit == AuditLevel::full && envelope.input && ticket)
        invocation->audit_input = envelope.input.raw();
    registration.in_flight.push_back(handle);
    Invocation& kept = *invocation;
    in_flight_.emplace(handle, std::move(invocation));
    if (!log_.silent()) log_.started(record_of(kept));
    return admit_to_plan(kept, registration, envelope, now);
}

Answer Pipeline::admit_to_plan(Invocation& invocation, Registration& registration, const Envelope& envelope,
                               double now) {
    Answer answer = Answer::of(AnswerKind::plan);
    answer.invocation = invocation.handle;
    answer.registration = registration.handle;
    answer.capability = invocation.capability_index;
    answer.timeout_ms = invocation.timeout_ms;
    answer.invocation_id = invocation.invocation_id;
    answer.registration_id = invocation.registration_id;
    // An input that JavaScript validates is judged there first: a refusal for want of a person comes after, at
    // admission.
    const bool judged_outside = invocation.capability().external_input && !envelope.input_problem;
    answer.input_refused = invocation.input_failure.has_value() && !judged_outside;
    for (InvocationHandle running : envelope.running)
        invocation.on_own_queue =
            invocation.on_own_queue || (invocation.is_action() && running == registration.queue.holder());
    const bool place_free =
        !invocation.is_action() || registration.queue.probe(options_.limits.action_queue_depth) == Admission::run;
    answer.admit_later = invocation.input_failure.has_value() || invocation.on_own_queue || !place_free;
    if (!answer.admit_later) {
        if (invocation.is_action()) registration.queue.enter(invocation.handle, options_.limits.action_queue_depth);
        apply(invocation, InvocationInput::admit, now);
    }
    return answer;
}

}  // namespace viewcap
