// The life of a record as a table: pending ends in one of four, approved is spent once (spec: domain.md §8.1).
#include <array>

#include "domain/approval.h"

namespace domain {

using Status = ApprovalStatus;

std::optional<ApprovalStatus> approval_status_named(std::string_view name) {
    for (std::size_t at = 0; at < kApprovalStatuses.size(); ++at)
        if (kApprovalStatuses[at] == name) return static_cast<ApprovalStatus>(at);
    return std::nullopt;
}

std::optional<ApprovalStatus> next_approval_status(ApprovalStatus status, ApprovalInput input) {
    // Of a pending record, by input; consume is none of its inputs.
    constexpr std::array<Status, kApprovalInputCount> kFromPending = {
        Status::approved, Status::rejected, Status::expired, Status::cancelled, Status::pending};
    if (input == ApprovalInput::consume)
        return status == Status::approved ? std::optional<Status>(Status::consumed) : std::nullopt;
    if (status != Status::pending) return std::nullopt;
    return kFromPending[static_cast<std::size_t>(input)];
}

ApprovalStatus status_at(ApprovalStatus status, double expires_at, double now) {
    return status == Status::pending && now > expires_at ? Status::expired : status;
}

}  // namespace domain
