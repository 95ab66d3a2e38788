// Events for subscribers and records for the audit sink.
#include "calls.h"

namespace {

using namespace viewcap_test;

constexpr unsigned kEvents = 1;
constexpr unsigned kAudit = 2;

/// Mounts one component whose action `run` has that audit level.
viewcap::RegistrationHandle mount_audited(TestSurface& surface, const std::string& level) {
    return surface.mount(
        "reg_1", "default",
        surface.intern(
            R"({"type":"invoices.pending","description":"d","actions":{"run":{"description":"d","effect":"local-state","audit":")" +
            level + R"(","input":{"type":"object"}}}})"));
}

TEST_CASE("nobody listening, nothing is told", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    surface.settle(run(surface, "setFilters"));
    surface.registry->unmount(table, surface.now);
    CHECK(surface.outbox() == "[]");
}

TEST_CASE("a mount and an unmount are told in order with the version they made", "[core]") {
    TestSurface surface;
    surface.registry->listen(kEvents);
    const auto table = surface.mount("reg_1", "left");
    surface.registry->unmount(table, surface.now);
    const std::string who = R"("registrationId":"reg_1","componentType":"invoices.pending","instanceId":"left"}})";
    CHECK(surface.outbox() == R"([{"event":{"type":"component-registered",)" + who +
                                  R"(,{"changed":"1"},{"event":{"type":"component-unregistered",)" + who +
                                  R"(,{"changed":"2"}])");
}

TEST_CASE("a call is told once when it starts and once when it settles, with its status, code and duration", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    surface.registry->listen(kEvents);
    const std::string fields = R"("invocationId":"mine","consumer":{"id":"c","kind":"test"})";
    const auto plan = run(surface, "setFilters", fields);
    CHECK(
        told(surface.outbox(), "event") ==
        std::vector<std::string>{
            R"({"type":"invocation-started","invocationId":"mine","capabilityId":"view:invoices.pending.setFilters","consumerId":"c"})"});
    surface.now += 25;
    surface.settle(plan, Outcome::thrown_other);
    CHECK(
        told(surface.outbox(), "event") ==
        std::vector<std::string>{
            R"({"type":"invocation-settled","invocationId":"mine","capabilityId":"view:invoices.pending.setFilters","consumerId":"c","status":"error","code":"EXECUTION_FAILED","durationMs":25})"});
    surface.settle(run(surface, "setFilters"));
    const auto settled = told(surface.outbox(), "event", "invocation-settled");
    REQUIRE(settled.size() == 1);
    CHECK(at(settled[0], {"status"}) == "ok");
    CHECK(at(settled[0], {"code"}).empty());
}

TEST_CASE("a join and a replay are not told, and a conflict is told twice", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto plan = run(surface, "setFilters", R"("invocationId":"same")");
    surface.registry->listen(kEvents | kAudit);
    REQUIRE(surface.begin("setFilters", R"("invocationId":"same")").kind == Kind::join);
    surface.settle(plan);
    surface.outbox();
    REQUIRE(surface.begin("setFilters", R"("invocationId":"same")").kind == Kind::result);
    CHECK(surface.outbox() == "[]");
    CHECK(code_of(surface.begin("open", R"("invocationId":"same")")) == "INVOCATION_CONFLICT");
    const std::string outbox = surface.outbox();
    CHECK(told(outbox, "event", "invocation-started").size() == 1);
    CHECK(told(outbox, "event", "invocation-settled").size() == 1);
    CHECK(told(outbox, "audit", "invocation-settled").size() == 1);
}

TEST_CASE("a call that an early phase answers is told as started and settled too", "[core]") {
    TestSurface surface;
    surface.registry->listen(kEvents);
    surface.begin("setFilters");
    surface.begin("setFilters", R"("timeoutMs":0)");
    const std::string outbox = surface.outbox();
    CHECK(told(outbox, "event", "invocation-started").size() == 2);
    const auto settled = told(outbox, "event", "invocation-settled");
    REQUIRE(settled.size() == 2);
    CHECK(at(settled[0], {"code"}) == "CAPABILITY_NOT_FOUND");
    CHECK(at(settled[1], {"code"}) == "INVALID_INPUT");
}

TEST_CASE("a change of availability is told once, and only when what holds has changed", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    surface.registry->listen(kEvents);
    const std::string gate = "[[" + std::to_string(table) + ",1,";
    for (const char* state : {"0,\"a\"]]", "0,\"a\"]]", "0,\"b\"]]"})
        REQUIRE(surface.registry->gates(gate + state, surface.now));
    CHECK(
        told(surface.outbox(), "event") ==
        std::vector<std::string>{
            R"({"type":"availability-changed","registrationId":"reg_1","capabilityId":"view:invoices.pending.setFilters","available":false})"});
    REQUIRE(surface.registry->update(table, R"({"availability":{"setFilters":{"available":false}}})", surface.now));
    CHECK(told(surface.outbox(), "event", "availability-changed").empty());
    REQUIRE(surface.registry->update(table, R"({"enabled":false})", surface.now));
    CHECK(told(surface.outbox(), "event", "availability-changed").size() == 2);
}

