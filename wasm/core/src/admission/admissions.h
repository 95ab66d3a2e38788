// Phase 8: who runs now, who waits, whose turn it is (spec: invocation.md §1, phase 8).
//
//     Place place{live, registration, capability_index, capability, consumer_key, invocation};
//     switch (admissions.enter(place)) { case Admission::run: … case Admission::wait: … case Admission::full: … }
//     if (InvocationHandle next = admissions.leave(place)) …   // at settlement, wherever the call stood
//
// Actions and procedures stand in lanes, observations in the pool of their consumer. Nothing here knows how a call
// ends.
#pragma once

#include "admission/lanes.h"
#include "admission/observation_pool.h"
#include "contract/contract.h"
#include "registration/registration.h"

namespace viewcap {

/// Where a call stands or wants to.
struct Place {
    Registration* live;  // null: its owner has unmounted
    RegistrationHandle registration;
    std::uint32_t capability_index;
    const Capability& capability;
    const std::string& consumer_key;
    InvocationHandle invocation;
};

class Admissions {
  public:
    explicit Admissions(const host_protocol::Limits& limits) : depth_(limits.action_queue_depth), pool_(limits) {}

    /// What entering would come to now.
    Admission probe(const Place& place) const;
    Admission enter(const Place& place);
    /// Ends the invocation's stay, wherever it stands. Gives the one whose turn has come, or 0.
    InvocationHandle leave(const Place& place);
    /// Whether that invocation holds a place of the same kind.
    bool holds(const Place& place, InvocationHandle invocation) const;

  private:
    LaneUser user_of(const Place& place) const;

    std::uint32_t depth_;
    Lanes lanes_;
    ObservationPool pool_;
};

}  // namespace viewcap
