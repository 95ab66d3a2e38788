// Approvals: the life of a record, what a decision needs, what a resume checks, how demands merge (spec: domain.md
// §§4.6, 8).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/policy_batch.h"
#include "domain/runtime_options.h"
#include "host_protocol/result.h"

namespace domain {

/// Positions in kApprovalStatuses.
enum class ApprovalStatus : std::uint8_t { pending, approved, rejected, expired, cancelled, consumed };
enum class ApprovalInput : std::uint8_t { approve, reject, lapse, withdraw, consume };
inline constexpr int kApprovalStatusCount = 6, kApprovalInputCount = 5;

std::optional<ApprovalStatus> approval_status_named(std::string_view name);
/// The status after `input`; none where that is not allowed. Pending takes all but consume, approved only consume.
std::optional<ApprovalStatus> next_approval_status(ApprovalStatus status, ApprovalInput input);
/// A pending record strictly past its deadline reads as expired; every other as it is.
ApprovalStatus status_at(ApprovalStatus status, double expires_at, double now);

/// What decide() checks before it changes anything. `facts` (value facts): `{"status":text,"expiresAt":ms,
/// "decision":{status, approver, comment?}}`. INVALID_DEFINITION with a sentence that names what was found.
host_protocol::Status check_decision(host_protocol::JsonValue facts, double now);
/// The same for a decision that a handler gave inline (spec §8.2): nothing is pending there.
host_protocol::Status check_inline_decision(host_protocol::JsonValue decision);

struct MergedApproval {
    std::vector<std::string> reasons, types;
    double lifetime_ms = 0;
};
/// The static reason first, then the policies'; types without duplicates; the shortest lifetime of all that were given.
/// The static reason is "This operation needs an approval" — metadata has no text of its own for it.
MergedApproval merge_approvals(const Capability& capability, const std::vector<ApprovalDemand>& demands,
                               const RuntimeOptions& options);

/// A stored record as resume reads it; texts view into the document they came from.
struct StoredApproval {
    std::string_view id, capability_id, surface, correlation_id, input_hash, approver_id, approver_kind;
    ActorFacts actor;
    ApprovalStatus status = ApprovalStatus::pending;
    double expires_at = 0;
    bool has_decision = false;
};
/// `facts`: `{"id","capabilityId","surface","actor","correlationId"?,"inputHash","status","expiresAt",
/// "decision"?:{"approver":{"id","kind"}}}`; none for a record without these, or with a status that is none.
std::optional<StoredApproval> read_stored_approval(host_protocol::JsonValue facts);

/// Who may resume: absent values demand nothing.
struct ResumeGuards {
    bool wants_actor = false;
    ActorFacts actor;
    std::string_view surface;
};
/// Steps 2 to 8 of a resume, in order (spec §8.4): the code of the first that fails; none: go on.
std::optional<std::string_view> check_resume(const StoredApproval& record, const ResumeGuards& guards,
                                             bool reject_self_approval, double now);

}  // namespace domain
