// A stored record as resume reads it, and steps 2 to 8 of a resume (spec: domain.md §8.4).
#include "domain/approval.h"
#include "domain/value_facts.h"
#include "host_protocol/json_out.h"

namespace domain {
namespace {

using host_protocol::JsonValue;
using host_protocol::text_or;

/// An approver who is nobody has decided nothing.
void read_approver(StoredApproval& record, JsonValue decision) {
    const JsonValue approver = decision.find("approver");
    const ActorFacts actor = read_actor(approver);
    if (!is_record(decision) || !actor.is_well_formed) return;
    record.approver_id = approver.find("id").string();
    record.approver_kind = actor.kind;
    record.has_decision = true;
}

/// A guard that is given and ill-formed matches nobody, not even a record whose actor would read the same.
bool passes(const StoredApproval& record, const ResumeGuards& guards) {
    if (guards.wants_actor &&
        (!guards.actor.is_well_formed || guards.actor.id != record.actor.id || guards.actor.kind != record.actor.kind))
        return false;
    return guards.surface.empty() || guards.surface == record.surface;
}

}  // namespace

std::optional<StoredApproval> read_stored_approval(JsonValue facts) {
    if (!is_record(facts)) return std::nullopt;
    StoredApproval record;
    record.id = text_or(facts.find("id"), "");
    record.capability_id = text_or(facts.find("capabilityId"), "");
    record.surface = text_or(facts.find("surface"), "");
    record.correlation_id = text_or(facts.find("correlationId"), "");
    record.input_hash = text_or(facts.find("inputHash"), "");
    record.actor = read_actor(facts.find("actor"));
    const auto status = approval_status_named(text_or(facts.find("status"), ""));
    const JsonValue expires_at = facts.find("expiresAt");
    if (record.id.empty() || record.capability_id.empty() || record.surface.empty() || record.input_hash.empty() ||
        !record.actor.is_well_formed || !status || !is_number(expires_at))
        return std::nullopt;
    record.status = *status;
    record.expires_at = expires_at.number();
    read_approver(record, facts.find("decision"));
    return record;
}

std::optional<std::string_view> check_resume(const StoredApproval& record, const ResumeGuards& guards,
                                             bool reject_self_approval, double now) {
    if (!passes(record, guards)) return codes::kApprovalResumeMismatch;
    if (record.status == ApprovalStatus::pending) return codes::kApprovalPending;
    if (record.status == ApprovalStatus::rejected) return codes::kApprovalRejected;
    if (record.status == ApprovalStatus::consumed) return codes::kApprovalConsumed;
    if (record.status == ApprovalStatus::expired || now > record.expires_at) return codes::kApprovalExpired;
    if (record.status != ApprovalStatus::approved || !record.has_decision) return codes::kInternalError;
    // By id alone: the same person as another kind of actor is the same person.
    if (reject_self_approval && record.approver_id == record.actor.id) return codes::kApprovalSelfApproval;
    return std::nullopt;
}

}  // namespace domain
