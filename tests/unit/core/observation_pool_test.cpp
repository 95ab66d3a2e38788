// The places of observations: caps per consumer and in all, and turns that go round.
#include "admission/observation_pool.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <random>

namespace {

using viewcap::Admission;
using viewcap::InvocationHandle;

host_protocol::Limits limits_of(std::uint32_t running, std::uint32_t total, std::uint32_t waiting) {
    host_protocol::Limits limits;
    limits.max_concurrent_observations_per_consumer = running;
    limits.max_concurrent_observations_total = total;
    limits.max_queued_observations_per_consumer = waiting;
    return limits;
}

struct Pool : viewcap::ObservationPool {
    Pool(std::uint32_t running, std::uint32_t total, std::uint32_t waiting)
        : ObservationPool(limits_of(running, total, waiting)) {}
    /// Enters `count` calls from `first` on; how many of them ran, waited and were refused.
    std::vector<int> enter_many(const char* consumer, InvocationHandle first, int count) {
        std::vector<int> met(3);
        for (int i = 0; i < count; ++i)
            ++met[static_cast<std::size_t>(enter(consumer, first + static_cast<InvocationHandle>(i)))];
        return met;
    }
};

TEST_CASE("a consumer has 8 observations running and 8 waiting, all consumers 32 running", "[core]") {
    viewcap::ObservationPool defaults{host_protocol::Limits()};
    Pool pool(8, 32, 8);
    CHECK(pool.enter_many("test:a", 100, 20) == std::vector<int>{8, 8, 4});
    CHECK(pool.enter_many("test:b", 200, 8) == std::vector<int>{8, 0, 0});
    CHECK(pool.enter_many("test:c", 300, 8) == std::vector<int>{8, 0, 0});
    CHECK(pool.enter_many("test:d", 400, 8) == std::vector<int>{8, 0, 0});
    CHECK(pool.enter_many("test:e", 500, 9) == std::vector<int>{0, 8, 1});
    CHECK(pool.running() == 32);
    CHECK(pool.probe("test:f") == Admission::wait);
    CHECK(pool.probe("test:e") == Admission::full);
    CHECK(pool.leave("test:b", 203) == 500);
    for (InvocationHandle call = 1; call <= 8; ++call) CHECK(defaults.enter("test:a", call) == Admission::run);
    CHECK(defaults.enter("test:a", 9) == Admission::wait);
}

TEST_CASE("a consumer's own observations get their turn first in first out", "[core]") {
    Pool pool(1, 32, 3);
    for (InvocationHandle call = 1; call <= 4; ++call) pool.enter("test:a", call);
    CHECK(pool.leave("test:a", 3) == 0);
    CHECK(pool.leave("test:a", 1) == 2);
    CHECK(pool.leave("test:a", 2) == 4);
    CHECK(pool.leave("test:a", 4) == 0);
    CHECK(pool.consumers() == 0);
}

TEST_CASE("between consumers that wait turns go round, whoever's observation ended", "[core]") {
    Pool pool(4, 4, 4);
    pool.enter_many("test:a", 10, 8);
    pool.enter_many("test:b", 20, 3);
    pool.enter_many("test:c", 30, 2);
    std::vector<InvocationHandle> turns;
    for (InvocationHandle call : {10, 11, 12, 13}) turns.push_back(pool.leave("test:a", call));
    // test:a could not have run more of its own until its first ended, so it joins the round last.
    CHECK(turns == std::vector<InvocationHandle>{20, 30, 14, 21});
    CHECK(pool.leave("test:b", 20) == 31);
    CHECK(pool.leave("test:c", 30) == 15);
    CHECK(pool.leave("test:c", 31) == 22);
}

TEST_CASE("a consumer at its own limit takes no turn from others", "[core]") {
    Pool pool(2, 3, 4);
    pool.enter_many("test:a", 10, 4);
    CHECK(pool.enter("test:b", 20) == Admission::run);
    CHECK(pool.enter("test:b", 21) == Admission::wait);
    CHECK(pool.leave("test:b", 20) == 21);
    CHECK(pool.leave("test:b", 21) == 0);
    CHECK(pool.enter("test:b", 22) == Admission::run);
}

TEST_CASE("who waits and leaves, leaves the round too", "[core]") {
    Pool pool(1, 1, 1);
    pool.enter("test:a", 1);
    pool.enter("test:b", 2);
    pool.enter("test:c", 3);
    CHECK(pool.leave("test:b", 2) == 0);
    CHECK(pool.consumers() == 2);
    CHECK(pool.leave("test:a", 1) == 3);
    CHECK(pool.leave("test:c", 3) == 0);
    CHECK(pool.running() == 0);
    CHECK(pool.consumers() == 0);
}

TEST_CASE("who is unknown changes nothing, and only who runs holds a place", "[core]") {
    Pool pool(1, 2, 1);
    pool.enter("test:a", 1);
    pool.enter("test:a", 2);
    CHECK(pool.leave("test:b", 1) == 0);
    CHECK(pool.leave("test:a", 7) == 0);
    CHECK(pool.running() == 1);
    CHECK(pool.holds("test:a", 1));
    CHECK_FALSE(pool.holds("test:a", 2));
    CHECK_FALSE(pool.holds("test:b", 1));
}

/// A plain model of a crowd: who runs and who waits, per consumer.
class Crowd {
  public:
    Crowd(unsigned seed, std::uint32_t per, std::uint32_t total, std::uint32_t depth)
        : random_(seed), per_(per), total_(total), depth_(depth), pool_(per, total, depth) {}

