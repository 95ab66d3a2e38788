#include "registration/tombstones.h"

namespace viewcap {

std::string Tombstones::instance_key(std::string_view type, std::string_view instance_id) {
    std::string key(type);
    key += '\n';
    key += instance_id;
    return key;
}

void Tombstones::count(const std::string& key, const Contract* contract, bool up) {
    if (up) {
        ++by_place_[key][contract];
        return;
    }
    const auto place = by_place_.find(key);
    if (place == by_place_.end()) return;
    const auto counted = place->second.find(contract);
    if (counted != place->second.end() && --counted->second == 0) place->second.erase(counted);
    if (place->second.empty()) by_place_.erase(place);
}

void Tombstones::drop_oldest() {
    const Tombstone& oldest = entries_.front();
    by_id_.erase(oldest.registration_id);
    count(oldest.contract->type, oldest.contract.get(), false);
    count(instance_key(oldest.contract->type, oldest.instance_id), oldest.contract.get(), false);
    entries_.pop_front();
}

void Tombstones::purge(double now) {
    while (!entries_.empty() && entries_.front().expires_at <= now) drop_oldest();
}

void Tombstones::add(std::string registration_id, std::string instance_id, std::shared_ptr<const Contract> contract,
                     double now) {
    purge(now);
    while (entries_.size() >= size_) drop_oldest();
    entries_.push_back({std::move(registration_id), std::move(instance_id), std::move(contract), now + ttl_ms_});
    const Tombstone& added = entries_.back();
    by_id_.emplace(added.registration_id, &added);
    count(added.contract->type, added.contract.get(), true);
    count(instance_key(added.contract->type, added.instance_id), added.contract.get(), true);
}

const Tombstone* Tombstones::find(std::string_view registration_id, double now) {
    purge(now);
    const auto found = by_id_.find(registration_id);
    return found == by_id_.end() ? nullptr : found->second;
}

bool Tombstones::had(std::string_view type, std::string_view name, std::string_view instance_id, double now) {
    purge(now);
    const auto place = by_place_.find(instance_id.empty() ? std::string(type) : instance_key(type, instance_id));
    if (place == by_place_.end()) return false;
    for (const auto& [contract, unused] : place->second)
        if (contract->index_of(name) >= 0) return true;
    return false;
}

}  // namespace viewcap
