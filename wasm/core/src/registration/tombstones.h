// Tombstones: who was unmounted a short while ago (spec: capabilities.md §4), so that a late call learns
// COMPONENT_UNMOUNTED. At most `size` entries for `ttl_ms`; looked up by registration id and by type, never by a pass
// over all of them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "contract/contract.h"

namespace viewcap {

struct Tombstone {
    std::string registration_id;
    std::string instance_id;
    std::shared_ptr<const Contract> contract;
    double expires_at = 0;
};

class Tombstones {
  public:
    Tombstones(std::uint32_t size, double ttl_ms) : size_(size), ttl_ms_(ttl_ms) {}

    void add(std::string registration_id, std::string instance_id, std::shared_ptr<const Contract> contract,
             double now);
    /// The tombstone of that registration, or null.
    const Tombstone* find(std::string_view registration_id, double now);
    /// Whether some tombstone of the type, and of the instance when one is named, had the capability.
    bool had(std::string_view type, std::string_view name, std::string_view instance_id, double now);

  private:
    /// How many tombstones each contract has under one key.
    using Counts = std::map<const Contract*, std::uint32_t>;
    void purge(double now);
    void drop_oldest();
    static std::string instance_key(std::string_view type, std::string_view instance_id);
    void count(const std::string& key, const Contract* contract, bool up);

    std::uint32_t size_;
    double ttl_ms_;
    std::deque<Tombstone> entries_;
    std::map<std::string_view, const Tombstone*> by_id_;
    /// Keys: the type, and type + '\n' + instance id.
    std::map<std::string, Counts, std::less<>> by_place_;
};

}  // namespace viewcap
