// Random listings against a model that knows the whole schedule: who starts when, who answers what.
#include <algorithm>
#include <random>

#include "discovery_listing.h"

namespace {

using namespace domain_test;
using domain::Discovery;
using domain::Surface;
using domain::Verdict;

struct Plan {
    Texts letters;
    std::vector<Verdict> verdicts;
    std::vector<int> latencies;
    int limit = 1, budget = 1;
};
struct End {
    bool over = false;
    int peak = 0;
    std::string listing;
};

Plan random_plan(std::mt19937& random) {
    const Texts kinds = {"dp", "dp", "dp", "d", "mp", "dg", "dpg", "dip", ""};
    Plan plan;
    const std::size_t count = random() % 12;
    for (std::size_t at = 0; at < count; ++at) {
        plan.letters.push_back(kinds[random() % kinds.size()]);
        plan.verdicts.push_back(random() % 2 == 0 ? Verdict::allow : static_cast<Verdict>(random() % 5));
        plan.latencies.push_back(static_cast<int>(random() % 10));
    }
    plan.limit = 1 + static_cast<int>(random() % 4);
    plan.budget = 1 + static_cast<int>(random() % 60);
    return plan;
}

/// Slots that become free, earliest first: the classic schedule of a list on `limit` machines. No states, no steps.
End expected(const Plan& plan) {
    End end;
    std::vector<int> free_at(static_cast<std::size_t>(plan.limit), 0);
    std::vector<std::pair<int, int>> runs;
    for (std::size_t at = 0; at < plan.letters.size(); ++at) {
        const std::string& of = plan.letters[at];
        if (of.find('d') == std::string::npos) continue;
        const bool is_asked = of.find('p') != std::string::npos;
        const Verdict verdict = is_asked ? plan.verdicts[at] : Verdict::allow;
        if (is_asked) {
            const auto slot = std::min_element(free_at.begin(), free_at.end());
            const int start = *slot;
            *slot += plan.latencies[at];
            if (start >= plan.budget || *slot >= plan.budget) end.over = true;
            runs.emplace_back(start, *slot);
        }
        if (verdict == Verdict::allow || verdict == Verdict::require_approval)
            end.listing += std::to_string(at) +
                           (verdict == Verdict::require_approval || of.find('g') != std::string::npos ? "! " : " ");
    }
    if (end.over) return {true, 0, ""};
    for (const auto& one : runs) {
        const auto running = std::count_if(runs.begin(), runs.end(), [&one](const auto& run) {
            return run.first <= one.first && one.first < run.second;
        });
        end.peak = std::max(end.peak, static_cast<int>(running));
    }
    return end;
}

/// Drives the listing by a clock that jumps from report to report.
End driven(const Plan& plan) {
    domain::RuntimeOptions options;
    options.policy_concurrency = plan.limit;
    options.discovery_budget_ms = plan.budget;
    Discovery discovery(registry_of(plan.letters), options, Surface::direct, {}, 0);
    End end;
    int now = 0;
    std::vector<std::pair<int, std::uint32_t>> out;  // when it answers, who
    while (!discovery.is_finished() && !discovery.is_over_budget()) {
        while (const auto next = discovery.take(now)) out.emplace_back(now + plan.latencies[*next], *next);
        if (discovery.is_over_budget()) break;
        REQUIRE_FALSE(out.empty());
        REQUIRE(static_cast<int>(out.size()) <= plan.limit);
        const auto first = std::min_element(out.begin(), out.end());
        now = first->first;
        // Those that take no time are not seen at once by the model.
        int lasting = 0;
        for (const auto& run : out) lasting += run.first > now || plan.latencies[run.second] > 0;
        end.peak = std::max(end.peak, lasting);
        discovery.report(first->second, outcome_of(plan.verdicts[first->second]), now);
        out.erase(first);
    }
    if (discovery.is_over_budget()) return {true, 0, ""};
    end.listing = listing_of(discovery);
    return end;
}

TEST_CASE("random listings end as their schedule says: over budget, or listed in order", "[domain]") {
    std::mt19937 random(7);
    int over = 0, full = 0;
    for (int round = 0; round < 3000; ++round) {
        const Plan plan = random_plan(random);
        const End is = driven(plan), should = expected(plan);
        INFO("round " << round);
        REQUIRE(is.over == should.over);
        REQUIRE(is.listing == should.listing);
        REQUIRE(is.peak == should.peak);
        over += is.over;
        full += is.peak == plan.limit;
    }
    CHECK(over > 300);
    CHECK(over < 2700);
    CHECK(full > 300);
}

TEST_CASE("what one candidate's policies say changes nothing for another", "[domain]") {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        Plan plan = random_plan(random);
        plan.budget = 1000000;
        if (plan.letters.empty()) continue;
        const std::size_t at = random() % plan.letters.size();
        const auto without = [at](std::string listing) {
            for (const std::string end : {"! ", " "}) {
                const std::string own = std::to_string(at) + end;
                const auto found = listing.rfind(own, 0) == 0 ? 0 : listing.find(" " + own);
                if (found == std::string::npos) continue;
                listing.erase(found == 0 ? 0 : found + 1, own.size());
                break;
            }
            return listing;
        };
        const std::string before = without(driven(plan).listing);
        for (int verdict = 0; verdict < 5; ++verdict) {
            plan.verdicts[at] = static_cast<Verdict>(verdict);
            REQUIRE(without(driven(plan).listing) == before);
        }
    }
}

}  // namespace
