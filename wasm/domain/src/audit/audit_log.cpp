// One function a type of event; each builds its data and hands it to `write`, which knows the envelope (spec: domain.md
// §10). Texts of policies and approvers (reasons, comment) are passed on as they are.
#include "domain/audit.h"
#include "host_protocol/canonical_json.h"
#include "host_protocol/heap_sort.h"
#include "host_protocol/json_out.h"

namespace domain {
namespace {

using host_protocol::append_bool_member;
using host_protocol::append_json_member;
using host_protocol::append_key;
using host_protocol::append_number_member;
using host_protocol::append_text_member;

void append_text_unless_empty(std::string& out, std::string_view key, std::string_view text) {
    if (!text.empty()) append_text_member(out, key, text);
}

/// Id and kind, nothing else of an actor (SI-10).
void append_actor(std::string& out, std::string_view key, const ActorFacts& actor) {
    append_key(out, key);
    out += '{';
    append_text_member(out, "id", actor.id);
    append_text_member(out, "kind", actor.kind);
    out += '}';
}

void append_policies(std::string& out, const std::vector<PolicyRecord>& policies) {
    if (policies.empty()) return;
    append_key(out, "policyDecisions");
    out += '[';
    for (const PolicyRecord& record : policies) {
        out += out.back() == '[' ? "{" : ",{";
        append_text_member(out, "policy", record.policy);
        append_text_member(out, "type", kStances[static_cast<std::size_t>(record.stance)]);
        out += '}';
    }
    out += ']';
}

/// A JSON array: no id can look like two.
std::string id_list(const std::vector<std::string_view>& ids) {
    std::string out = "[";
    for (std::string_view id : ids) {
        if (out.size() > 1) out += ',';
        host_protocol::append_json_string(out, id);
    }
    return out + ']';
}

std::string digest_of(std::vector<std::string_view> ids) {
    host_protocol::heap_sort(ids.begin(), ids.end());
    return host_protocol::sha256_hex(id_list(ids));
}

}  // namespace

std::string AuditLog::take() {
    std::string out = "[" + items_ + ']';
    items_.clear();
    return out;
}

void AuditLog::write(std::string_view type, const Envelope& call, double now, std::string_view data) {
    std::string event = "{";
    append_text_member(event, "type", type);
    append_number_member(event, "timestamp", now);
    append_text_member(event, "surface", call.surface);
    append_actor(event, "actor", call.actor == nullptr ? ActorFacts{} : *call.actor);
    append_text_unless_empty(event, "executionId", call.execution_id);
    append_text_unless_empty(event, "capabilityId", call.capability_id);
    append_text_unless_empty(event, "correlationId", call.correlation_id);
    append_text_unless_empty(event, "inputHash", call.input_hash);
    append_json_member(event, "data", host_protocol::concat({data, "}"}));
    event += '}';
    if (!items_.empty()) items_ += ',';
    items_ += event;
}

void AuditLog::requested(const Envelope& call, const Capability* capability, double now) {
    if (!wanted_) return;
    std::string data = "{";
    if (capability != nullptr) {
        append_text_member(data, "sideEffect", capability->side_effect_name());
        append_text_member(data, "risk", capability->risk_name());
    }
    write(audit_types::kCapabilityRequested, call, now, data);
}

void AuditLog::denied(const Envelope& call, std::string_view reason, std::string_view public_code,
                      const std::vector<PolicyRecord>& policies, double now) {
    if (!wanted_) return;
    std::string data = "{";
    append_text_member(data, "reason", reason);
    append_text_member(data, "publicCode", public_code);
    append_policies(data, policies);
    write(audit_types::kCapabilityDenied, call, now, data);
}

void AuditLog::approval_requested(const Envelope& call, const ApprovalNote& approval, double now) {
    if (!wanted_) return;
    std::string data = "{";
    append_text_member(data, "approvalId", approval.id);
    append_json_member(data, "reasons", approval.reasons);
    append_json_member(data, "types", approval.types);
    append_number_member(data, "expiresAt", approval.expires_at);
    write(audit_types::kCapabilityApprovalRequested, call, now, data);
}

void AuditLog::decided(bool approved, const Envelope& call, std::string_view approval_id, std::string_view comment,
                       double now) {
    if (!wanted_) return;
    std::string data = "{";
    append_text_member(data, "approvalId", approval_id);
    append_actor(data, "approver", call.actor == nullptr ? ActorFacts{} : *call.actor);
    append_text_unless_empty(data, "comment", comment);
    write(approved ? audit_types::kCapabilityApproved : audit_types::kCapabilityRejected, call, now, data);
}

void AuditLog::started(const Envelope& call, std::string_view approval_id, double now) {
    if (!wanted_) return;
    std::string data = "{";
    append_number_member(data, "attempt", 1);
    append_text_unless_empty(data, "approvalId", approval_id);
    write(audit_types::kCapabilityStarted, call, now, data);
}

void AuditLog::retried(const Envelope& call, double attempt, std::string_view previous_code, double now) {
    if (!wanted_) return;
    std::string data = "{";
    append_number_member(data, "attempt", attempt);
    append_text_member(data, "previousErrorCode", previous_code);
    write(audit_types::kCapabilityRetried, call, now, data);
}

void AuditLog::completed(const Envelope& call, double duration_ms, double attempts, double now) {
    if (!wanted_) return;
    std::string data = "{";
    append_number_member(data, "durationMs", duration_ms);
    append_number_member(data, "attempts", attempts);
    write(audit_types::kCapabilityCompleted, call, now, data);
}

void AuditLog::failed(const Envelope& call, const Failure& failure, double attempts, bool executed,
                      const std::vector<PolicyRecord>& policies, double now) {
    if (!wanted_) return;
    std::string data = "{";
    append_text_member(data, "code", failure.code);
    append_text_member(data, "stage", failure.stage);
    append_bool_member(data, "retryable", failure.retryable);
    append_number_member(data, "attempts", attempts);
    if (executed) append_bool_member(data, "executedBeforeFailure", true);
    append_policies(data, policies);
    write(audit_types::kCapabilityFailed, call, now, data);
}

void AuditLog::cancelled(const Envelope& call, std::string_view code, double duration_ms, double now) {
    if (!wanted_) return;
    std::string data = "{";
    append_text_member(data, "code", code);
    append_number_member(data, "durationMs", duration_ms);
    write(audit_types::kCapabilityCancelled, call, now, data);
}

void AuditLog::discovered(std::string_view surface, const ActorFacts& actor, const std::vector<std::string_view>& ids,
                          bool verbose, double now) {
    if (!wanted_) return;
    std::string data = "{";
    append_number_member(data, "count", static_cast<double>(ids.size()));
    append_text_member(data, "surface", surface);
    append_text_member(data, "digest", digest_of(ids));
    if (verbose) append_json_member(data, "capabilityIds", id_list(ids));
    write(audit_types::kCapabilitiesDiscovered, {surface, &actor, {}, {}, {}, {}}, now, data);
}

}  // namespace domain
