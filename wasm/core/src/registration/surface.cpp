#include "registration/surface.h"

#include <algorithm>

#include "host_protocol/heap_sort.h"

namespace viewcap {
namespace {

/// Beyond this many unread changes a projection reads everything again, which costs less than following them.
constexpr std::size_t kMaxChanges = 256;

bool comes_before(const Registration* a, const Registration* b) {
    if (a->contract->priority != b->contract->priority) return a->contract->priority > b->contract->priority;
    if (const int order = a->contract->type.compare(b->contract->type); order != 0) return order < 0;
    return a->instance_id < b->instance_id;
}

}  // namespace

bool in_scope(std::string_view type, const std::vector<std::string>& scope) {
    if (scope.empty()) return true;
    return std::any_of(scope.begin(), scope.end(), [type](const std::string& prefix) {
        return type.substr(0, prefix.size()) == prefix && (type.size() == prefix.size() || type[prefix.size()] == '.');
    });
}

Surface::Surface(const host_protocol::Limits& limits) : tombstones_(limits.tombstone_size, limits.tombstone_ttl_ms) {}

Registration& Surface::add(std::string id, std::shared_ptr<const Contract> contract, std::string instance_id) {
    const RegistrationHandle handle = next_handle_++;
    auto owned = std::make_unique<Registration>(handle, std::move(id), std::move(contract), std::move(instance_id));
    Registration& registration = *owned;
    live_.emplace(handle, std::move(owned));
    by_id_.emplace(registration.id, &registration);
    types_[registration.contract->type].emplace(registration.instance_id, &registration);
    ++mount_revision_;
    return registration;
}

std::unique_ptr<Registration> Surface::remove(Registration& registration, double now) {
    by_id_.erase(registration.id);
    const auto type = types_.find(registration.contract->type);
    type->second.erase(registration.instance_id);
    if (type->second.empty()) types_.erase(type);
    auto node = live_.extract(registration.handle);
    tombstones_.add(registration.id, registration.instance_id, registration.contract, now);
    ++mount_revision_;
    return std::move(node.mapped());
}

Registration* Surface::by_handle(RegistrationHandle handle) const {
    const auto found = live_.find(handle);
    return found == live_.end() ? nullptr : found->second.get();
}

Registration* Surface::by_id(std::string_view registration_id) const {
    const auto found = by_id_.find(registration_id);
    return found == by_id_.end() ? nullptr : found->second;
}

const Instances* Surface::of_type(std::string_view type) const {
    const auto found = types_.find(type);
    return found == types_.end() ? nullptr : &found->second;
}

Registration* Surface::by_instance(std::string_view type, std::string_view instance_id) const {
    const Instances* instances = of_type(type);
    if (instances == nullptr) return nullptr;
    const auto found = instances->find(instance_id);
    return found == instances->end() ? nullptr : found->second;
}

std::vector<const Registration*> Surface::ordered(const std::vector<std::string>& scope) const {
    std::vector<const Registration*> list;
    list.reserve(live_.size());
    for (const auto& [type, instances] : types_) {
        if (!in_scope(type, scope)) continue;
        for (const auto& [instance, registration] : instances) list.push_back(registration);
    }
    host_protocol::heap_sort(list.begin(), list.end(), comes_before);
    return list;
}

void Surface::note_change(RegistrationHandle registration, std::uint32_t capability) {
    if (changes_.size() >= kMaxChanges) {
        change_base_ += changes_.size();
        changes_.clear();
    }
    changes_.push_back({registration, capability});
}

bool Surface::changes_since(std::uint64_t position, const AvailabilityChange*& first, std::size_t& count) const {
    if (position < change_base_) return false;
    const auto offset = static_cast<std::size_t>(position - change_base_);
    count = changes_.size() - offset;
    first = changes_.data() + offset;
    return true;
}

}  // namespace viewcap
