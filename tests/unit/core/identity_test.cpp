// Joins, replays and conflicts of whole calls, and which results are kept.
#include "calls.h"

namespace {

using namespace viewcap_test;

constexpr const char* kSame = R"("invocationId":"same")";

TEST_CASE("the same request joins while it is in flight, running, waiting or in its gates", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto running = run(surface, "setFilters", kSame);
    const auto joined = surface.begin("setFilters", kSame);
    CHECK(joined.kind == Kind::join);
    CHECK(joined.invocation == running.invocation);
    const auto waiting = surface.begin("setFilters", R"("invocationId":"waits")");
    CHECK(surface.begin("setFilters", R"("invocationId":"waits")").invocation == waiting.invocation);
    REQUIRE(surface.advance(waiting, Step::admit).kind == Kind::wait);
    CHECK(surface.begin("setFilters", R"("invocationId":"waits")").kind == Kind::join);
    surface.settle(running);
    CHECK(surface.begin("setFilters", R"("invocationId":"waits")").kind == Kind::join);
}

TEST_CASE("the same request after its settlement gets the same result, whatever has become of the surface", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    REQUIRE(surface.settle(run(surface, "setFilters", kSame), Outcome::output, R"({"rows":3})").kind == Kind::done);
    const auto first = surface.begin("setFilters", kSame);
    CHECK(at(first.result, {"output"}) == R"({"rows":3})");
    surface.registry->unmount(table, surface.now);
    CHECK(surface.begin("setFilters", kSame).result == first.result);
}

TEST_CASE("another request under a used id is a conflict that discloses nothing and touches no record", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto plan = run(surface, "setFilters", R"("invocationId":"same","input":{"status":"paid"})");
    for (const char* other : {R"("invocationId":"same")", R"("invocationId":"same","input":{"status":"open"})",
                              R"("invocationId":"same","input":{"status":"paid"},"instanceId":"default")"}) {
        const auto conflict = surface.begin("setFilters", other);
        CHECK(code_of(conflict) == "INVOCATION_CONFLICT");
        CHECK(detail_of(conflict, "reason") == "id-reused-with-different-request");
        CHECK(at(conflict.result, {"error", "retry"}) == "with-changes");
        CHECK(conflict.result.find("paid") == std::string::npos);
    }
    CHECK(code_of(surface.begin("open", kSame)) == "INVOCATION_CONFLICT");
    CHECK(surface.begin("setFilters", R"("invocationId":"same","input":{"status":"paid"})").invocation ==
          plan.invocation);
    CHECK(surface.settle(plan).kind == Kind::done);
}

TEST_CASE("two consumers run the same id each, and the kind is part of who they are", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    run(surface, "readState", R"("invocationId":"same","consumer":{"id":"a","kind":"test"})");
    run(surface, "readState", R"("invocationId":"same","consumer":{"id":"b","kind":"test"})");
    run(surface, "readState", R"("invocationId":"same","consumer":{"id":"a","kind":"other"})");
}

TEST_CASE("results of every terminal error are kept", "[core]") {
    TestSurface surface;
    const auto replays = [&](const char* capability, const std::string& fields, const std::string& result) {
        const auto again = surface.begin(capability, fields);
        CHECK(again.kind == Kind::result);
        CHECK(again.result == result);
    };
    const auto none = surface.begin("setFilters", R"("invocationId":"early")");
    surface.mount("reg_1");
    replays("setFilters", R"("invocationId":"early")", none.result);
    const auto refused = surface.advance(run(surface, "setFilters", kSame), Step::unavailable, "r");
    replays("setFilters", kSame, refused.result);
    const auto failed = surface.settle(run(surface, "setFilters", R"("invocationId":"b")"), Outcome::thrown_other);
    replays("setFilters", R"("invocationId":"b")", failed.result);
    const auto cancelled = surface.settle(run(surface, "setFilters", R"("invocationId":"c")"), Outcome::cancelled);
    replays("setFilters", R"("invocationId":"c")", cancelled.result);
    const auto wrong = surface.begin("setFilters", R"("invocationId":"d","input":7)");
    replays("setFilters", R"("invocationId":"d","input":7)", surface.advance(wrong, Step::input).result);
}

TEST_CASE("a full queue, a rate limit and a transient failure leave their id free", "[core]") {
    TestSurface surface(R"("limits":{"actionQueueDepth":0})");
    surface.mount("reg_1");
    const auto holder = run(surface, "setFilters");
    const auto full = surface.begin("setFilters", kSame);
    CHECK(code_of(surface.advance(full, Step::admit)) == "RATE_LIMITED");
    surface.settle(holder);
    const auto limited = run(surface, "setFilters", kSame);
    CHECK(code_of(surface.settle(limited, Outcome::thrown_error, R"({"code":"RATE_LIMITED","message":"m"})")) ==
          "RATE_LIMITED");
    const auto transient =
        surface.settle(run(surface, "setFilters", kSame), Outcome::thrown_other, R"({"transient":true})");
    CHECK(code_of(transient) == "EXECUTION_FAILED");
    CHECK(detail_of(transient, "transient") == "true");
    CHECK(detail_of(transient, "retryAfterMs") == "1000");
    CHECK(at(transient.result, {"error", "retry"}) == "after-delay");
    run(surface, "setFilters", kSame);
}

TEST_CASE("a malformed envelope leaves its id free", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    CHECK(code_of(surface.begin("setFilters", R"("invocationId":"same","timeoutMs":0)")) == "INVALID_INPUT");
    run(surface, "setFilters", kSame);
}

TEST_CASE("a kept result is forgotten after its time on the registry's clock", "[core]") {
    TestSurface surface(R"("limits":{"dedupeCacheTtlMs":1000})");
    surface.mount("reg_1");
    surface.settle(run(surface, "setFilters", kSame));
    surface.now += 999;
    CHECK(surface.begin("setFilters", kSame).kind == Kind::result);
    surface.now += 1;
    run(surface, "setFilters", kSame);
}

TEST_CASE("the number of kept results of a registry is the one of its limits", "[core]") {
    TestSurface surface(R"("limits":{"dedupeCacheSize":2})");
    surface.mount("reg_1");
    for (const char* id : {"a", "b", "c"})
        surface.settle(run(surface, "setFilters", R"("invocationId":")" + std::string(id) + "\""));
    CHECK(surface.begin("setFilters", R"("invocationId":"c")").kind == Kind::result);
    CHECK(surface.begin("setFilters", R"("invocationId":"b")").kind == Kind::result);
    run(surface, "setFilters", R"("invocationId":"a")");
}

}  // namespace
