// The places of observations: so many running per consumer, so many in all, so many waiting per consumer (spec:
// invocation.md §1, phase 8).
//
// First in first out within a consumer. Between consumers that wait for a place of the whole, turns go round: each gets
// one, then goes to the end of the round, so nobody starves. Always true: who could run does not wait. So a settlement
// makes one turn at most, and costs the same however many consumers there are.
#pragma once

#include <list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "admission/admission.h"
#include "host_protocol/vocabulary.h"
#include "viewcap/effects.h"

namespace viewcap {

class ObservationPool {
  public:
    explicit ObservationPool(const host_protocol::Limits& limits)
        : max_running_(limits.max_concurrent_observations_per_consumer),
          max_total_(limits.max_concurrent_observations_total),
          max_waiting_(limits.max_queued_observations_per_consumer) {}
    ObservationPool(const ObservationPool&) = delete;
    ObservationPool& operator=(const ObservationPool&) = delete;

    /// What entering would come to now.
    Admission probe(std::string_view consumer_key) const;
    /// Takes a place, or lines up, or changes nothing when full.
    Admission enter(std::string_view consumer_key, InvocationHandle invocation);
    /// Ends the invocation's stay, wherever it stands. Gives the one whose turn has come, or 0.
    InvocationHandle leave(std::string_view consumer_key, InvocationHandle invocation);
    /// Whether it holds a place; waiting is not holding.
    bool holds(std::string_view consumer_key, InvocationHandle invocation) const;

    std::size_t running() const { return total_; }
    /// Consumers with anything running or waiting.
    std::size_t consumers() const { return consumers_.size(); }

  private:
    struct Consumer {
        std::vector<InvocationHandle> running;
        std::vector<InvocationHandle> waiting;
        /// Its place in the round; the end when it is not in it.
        std::list<Consumer*>::iterator turn;
    };
    using Consumers = std::map<std::string, Consumer, std::less<>>;

    Admission probe(const Consumer* consumer) const;
    Consumer& consumer_of(std::string_view key);
    /// Puts it into the round or takes it out: there stand those who wait for a place of the whole.
    void place_in_round(Consumer& consumer);
    InvocationHandle next_turn();
    void drop_if_idle(Consumers::iterator consumer);

    std::uint32_t max_running_;
    std::uint32_t max_total_;
    std::uint32_t max_waiting_;
    std::uint32_t total_ = 0;
    Consumers consumers_;
    /// The storage of the last consumer that went idle, for the next: most calls come one by one.
    Consumers::node_type spare_;
    std::list<Consumer*> round_;
};

}  // namespace viewcap
