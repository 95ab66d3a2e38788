// Decisions that are none; and random batches against a simple model.
#include <random>

#include "policy_cases.h"

namespace {

using namespace domain_test;
using domain::Verdict;

const Texts kGarbage = {
    "null",
    "true",
    "false",
    "0",
    R"("allow")",
    R"("Late")",
    R"("")",
    "[]",
    R"(["allow"])",
    R"([{"type":"allow"}])",
    "{}",
    R"({"$is":"function"})",
    R"({"$is":"undefined"})",
    R"({"$is":"unreadable"})",
    R"({"type":null})",
    R"({"type":true})",
    R"({"type":"Allow"})",
    R"({"type":"allow "})",
    R"({"type":""})",
    R"({"type":"error"})",
    R"({"type":"require_approval","reason":"R"})",
    R"({"type":["allow"]})",
    R"({"type":{"$is":"symbol"}})",
    R"({"$$is":"function"})",
    R"({"Type":"allow"})",
    R"({"decision":"allow"})",
    R"({"type":"require-approval"})",
    R"({"type":"require-approval","reason":""})",
    R"({"type":"require-approval","reason":null})",
    R"({"type":"require-approval","reason":7})",
    R"({"type":"require-approval","reason":["R"]})",
    R"({"type":"require-approval","reason":{"$is":"function"}})",
    R"({"type":"require-approval","reason":"R","approvalType":null})",
    R"({"type":"require-approval","reason":"R","approvalType":7})",
    R"({"type":"require-approval","reason":"R","approvalType":["T"]})",
    R"({"type":"require-approval","reason":"R","approvalType":{"$is":"symbol"}})",
    R"({"type":"require-approval","reason":"R","expiresInMs":0})",
    R"({"type":"require-approval","reason":"R","expiresInMs":-0.0})",
    R"({"type":"require-approval","reason":"R","expiresInMs":-1})",
    R"({"type":"require-approval","reason":"R","expiresInMs":-1e300})",
    R"({"type":"require-approval","reason":"R","expiresInMs":null})",
    R"({"type":"require-approval","reason":"R","expiresInMs":"60000"})",
    R"({"type":"require-approval","reason":"R","expiresInMs":[5]})",
    R"({"type":"require-approval","reason":"R","expiresInMs":{"$is":"NaN"}})",
    R"({"type":"require-approval","reason":"R","expiresInMs":{"$is":"Infinity"}})",
    R"({"type":"require-approval","reason":"R","expiresInMs":{"$is":"bigint"}})",
};

TEST_CASE("a decision that is none is an error of its policy alone, and the batch goes on", "[domain]") {
    const auto of = policies({"a", "b", "c"});
    for (const std::string& garbage : kGarbage) {
        INFO(garbage);
        const auto outcome =
            combined(of, R"([{"type":"require-approval","reason":"R"},)" + garbage + R"(,{"type":"hide"}])");
        CHECK(outcome.verdict == Verdict::failure);
        CHECK(stances(outcome) == "a:require-approval b:error c:hide");
        // Nothing of a refused demand is kept.
        CHECK(outcome.demands.size() == 1);
        CHECK(combined(policies({"a"}), "[" + garbage + "]").verdict == Verdict::failure);
    }
}

TEST_CASE("the least lifetime that is a time and members nobody asked for are no garbage", "[domain]") {
    for (const std::string fine :
         {R"({"type":"require-approval","reason":" ","expiresInMs":5e-324})",
          R"({"type":"require-approval","reason":"R","expiresInMs":1e300,"code":7,"message":null})"})
        CHECK(combined(policies({"a"}), "[" + fine + "]").verdict == Verdict::require_approval);
    CHECK(combined(policies({"a"}), R"([{"type":"hide","reason":7,"expiresInMs":-1}])").verdict == Verdict::hide);
    CHECK(combined(policies({"a"}), R"([{"type":"allow","reason":7,"metadata":{"$is":"function"}}])").verdict ==
          Verdict::allow);
}

/// A random batch: what is reported, and what has to come of it.
struct Round {
    Texts names;
    std::string outcomes = "[", stances;
    std::size_t of_stance[5] = {};

    explicit Round(std::mt19937& random) {
        const struct {
            std::string text, stance;
            bool stops;
        } lines[] = {{R"({"type":"allow"})", "allow", false},
                     {R"({"type":"allow"})", "allow", false},
                     {R"({"type":"allow"})", "allow", false},
                     {R"({"type":"require-approval","reason":"R"})", "require-approval", false},
                     {R"({"type":"hide"})", "hide", false},
                     {R"({"type":"deny"})", "deny", false},
                     {R"("threw")", "error", false},
                     {R"({"type":"?"})", "error", false},
                     {R"("late")", "error", true},
                     {R"("no-time")", "error", true}};
        bool stopped = false;
        for (std::size_t left = random() % 5; left > 0; --left) {
            const auto& line = lines[random() % 10];
            if (!stopped) outcomes += (names.empty() ? "" : ",") + line.text;
            add(stopped ? "error" : line.stance);
            stopped = stopped || line.stops;
        }
        outcomes += "]";
    }
    void add(const std::string& stance) {
        const std::string name = "p" + std::to_string(names.size());
        stances += (names.empty() ? "" : " ") + name + ":" + stance;
        names.push_back(name);
        for (std::size_t known = 0; known < 5; ++known)
            if (domain::kStances[known] == stance) ++of_stance[known];
    }
    Verdict verdict() const {
        return of_stance[4] > 0   ? Verdict::failure
               : of_stance[1] > 0 ? Verdict::deny
               : of_stance[2] > 0 ? Verdict::hide
               : of_stance[3] > 0 ? Verdict::require_approval
                                  : Verdict::allow;
    }
};

TEST_CASE("random batches come to what the rules say one after the other", "[domain]") {
    std::mt19937 random(20);
    int verdicts[5] = {};
    for (int round = 0; round < 4000; ++round) {
        const Round expected(random);
        const auto of = policies(expected.names);
        const auto outcome = combined(of, expected.outcomes);
        REQUIRE(stances(outcome) == expected.stances);
        REQUIRE(outcome.verdict == expected.verdict());
        REQUIRE(outcome.demands.size() == expected.of_stance[3]);
        REQUIRE(outcome.deny_policy.empty() == (expected.of_stance[1] == 0));
        ++verdicts[static_cast<int>(outcome.verdict)];
    }
    for (const int seen : verdicts) CHECK(seen > 100);
}

}  // namespace
