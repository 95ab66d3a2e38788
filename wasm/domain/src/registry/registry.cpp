// The registry itself: look-up, subsets, and what it says of itself. Queries are in registry_query.cpp.
#include "domain/registry.h"

#include <algorithm>
#include <numeric>

#include "host_protocol/heap_sort.h"
#include "host_protocol/json_out.h"

namespace domain {

namespace {

std::vector<std::uint32_t> counted(std::size_t size) {
    std::vector<std::uint32_t> positions(size);
    std::iota(positions.begin(), positions.end(), 0u);
    return positions;
}

}  // namespace

CapabilityRegistry::CapabilityRegistry(Parts parts) : CapabilityRegistry(std::move(parts), {}) {
    origins_ = counted(size());
}

CapabilityRegistry::CapabilityRegistry(Parts parts, std::vector<std::uint32_t> origins)
    : parts_(std::move(parts)), origins_(std::move(origins)), by_id_(counted(parts_.capabilities.size())) {
    host_protocol::heap_sort(by_id_.begin(), by_id_.end(),
                             [this](std::uint32_t a, std::uint32_t b) { return at(a).id < at(b).id; });
}

std::int64_t CapabilityRegistry::find(std::string_view id) const {
    const auto place = std::lower_bound(by_id_.begin(), by_id_.end(), id,
                                        [this](std::uint32_t a, std::string_view wanted) { return at(a).id < wanted; });
    return place != by_id_.end() && at(*place).id == id ? std::int64_t{*place} : -1;
}

SharedRegistry CapabilityRegistry::keep(const std::vector<std::uint32_t>& positions) const {
    std::vector<std::uint8_t> is_kept(size());
    for (std::uint32_t position : positions)
        if (position < size()) is_kept[position] = 1;
    Parts parts{{}, parts_.excluded};
    std::vector<std::uint32_t> origins;
    for (std::uint32_t position = 0; position < size(); ++position) {
        if (is_kept[position] == 0) continue;
        parts.capabilities.push_back(parts_.capabilities[position]);
        origins.push_back(position);
    }
    return SharedRegistry(new CapabilityRegistry(std::move(parts), std::move(origins)));
}

std::string CapabilityRegistry::inspect() const {
    std::string ids = "[", excluded = "[", unexposed = "[";
    const auto add = [](std::string& list, std::string_view json) {
        if (list.size() > 1) list += ',';
        list += json;
    };
    for (const auto& capability : parts_.capabilities) {
        std::string id;
        host_protocol::append_json_string(id, capability->id);
        add(ids, id);
        if (capability->exposed == 0) add(unexposed, id);
    }
    for (const std::string& path : parts_.excluded) {
        std::string entry = "{";
        host_protocol::append_text_member(entry, "path", path);
        host_protocol::append_text_member(entry, "reason", "no-agent-meta");
        add(excluded, entry + '}');
    }
    std::string out = "{";
    host_protocol::append_json_member(out, "capabilities", ids + ']');
    host_protocol::append_json_member(out, "excluded", excluded + ']');
    host_protocol::append_json_member(out, "unexposed", unexposed + ']');
    return out + '}';
}

}  // namespace domain
