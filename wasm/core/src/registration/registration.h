// One mount of one contract (spec: capabilities.md §4, §5): identity, availability, and who waits on it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "admission/lane.h"
#include "contract/contract.h"
#include "viewcap/effects.h"

namespace viewcap {

/// Availability of one capability and the first cause that holds; the reason points into the registration.
struct Availability {
    bool available = true;
    std::string_view reason;
};

/// What only a reference to a procedure has.
struct ReferenceFacts {
    std::string owner_type;  // empty: no owner
    /// Sorts the references to one procedure by instance id, then registration id.
    std::string key;
    std::string meta;  // JSON text; empty: the contract's
    std::string note;  // what `describe()` says; empty: nothing
};

class Registration {
  public:
    Registration(RegistrationHandle handle, std::string id, std::shared_ptr<const Contract> contract,
                 std::string instance_id);

    const RegistrationHandle handle;
    const std::string id;
    /// Another one of the same procedure once the keys of its binding became known, never another otherwise.
    std::shared_ptr<const Contract> contract;
    /// A reference's is its owner's; empty: it has no owner.
    const std::string instance_id;
    std::string parent;  // JSON text; empty: none
    /// Policies of its own; one of them is of discovery only; one of them speaks of discovery.
    bool policies = false;
    bool votes = false;
    bool discovery = false;
    /// Null for a component.
    std::unique_ptr<ReferenceFacts> reference;
    /// Of the actions whose concurrency is by instance.
    Lane lane;
    /// Invocations between begin and settlement.
    std::vector<InvocationHandle> in_flight;

    /// Order of causes: component-disabled, pushed override, when.
    Availability availability(std::uint32_t capability) const;
    /// Without `when`, which an invocation evaluates itself.
    Availability availability_before_gates(std::uint32_t capability) const;

    /// The contract's level, or the one that the mount set.
    AuditLevel audit_level(std::uint32_t capability) const;
    void set_audit_level(std::uint32_t capability, AuditLevel level);
    /// What a scope is held against: the component's type, a reference's owner's type, else its procedure's path.
    std::string_view scope_name() const;

    bool enabled() const { return enabled_; }
    /// Each returns whether anything changed.
    bool set_enabled(bool enabled);
    bool set_override(std::uint32_t capability, bool available, std::string_view reason);
    bool clear_override(std::uint32_t capability);
    bool set_gate(std::uint32_t capability, bool open, std::string_view reason);
    /// References only; clipped.
    bool set_note(std::string_view note);

  private:
    /// The two highest bits are the mount's audit level plus one.
    enum Bit : std::uint8_t { kGateClosed = 1, kOverridden = 2, kOverrideUnavailable = 4 };
    static constexpr int kAuditShift = 6;
    /// Reasons are rare: kept aside, so that a plain registration stays small.
    struct Reasons {
        std::map<std::uint32_t, std::string> overrides;
        std::map<std::uint32_t, std::string> gates;
    };
    Reasons& reasons();
    std::string_view reason_in(bool gates, std::uint32_t capability) const;

    bool enabled_ = true;
    std::vector<std::uint8_t> bits_;
    std::unique_ptr<Reasons> reasons_;
};

/// Appends the member `context`, the component that a reference belongs to; nothing where there is none.
void append_context(std::string& out, const Registration& registration);

}  // namespace viewcap
