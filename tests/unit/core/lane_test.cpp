// A line of calls before a number of places.
#include "admission/lane.h"

#include <catch2/catch.hpp>
#include <deque>
#include <random>

namespace {

using viewcap::Admission;
using viewcap::InvocationHandle;
using viewcap::Lane;

TEST_CASE("a lane of one place runs one, lets the depth wait and refuses the next", "[core]") {
    Lane lane;
    CHECK(lane.empty());
    CHECK(lane.probe(1, 2) == Admission::run);
    CHECK(lane.enter(1, 1, 2) == Admission::run);
    CHECK(lane.enter(2, 1, 2) == Admission::wait);
    CHECK(lane.enter(3, 1, 2) == Admission::wait);
    CHECK(lane.probe(1, 2) == Admission::full);
    CHECK(lane.enter(4, 1, 2) == Admission::full);
    CHECK(lane.running() == 1);
    CHECK(lane.waiting() == 2);
}

TEST_CASE("those who wait get their turn first in first out, and one who left the line gets none", "[core]") {
    Lane lane;
    for (InvocationHandle call = 1; call <= 4; ++call) lane.enter(call, 1, 3);
    CHECK(lane.leave(3) == 0);
    CHECK(lane.leave(1) == 2);
    CHECK(lane.leave(2) == 4);
    CHECK(lane.leave(4) == 0);
    CHECK(lane.empty());
}

TEST_CASE("a lane of several places runs so many at once, and each that ends makes one turn", "[core]") {
    Lane lane;
    for (InvocationHandle call = 1; call <= 3; ++call) CHECK(lane.enter(call, 3, 2) == Admission::run);
    CHECK(lane.enter(4, 3, 2) == Admission::wait);
    CHECK(lane.enter(5, 3, 2) == Admission::wait);
    CHECK(lane.enter(6, 3, 2) == Admission::full);
    CHECK(lane.leave(2) == 4);
    CHECK(lane.leave(1) == 5);
    CHECK(lane.leave(5) == 0);
    CHECK(lane.enter(7, 3, 2) == Admission::run);
    CHECK(lane.running() == 3);
}

TEST_CASE("only who runs holds a place, and who is not in the lane leaves it as it was", "[core]") {
    Lane lane;
    for (InvocationHandle call = 1; call <= 3; ++call) lane.enter(call, 2, 1);
    CHECK(lane.holds(1));
    CHECK(lane.holds(2));
    CHECK_FALSE(lane.holds(3));
    CHECK_FALSE(lane.holds(0));
    CHECK(lane.leave(9) == 0);
    CHECK(lane.leave(0) == 0);
    CHECK(lane.running() == 2);
    CHECK(lane.waiting() == 1);
}

TEST_CASE("without a depth nobody waits", "[core]") {
    Lane lane;
    CHECK(lane.enter(1, 1, 0) == Admission::run);
    CHECK(lane.enter(2, 1, 0) == Admission::full);
}

TEST_CASE("a lane is a few words, for it stands in every registration", "[core]") {
    CHECK(sizeof(Lane) <= 8 + sizeof(std::vector<InvocationHandle>));
}

TEST_CASE("in a random history a lane keeps its order, its places and its depth", "[core]") {
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        std::mt19937 random(seed);
        const std::uint32_t places = 1 + seed % 4;
        const std::uint32_t depth = seed % 3;
        Lane lane;
        std::vector<InvocationHandle> running;
        std::deque<InvocationHandle> waiting;
        for (InvocationHandle call = 1; call <= 3000; ++call) {
            const bool enters = random() % 2 == 0;
            if (enters) {
                const Admission expected = running.size() < places  ? Admission::run
                                           : waiting.size() < depth ? Admission::wait
                                                                    : Admission::full;
                REQUIRE(lane.enter(call, places, depth) == expected);
                if (expected == Admission::run) running.push_back(call);
                if (expected == Admission::wait) waiting.push_back(call);
            } else if (!waiting.empty() && random() % 4 == 0) {
                const auto one = waiting.begin() + static_cast<std::ptrdiff_t>(random() % waiting.size());
                REQUIRE(lane.leave(*one) == 0);
                waiting.erase(one);
            } else if (!running.empty()) {
                const auto one = running.begin() + static_cast<std::ptrdiff_t>(random() % running.size());
                const InvocationHandle next = lane.leave(*one);
                running.erase(one);
                REQUIRE(next == (waiting.empty() ? 0 : waiting.front()));
                if (next != 0) {
                    running.push_back(next);
                    waiting.pop_front();
                }
            }
            REQUIRE(lane.running() == running.size());
            REQUIRE(lane.waiting() == waiting.size());
            for (InvocationHandle one : running) REQUIRE(lane.holds(one));
        }
    }
}

}  // namespace