TEST_CASE("an audit record has the call's ids, status, and how long it waited and ran", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    surface.registry->listen(kAudit);
    const auto holder = run(surface, "setFilters");
    const auto waiting = line_up(surface, "open", R"("invocationId":"mine")");
    surface.now += 30;
    surface.settle(holder);
    surface.now += 5;
    REQUIRE(surface.advance(waiting, Step::check_again).kind == Kind::go);
    surface.now += 7;
    surface.outbox();
    surface.settle(waiting);
    CHECK(
        told(surface.outbox(), "audit") ==
        std::vector<std::string>{
            R"({"at":1042,"type":"invocation-settled","capabilityId":"view:invoices.pending.open","registrationId":"reg_1","invocationId":"mine","consumerId":"anonymous","status":"ok","durationMs":42,"queueWaitMs":30,"executionMs":7})"});
}

TEST_CASE("a call whose handler never started has waited all its time and run for none", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    run(surface, "setFilters");
    const auto waiting = line_up(surface, "setFilters");
    const auto early = [&] { return told(surface.outbox(), "audit", "invocation-settled").at(0); };
    surface.registry->listen(kAudit);
    surface.now += 20;
    surface.settle(waiting, Outcome::cancelled);
    const std::string cancelled = early();
    CHECK(at(cancelled, {"durationMs"}) == "20");
    CHECK(at(cancelled, {"queueWaitMs"}) == "20");
    CHECK(at(cancelled, {"executionMs"}) == "0");
    surface.begin("nothing");
    const std::string not_found = early();
    CHECK(at(not_found, {"queueWaitMs"}) == "0");
    CHECK(at(not_found, {"executionMs"}) == "0");
}

TEST_CASE("audit level none records no invocation, metadata no payload, full input and output", "[core]") {
    const auto records = [](const char* level) {
        TestSurface surface;
        mount_audited(surface, level);
        surface.registry->listen(kAudit);
        surface.settle(run(surface, "run", R"("input":{"secret":1})"), Outcome::output, "[2]");
        return told(surface.outbox(), "audit");
    };
    CHECK(records("none").empty());
    REQUIRE(records("metadata").size() == 2);
    for (const std::string& record : records("metadata")) CHECK(at(record, {"payload"}).empty());
    const auto full = records("full");
    REQUIRE(full.size() == 2);
    CHECK(at(full[0], {"payload"}) == R"({"input":{"secret":1}})");
    CHECK(at(full[1], {"payload"}) == R"({"input":{"secret":1},"output":[2]})");
}

TEST_CASE("audit level none records no invocation that is refused for its availability either", "[core]") {
    TestSurface surface;
    const auto table = mount_audited(surface, "none");
    REQUIRE(surface.registry->update(table, R"({"enabled":false})", surface.now));
    surface.registry->listen(kAudit);
    CHECK(code_of(surface.begin("run")) == "CAPABILITY_NOT_AVAILABLE");
    CHECK(surface.outbox() == "[]");
}

TEST_CASE("registration, unregistration and rejection are audited whatever the level of the capabilities", "[core]") {
    TestSurface surface;
    surface.registry->listen(kAudit);
    const auto table = mount_audited(surface, "none");
    surface.mount("reg_2");
    surface.registry->unmount(table, surface.now);
    CHECK(surface.outbox() == R"([{"audit":{"at":1000,"type":"component-registered","registrationId":"reg_1"}},)"
                              R"({"audit":{"at":1000,"type":"component-rejected"}},)"
                              R"({"audit":{"at":1000,"type":"component-unregistered","registrationId":"reg_1"}}])");
}

TEST_CASE("a handler that settles after its call has ended is audited once as late and changes nothing", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    surface.registry->listen(kEvents | kAudit);
    const auto plan = run(surface, "open", R"("invocationId":"mine")");
    surface.registry->expire(surface.now + 500);
    surface.outbox();
    surface.now += 600;
    REQUIRE(surface.settle(plan, Outcome::output, "1").kind == Kind::ignored);
    CHECK(
        surface.outbox() ==
        R"([{"audit":{"at":1600,"type":"late-settlement","capabilityId":"view:invoices.pending.open","registrationId":"reg_1","invocationId":"mine","consumerId":"anonymous"}}])");
    surface.settle(plan, Outcome::output, "1");
    CHECK(surface.outbox() == "[]");
    CHECK(code_of(surface.begin("open", R"("invocationId":"mine")")) == "TIMEOUT");
}

TEST_CASE("a step that comes too late is no late settlement", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    run(surface, "setFilters");
    const auto waiting = line_up(surface, "setFilters");
    surface.registry->listen(kAudit);
    surface.settle(waiting, Outcome::cancelled);
    surface.outbox();
    CHECK(surface.advance(waiting, Step::check_again).kind == Kind::ignored);
    CHECK(surface.outbox() == "[]");
}

}  // namespace
