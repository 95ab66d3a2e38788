// What a snapshot is asked with (spec: capabilities.md §6).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "host_protocol/json_text.h"
#include "host_protocol/result.h"

namespace viewcap {

struct SnapshotRequest {
    /// Component-type prefixes on segment boundaries; empty: unscoped.
    std::vector<std::string> scope;
    bool include_unavailable = true;
    std::uint32_t max_components = std::numeric_limits<std::uint32_t>::max();
    /// UTF-8 bytes of the whole snapshot.
    std::uint32_t max_bytes = std::numeric_limits<std::uint32_t>::max();
    /// ISO 8601.
    std::string captured_at;
    std::string route;  // empty: none
};

/// Reads `{gates?, notes?, votes?, scope?, includeUnavailable?, budget?, capturedAt, route?}`; INVALID_DEFINITION for
/// anything else.
host_protocol::Result<SnapshotRequest> read_snapshot_request(host_protocol::JsonValue object);

/// A list of prefixes, sorted and without repetition, so that equal scopes are one scope; INVALID_DEFINITION else.
host_protocol::Result<std::vector<std::string>> read_scope(host_protocol::JsonValue list);

}  // namespace viewcap
