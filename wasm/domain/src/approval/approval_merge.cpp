// One request for everything that a call needs approved (spec: domain.md §4.6, decision 5).
#include <algorithm>

#include "domain/approval.h"

namespace domain {
namespace {

void add_type(std::vector<std::string>& types, const std::optional<std::string>& type) {
    if (type && std::find(types.begin(), types.end(), *type) == types.end()) types.push_back(*type);
}

void shorten(std::optional<double>& lifetime_ms, const std::optional<double>& given) {
    if (given && (!lifetime_ms || *given < *lifetime_ms)) lifetime_ms = given;
}

}  // namespace

MergedApproval merge_approvals(const Capability& capability, const std::vector<ApprovalDemand>& demands,
                               const RuntimeOptions& options) {
    MergedApproval merged;
    std::optional<double> lifetime_ms;
    // Type and lifetime of the metadata describe every approval of this capability, also one that only a policy wants.
    add_type(merged.types, capability.approval_type);
    shorten(lifetime_ms, capability.approval_expires_in_ms);
    if (capability.approval_required) merged.reasons.push_back("This operation needs an approval");
    for (const ApprovalDemand& demand : demands) {
        merged.reasons.push_back(demand.reason);
        add_type(merged.types, demand.type);
        shorten(lifetime_ms, demand.expires_in_ms);
    }
    merged.lifetime_ms = lifetime_ms.value_or(options.approval_expires_in_ms);
    return merged;
}

}  // namespace domain
