// W1 to W3, what a runtime says at its start, in every combination of what silences them (spec: domain.md §5).
#include "domain/runtime_options.h"
#include "walk_text.h"

namespace {

using namespace domain_test;

const std::string kGated = meta(R"(,"approval":{"required":true})");
const std::string kModelWrite = exposed(R"({"mcp":true})", "", "write");

const std::string kAdvice =
    ". Approvals are kept in memory and are lost when the process ends: name approvals.coordinator or "
    "approvals.handler.";
std::string w1(const std::string& list) { return "viewcap: approval is required for " + list + kAdvice; }
std::string w2(const std::string& list) { return "viewcap: policies may ask for approval of " + list + kAdvice; }
std::string w3(const std::string& list) {
    return "viewcap: models reach " + list + ", which write, and no audit sink records it: name audit.";
}

Texts silent_but_for(const Nodes& nodes, bool coordinator, bool handler, bool sinks, bool policies) {
    domain::RuntimeOptions options;
    options.has_coordinator = coordinator;
    options.has_handler = handler;
    options.has_sinks = sinks;
    if (policies) options.policies.push_back({"p", bit(domain::Phase::invocation)});
    return domain::startup_warnings(*built(nodes), options);
}

TEST_CASE("W1 to W3 in every combination of gate, write, coordinator, handler, sink and policy", "[domain]") {
    for (unsigned bits = 0; bits < 64; ++bits) {
        const bool gate = (bits & 1) != 0, write = (bits & 2) != 0, coordinator = (bits & 4) != 0;
        const bool handler = (bits & 8) != 0, sinks = (bits & 16) != 0, policies = (bits & 32) != 0;
        Nodes nodes = {procedure("read", exposed(R"({"mcp":true,"aiSdk":true})"))};
        if (gate) nodes.push_back(procedure("gated", kGated));
        if (write) nodes.push_back(procedure("write", kModelWrite));
        Texts wanted;
        const bool keeps_in_memory = !coordinator && !handler;
        if (keeps_in_memory && gate) wanted.push_back(w1("\"gated\""));
        if (keeps_in_memory && !gate && write && policies) wanted.push_back(w2("\"write\""));
        if (!sinks && write) wanted.push_back(w3("\"write\""));
        INFO(bits);
        CHECK(silent_but_for(nodes, coordinator, handler, sinks, policies) == wanted);
    }
}

TEST_CASE("only write-like work on a surface that models read counts as a write", "[domain]") {
    for (const std::string effect : {"none", "read", "write", "destructive", "external"})
        for (const std::string surface : {"direct", "aiSdk", "mcp", "workflow", "test"}) {
            INFO(effect << " on " << surface);
            const bool counts = effect != "none" && effect != "read" && (surface == "aiSdk" || surface == "mcp");
            const Nodes nodes = {procedure("x", exposed("{\"" + surface + "\":true}", "", effect))};
            CHECK(silent_but_for(nodes, false, false, false, true).size() == (counts ? 2 : 0));
            const Nodes unexposed = {procedure("x", exposed("{\"" + surface + "\":false}", "", effect))};
            CHECK(silent_but_for(unexposed, false, false, false, true).empty());
        }
}

TEST_CASE("approval that is not required by the metadata is no gate", "[domain]") {
    CHECK(silent_but_for({procedure("a", meta(R"(,"approval":{"required":false,"type":"t"})"))}, false, false, false,
                         true)
              .empty());
}

TEST_CASE("a warning names three ids in the registry's order, and how many more there are", "[domain]") {
    Nodes nodes;
    const auto warned = [&](const std::string& id) {
        nodes.push_back(procedure(id, exposed(R"({"mcp":true})", R"(,"approval":{"required":true})", "write")));
        return silent_but_for(nodes, false, false, false, true);
    };
    CHECK(warned("z") == Texts{w1(R"("z")"), w3(R"("z")")});
    CHECK(warned("10") == Texts{w1(R"("z", "10")"), w3(R"("z", "10")")});
    CHECK(warned("a") == Texts{w1(R"("z", "10", "a")"), w3(R"("z", "10", "a")")});
    CHECK(warned("b") == Texts{w1(R"("z", "10", "a" +1 more)"), w3(R"("z", "10", "a" +1 more)")});
    CHECK(warned("c") == Texts{w1(R"("z", "10", "a" +2 more)"), w3(R"("z", "10", "a" +2 more)")});
}

TEST_CASE("a filtered registry is warned of what it holds itself", "[domain]") {
    const auto registry = built({procedure("gated", kGated), procedure("write", kModelWrite)});
    CHECK(domain::startup_warnings(*registry->keep({}), {}).empty());
    CHECK(domain::startup_warnings(*registry->keep({0}), {}) == Texts{w1("\"gated\"")});
    CHECK(domain::startup_warnings(*registry->keep({1}), {}) == Texts{w3("\"write\"")});
}

}  // namespace
