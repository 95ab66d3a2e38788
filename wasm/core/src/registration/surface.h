// The live surface: what is mounted, found by handle, by registration id and by type; its version; its tombstones
// (spec: capabilities.md §4, invocation.md §1 phase 2).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "registration/registration.h"
#include "registration/tombstones.h"

namespace viewcap {

/// Live registrations of one component type, by instance id.
using Instances = std::map<std::string_view, Registration*>;

/// A capability whose availability may have changed, for projections that follow along.
struct AvailabilityChange {
    RegistrationHandle registration;
    std::uint32_t capability;
};

class Surface {
  public:
    explicit Surface(const host_protocol::Limits& limits);

    Registration& add(std::string id, std::shared_ptr<const Contract> contract, std::string instance_id);
    /// Takes the registration out and leaves a tombstone.
    std::unique_ptr<Registration> remove(Registration& registration, double now);

    Registration* by_handle(RegistrationHandle handle) const;
    Registration* by_id(std::string_view registration_id) const;
    Registration* by_instance(std::string_view type, std::string_view instance_id) const;
    /// Null when nothing of the type is mounted.
    const Instances* of_type(std::string_view type) const;
    Tombstones& tombstones() { return tombstones_; }

    bool empty() const { return live_.empty(); }
    std::uint64_t version() const { return version_; }
    void bump() { ++version_; }
    /// Grows with every mount and unmount: what names and order depend on.
    std::uint64_t mount_revision() const { return mount_revision_; }

    /// Live registrations whose type lies in the scope (empty: all), by priority (descending), type, instance id.
    std::vector<const Registration*> ordered(const std::vector<std::string>& scope) const;

    void note_change(RegistrationHandle registration, std::uint32_t capability);
    /// Whether the changes since `position` are still known; they are [first, first + count) then.
    bool changes_since(std::uint64_t position, const AvailabilityChange*& first, std::size_t& count) const;
    std::uint64_t change_position() const { return change_base_ + changes_.size(); }

  private:
    std::map<RegistrationHandle, std::unique_ptr<Registration>> live_;
    std::map<std::string_view, Registration*> by_id_;
    std::map<std::string, Instances, std::less<>> types_;
    Tombstones tombstones_;
    std::vector<AvailabilityChange> changes_;
    std::uint64_t change_base_ = 0;
    std::uint64_t version_ = 0;
    std::uint64_t mount_revision_ = 0;
    RegistrationHandle next_handle_ = 1;
};

/// Whether a component type lies under one of the prefixes, on segment boundaries; an empty scope holds everything.
bool in_scope(std::string_view type, const std::vector<std::string>& scope);

}  // namespace viewcap
