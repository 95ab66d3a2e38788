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

/// Live registrations of one component type by instance id, or of one procedure by ReferenceFacts::key.
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
    /// A reference to a procedure, of an owner that need not be mounted; an empty owner type: none.
    Registration& add_reference(std::string id, std::shared_ptr<const Contract> contract, std::string owner_type,
                                std::string owner_instance);
    /// Takes the registration out and leaves a tombstone, unless policies of discovery guarded it.
    std::unique_ptr<Registration> remove(Registration& registration, double now);

    Registration* by_handle(RegistrationHandle handle) const;
    Registration* by_id(std::string_view registration_id) const;
    Registration* by_instance(std::string_view type, std::string_view instance_id) const;
    /// Null when nothing of the type, or of the procedure's id, is mounted.
    const Instances* of_type(std::string_view type) const;
    /// A reference that ends with this component, or null.
    Registration* owned_by(const Registration& component) const;
    Tombstones& tombstones() { return tombstones_; }

    /// Its contract is this one now.
    void rebind(Registration& reference, std::shared_ptr<const Contract> contract);
    /// Whether a policy of discovery only has a say in some registration; counted when its flag is set here.
    bool has_votes() const { return voting_ > 0; }
    void set_votes(Registration& registration);

    bool has_references() const { return references_ > 0; }
    bool empty() const { return live_.empty(); }
    std::uint64_t version() const { return version_; }
    void bump() { ++version_; }
    /// Grows with every mount, unmount and rebind: what names and order depend on.
    std::uint64_t mount_revision() const { return mount_revision_; }

    /// Grows with every note that changed.
    std::uint64_t note_revision() const { return note_revision_; }
    void note_said() { ++note_revision_; }

    /// What lies in the scope (empty: all): components by priority (descending), type and instance id, and behind them,
    /// whatever the priorities, references by id and registration id.
    std::vector<const Registration*> ordered(const std::vector<std::string>& scope) const;

    void note_change(RegistrationHandle registration, std::uint32_t capability);
    /// Whether the changes since `position` are still known; they are [first, first + count) then.
    bool changes_since(std::uint64_t position, const AvailabilityChange*& first, std::size_t& count) const;
    std::uint64_t change_position() const { return change_base_ + changes_.size(); }

  private:
    Registration& keep(std::unique_ptr<Registration> registration);

    std::map<RegistrationHandle, std::unique_ptr<Registration>> live_;
    std::map<std::string_view, Registration*> by_id_;
    std::map<std::string, Instances, std::less<>> types_;
    /// By owner: the references that end with it, by registration id.
    std::map<std::string, Instances, std::less<>> owned_;
    Tombstones tombstones_;
    std::vector<AvailabilityChange> changes_;
    std::uint64_t change_base_ = 0;
    std::uint64_t version_ = 0;
    std::uint64_t mount_revision_ = 0;
    std::uint64_t note_revision_ = 0;
    std::size_t voting_ = 0;
    std::size_t references_ = 0;
    RegistrationHandle next_handle_ = 1;
};

/// Whether a component type lies under one of the prefixes, on segment boundaries; an empty scope holds everything.
bool in_scope(std::string_view type, const std::vector<std::string>& scope);

}  // namespace viewcap
