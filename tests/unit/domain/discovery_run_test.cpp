// A listing: who is asked, how many at once, in which order they are listed, until when.
#include <algorithm>

#include "discovery_listing.h"

namespace {

using namespace domain_test;
using domain::Discovery;
using domain::Surface;
using domain::Verdict;

domain::RuntimeOptions options(double concurrency = 16, double budget = 100, double policy_timeout = 30) {
    domain::RuntimeOptions made;
    made.policy_concurrency = concurrency;
    made.discovery_budget_ms = budget;
    made.policy_timeout_ms = policy_timeout;
    return made;
}

TEST_CASE("only what is exposed on the surface and in scope is a candidate, and only that is asked", "[domain]") {
    const auto registry = registry_of({"dp", "mp", "dmp", "p", "dpt", "dt", "m"});
    const auto given = options();
    domain::Scope scope;
    Discovery all(registry, given, Surface::direct, scope, 0);
    for (const std::uint32_t expected : {0u, 2u, 4u}) CHECK(all.take(0) == expected);
    CHECK_FALSE(all.take(0));
    scope.has_tags = true;
    scope.tags = {"t"};
    scope.has_ids = true;
    scope.ids = {"c1", "c2", "c3"};
    Discovery some(registry, given, Surface::direct, scope, 0);
    CHECK(some.take(0) == 2u);
    CHECK(some.take(0) == 4u);
    CHECK_FALSE(some.take(0));
    some.report(4, {}, 0);
    some.report(2, {}, 0);
    CHECK(listing_of(some) == "2 4 5 ");
    Discovery none(registry, given, Surface::workflow, {}, 0);
    CHECK_FALSE(none.take(0));
    CHECK(listing_of(none).empty());
}

TEST_CASE("a candidate without a discovery policy is kept at once and whatever the clock says", "[domain]") {
    const auto registry = registry_of({"d", "di", "dg", "m"});
    const auto given = options();
    Discovery discovery(registry, given, Surface::direct, {}, 0);
    CHECK(listing_of(discovery) == "0 1 2! ");
    CHECK_FALSE(discovery.take(1e9));
    CHECK_FALSE(discovery.is_over_budget());
    CHECK(listing_of(discovery) == "0 1 2! ");
}

TEST_CASE("a policy of the runtime for discovery asks about every candidate", "[domain]") {
    const auto registry = registry_of({"d", "di"});
    auto given = options();
    given.policies = {{"r", domain::bit(domain::Phase::discovery)}};
    Discovery discovery(registry, given, Surface::direct, {}, 0);
    CHECK(listing_of(discovery) == "unfinished");
    CHECK(discovery.take(0) == 0u);
    CHECK(discovery.take(0) == 1u);
    CHECK_FALSE(discovery.take(0));
}

TEST_CASE("failure, deny and hide leave a candidate out, require-approval and a static gate flag it", "[domain]") {
    const auto registry = registry_of({"dp", "dp", "dp", "dp", "dp", "dpg", "d"});
    const auto given = options();
    Discovery discovery(registry, given, Surface::direct, {}, 0);
    for (int at = 0; at < 6; ++at) CHECK(discovery.take(0));
    discovery.report(0, outcome_of(Verdict::failure), 0);
    discovery.report(1, outcome_of(Verdict::allow), 0);
    discovery.report(2, outcome_of(Verdict::deny), 0);
    discovery.report(3, outcome_of(Verdict::require_approval), 0);
    discovery.report(4, outcome_of(Verdict::hide), 0);
    CHECK(listing_of(discovery) == "unfinished");
    discovery.report(5, outcome_of(Verdict::allow), 0);
    CHECK(listing_of(discovery) == "1 3! 5! 6 ");
}

TEST_CASE("the listing has the registry's order whatever the order of the reports", "[domain]") {
    std::vector<std::uint32_t> order = {0, 1, 2, 3, 4};
    const auto registry = registry_of({"dp", "dp", "dp", "dp", "dp"});
    const auto given = options();
    int orders = 0;
    do {
        Discovery discovery(registry, given, Surface::direct, {}, 0);
        while (discovery.take(0)) {
        }
        for (const std::uint32_t at : order)
            discovery.report(at, outcome_of(at == 1 ? Verdict::hide : Verdict::allow), 0);
        CHECK(listing_of(discovery) == "0 2 3 4 ");
        ++orders;
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(orders == 120);
}

TEST_CASE("never more are out than the concurrency, and every report lets the next one go", "[domain]") {
    const auto registry = registry_of(Texts(40, "dp"));
    for (const std::uint32_t limit : {1u, 2u, 16u, 40u, 1000u}) {
        const auto given = options(limit);
        Discovery discovery(registry, given, Surface::direct, {}, 0);
        std::vector<std::uint32_t> out;
        std::size_t peak = 0, started = 0;
        while (!discovery.is_finished()) {
            while (const auto next = discovery.take(0)) {
                CHECK(*next == started++);
                out.push_back(*next);
            }
            // All that may be out are out: the limit, or as many as there still are.
            CHECK(out.size() == std::min<std::size_t>(limit, 40 - started + out.size()));
            REQUIRE_FALSE(out.empty());
            peak = std::max(peak, out.size());
            discovery.report(out.back(), {}, 0);
            out.pop_back();
        }
        CHECK(peak == std::min<std::size_t>(limit, 40));
        CHECK(discovery.listing().size() == 40);
    }
}

TEST_CASE("a concurrency of 1 is serial, in registry order", "[domain]") {
    const auto registry = registry_of({"dp", "d", "dp", "dp"});
    const auto given = options(1);
    Discovery discovery(registry, given, Surface::direct, {}, 0);
    for (const std::uint32_t expected : {0u, 2u, 3u}) {
        CHECK(discovery.take(0) == expected);
        CHECK_FALSE(discovery.take(0));
        discovery.report(expected, {}, 0);
    }
    CHECK(listing_of(discovery) == "0 1 2 3 ");
}

TEST_CASE("a batch has the policy timeout, and no more than the rest of the budget", "[domain]") {
    const auto given = options(16, 100, 30);
    const Discovery discovery(registry_of({"dp"}), given, Surface::direct, {}, 1000);
    CHECK(discovery.batch_timeout(1000) == 30);
    CHECK(discovery.batch_timeout(1070) == 30);
    CHECK(discovery.batch_timeout(1070.5) == 29.5);
    CHECK(discovery.batch_timeout(1099) == 1);
    CHECK(discovery.batch_timeout(1100) == 0);
    CHECK(discovery.batch_timeout(5000) == 0);
}

TEST_CASE("a budget that is over before a batch starts ends the whole listing for good", "[domain]") {
    const auto registry = registry_of({"dp", "dp"});
    const auto given = options(1);
    for (const double late : {1100.0, 1100.5, 9e9}) {
        Discovery discovery(registry, given, Surface::direct, {}, 1000);
        CHECK(discovery.take(1099.5) == 0u);
        discovery.report(0, {}, 1099.75);
        CHECK_FALSE(discovery.is_over_budget());
        CHECK_FALSE(discovery.take(late));
        CHECK(discovery.is_over_budget());
        CHECK_FALSE(discovery.take(1000));
        CHECK(discovery.is_over_budget());
        CHECK_FALSE(discovery.is_finished());
    }
}

TEST_CASE("a budget that is over when a batch ends ends the whole listing, also with the last one", "[domain]") {
    const auto registry = registry_of({"dp", "d"});
    const auto given = options();
    for (const auto& [end, over] : {std::pair(1099.9, false), {1100.0, true}, {1101.0, true}})
        for (const Verdict verdict : {Verdict::allow, Verdict::hide, Verdict::failure}) {
            Discovery discovery(registry, given, Surface::direct, {}, 1000);
            CHECK(discovery.take(1000));
            discovery.report(0, outcome_of(verdict), end);
            CHECK(discovery.is_over_budget() == over);
            CHECK(discovery.is_finished() == !over);
        }
}

TEST_CASE("time alone ends nothing: while all are out nobody has seen the end of the budget", "[domain]") {
    const auto given = options();
    Discovery discovery(registry_of({"dp"}), given, Surface::direct, {}, 0);
    CHECK(discovery.take(0));
    CHECK_FALSE(discovery.take(200));
    CHECK_FALSE(discovery.is_over_budget());
    CHECK_FALSE(discovery.is_finished());
}

TEST_CASE("a report on what is no candidate is not taken for its neighbour's", "[domain]") {
    const auto registry = registry_of({"dp", "m", "dp"});
    const auto given = options(2);
    Discovery discovery(registry, given, Surface::direct, {}, 0);
    CHECK(discovery.take(0) == 0u);
    CHECK(discovery.take(0) == 2u);
    discovery.report(1, outcome_of(Verdict::hide), 500);
    CHECK_FALSE(discovery.is_over_budget());
    discovery.report(2, {}, 0);
    discovery.report(0, {}, 0);
    CHECK(listing_of(discovery) == "0 2 ");
}

TEST_CASE("a report on a candidate that is not out changes nothing", "[domain]") {
    const auto registry = registry_of({"dp", "m", "d", "dp"});
    const auto given = options(1);
    Discovery discovery(registry, given, Surface::direct, {}, 0);
    const auto stray = [&discovery](std::uint32_t at) { discovery.report(at, outcome_of(Verdict::hide), 500); };
    for (const std::uint32_t at : {0u, 1u, 2u, 3u, 4u, 4294967295u}) stray(at);
    CHECK_FALSE(discovery.is_over_budget());
    CHECK(discovery.take(0) == 0u);
    stray(3);
    CHECK_FALSE(discovery.take(0));
    discovery.report(0, {}, 0);
    stray(0);
    CHECK(discovery.take(0) == 3u);
    discovery.report(3, {}, 0);
    CHECK(listing_of(discovery) == "0 2 3 ");
    stray(3);
    CHECK(listing_of(discovery) == "0 2 3 ");
}

}  // namespace
