// Capability ids, component types and instance ids (spec: capabilities.md §2).
#pragma once

#include <optional>
#include <string_view>

namespace host_protocol {

enum class Plane { view, domain };

/// Parts of a capability id; they point into the parsed text.
struct CapabilityId {
    Plane plane;
    std::string_view component_type;  // view only
    std::string_view name;            // view only: what follows the last dot
    std::string_view path;            // domain only: opaque
};

/// The parts, or nothing when `id` is malformed. Never fails otherwise.
std::optional<CapabilityId> parse_capability_id(std::string_view id);

bool is_component_type(std::string_view text);
bool is_capability_name(std::string_view text);
/// 1 to 128 of A-Z a-z 0-9 - _
bool is_instance_id(std::string_view text);

}  // namespace host_protocol
