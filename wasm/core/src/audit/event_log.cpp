#include "audit/event_log.h"

#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

std::string open_event(std::string_view type) {
    std::string out = "{";
    append_text_member(out, "type", type);
    return out;
}

std::string open_record(std::string_view type, double now) {
    std::string out = "{";
    append_number_member(out, "at", now);
    append_text_member(out, "type", type);
    return out;
}

void append_call(std::string& out, const CallRecord& call) {
    append_text_member(out, "capabilityId", call.capability_id);
    if (!call.registration_id.empty()) append_text_member(out, "registrationId", call.registration_id);
    append_text_member(out, "invocationId", call.invocation_id);
    append_text_member(out, "consumerId", call.consumer_id);
}

void append_payload(std::string& out, std::string_view input, std::string_view output) {
    if (input.empty() && output.empty()) return;
    append_key(out, "payload");
    out += '{';
    if (!input.empty()) append_json_member(out, "input", input);
    if (!output.empty()) append_json_member(out, "output", output);
    out += '}';
}

}  // namespace

void EventLog::surface_changed(std::uint64_t version) {
    if (wants_events()) outbox_.changed(version);
}

void EventLog::lifecycle(std::string_view event, std::string_view audit, const Registration& registration, double now) {
    if (wants_events() && !registration.reference) {
        std::string out = open_event(event);
        append_text_member(out, "registrationId", registration.id);
        append_text_member(out, "componentType", registration.contract->type);
        append_text_member(out, "instanceId", registration.instance_id);
        outbox_.event(out + "}");
    }
    if (wants_audit()) {
        std::string out = open_record(audit, now);
        if (registration.reference) append_text_member(out, "capabilityId", registration.contract->type);
        append_text_member(out, "registrationId", registration.id);
        outbox_.audit(out + "}");
    }
}

void EventLog::registered(const Registration& registration, double now) {
    lifecycle(host_protocol::events::kComponentRegistered, host_protocol::audit_events::kComponentRegistered,
              registration, now);
}

void EventLog::unregistered(const Registration& registration, double now) {
    lifecycle(host_protocol::events::kComponentUnregistered, host_protocol::audit_events::kComponentUnregistered,
              registration, now);
}

void EventLog::rejected(const Contract& contract, std::string_view instance_id, std::string_view reason, double now) {
    if (wants_events() && !contract.is_procedure()) {
        std::string out = open_event(host_protocol::events::kComponentRejected);
        append_text_member(out, "componentType", contract.type);
        append_text_member(out, "instanceId", instance_id);
        append_text_member(out, "reason", reason);
        outbox_.event(out + "}");
    }
    if (wants_audit()) outbox_.audit(open_record(host_protocol::audit_events::kComponentRejected, now) + "}");
}

void EventLog::availability_changed(const Registration& registration, std::uint32_t capability, bool available) {
    if (!wants_events()) return;
    std::string out = open_event(host_protocol::events::kAvailabilityChanged);
    append_text_member(out, "registrationId", registration.id);
    append_text_member(out, "capabilityId", registration.contract->capabilities[capability].id);
    append_bool_member(out, "available", available);
    outbox_.event(out + "}");
}

void EventLog::collision_suspected(const Registration& registration, std::uint32_t capability, double now) {
    const std::string& id = registration.contract->capabilities[capability].id;
    if (wants_events()) {
        std::string out = open_event(host_protocol::events::kCollisionSuspected);
        append_text_member(out, "viewCapabilityId", id);
        append_text_member(out, "domainProcedureId",
                           concat({"domain", std::string_view(id).substr(std::string_view("view").size())}));
        outbox_.event(out + "}");
    }
    if (wants_audit()) {
        std::string out = open_record(host_protocol::audit_events::kCollisionSuspected, now);
        append_text_member(out, "capabilityId", id);
        append_text_member(out, "registrationId", registration.id);
        outbox_.audit(out + "}");
    }
}

