// What ends a call from outside: its time, its caller, its component, its registry.
#include "calls.h"

namespace {

using namespace viewcap_test;

TEST_CASE("a handler that comes at its deadline is late, though no timer fired, and one millisecond before is not",
          "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto early = run(surface, "setFilters", R"("timeoutMs":100)");
    CHECK(early.timeout_ms == 100);
    surface.now += 99;
    CHECK(surface.settle(early).kind == Kind::done);
    const auto late = run(surface, "setFilters", R"("timeoutMs":100)");
    surface.now += 100;
    const auto answer = surface.settle(late);
    CHECK(code_of(answer) == "TIMEOUT");
    CHECK(at(answer.result, {"error", "details"}) == R"({"timeoutMs":100,"idempotent":false})");
    CHECK(at(answer.result, {"error", "retry"}) == "no");
}

TEST_CASE("a call that is over its time is settled by expire(), which says when to come again", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    CHECK(surface.registry->expire(surface.now) == -1);
    const auto plan = run(surface, "open");
    run(surface, "readState", R"("timeoutMs":800)");
    CHECK(plan.timeout_ms == 500);
    CHECK(surface.registry->expire(surface.now) == 500);
    CHECK(surface.outbox() == "[]");
    CHECK(surface.registry->expire(surface.now + 500) == 300);
    const auto effects = effects_of(surface.outbox());
    REQUIRE(effects.size() == 1);
    CHECK(settled_code(effects[0], plan.invocation) == "TIMEOUT");
    CHECK(settled_detail(effects[0], "idempotent") == "true");
    CHECK(at(effects[0], {"result", "error", "retry"}) == "yes");
    CHECK(surface.settle(plan).kind == Kind::ignored);
}

TEST_CASE("the defaults of the limits bound a call that names no timeout", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    CHECK(run(surface, "readState").timeout_ms == 5000);
    CHECK(run(surface, "setFilters").timeout_ms == 10000);
    TestSurface other(R"("limits":{"observationTimeoutMs":7,"actionTimeoutMs":8})");
    other.mount("reg_1");
    CHECK(run(other, "readState").timeout_ms == 7);
    CHECK(run(other, "setFilters").timeout_ms == 8);
}

TEST_CASE("a call that waits for its turn has no time running, and its time begins with its handler", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto holder = run(surface, "setFilters");
    const auto waiting = line_up(surface, "setFilters", R"("timeoutMs":100)");
    surface.now += 5000;
    surface.registry->expire(surface.now);
    CHECK(surface.outbox() == "[]");
    surface.settle(holder);
    CHECK(surface.advance(waiting, Step::check_again).kind == Kind::go);
    surface.now += 99;
    CHECK(surface.settle(waiting).kind == Kind::done);
}

TEST_CASE("a clock that goes back neither ends nor revives anything", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto plan = run(surface, "setFilters", R"("timeoutMs":100,"invocationId":"same")");
    surface.registry->expire(surface.now + 99);
    surface.now -= 1000;
    CHECK(surface.registry->expire(surface.now) == 1);
    surface.registry->expire(surface.now + 1100);
    CHECK(effects_of(surface.outbox()).size() == 1);
    CHECK(surface.settle(plan).kind == Kind::ignored);
    CHECK(code_of(surface.begin("setFilters", R"("timeoutMs":100,"invocationId":"same")")) == "TIMEOUT");
    const auto next = run(surface, "setFilters", R"("timeoutMs":100)");
    CHECK(surface.registry->expire(-1e300) == 100);
    CHECK(surface.settle(next).kind == Kind::done);
}

TEST_CASE("a caller cancels its call in its gates, in the queue and in its handler, and may retry", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto running = run(surface, "setFilters");
    const auto waiting = line_up(surface, "setFilters");
    const auto gating = surface.begin("setFilters");
    for (const auto& call : {gating, waiting, running}) {
        const auto answer = surface.settle(call, Outcome::cancelled);
        CHECK(code_of(answer) == "CANCELLED");
        CHECK(at(answer.result, {"error", "retry"}) == "yes");
        CHECK(surface.settle(call, Outcome::cancelled).kind == Kind::ignored);
    }
    CHECK(surface.outbox() == "[]");
    run(surface, "setFilters");
}

TEST_CASE("an unmount ends running calls as mid-flight and all others as queued, in the order they came", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    const auto running = run(surface, "setFilters");
    const auto reading = run(surface, "readState");
    const auto waiting = line_up(surface, "setFilters");
    const auto gating = surface.begin("setFilters");
    surface.registry->unmount(table, surface.now);
    const auto effects = effects_of(surface.outbox());
    REQUIRE(effects.size() == 4);
    const char* phases[] = {"mid-flight", "mid-flight", "queued", "queued"};
    const viewcap::InvocationHandle calls[] = {running.invocation, reading.invocation, waiting.invocation,
                                               gating.invocation};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(settled_code(effects[i], calls[i]) == "COMPONENT_UNMOUNTED");
        CHECK(settled_detail(effects[i], "phase") == phases[i]);
        CHECK(at(effects[i], {"result", "surfaceChanged"}) == "true");
    }
}

