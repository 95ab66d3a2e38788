#include "host_protocol/loop_guard.h"
#include "protocol_support.h"

using namespace protocol;

namespace {

bool stops(LoopGuard& guard, std::string_view id, std::string_view input, bool ok, std::string_view retry = "yes") {
    return guard.record({id, input, ok, retry}).has_value();
}

}  // namespace

TEST_CASE("The third identical failure stops the turn, also with other calls in between", "[loop_guard]") {
    LoopGuard guard;
    CHECK_FALSE(stops(guard, "view:t.a", "{}", false));
    CHECK_FALSE(stops(guard, "view:t.b", "{}", true));
    CHECK_FALSE(stops(guard, "view:t.a", "{}", false));
    CHECK_FALSE(stops(guard, "view:t.b", "{}", true));
    const auto verdict = guard.record({"view:t.a", "{}", false, "yes"});
    REQUIRE(verdict);
    CHECK(verdict->code == "RUN_LIMIT_EXCEEDED");
    CHECK(verdict->canonical_id == "view:t.a");
    CHECK(verdict->message.find("view:t.a") != std::string::npos);
}

TEST_CASE("The fourth failure in a row stops the turn over both planes, and a success begins anew", "[loop_guard]") {
    LoopGuard guard;
    CHECK_FALSE(stops(guard, "view:t.a", "1", false));
    CHECK_FALSE(stops(guard, "domain:b", "1", false));
    CHECK_FALSE(stops(guard, "view:t.c", "1", false));
    CHECK_FALSE(stops(guard, "view:t.d", "1", true));
    CHECK_FALSE(stops(guard, "view:t.a", "2", false));
    CHECK_FALSE(stops(guard, "domain:b", "2", false));
    CHECK_FALSE(stops(guard, "view:t.c", "2", false));
    CHECK(stops(guard, "domain:d", "2", false));
}

TEST_CASE("A call that is repeated after retry no stops the turn, whether it succeeds or not", "[loop_guard]") {
    for (const bool ok : {true, false}) {
        LoopGuard guard;
        CHECK_FALSE(stops(guard, "view:t.a", R"({"x":1,"y":[]})", false, "no"));
        CHECK_FALSE(stops(guard, "view:t.a", R"({"x":2,"y":[]})", true));
        CHECK(stops(guard, "view:t.a", R"({ "y":[], "x":1.0 })", ok));
    }
    LoopGuard guard;
    CHECK_FALSE(stops(guard, "view:t.a", "{}", true, "no"));
    CHECK_FALSE(stops(guard, "view:t.a", "{}", true));
}

TEST_CASE("Identity is the canonical id and the canonical JSON of the input, nothing else", "[loop_guard]") {
    LoopGuard guard;
    CHECK_FALSE(stops(guard, "view:t.a", R"({"a":1,"b":2})", false));
    CHECK_FALSE(stops(guard, "view:t.a", R"({"b":2,"a":1e0})", false));
    CHECK(stops(guard, "view:t.a", "{\"a\" : 1, \"b\" : 2}", false));
    LoopGuard other;
    for (int i = 0; i < 8; ++i) {
        CHECK_FALSE(stops(other, "view:t.a", std::to_string(i), false));
        CHECK_FALSE(stops(other, "view:t.b", std::to_string(i), false));
        CHECK_FALSE(stops(other, "view:t.z", "0", true));
    }
    LoopGuard broken;
    CHECK_FALSE(stops(broken, "view:t.a", "{", false));
    CHECK_FALSE(stops(broken, "view:t.a", "[", false));
    CHECK_FALSE(stops(broken, "view:t.a", "{", false));
    CHECK(stops(broken, "view:t.q", "{", false));
}

TEST_CASE("As text: null, or the verdict; the retry hint is the result's own", "[loop_guard]") {
    LoopGuard guard;
    const std::string call =
        R"({"canonicalId":"view:t.a","input":{},"ok":false,"result":{"error":{"code":"X","retry":"no"}}})";
    CHECK(*guard.record_text(call) == "null");
    const JsonDocument verdict = reading::document(*guard.record_text(call));
    CHECK(verdict.root().find("code").string() == "RUN_LIMIT_EXCEEDED");
    CHECK(verdict.root().find("canonicalId").string() == "view:t.a");
    CHECK_FALSE(guard.record_text("[]"));
    CHECK_FALSE(guard.record_text("{"));
}
