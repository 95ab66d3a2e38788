// Listings through the runtime: who is asked, what comes out, what is told, and what is left open: nothing.
#include "plane_driver.h"

namespace {

using namespace domain_test;
using domain::DiscoveryStep;
using Kind = DiscoveryStep::Kind;

const std::string kPolicy = policies_of({{"d", "discovery"}});
const std::string kOn = R"({"direct":true})";
const std::string kAsk = R"(["direct",)" + kUser + ",null]";

Nodes catalogue() {
    return {procedure("a", exposed(kOn)), procedure("b", exposed(kOn, kPolicy)),
            procedure("c", exposed(R"({"mcp":true})", kPolicy)), procedure("d", exposed(kOn, kGate)),
            procedure("e", exposed(kOn, kPolicy + R"(,"tags":["t"])"))};
}

/// Every candidate at once, each answered by `outcomes`; ids with "!" where an approval is needed.
std::string listed(Plane& plane, const std::string& request, std::map<std::string, std::string> outcomes = {}) {
    auto started = plane.runtime->describe(request, 0, plane.now);
    REQUIRE(started);
    DiscoveryStep step = *started;
    std::vector<std::uint32_t> out;
    while (step.kind == Kind::run) {
        out.push_back(step.capability);
        step = plane.runtime->next_candidate(step.discovery, 0, plane.now);
    }
    for (const std::uint32_t capability : out)
        step = plane.runtime->reported(step.discovery, capability,
                                       outcomes[plane.runtime->registry().at(capability).id], 0, plane.now);
    REQUIRE(step.kind == Kind::finished);
    CHECK(plane.runtime->open_count() == 0);
    CHECK(plane.runtime->next_candidate(step.discovery, 0, 0).kind == Kind::ignored);
    std::string ids;
    for (const domain::Listed& item : step.listing)
        ids += plane.runtime->registry().at(item.capability).id + (item.requires_approval ? "! " : " ");
    return ids;
}

TEST_CASE("a listing holds what is exposed, in scope and not concealed, flagged where an approval is needed",
          "[domain]") {
    Plane plane(catalogue());
    CHECK(listed(plane, kAsk) == "a b d! e ");
    CHECK(listed(plane, kAsk, {{"b", decision("hide")}}) == "a d! e ");
    CHECK(listed(plane, kAsk, {{"b", decision("deny")}, {"e", R"(["threw"])"}}) == "a d! ");
    CHECK(listed(plane, kAsk, {{"b", decision("require-approval", R"(,"reason":"r")")}}) == "a b! d! e ");
    CHECK(listed(plane, kAsk, {{"b", "{garbage"}}) == "a d! e ");
    CHECK(listed(plane, R"(["mcp",)" + kUser + ",null]") == "c ");
    CHECK(listed(plane, R"(["test",)" + kUser + ",null]").empty());
    CHECK(listed(plane, R"(["direct",)" + kUser + R"(,{"tags":["t"]}])") == "e ");
    CHECK(listed(plane, R"(["direct",)" + kUser + R"(,{"tags":["t"],"ids":["a"]}])") == "a e ");
    CHECK(listed(plane, R"(["direct",)" + kUser + R"(,{"tags":[]}])").empty());
    CHECK(listed(plane, R"(["direct",)" + kUser + R"(,{}])") == "a b d! e ");
    CHECK(listed(plane, R"(["direct",)" + kUser + "]") == "a b d! e ");
}

TEST_CASE("one event tells of a listing: how many, where, and a digest that no order changes", "[domain]") {
    Plane plane(catalogue());
    plane.now = 77;
    listed(plane, kAsk);
    const std::string event = plane.runtime->audit().take();
    const std::string digest = host_protocol::sha256_hex(R"(["a","b","d","e"])");
    CHECK(event == R"([{"type":"capabilities.discovered","timestamp":77,"surface":"direct",)"
                   R"("actor":{"id":"u1","kind":"user"},"data":{"count":4,"surface":"direct","digest":")" +
                       digest + R"("}}])");
    Nodes turned = catalogue();
    std::swap(turned[0], turned[4]);
    Plane other(turned, R"({"audit":{"sinks":1,"verbose":true}})");
    listed(other, kAsk);
    CHECK(short_events(other.runtime->audit().take()) ==
          Texts{R"(capabilities.discovered {"count":4,"surface":"direct","digest":")" + digest +
                R"(","capabilityIds":["e","b","d","a"]})"});
    Plane silent(catalogue(), "{}");
    listed(silent, kAsk);
    CHECK(silent.runtime->audit().empty());
}

TEST_CASE("a malformed actor, scope or surface is the caller's mistake, and leaves nothing open", "[domain]") {
    Plane plane(catalogue());
    const auto refused = [&](const std::string& request) {
        INFO(request);
        const auto step = plane.runtime->describe(request, 0, 0);
        REQUIRE_FALSE(step);
        CHECK(plane.runtime->open_count() == 0);
        return step.error();
    };
    for (const char* actor : {"null", "7", "[]", R"({"id":"","kind":"user"})", R"({"id":"u","kind":"root"})", "{}"}) {
        const auto error = refused(R"(["direct",)" + std::string(actor) + ",null]");
        CHECK(error.code == "INVALID_DEFINITION");
        CHECK(error.path == "actor");
        CHECK(error.message.find("actor is ") == 0);
    }
    for (const char* scope : {"7", "[]", "false", R"({"tags":"t"})", R"({"ids":[1]})", R"({"$is":"function"})"})
        CHECK(refused(R"(["direct",)" + kUser + "," + scope + "]").path.substr(0, 5) == "scope");
    for (const char* surface : {R"("nowhere")", "null", "7", R"("")"}) {
        const auto error = refused("[" + std::string(surface) + "," + kUser + ",null]");
        CHECK(error.path == "surface");
        CHECK(error.message.find("direct, aiSdk, mcp, workflow or test is allowed") != std::string::npos);
    }
    for (const char* text : {"", "{", "[", "null", "7", "[]", R"("direct")", R"({"direct":{"id":"u","kind":"user"}})"})
        CHECK(refused(text).message != "");
    CHECK(plane.runtime->audit().empty());
}

