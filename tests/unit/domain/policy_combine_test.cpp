// A batch: who is in it, who outranks whom, where it stops.
#include "policy_cases.h"

namespace {

using namespace domain_test;
using domain::Phase;
using domain::Verdict;

const std::string kAllow = R"({"type":"allow","metadata":{"a":1}})", kHide = R"({"type":"hide"})",
                  kDeny = R"({"type":"deny","code":"C","message":"M"})",
                  kAsk = R"({"type":"require-approval","reason":"R","approvalType":"T","expiresInMs":5})";

std::string listed(const Texts& items) {
    std::string out = "[";
    for (const std::string& item : items) out += (out.size() > 1 ? "," : "") + item;
    return out + "]";
}

TEST_CASE("a batch has the runtime's policies first, then the capability's, only those of the phase", "[domain]") {
    const auto discovery = domain::bit(Phase::discovery), invocation = domain::bit(Phase::invocation),
               execution = domain::bit(Phase::execution);
    const std::vector<domain::Policy> runtime = {
        {"r0", invocation}, {"r1", discovery}, {"r2", static_cast<std::uint8_t>(discovery | execution)}, {"r3", 0}};
    domain::Capability capability;
    // What a composite was expanded to stands in its place, members of members in their order.
    capability.policies = {{"c0", invocation},
                           {"member.a", static_cast<std::uint8_t>(invocation | execution)},
                           {"member.b", discovery},
                           {"member.inner", invocation},
                           {"r0", invocation}};
    const auto names = [&](Phase phase) {
        std::string out;
        for (const domain::Policy* policy : domain::batch_of(runtime, capability, phase)) out += policy->name + " ";
        return out;
    };
    CHECK(names(Phase::discovery) == "r1 r2 member.b ");
    CHECK(names(Phase::invocation) == "r0 c0 member.a member.inner r0 ");
    CHECK(names(Phase::execution) == "r2 member.a ");
    CHECK(domain::batch_of({}, domain::Capability{}, Phase::invocation).empty());
}

TEST_CASE("policies of an expanded composite are recorded by their own names in their own order", "[domain]") {
    const auto of = policies({"first", "member.a", "member.b", "member.inner", "last"});
    CHECK(stances(combined(of, listed({kAllow, kHide, kAllow, kDeny, kAllow}))) ==
          "first:allow member.a:hide member.b:allow member.inner:deny last:allow");
}

TEST_CASE("an absent outcome is an allow of everyone, an empty batch allows", "[domain]") {
    const auto of = policies({"a", "b"});
    const auto outcome = domain::combine(batch(of), {});
    CHECK(outcome.verdict == Verdict::allow);
    CHECK(stances(outcome) == "a:allow b:allow");
    CHECK(outcome.demands.empty());
    for (const char* outcomes : {"[]", "null", R"([{"type":"deny"}])", R"(["late"])"}) {
        const auto none = combined({}, outcomes);
        CHECK(none.verdict == Verdict::allow);
        CHECK(none.records.empty());
    }
}

TEST_CASE("failure outranks deny, deny hide, hide require-approval, require-approval allow, in either order",
          "[domain]") {
    // Weakest first: of two the later in this list wins.
    const struct {
        std::string text, stance;
        Verdict verdict;
    } classes[] = {{kAllow, "allow", Verdict::allow},
                   {kAsk, "require-approval", Verdict::require_approval},
                   {kHide, "hide", Verdict::hide},
                   {kDeny, "deny", Verdict::deny},
                   {R"("threw")", "error", Verdict::failure}};
    const auto of = policies({"a", "b"});
    std::size_t pairs = 0;
    for (std::size_t one = 0; one < 5; ++one)
        for (std::size_t two = 0; two < 5; ++two) {
            const auto outcome = combined(of, listed({classes[one].text, classes[two].text}));
            INFO(classes[one].stance << " then " << classes[two].stance);
            CHECK(outcome.verdict == classes[one > two ? one : two].verdict);
            CHECK(stances(outcome) == "a:" + classes[one].stance + " b:" + classes[two].stance);
            CHECK(outcome.demands.size() == std::size_t{one == 1} + std::size_t{two == 1});
            const std::string_view denier = one == 3 ? "a" : two == 3 ? "b" : "";
            CHECK(outcome.deny_policy == denier);
            ++pairs;
        }
    CHECK(pairs == 25);
}

TEST_CASE("the first deny in order gives policy, code and message, also when they are absent", "[domain]") {
    const auto of = policies({"a", "b", "c"});
    const auto first = combined(of, listed({kAllow, kDeny, R"({"type":"deny","code":"D","message":"N"})"}));
    CHECK(first.deny_policy == "b");
    CHECK(first.deny_code == "C");
    CHECK(first.deny_message == "M");
    const auto silent = combined(of, listed({R"({"type":"deny"})", kDeny, kDeny}));
    CHECK(silent.deny_policy == "a");
    CHECK_FALSE(silent.deny_code);
    CHECK_FALSE(silent.deny_message);
    // A policy without a name is nobody's second.
    CHECK(combined(policies({"", "b", "c"}), listed({R"({"type":"deny"})", kDeny, kAllow})).deny_code == std::nullopt);
}

TEST_CASE("a deny whose code or message is no text is a deny without it", "[domain]") {
    const auto of = policies({"a"});
    for (const std::string odd : {"null", "7", "[]", R"({"$is":"function"})", R"({"$is":"bigint"})", "{}"}) {
        const auto outcome = combined(of, R"([{"type":"deny","code":)" + odd + R"(,"message":)" + odd + "}]");
        CHECK(outcome.verdict == Verdict::deny);
        CHECK_FALSE(outcome.deny_code);
        CHECK_FALSE(outcome.deny_message);
    }
    const auto half = combined(of, R"([{"type":"deny","code":1,"message":"M"}])");
    CHECK_FALSE(half.deny_code);
    CHECK(half.deny_message == "M");
}

TEST_CASE("every demand for an approval is kept in order with what it gave", "[domain]") {
    const auto outcome =
        combined(policies({"a", "b", "c"}), listed({kAsk, R"({"type":"require-approval","reason":"S"})",
                                                    R"({"type":"require-approval","reason":"R",)"
                                                    R"("approvalType":"","expiresInMs":0.25})"}));
    CHECK(outcome.verdict == Verdict::require_approval);
    REQUIRE(outcome.demands.size() == 3);
    CHECK(outcome.demands[0].reason == "R");
    CHECK(outcome.demands[0].type == "T");
    CHECK(outcome.demands[0].expires_in_ms == 5);
    CHECK(outcome.demands[1].reason == "S");
    CHECK_FALSE(outcome.demands[1].type);
    CHECK_FALSE(outcome.demands[1].expires_in_ms);
    CHECK(outcome.demands[2].type == "");
    CHECK(outcome.demands[2].expires_in_ms == 0.25);
}

TEST_CASE("a throw fails the batch and the policies after it still have their say", "[domain]") {
    const auto of = policies({"a", "b", "c", "d"});
    const auto outcome = combined(of, listed({kAllow, R"("threw")", kDeny, kAsk}));
    CHECK(outcome.verdict == Verdict::failure);
    CHECK(stances(outcome) == "a:allow b:error c:deny d:require-approval");
    CHECK(outcome.deny_policy == "c");
}

TEST_CASE("a batch stops where one was late or had no time: the rest is recorded as error", "[domain]") {
    const auto of = policies({"a", "b", "c", "d"});
    for (const std::string word : {R"("late")", R"("no-time")"}) {
        INFO(word);
        const auto outcome = combined(of, listed({kDeny, word}));
        CHECK(outcome.verdict == Verdict::failure);
        CHECK(stances(outcome) == "a:deny b:error c:error d:error");
        CHECK(stances(combined(of, listed({word}))) == "a:error b:error c:error d:error");
        CHECK(stances(combined(of, listed({kAllow, kAllow, kAllow, word}))) == "a:allow b:allow c:allow d:error");
        // What is said to have come after a stop never came.
        const auto more = combined(of, listed({kAllow, word, kAllow, kDeny}));
        CHECK(stances(more) == "a:allow b:error c:error d:error");
        CHECK(more.deny_policy.empty());
    }
}

TEST_CASE("policies that nobody reported on are errors, and reports on no policy are nothing", "[domain]") {
    const auto of = policies({"a", "b"});
    for (const char* none : {"null", "7", "true", R"("allow")", "{}", R"({"type":"allow"})", "[]"}) {
        const auto outcome = combined(of, none);
        INFO(none);
        CHECK(outcome.verdict == Verdict::failure);
        CHECK(stances(outcome) == "a:error b:error");
    }
    const auto more = combined(of, listed({kAllow, kAllow, kDeny, R"("late")"}));
    CHECK(more.verdict == Verdict::allow);
    CHECK(stances(more) == "a:allow b:allow");
}

}  // namespace
