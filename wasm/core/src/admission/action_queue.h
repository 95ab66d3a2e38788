// The queue of one registration's actions: one holds the place, a few wait, first in first out (spec: invocation.md §1,
// phase 8). Holding the place begins with admission and ends with settlement.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "admission/admission.h"
#include "viewcap/effects.h"

namespace viewcap {

class ActionQueue {
  public:
    /// What entering would come to now.
    Admission probe(std::uint32_t depth) const {
        if (holder_ == 0) return Admission::run;
        return waiting_.size() < depth ? Admission::wait : Admission::full;
    }

    /// Takes the place, or lines up, or changes nothing when full.
    Admission enter(InvocationHandle invocation, std::uint32_t depth) {
        const Admission admission = probe(depth);
        if (admission == Admission::run) holder_ = invocation;
        if (admission == Admission::wait) waiting_.push_back(invocation);
        return admission;
    }

    /// Ends the invocation's stay, wherever it stands. Gives the one whose turn has come, or 0.
    InvocationHandle leave(InvocationHandle invocation) {
        if (holder_ != invocation) {
            waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), invocation), waiting_.end());
            return 0;
        }
        holder_ = 0;
        if (waiting_.empty()) return 0;
        holder_ = waiting_.front();
        waiting_.erase(waiting_.begin());
        return holder_;
    }

    InvocationHandle holder() const { return holder_; }
    std::size_t waiting() const { return waiting_.size(); }

  private:
    InvocationHandle holder_ = 0;
    std::vector<InvocationHandle> waiting_;
};

}  // namespace viewcap
