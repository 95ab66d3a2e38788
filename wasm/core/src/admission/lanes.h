// Finds the lane in which a call of an action or procedure stands (spec: invocation.md §1, phase 8).
//
// A registration owns the lane of its mode "instance", so the common case is looked up nowhere. The other lanes are
// here and live as long as somebody stands in them: a call that outlives its registration, a navigation, leaves its
// key's lane like any other.
#pragma once

#include <map>
#include <string>

#include "admission/concurrency.h"
#include "admission/lane.h"
#include "viewcap/effects.h"

namespace viewcap {

/// Who stands in line, and where.
struct LaneUser {
    InvocationHandle invocation = 0;
    RegistrationHandle registration = 0;
    std::uint32_t capability = 0;
    const Concurrency* concurrency = nullptr;
    /// The registration's own lane; none when it has unmounted.
    Lane* own = nullptr;
    /// How many may wait where the contract does not say.
    std::uint32_t depth = 0;
};

class Lanes {
  public:
    /// What entering would come to now.
    Admission probe(const LaneUser& user) const;
    Admission enter(const LaneUser& user);
    /// Ends the invocation's stay, wherever it stands. Gives the one whose turn has come, or 0.
    InvocationHandle leave(const LaneUser& user);
    /// Whether `invocation` holds a place in the user's lane.
    bool holds(const LaneUser& user, InvocationHandle invocation) const;
    /// Lanes besides the registrations' own.
    std::size_t size() const { return lanes_.size(); }

  private:
    static std::string name_of(const LaneUser& user);
    const Lane* find(const LaneUser& user) const;

    std::map<std::string, Lane, std::less<>> lanes_;
};

}  // namespace viewcap