    void step() {
        const std::string consumer = "test:" + std::to_string(below(6));
        if (below(5) < 3)
            enter(consumer, ++calls_);
        else
            leave(consumer);
        check();
    }
    std::map<std::string, int> met;

  private:
    struct Side {
        std::vector<InvocationHandle> running;
        std::deque<InvocationHandle> waiting;
        int passed_over = 0;
    };
    std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    std::size_t running() const {
        std::size_t sum = 0;
        for (const auto& [name, side] : sides_) sum += side.running.size();
        return sum;
    }

    void enter(const std::string& consumer, InvocationHandle call) {
        Side& side = sides_[consumer];
        const Admission expected = side.running.size() < per_ && running() < total_ ? Admission::run
                                   : side.waiting.size() < depth_                   ? Admission::wait
                                                                                    : Admission::full;
        REQUIRE(pool_.probe(consumer) == expected);
        REQUIRE(pool_.enter(consumer, call) == expected);
        if (expected == Admission::run) side.running.push_back(call);
        if (expected == Admission::wait) side.waiting.push_back(call);
        ++met[expected == Admission::run ? "run" : expected == Admission::wait ? "wait" : "full"];
    }
    void leave(const std::string& consumer) {
        Side& side = sides_[consumer];
        if (!side.waiting.empty() && below(6) == 0) {
            const auto one = side.waiting.begin() + static_cast<std::ptrdiff_t>(below(side.waiting.size()));
            REQUIRE(pool_.leave(consumer, *one) == 0);
            side.waiting.erase(one);
        } else if (!side.running.empty()) {
            const auto one = side.running.begin() + static_cast<std::ptrdiff_t>(below(side.running.size()));
            const InvocationHandle next = pool_.leave(consumer, *one);
            side.running.erase(one);
            if (next != 0) turn(next);
        }
    }
    void turn(InvocationHandle next) {
        std::size_t waiting = 0;
        for (auto& [name, side] : sides_) {
            if (side.waiting.empty() || side.running.size() >= per_) continue;
            ++waiting;
            if (side.waiting.front() != next) ++side.passed_over;
        }
        REQUIRE(waiting > 0);
        for (auto& [name, side] : sides_) {
            if (side.waiting.empty() || side.waiting.front() != next) continue;
            REQUIRE(side.running.size() < per_);
            // Nobody who could have run was passed over more often than there are others.
            REQUIRE(side.passed_over < static_cast<int>(sides_.size()));
            side.passed_over = 0;
            side.running.push_back(next);
            side.waiting.pop_front();
            ++met[waiting > 1 ? "turn among several" : "turn"];
            return;
        }
        FAIL("a turn for somebody who does not wait");
    }
    void check() {
        REQUIRE(running() <= total_);
        REQUIRE(pool_.running() == running());
        std::size_t busy = 0;
        for (auto& [name, side] : sides_) {
            REQUIRE(side.running.size() <= per_);
            REQUIRE(side.waiting.size() <= depth_);
            busy += side.running.empty() && side.waiting.empty() ? 0 : 1;
            // A waiter that could run was forgotten.
            REQUIRE((side.waiting.empty() || side.running.size() == per_ || running() == total_));
            if (side.waiting.empty()) side.passed_over = 0;
            for (InvocationHandle one : side.running) REQUIRE(pool_.holds(name, one));
        }
        REQUIRE(pool_.consumers() == busy);
    }

    std::mt19937 random_;
    std::uint32_t per_, total_, depth_;
    Pool pool_;
    InvocationHandle calls_ = 0;
    std::map<std::string, Side> sides_;
};

TEST_CASE("in a random history no cap is passed, no waiter is lost and nobody is passed over for long", "[core]") {
    std::map<std::string, int> met;
    const std::uint32_t sizes[][3] = {{8, 32, 8}, {2, 6, 3}, {3, 4, 2}, {1, 1, 2}, {2, 1, 1}, {1, 3, 0}};
    for (const auto& [per, total, depth] : sizes) {
        Crowd crowd(per * 100 + total, per, total, depth);
        for (int step = 0; step < 3000; ++step) crowd.step();
        for (const auto& [what, times] : crowd.met) met[what] += times;
    }
    for (const char* what : {"run", "wait", "full", "turn", "turn among several"}) {
        INFO(what);
        CHECK(met[what] > 5);
    }
}

}  // namespace
