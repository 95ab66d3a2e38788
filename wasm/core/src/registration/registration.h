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

class Registration {
  public:
    Registration(RegistrationHandle handle, std::string id, std::shared_ptr<const Contract> contract,
                 std::string instance_id);

    const RegistrationHandle handle;
    const std::string id;
    const std::shared_ptr<const Contract> contract;
    const std::string instance_id;
    std::string parent;  // JSON text; empty: none
    /// Of the actions whose concurrency is by instance.
    Lane lane;
    /// Invocations between begin and settlement.
    std::vector<InvocationHandle> in_flight;

    /// Order of causes: component-disabled, pushed override, when.
    Availability availability(std::uint32_t capability) const;
    /// Without `when`, which an invocation evaluates itself.
    Availability availability_before_gates(std::uint32_t capability) const;

    bool enabled() const { return enabled_; }
    /// Each returns whether anything changed.
    bool set_enabled(bool enabled);
    bool set_override(std::uint32_t capability, bool available, std::string_view reason);
    bool clear_override(std::uint32_t capability);
    bool set_gate(std::uint32_t capability, bool open, std::string_view reason);

  private:
    enum Bit : std::uint8_t { kGateClosed = 1, kOverridden = 2, kOverrideUnavailable = 4 };
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

}  // namespace viewcap
