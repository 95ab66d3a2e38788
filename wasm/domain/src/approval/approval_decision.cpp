// What a decision needs before it changes anything (spec: domain.md §§8.1, 8.2). Whether somebody approves himself is
// asked at execution, not here.
#include "domain/approval.h"
#include "domain/value_facts.h"
#include "host_protocol/json_out.h"
#include "host_protocol/vocabulary.h"

namespace domain {
namespace {

using host_protocol::concat;
using host_protocol::JsonValue;
using host_protocol::Status;
using host_protocol::text_or;

Status refuse(std::string_view place, JsonValue value, std::string_view allowed) {
    return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition,
                                     concat({place, " is ", found(value), "; ", allowed}), std::string(place));
}

Status check_still_pending(JsonValue facts, double now) {
    const JsonValue status = facts.find("status"), expires_at = facts.find("expiresAt");
    if (!is_number(expires_at)) return refuse("expiresAt", expires_at, "a time in milliseconds is needed");
    const auto stored = approval_status_named(text_or(status, ""));
    if (!stored) return refuse("status", status, "only a pending approval can be decided");
    const ApprovalStatus current = status_at(*stored, expires_at.number(), now);
    if (current == ApprovalStatus::pending) return host_protocol::ok();
    if (current == *stored) return refuse("status", status, "only a pending approval can be decided");
    return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition,
                                     "status is \"expired\": the deadline has passed; only a pending approval can be "
                                     "decided",
                                     "status");
}

}  // namespace

Status check_inline_decision(JsonValue decision) {
    if (!is_record(decision)) return refuse("decision", decision, "an object with status and approver is needed");
    const JsonValue status = decision.find("status"), approver = decision.find("approver");
    const std::string_view word = text_or(status, "");
    if (word != approval_statuses::kApproved && word != approval_statuses::kRejected)
        return refuse("decision.status", status, "approved or rejected is allowed");
    if (!read_actor(approver).is_well_formed)
        return refuse("decision.approver", approver,
                      "an object with a non-empty id and a kind of user, service, automation or anonymous is needed");
    const JsonValue comment = decision.find("comment");
    if (comment && !is_text(comment)) return refuse("decision.comment", comment, "a string is allowed");
    return host_protocol::ok();
}

Status check_decision(JsonValue facts, double now) {
    if (!is_record(facts)) return refuse("approval", facts, "a stored record with its decision is needed");
    if (Status decision = check_inline_decision(facts.find("decision")); !decision) return decision;
    return check_still_pending(facts, now);
}

}  // namespace domain
