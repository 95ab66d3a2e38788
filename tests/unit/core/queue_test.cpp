// Phase 8: one action of a registration at a time, a few waiting, first in first out; and the check before dispatch.
#include "calls.h"

namespace {

using namespace viewcap_test;

TEST_CASE("waiting actions get their turn in the order they came, each after the one before has settled", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto first = run(surface, "setFilters");
    const auto second = line_up(surface, "open");
    const auto third = line_up(surface, "setFilters");
    CHECK(surface.outbox() == "[]");
    surface.settle(first);
    CHECK(effects_of(surface.outbox()) == std::vector<std::string>{dispatch_item(second.invocation)});
    CHECK(surface.advance(second, Step::check_again).kind == Kind::go);
    surface.settle(second, Outcome::thrown_other);
    CHECK(effects_of(surface.outbox()) == std::vector<std::string>{dispatch_item(third.invocation)});
    CHECK(surface.advance(third, Step::check_again).kind == Kind::go);
    CHECK(surface.settle(third).kind == Kind::done);
    CHECK(surface.outbox() == "[]");
    run(surface, "setFilters");
}

TEST_CASE("two wait by default and the next is RATE_LIMITED with a delay", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    run(surface, "setFilters");
    line_up(surface, "setFilters");
    line_up(surface, "setFilters");
    const auto answer = surface.advance(surface.begin("setFilters"), Step::admit);
    CHECK(code_of(answer) == "RATE_LIMITED");
    CHECK(at(answer.result, {"error", "details"}) == R"({"reason":"queue-full","retryAfterMs":250})");
    CHECK(at(answer.result, {"error", "retry"}) == "after-delay");
}

TEST_CASE("with a depth of 0 nobody waits", "[core]") {
    TestSurface surface(R"("limits":{"actionQueueDepth":0})");
    surface.mount("reg_1");
    const auto holder = run(surface, "setFilters");
    CHECK(code_of(surface.advance(surface.begin("setFilters"), Step::admit)) == "RATE_LIMITED");
    surface.settle(holder);
    run(surface, "setFilters");
}

TEST_CASE("a plan whose place became free during its gates goes at once", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto holder = run(surface, "setFilters");
    const auto plan = surface.begin("setFilters");
    CHECK(plan.admit_later);
    surface.settle(holder);
    CHECK(effects_of(surface.outbox()).empty());
    CHECK(surface.advance(plan, Step::admit).kind == Kind::go);
    CHECK(surface.settle(plan).kind == Kind::done);
}

TEST_CASE("a call that leaves the line lets those behind it move up", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto holder = run(surface, "setFilters");
    const auto leaving = line_up(surface, "setFilters");
    const auto staying = line_up(surface, "setFilters");
    surface.settle(leaving, Outcome::cancelled);
    CHECK(surface.outbox() == "[]");
    line_up(surface, "setFilters");
    surface.settle(holder);
    CHECK(effects_of(surface.outbox()) == std::vector<std::string>{dispatch_item(staying.invocation)});
}

TEST_CASE("a call that ends between its turn and its handler hands the turn on", "[core]") {
    for (Outcome ending : {Outcome::cancelled, Outcome::internal}) {
        TestSurface surface;
        surface.mount("reg_1");
        const auto holder = run(surface, "setFilters");
        const auto second = line_up(surface, "setFilters");
        const auto third = line_up(surface, "setFilters");
        surface.settle(holder);
        surface.outbox();
        surface.settle(second, ending);
        CHECK(effects_of(surface.outbox()) == std::vector<std::string>{dispatch_item(third.invocation)});
    }
}

TEST_CASE("queues of two registrations and observations do not wait for each other", "[core]") {
    TestSurface surface;
    surface.mount("reg_1", "left");
    surface.mount("reg_2", "right");
    run(surface, "setFilters", R"("instanceId":"left")");
    run(surface, "setFilters", R"("instanceId":"right")");
    for (int i = 0; i < 5; ++i) run(surface, "readState", R"("instanceId":"left")");
}

TEST_CASE("a settlement is told before the turn that it makes", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto holder = run(surface, "setFilters", R"("timeoutMs":100)");
    const auto waiting = line_up(surface, "setFilters");
    surface.registry->expire(surface.now + 100);
    const auto effects = effects_of(surface.outbox());
    REQUIRE(effects.size() == 2);
    CHECK(settled_code(effects[0], holder.invocation) == "TIMEOUT");
    CHECK(effects[1] == dispatch_item(waiting.invocation));
}

TEST_CASE("an action asked for out of a handler that holds its own queue is refused, not waited for forever",
          "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto outer = run(surface, "setFilters");
    const std::string inside = R"("running":[)" + std::to_string(outer.invocation) + "]";
    const auto answer = surface.advance(surface.begin("open", inside), Step::admit);
    CHECK(code_of(answer) == "PRECONDITION_FAILED");
    CHECK(detail_of(answer, "reason") == "own-queue");
    run(surface, "readState", inside);
    CHECK(surface.settle(outer).kind == Kind::done);
    CHECK(effects_of(surface.outbox()).empty());
    run(surface, "setFilters", inside);
}

TEST_CASE("an action of another registration may be asked for out of a handler", "[core]") {
    TestSurface surface;
    surface.mount("reg_1", "left");
    surface.mount("reg_2", "right");
    const auto outer = run(surface, "setFilters", R"("instanceId":"left")");
    run(surface, "setFilters", R"("instanceId":"right","running":[)" + std::to_string(outer.invocation) + "]");
}

TEST_CASE("a plan that is held keeps its place, has no time running, and goes after it is checked again", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto plan = run(surface, "setFilters", R"("timeoutMs":100)");
    CHECK(surface.advance(plan, Step::hold).kind == Kind::ignored);
    CHECK(surface.advance(plan, Step::hold).kind == Kind::ignored);
    CHECK(surface.begin("setFilters").admit_later);
    surface.now += 1000;
    CHECK(surface.registry->expire(surface.now) == -1);
    CHECK(surface.advance(plan, Step::check_again).kind == Kind::go);
    surface.now += 99;
    CHECK(surface.settle(plan).kind == Kind::done);
}

TEST_CASE("the check before dispatch answers for what has become unavailable during the wait", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    const auto holder = run(surface, "setFilters");
    const auto waiting = line_up(surface, "setFilters");
    const auto behind = line_up(surface, "open");
    REQUIRE(surface.registry->update(table, R"({"availability":{"setFilters":{"available":false,"reason":"busy"}}})",
                                     surface.now));
    surface.settle(holder);
    surface.outbox();
    const auto answer = surface.advance(waiting, Step::check_again);
    CHECK(code_of(answer) == "CAPABILITY_NOT_AVAILABLE");
    CHECK(detail_of(answer, "reason") == "busy");
    CHECK(effects_of(surface.outbox()) == std::vector<std::string>{dispatch_item(behind.invocation)});
    CHECK(surface.advance(behind, Step::check_again).kind == Kind::go);
}

TEST_CASE("a second admission of a call changes nothing and strands nobody", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto holder = run(surface, "setFilters");
    const auto waiting = line_up(surface, "setFilters");
    surface.advance(waiting, Step::admit);
    surface.advance(holder, Step::admit);
    surface.settle(holder);
    CHECK(effects_of(surface.outbox()) == std::vector<std::string>{dispatch_item(waiting.invocation)});
    surface.advance(waiting, Step::check_again);
    CHECK(surface.settle(waiting).kind == Kind::done);
    run(surface, "setFilters");
}

}  // namespace