TEST_CASE("a handler that settled before the unmount keeps its result", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    CHECK(surface.settle(run(surface, "setFilters")).kind == Kind::done);
    surface.registry->unmount(table, surface.now);
    CHECK(effects_of(surface.outbox()).empty());
}

TEST_CASE("a navigation loses only its signal by an unmount and settles on its handler", "[core]") {
    TestSurface surface;
    const auto unmounted_open = [&](const char* id) {
        const auto table = surface.mount(id);
        const auto plan = run(surface, "open");
        surface.registry->unmount(table, surface.now);
        CHECK(effects_of(surface.outbox()) == std::vector<std::string>{abort_item(plan.invocation)});
        return plan;
    };
    CHECK(surface.settle(unmounted_open("reg_1"), Outcome::output, "1").kind == Kind::done);
    for (Outcome rejects : {Outcome::thrown_other, Outcome::thrown_error}) {
        const auto answer =
            surface.settle(unmounted_open("reg_2"), rejects, R"({"code":"NOT_AUTHORIZED","message":"m"})");
        CHECK(code_of(answer) == "CANCELLED");
        CHECK(at(answer.result, {"error", "retry"}) == "yes");
    }
    CHECK(code_of(surface.settle(unmounted_open("reg_3"), Outcome::cancelled)) == "CANCELLED");
    const auto late = unmounted_open("reg_4");
    surface.registry->expire(surface.now + 500);
    CHECK(settled_code(effects_of(surface.outbox()).at(0), late.invocation) == "TIMEOUT");
}

TEST_CASE("a navigation that waits is unmounted like any other call", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    const auto running = run(surface, "open");
    const auto waiting = line_up(surface, "open");
    surface.registry->unmount(table, surface.now);
    const auto effects = effects_of(surface.outbox());
    REQUIRE(effects.size() == 2);
    CHECK(effects[0] == abort_item(running.invocation));
    CHECK(settled_code(effects[1], waiting.invocation) == "COMPONENT_UNMOUNTED");
    surface.settle(running);
    CHECK(effects_of(surface.outbox()).empty());
}

TEST_CASE("an owner that unmounted before the handler never has it called", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    const auto plan = run(surface, "open");
    CHECK(surface.advance(plan, Step::hold).kind == Kind::ignored);
    surface.registry->unmount(table, surface.now);
    const auto effects = effects_of(surface.outbox());
    REQUIRE(effects.size() == 1);
    CHECK(settled_detail(effects[0], "phase") == "queued");
    CHECK(surface.advance(plan, Step::check_again).kind == Kind::ignored);
}

TEST_CASE("a disposed registry settles everything as cancelled for good, starts nobody's turn and holds no component",
          "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto navigating = run(surface, "open");
    const auto waiting = line_up(surface, "setFilters");
    const auto gating = surface.begin("setFilters");
    surface.registry->dispose(surface.now);
    const auto effects = effects_of(surface.outbox());
    REQUIRE(effects.size() == 3);
    const viewcap::InvocationHandle calls[] = {navigating.invocation, waiting.invocation, gating.invocation};
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(settled_code(effects[i], calls[i]) == "CANCELLED");
        CHECK(at(effects[i], {"result", "error", "retry"}) == "no");
    }
    CHECK(surface.settle(navigating).kind == Kind::ignored);
    CHECK(surface.registry->project("", surface.now)->descriptors == "[]");
    CHECK(surface.registry->expire(surface.now) == -1);
    surface.registry->dispose(surface.now);
    CHECK(effects_of(surface.outbox()).empty());
}

TEST_CASE("an internal fault ends a call with nothing but its name", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto answer = surface.settle(run(surface, "setFilters"), Outcome::internal, "RangeError at secret.js:1");
    CHECK(detail_of(answer, "reason") == "internal");
    CHECK(answer.result.find("secret") == std::string::npos);
}

}  // namespace
