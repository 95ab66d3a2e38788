#include "registration/surface.h"

#include <algorithm>

#include "host_protocol/heap_sort.h"
#include "json_out.h"

namespace viewcap {
namespace {

/// Beyond this many unread changes a projection reads everything again, which costs less than following them.
constexpr std::size_t kMaxChanges = 256;

bool comes_before(const Registration* a, const Registration* b) {
    if (static_cast<bool>(a->reference) != static_cast<bool>(b->reference)) return !a->reference;
    if (a->contract->priority != b->contract->priority) return a->contract->priority > b->contract->priority;
    if (const int order = a->contract->type.compare(b->contract->type); order != 0) return order < 0;
    return a->reference ? a->reference->key < b->reference->key : a->instance_id < b->instance_id;
}

std::string owner_key(std::string_view type, std::string_view instance_id) { return concat({type, "\n", instance_id}); }

/// Its place among those of its type.
std::string_view place_of(const Registration& registration) {
    return registration.reference ? registration.reference->key : registration.instance_id;
}

void erase_from(std::map<std::string, Instances, std::less<>>& index, std::string_view key, std::string_view place) {
    const auto found = index.find(key);
    if (found == index.end()) return;
    found->second.erase(place);
    if (found->second.empty()) index.erase(found);
}

}  // namespace

bool in_scope(std::string_view type, const std::vector<std::string>& scope) {
    if (scope.empty()) return true;
    return std::any_of(scope.begin(), scope.end(), [type](const std::string& prefix) {
        return type.substr(0, prefix.size()) == prefix && (type.size() == prefix.size() || type[prefix.size()] == '.');
    });
}

Surface::Surface(const host_protocol::Limits& limits) : tombstones_(limits.tombstone_size, limits.tombstone_ttl_ms) {}

Registration& Surface::keep(std::unique_ptr<Registration> owned) {
    Registration& registration = *owned;
    live_.emplace(registration.handle, std::move(owned));
    by_id_.emplace(registration.id, &registration);
    types_[registration.contract->type].emplace(place_of(registration), &registration);
    ++mount_revision_;
    return registration;
}

Registration& Surface::add(std::string id, std::shared_ptr<const Contract> contract, std::string instance_id) {
    return keep(
        std::make_unique<Registration>(next_handle_++, std::move(id), std::move(contract), std::move(instance_id)));
}

Registration& Surface::add_reference(std::string id, std::shared_ptr<const Contract> contract, std::string owner_type,
                                     std::string owner_instance) {
    auto made =
        std::make_unique<Registration>(next_handle_++, std::move(id), std::move(contract), std::move(owner_instance));
    made->reference = std::make_unique<ReferenceFacts>();
    made->reference->owner_type = std::move(owner_type);
    made->reference->key = concat({made->instance_id, "\n", made->id});
    Registration& reference = keep(std::move(made));
    ++references_;
    if (!reference.reference->owner_type.empty())
        owned_[owner_key(reference.reference->owner_type, reference.instance_id)].emplace(reference.id, &reference);
    return reference;
}

std::unique_ptr<Registration> Surface::remove(Registration& registration, double now) {
    by_id_.erase(registration.id);
    erase_from(types_, registration.contract->type, place_of(registration));
    if (registration.reference && !registration.reference->owner_type.empty())
        erase_from(owned_, owner_key(registration.reference->owner_type, registration.instance_id), registration.id);
    if (registration.votes) --voting_;
    if (registration.reference) --references_;
    auto node = live_.extract(registration.handle);
    // One with policies of discovery leaves nothing behind: who may know that it was there cannot be asked any more.
    if (!registration.discovery) tombstones_.add(registration.id, registration.instance_id, registration.contract, now);
    ++mount_revision_;
    return std::move(node.mapped());
}

Registration* Surface::owned_by(const Registration& component) const {
    if (component.reference || owned_.empty()) return nullptr;
    const auto found = owned_.find(owner_key(component.contract->type, component.instance_id));
    return found == owned_.end() ? nullptr : found->second.begin()->second;
}

void Surface::rebind(Registration& reference, std::shared_ptr<const Contract> contract) {
    reference.contract = std::move(contract);
    ++mount_revision_;
}

void Surface::set_votes(Registration& registration) {
    if (!registration.votes) ++voting_;
    registration.votes = true;
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
    for (const auto& [type, instances] : types_)
        for (const auto& [place, registration] : instances)
            if (in_scope(registration->scope_name(), scope)) list.push_back(registration);
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
