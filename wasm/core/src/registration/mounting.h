// What a mount or an update asks for, read and checked (spec: capabilities.md §4).
#pragma once

#include <string>
#include <vector>

#include "contract/contract.h"
#include "host_protocol/json_text.h"
#include "host_protocol/result.h"
#include "registration/registration.h"

namespace viewcap {

struct MountRequest {
    std::string registration_id;
    std::string instance_id = "default";
    std::string parent;  // JSON text; empty: none
    bool enabled = true;
    bool refused_by_guard = false;
};

/// INVALID_ID for an instance id or parent outside the grammar, INVALID_DEFINITION for any other shape.
host_protocol::Result<MountRequest> read_mount_request(host_protocol::JsonValue object, const Contract& contract);

struct UpdateOutcome {
    bool effective = false;
    /// Capabilities whose availability may have moved.
    std::vector<std::uint32_t> touched;
};

/// Applies `{enabled?, availability?, invalidate?}` as a whole or not at all; INVALID_DEFINITION names the fault.
host_protocol::Result<UpdateOutcome> apply_update(Registration& registration, host_protocol::JsonValue patch);

}  // namespace viewcap
