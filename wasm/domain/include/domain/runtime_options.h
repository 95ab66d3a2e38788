// Options of a runtime, checked; and what is said at its start (spec: domain.md §5, decision 11).
#pragma once

#include <string>
#include <vector>

#include "domain/registry.h"

namespace domain {

struct RuntimeOptions {
    double timeout_ms = 30000;           // of one attempt
    double policy_timeout_ms = 5000;     // of one batch
    double policy_concurrency = 16;      // capabilities at once in discovery
    double discovery_budget_ms = 30000;  // of one describe
    double approval_expires_in_ms = 900000;
    bool reject_self_approval = true;
    bool strict_audit = false;
    bool verbose_audit = false;
    bool has_sinks = false;
    bool has_coordinator = false;  // named by the caller; false: the in-memory default
    bool has_handler = false;
    std::vector<Policy> policies;  // of the runtime, composites expanded
};

/// `facts`: value facts `{"policies":[{name, phases}…],"defaults"?:{timeoutMs, policyTimeoutMs, policyConcurrency,
/// discoveryBudgetMs, approvalExpiresInMs},"approvals"?:{"coordinator"?:bool,"handler"?:bool,"rejectSelfApproval"?},
/// "audit"?:{"sinks":count,"strict"?,"verbose"?}}`. INVALID_DEFINITION names what was found, what is allowed, where
/// (`defaults.timeoutMs`): numbers are finite and positive, policyConcurrency a whole number; strict audit needs a
/// sink; a policy needs a name and phases of the vocabulary.
host_protocol::Result<RuntimeOptions> read_runtime_options(host_protocol::JsonValue facts);

/// W1 to W3 (spec §5), at most 3 ids each and "+N more"; none is empty.
std::vector<std::string> startup_warnings(const CapabilityRegistry& registry, const RuntimeOptions& options);

}  // namespace domain
