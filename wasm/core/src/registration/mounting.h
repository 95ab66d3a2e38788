// What a mount or an update asks for, read and checked (spec: capabilities.md §4).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contract/contract.h"
#include "host_protocol/json_text.h"
#include "host_protocol/result.h"
#include "registration/surface.h"

namespace viewcap {

struct MountRequest {
    std::string registration_id;
    std::string instance_id = "default";
    std::string parent;  // JSON text; empty: none
    /// A reference's owner, whose instance id is instance_id; empty: none.
    std::string owner_type;
    std::string meta;  // JSON text, a reference's own; empty: none
    bool enabled = true;
    bool refused_by_guard = false;
    bool policies = false;
    bool votes = false;
    bool discovery = false;
    std::vector<std::pair<std::uint32_t, AuditLevel>> audit;
};

/// `{registrationId, instanceId?, parent?, enabled?, guard?, policies?, votes?, discovery?, audit?}`, or of a procedure
/// `owner?` and `meta?` instead of instance and parent.
/// INVALID_ID for an instance id, parent or owner outside the grammar, LIMIT_EXCEEDED for a meta over its limit,
/// INVALID_DEFINITION for any other shape.
host_protocol::Result<MountRequest> read_mount_request(host_protocol::JsonValue object, const Contract& contract,
                                                       const RegistryOptions& options);
/// Mounts what was asked for; `registrationId` is free, and so is the instance.
Registration& mount(Surface& surface, MountRequest request, std::shared_ptr<const Contract> contract);

struct UpdateOutcome {
    bool effective = false;
    /// Capabilities whose availability may have moved.
    std::vector<std::uint32_t> touched;
};

/// Applies `{enabled?, availability?, invalidate?}` as a whole or not at all; INVALID_DEFINITION names the fault.
host_protocol::Result<UpdateOutcome> apply_update(Registration& registration, host_protocol::JsonValue patch);

}  // namespace viewcap
