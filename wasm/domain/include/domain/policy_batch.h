// One batch: the policies of one capability in one phase, and what they come to together (spec: domain.md §4.4).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/audit.h"
#include "domain/capability.h"
#include "host_protocol/json_text.h"

namespace domain {

/// What a require-approval decision asks for.
struct ApprovalDemand {
    std::string reason;
    std::optional<std::string> type;
    std::optional<double> expires_in_ms;
};

/// failure > deny > hide > require-approval > allow
enum class Verdict : std::uint8_t { allow, require_approval, hide, deny, failure };

struct BatchOutcome {
    Verdict verdict = Verdict::allow;
    std::vector<PolicyRecord> records;
    std::vector<ApprovalDemand> demands;
    std::string_view deny_policy;  // of the first deny
    std::optional<std::string> deny_code, deny_message;
};

/// Runtime policies first, then the capability's; only those of the phase.
std::vector<const Policy*> batch_of(const std::vector<Policy>& runtime, const Capability& capability, Phase phase);

/// `outcomes`: an absent value when every policy said exactly allow; else an array with one item for each policy that
/// was reached, in order:
///   value facts of the decision        such as {"type":"deny","code":"C","message":"M"}
///   "threw"   it threw or rejected     "late"   it did not answer in time     "no-time"   none was left to start it
/// After "late" or "no-time" the batch has stopped: the rest is recorded as error (decision 6). A decision whose type
/// is none of the four, a require-approval without a non-empty reason, one with a type that is no text or with a
/// lifetime that is no finite positive number (decision 5): an error of that policy, and the batch goes on. Code and
/// message of a deny that are no text are dropped.
BatchOutcome combine(const std::vector<const Policy*>& batch, host_protocol::JsonValue outcomes);

}  // namespace domain
