// Errors of the domain plane: what a code brings by default, what a throw becomes, what may leave (spec: domain.md
// §§6.3, 9). SI-9: only the public message of an exposed error leaves.
#pragma once

#include <string>
#include <string_view>

#include "host_protocol/domain_vocabulary.h"
#include "host_protocol/json_text.h"

namespace domain {

/// One CapabilityError. `details` is JSON text, empty for none.
struct Failure {
    std::string_view code;   // a row of kErrorRows
    std::string_view stage;  // one of kStages
    std::string message;     // the public message
    bool retryable = false;
    bool exposed = false;
    std::string details;
    /// The glue hands out the author's own CapabilityError, not a new one (spec §6.3, first row).
    bool is_own = false;
};

/// With the code's defaults; an unknown code has those of INTERNAL_ERROR.
Failure failure_of(std::string_view code);
Failure failure_of(std::string_view code, std::string_view stage);

/// What a procedure threw. `facts` (value facts): `{"kind":…}` with kind
///   "capability"   code, stage, publicMessage, retryable, exposeToModel, details? of a CapabilityError
///   "input"        issues: `[{path:[text…],message}…]` of a validation inside the call
///   "output"       the same for an output
///   "rpc"          code?, message?, defined?: bool of a structured RPC error
///   "other"
/// Only EXECUTION_FAILED, FORBIDDEN and UNAUTHENTICATED pass as they are (decision 12).
Failure thrown_failure(host_protocol::JsonValue facts);
/// INPUT_INVALID with `{"issues":[{"path":[…],"message":…}…]}`; at most 100 issues.
Failure invalid_input(host_protocol::JsonValue issues);

/// `{"code","stage","publicMessage","retryable","exposeToModel","details"?,"own"?:true}`
std::string failure_text(const Failure& failure);
/// One of the two outward shapes (spec §9), as JSON text.
std::string outward_text(const Failure& failure);

}  // namespace domain
