// What is asked of a policy: of one in a capability's metadata, and of one of a runtime (spec: domain.md §§2.1, 4.2).
#pragma once

#include <string>
#include <string_view>

#include "domain/capability.h"
#include "host_protocol/json_text.h"

namespace domain {

enum class PolicyOwner : std::uint8_t {
    capability,  // string name, function evaluate; phases may be absent: invocation, as definePolicy has it
    runtime      // non-empty name, phases (decision 11); that it evaluates was checked before
};

/// Fills in `policy`, or says what is wrong first; empty: nothing is. `place`: "policies[2]".
std::string read_policy(host_protocol::JsonValue item, std::string_view place, PolicyOwner owner, Policy& policy);

}  // namespace domain
