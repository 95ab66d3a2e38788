// A line of calls before a number of places: some run, some wait, first in first out (spec: invocation.md §1, phase 8).
//
// Holding a place begins with admission and ends with settlement. How many run and how many may wait is said with each
// question; all who use one lane say the same number of places. A lane of one place is a word and an empty list, and
// allocates nothing until a second call comes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "admission/admission.h"
#include "viewcap/effects.h"

namespace viewcap {

class Lane {
  public:
    /// What entering would come to now.
    Admission probe(std::uint32_t max_running, std::uint32_t depth) const {
        if (running() < max_running) return Admission::run;
        return waiting() < depth ? Admission::wait : Admission::full;
    }

    /// Takes a place, or lines up, or changes nothing when full.
    Admission enter(InvocationHandle invocation, std::uint32_t max_running, std::uint32_t depth) {
        const Admission admission = probe(max_running, depth);
        if (admission == Admission::full) return admission;
        if (admission == Admission::run && first_ == 0) {
            first_ = invocation;
        } else {
            // Nobody waits where a place is free, so whoever is admitted stands directly behind those who run.
            others_.push_back(invocation);
            if (admission == Admission::run) ++others_running_;
        }
        return admission;
    }

    /// Ends the invocation's stay, wherever it stands. Gives the one whose turn has come, or 0.
    InvocationHandle leave(InvocationHandle invocation) {
        if (invocation == 0) return 0;
        if (first_ == invocation) {
            first_ = 0;
            if (waiting() == 0) return 0;
            const auto next = others_.begin() + static_cast<std::ptrdiff_t>(others_running_);
            first_ = *next;
            others_.erase(next);
            return first_;
        }
        const auto found = std::find(others_.begin(), others_.end(), invocation);
        if (found == others_.end()) return 0;
        const bool ran = static_cast<std::size_t>(found - others_.begin()) < others_running_;
        others_.erase(found);
        if (!ran) return 0;
        if (others_.size() >= others_running_) return others_[others_running_ - 1];
        --others_running_;
        return 0;
    }

    /// Whether it holds a place; waiting is not holding.
    bool holds(InvocationHandle invocation) const {
        if (invocation == 0) return false;
        const auto end = others_.begin() + static_cast<std::ptrdiff_t>(others_running_);
        return first_ == invocation || std::find(others_.begin(), end, invocation) != end;
    }
    std::size_t running() const { return (first_ != 0 ? 1 : 0) + others_running_; }
    std::size_t waiting() const { return others_.size() - others_running_; }
    bool empty() const { return first_ == 0 && others_.empty(); }

  private:
    InvocationHandle first_ = 0;
    /// How many of the others run; they stand in front of those who wait.
    std::uint32_t others_running_ = 0;
    std::vector<InvocationHandle> others_;
};

}  // namespace viewcap