void EventLog::started(const CallRecord& call) {
    if (wants_events()) {
        std::string out = open_event(host_protocol::events::kInvocationStarted);
        append_text_member(out, "invocationId", call.invocation_id);
        append_text_member(out, "capabilityId", call.capability_id);
        append_text_member(out, "consumerId", call.consumer_id);
        outbox_.event(out + "}");
    }
    if (wants_audit() && call.level != AuditLevel::none) {
        std::string out = open_record(host_protocol::audit_events::kInvocationStarted, call.began_at);
        append_call(out, call);
        if (call.level == AuditLevel::full) append_payload(out, call.input, {});
        outbox_.audit(out + "}");
    }
}

void EventLog::settled(const CallRecord& call, const Settlement& settlement) {
    const std::string_view status = settlement.code.empty() ? "ok" : "error";
    if (wants_events()) {
        std::string out = open_event(host_protocol::events::kInvocationSettled);
        append_text_member(out, "invocationId", call.invocation_id);
        append_text_member(out, "capabilityId", call.capability_id);
        append_text_member(out, "consumerId", call.consumer_id);
        append_text_member(out, "status", status);
        if (!settlement.code.empty()) append_text_member(out, "code", settlement.code);
        append_number_member(out, "durationMs", settlement.now - call.began_at);
        outbox_.event(out + "}");
    }
    if (!wants_audit() || call.level == AuditLevel::none) return;
    std::string out = open_record(host_protocol::audit_events::kInvocationSettled, settlement.now);
    append_call(out, call);
    append_text_member(out, "status", status);
    if (!settlement.code.empty()) append_text_member(out, "code", settlement.code);
    append_number_member(out, "durationMs", settlement.now - call.began_at);
    append_number_member(out, "queueWaitMs", call.queue_wait_ms);
    append_number_member(out, "executionMs", call.started_at < 0 ? 0 : settlement.now - call.started_at);
    if (call.level == AuditLevel::full) append_payload(out, call.input, settlement.output);
    outbox_.audit(out + "}");
}

void EventLog::late_settlement(const CallRecord& call, double now) {
    if (!wants_audit() || call.level == AuditLevel::none) return;
    std::string out = open_record(host_protocol::audit_events::kLateSettlement, now);
    append_call(out, call);
    outbox_.audit(out + "}");
}

void EventLog::confirmation_record(std::string_view type, const ConfirmationNote& note, double at) {
    if (!wants_audit()) return;
    std::string out = open_record(type, at);
    append_text_member(out, "capabilityId", note.capability_id);
    append_text_member(out, "registrationId", note.registration_id);
    append_text_member(out, "consumerId", note.consumer_id);
    outbox_.audit(out + "}");
}

void EventLog::confirmation_requested(const ConfirmationNote& note, double expires_at, double now) {
    if (wants_events()) {
        std::string out = open_event(host_protocol::events::kConfirmationRequested);
        append_text_member(out, "confirmationId", note.confirmation_id);
        append_text_member(out, "capabilityId", note.capability_id);
        append_number_member(out, "expiresAt", expires_at);
        outbox_.event(out + "}");
    }
    confirmation_record(host_protocol::audit_events::kConfirmationRequested, note, now);
}

void EventLog::confirmation_resolved(const ConfirmationNote& note, std::string_view outcome, double now) {
    if (wants_events()) {
        std::string out = open_event(host_protocol::events::kConfirmationResolved);
        append_text_member(out, "confirmationId", note.confirmation_id);
        append_text_member(out, "outcome", outcome);
        outbox_.event(out + "}");
    }
    namespace outcomes = host_protocol::outcomes;
    namespace records = host_protocol::audit_events;
    confirmation_record(outcome == outcomes::kApproved ? records::kConfirmationApproved
                        : outcome == outcomes::kDenied ? records::kConfirmationDenied
                                                       : records::kConfirmationExpired,
                        note, now);
}

void EventLog::confirmation_lapsed(const ConfirmationNote& note, double at) {
    confirmation_record(host_protocol::audit_events::kConfirmationExpired, note, at);
}

void EventLog::confirmation_consumed(const ConfirmationNote& note, double at) {
    confirmation_record(host_protocol::audit_events::kConfirmationConsumed, note, at);
}

}  // namespace viewcap
