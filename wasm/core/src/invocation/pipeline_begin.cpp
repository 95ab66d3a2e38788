// The way in: phases 1 to 5 and the plan.
#include "host_protocol/vocabulary.h"
#include "invocation/pipeline.h"
#include "json_out.h"

namespace viewcap {
namespace {

using host_protocol::JsonType;
using host_protocol::JsonValue;

/// Of a call that never became an invocation. What it meant is looked up only for the log: whether the capability is
/// audited at all, and whose it is.
CallRecord record_of_envelope(Surface& surface, const Envelope& envelope, double now) {
    CallRecord call;
    const Resolution meant = resolve(surface, envelope, {}, true, now);
    if (meant.registration != nullptr) {
        call.registration_id = meant.registration->id;
        call.level = meant.registration->audit_level(meant.capability);
    }
    call.invocation_id = envelope.invocation_id;
    call.capability_id = envelope.capability_id;
    call.consumer_id = envelope.consumer_id;
    call.began_at = now;
    return call;
}

/// The locked keys that the agent names, as a JSON array; "" for none. Naming one with the very same value is no
/// better.
std::string locked_keys(const Capability& capability, JsonValue input) {
    std::string list;
    for (const BoundKey& bound : capability.bound) {
        if (!bound.locked || !input.find(bound.key)) continue;
        list += list.empty() ? '[' : ',';
        host_protocol::append_json_string(list, bound.key);
    }
    return list.empty() ? list : list + "]";
}

bool names_hidden(const Surface& surface, const Envelope& envelope, const HiddenSet& hidden) {
    const Registration* named = surface.by_id(envelope.registration_id);
    return named != nullptr && is_hidden(hidden, *named);
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
    const JsonValue input = envelope.input ? envelope.input : empty_object_;
    if (std::string locked = locked_keys(capability, input); !locked.empty()) return failures::locked_fields(locked);
    if (capability.external_input) return std::nullopt;
    const std::vector<host_protocol::Issue> issues = capability.input->validate(input);
    if (!issues.empty()) return failures::invalid_input(issues);
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
    if (options_.votes || surface_.has_votes())
        if (auto question = ask(envelope, {std::string(envelope_text), ticket, {}, false}, handle)) return *question;
    return go_in(envelope, ticket, handle, {}, now);
}

std::optional<Answer> Pipeline::ask(const Envelope& envelope, Asking asking, InvocationHandle handle) {
    bool voted = options_.votes;
    std::string list = "[";
    for (const Candidate& candidate : candidates_of(surface_, envelope, asking.hidden)) {
        voted = voted || surface_.by_handle(candidate.registration)->votes;
        list += concat({list.size() > 1 ? ",[" : "[", std::to_string(candidate.registration), ",",
                        std::to_string(candidate.capability), "]"});
    }
    if (!voted) return std::nullopt;
    asking_.emplace(handle, std::move(asking));
    Answer answer = Answer::of(AnswerKind::ask);
    answer.invocation = handle;
    answer.text = list + "]";
    return answer;
}

Answer Pipeline::take_votes(InvocationHandle handle, std::string_view text, double now) {
    auto node = asking_.extract(handle);
    if (!node) return Answer::of(AnswerKind::ignored);
    Asking& asking = node.mapped();
    // Votes that cannot be read expose nobody.
    if (auto votes = payload_reader_.read(text, kPayload); !votes) {
        const Envelope unread = read_envelope(envelope_reader_, asking.envelope, options_.limits);
        return answer_at_once(unread, asking.ticket, failures::not_found(), now);
    } else {
        if (const JsonValue list = votes->find("hidden"); list.is(JsonType::array))
            for (JsonValue one : list.elements())
                if (one.is(JsonType::number)) asking.hidden.registrations.push_back(handle_of(one.number()));
        asking.hidden.gone = is_true(votes->find("gone"));
    }
    const std::string kept = asking.envelope;
    const Envelope envelope = read_envelope(envelope_reader_, kept, options_.limits);
    const HiddenSet hidden = asking.hidden;
    const DedupeCache::Ticket ticket = asking.ticket;
    // Whoever was named is hidden: the answer may speak of others, so these are voted on too.
    if (!asking.again && names_hidden(surface_, envelope, hidden)) {
        asking.again = true;
        if (auto question = ask(envelope, std::move(asking), handle)) return *question;
    }
    return go_in(envelope, ticket, handle, hidden, now);
}

/// Cancelled or disposed while policies voted.
Answer Pipeline::end_asking(InvocationHandle handle, InvocationInput input, double now) {
    const InvocationStep step = next_invocation_step(InvocationState::asking, input, false);
    if (step.state != InvocationState::settled) return Answer::of(AnswerKind::ignored);
    auto node = asking_.extract(handle);
    const Envelope envelope = read_envelope(envelope_reader_, node.mapped().envelope, options_.limits);
    return answer_at_once(envelope, node.mapped().ticket,
                          step.outcome == InvocationOutcome::refused
                              ? failures::internal()
                              : failures::cancelled(step.outcome == InvocationOutcome::cancelled),
                          now);
}

Answer Pipeline::go_in(const Envelope& envelope, const DedupeCache::Ticket& ticket, InvocationHandle handle,
                       const HiddenSet& hidden, double now) {
    // The dialog that asked the person has moved the surface's version by its own mount.
    const bool approved = !envelope.confirmation_id.empty() &&
                          confirmations_.carries_approval(envelope.confirmation_id, envelope.consumer_key,
                                                          envelope.registration_id, envelope.capability_id, now);
    Resolution resolution = resolve(surface_, envelope, hidden, approved, now);
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
    invocation->evidence = envelope.confirmation_id;
    invocation->audit = registration.audit_level(resolution.capability);
    invocation->version_at_begin = surface_.version();
    invocation->timeout_ms = envelope.timeout_ms != 0 ? envelope.timeout_ms : invocation->capability().timeout_ms;
    invocation->began_at = now;
    invocation->input_failure = check_input(invocation->capability(), envelope);
    if (log_.wants_audit() && invocation->audit == AuditLevel::full && envelope.input && ticket)
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
    answer.input_refused = invocation.input_failure.has_value();
    answer.needs_confirmation = invocation.capability().confirmation == Confirmation::required;
    const Place place = place_of(invocation, &registration);
    const bool place_free = admissions_.probe(place) == Admission::run;
    // Where there is one place only, the handler that asks and holds it would be waited for until it is over.
    if (!place_free && !invocation.is_observation() && invocation.capability().concurrency.max == 1)
        for (InvocationHandle running : envelope.running)
            invocation.on_own_queue = invocation.on_own_queue || admissions_.holds(place, running);
    answer.admit_later = options_.policies || registration.policies || answer.needs_confirmation ||
                         !invocation.capability().bound.empty() || answer.input_refused || !place_free;
    if (!answer.admit_later) {
        admissions_.enter(place);
        apply(invocation, InvocationInput::admit, now);
    }
    return answer;
}

}  // namespace viewcap
