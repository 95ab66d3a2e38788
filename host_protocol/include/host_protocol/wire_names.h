// Wire names: the provider-safe tool name of a capability (spec: capabilities.md §2, "Wire names").
//
// A name is faithful (it can be decoded), instance-qualified (`_at_<instanceId>`) or shortened (`_0_<hash>`).
// The names of one catalog are assigned together, so that they are unique and do not depend on the order of the
// entries.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace host_protocol {

/// Faithful where the id allows it, else shortened at level 0. `id` must be a valid capability id.
std::string encode_wire_name(std::string_view id);
/// With an instance qualifier when `instance_id` is not empty; `level` 0..2 picks 8, 16 or 24 hash characters where
/// shortening is needed, and a level above 0 forces the shortened form.
std::string encode_wire_name_for_instance(std::string_view id, std::string_view instance_id, int level = 0);
/// The capability id of a faithful name; nothing for every shortened, qualified, ambiguous or malformed one.
std::optional<std::string> decode_wire_name(std::string_view wire_name);

struct WireNameEntry {
    std::string_view id;
    std::string_view instance_id;  // used only when several entries share the id
};

/// One name per entry, in the order of the entries. Entries that would share a name are all re-encoded with a longer
/// hash; an entry that still shares one (two equal entries) gets an empty name: withhold it.
std::vector<std::string> assign_wire_names(const std::vector<WireNameEntry>& entries);

}  // namespace host_protocol
