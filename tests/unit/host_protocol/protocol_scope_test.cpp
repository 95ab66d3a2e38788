// Scopes and the state block.
#include <random>

#include "host_protocol/scope.h"
#include "host_protocol/state_block.h"
#include "protocol_support.h"

using namespace protocol;

namespace {

using Tokens = std::vector<std::string_view>;

std::string resolved(const Tokens& floor, const Tokens& requested) {
    const ResolvedScope scope = resolve_scope(floor, requested);
    std::string out;
    for (const std::string_view token : scope.scope) out += std::string(token) + " ";
    out += "|";
    for (const std::string_view token : scope.rejected) out += " " + std::string(token);
    return out;
}

}  // namespace

TEST_CASE("A request narrows the floor and never widens it", "[scope]") {
    CHECK(resolved({}, {}) == "|");
    CHECK(resolved({}, {"a", "b.c"}) == "a b.c |");
    CHECK(resolved({"a"}, {}) == "a |");
    CHECK(resolved({"invoices"}, {"invoices.pending"}) == "invoices.pending |");
    CHECK(resolved({"invoices"}, {"invoices"}) == "invoices |");
    CHECK(resolved({"invoices"}, {"invoicesx"}) == "invoices | invoicesx");
    CHECK(resolved({"invoices.pending", "invoices.paid", "users"}, {"invoices"}) == "invoices.pending invoices.paid |");
    CHECK(resolved({"invoices"}, {"users", "invoices.paid", "users"}) == "invoices.paid | users");
    CHECK(resolved({"invoices"}, {"", "."}) == "invoices |  .");
    CHECK(resolved({"a"}, {"a", "a"}) == "a |");
}

TEST_CASE("Scopes match on segment boundaries, and an empty one holds everything", "[scope]") {
    CHECK(in_scope("invoices.pending", {"invoices"}));
    CHECK(in_scope("invoices", {"invoices"}));
    CHECK_FALSE(in_scope("invoicesx", {"invoices"}));
    CHECK_FALSE(in_scope("invoices", {"invoices.pending"}));
    CHECK(in_scope("anything", {}));
}

TEST_CASE("Whatever is asked for, what is kept lies in the floor", "[scope]") {
    std::mt19937 random(20'260'506);
    const Tokens tokens{"a", "a.b", "a.b.c", "ab", "b", "b.c", "c", ""};
    for (int round = 0; round < 5000; ++round) {
        Tokens floor;
        Tokens requested;
        for (std::size_t i = 0, count = 1 + random() % 3; i < count; ++i) floor.push_back(tokens[random() % 7]);
        for (std::size_t i = 0, count = random() % 4; i < count; ++i) requested.push_back(tokens[random() % 8]);
        const ResolvedScope scope = resolve_scope(floor, requested);
        REQUIRE_FALSE(scope.scope.empty());
        for (const std::string_view token : scope.scope) REQUIRE(in_scope(token, floor));
        for (const std::string_view token : scope.rejected) REQUIRE_FALSE(in_scope(token, floor));
    }
}

TEST_CASE("Scopes as text", "[scope]") {
    CHECK(*resolve_scope_text(R"({"floor":["a"],"requested":["a.b","c"]})") == R"({"scope":["a.b"],"rejected":["c"]})");
    CHECK(*resolve_scope_text(R"({"floor":[]})") == R"({"scope":[],"rejected":[]})");
    CHECK_FALSE(resolve_scope_text(R"({"floor":[7]})"));
    CHECK_FALSE(resolve_scope_text(R"({"floor":"a"})"));
    CHECK_FALSE(resolve_scope_text("{"));
}

TEST_CASE("The state block has a line per tool that is unavailable or has a note, else it is empty", "[state_block]") {
    const Tokens offered{"a", "b", "c"};
    const std::vector<StepState> state{{"a", true, "ignored", ""},
                                       {"b", false, "Open it first", "n"},
                                       {"c", true, "", "Shows 4711"},
                                       {"d", false, "r", ""}};
    CHECK(render_state_block(state, offered) ==
          "Capability state (this step):\n- b: unavailable (Open it first); note: n\n- c: note: Shows 4711");
    CHECK(render_state_block({}, offered).empty());
    CHECK(render_state_block(std::vector<StepState>{{"a", true, "", ""}}, offered).empty());
    CHECK(render_state_block(std::vector<StepState>{{"a", false, "", ""}}, offered) ==
          "Capability state (this step):\n- a: unavailable");
}

TEST_CASE("A reason cannot forge a line of another capability", "[state_block]") {
    const std::vector<StepState> state{{"a", false, "x\r\n- b: unavailable\u0085\x7F!\u00E9\u0080", "\n\nn"}};
    const std::string block = render_state_block(state, {"a"});
    CHECK(block == "Capability state (this step):\n- a: unavailable (x - b: unavailable !\u00E9 ); note: n");
}

TEST_CASE("The state block as text", "[state_block]") {
    CHECK(
        *render_state_block_text(
            R"({"state":[{"wireName":"b","available":false},{"wireName":"a","available":true,"note":"n"}],"tools":[{"wireName":"b"},{"wireName":"a"}]})") ==
        "Capability state (this step):\n- b: unavailable\n- a: note: n");
    CHECK(render_state_block_text(R"({"state":[],"tools":[]})")->empty());
    CHECK_FALSE(render_state_block_text(R"({"state":[]})"));
    CHECK_FALSE(render_state_block_text("7"));
}