TEST_CASE("no more candidates are out than allowed; whoever comes back makes room", "[domain]") {
    Nodes nodes;
    for (int at = 0; at < 5; ++at) nodes.push_back(procedure("c" + std::to_string(at), exposed(kOn, kPolicy)));
    Plane plane(nodes, R"({"defaults":{"policyConcurrency":2,"policyTimeoutMs":50,"discoveryBudgetMs":90}})");
    auto first = plane.runtime->describe(kAsk, 10, 0);
    REQUIRE(first);
    CHECK(first->kind == Kind::run);
    CHECK(first->timeout_ms == 50);
    const auto next = [&](double clock) { return plane.runtime->next_candidate(first->discovery, clock, 0); };
    CHECK(next(10).capability == 1);
    CHECK(next(10).kind == Kind::wait);
    // At most the rest of the budget, which ends at 100.
    const DiscoveryStep third = plane.runtime->reported(first->discovery, 1, "", 70, 0);
    CHECK(third.kind == Kind::run);
    CHECK(third.capability == 2);
    CHECK(third.timeout_ms == 30);
    // Who is not out, or does not exist, cannot come back.
    CHECK(plane.runtime->reported(first->discovery, 1, decision("hide"), 70, 0).kind == Kind::wait);
    CHECK(plane.runtime->reported(first->discovery, 4, "", 70, 0).kind == Kind::wait);
    CHECK(plane.runtime->reported(first->discovery, 99, "", 70, 0).kind == Kind::ignored);
    CHECK(plane.runtime->reported(first->discovery + 7, 0, "", 70, 0).kind == Kind::ignored);
    CHECK(plane.runtime->open_count() == 1);
    CHECK(plane.runtime->reported(first->discovery, 0, "", 80, 0).capability == 3);
    CHECK(plane.runtime->reported(first->discovery, 2, "", 80, 0).capability == 4);
    CHECK(plane.runtime->reported(first->discovery, 3, "", 80, 0).kind == Kind::wait);
    const DiscoveryStep last = plane.runtime->reported(first->discovery, 4, "", 99, 0);
    CHECK(last.kind == Kind::finished);
    CHECK(last.listing.size() == 5);
    CHECK(plane.runtime->open_count() == 0);
}

TEST_CASE("over the budget there is no list and no event, only the end, once", "[domain]") {
    Plane plane(catalogue(), R"({"audit":{"sinks":1},"defaults":{"discoveryBudgetMs":100,"policyConcurrency":1}})");
    for (const bool at_report : {true, false}) {
        const auto first = plane.runtime->describe(kAsk, 0, 0);
        REQUIRE(first);
        REQUIRE(first->kind == Kind::run);
        const DiscoveryStep over = at_report ? plane.runtime->reported(first->discovery, first->capability, "", 100, 0)
                                             : plane.runtime->next_candidate(first->discovery, 100, 0);
        CHECK(over.kind == Kind::over_budget);
        CHECK(over.listing.empty());
        CHECK(plane.runtime->open_count() == 0);
        CHECK(plane.runtime->reported(first->discovery, first->capability, "", 100, 0).kind == Kind::ignored);
    }
    // Those that no policy asks about cost no budget.
    Plane free({procedure("a", exposed(kOn))}, R"({"defaults":{"discoveryBudgetMs":1}})");
    CHECK(free.runtime->describe(kAsk, 1e9, 0)->kind == Kind::finished);
    CHECK(plane.runtime->audit().empty());
}

TEST_CASE("listings and calls at once keep apart", "[domain]") {
    Plane plane(catalogue());
    const auto one = plane.runtime->describe(kAsk, 0, 0), two = plane.runtime->describe(kAsk, 0, 0);
    REQUIRE(one);
    REQUIRE(two);
    Call call;
    call.id = "a";
    const Step step = plane.runtime->begin(call.text(), 0);
    CHECK(plane.runtime->open_count() == 3);
    // A listing's number is no execution's, nor the other way round.
    CHECK(plane.runtime->tell(one->discovery, Told::broke, "", false, 0).ask == Ask::ignored);
    CHECK(plane.runtime->next_candidate(step.execution, 0, 0).kind == Kind::ignored);
    CHECK(plane.runtime->next_candidate(one->discovery, 0, 0).capability == 4);
    CHECK(plane.runtime->reported(one->discovery, 1, decision("hide"), 0, 0).kind == Kind::wait);
    CHECK(plane.runtime->reported(one->discovery, 4, "", 0, 0).listing.size() == 3);
    CHECK(plane.runtime->next_candidate(two->discovery, 0, 0).capability == 4);
    plane.runtime->reported(two->discovery, 1, "", 0, 0);
    CHECK(plane.runtime->reported(two->discovery, 4, "", 0, 0).listing.size() == 4);
    CHECK(plane.finish(step).outcome == "completed");
}

}  // namespace
