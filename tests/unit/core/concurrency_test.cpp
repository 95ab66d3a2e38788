// Which calls wait for each other, as a contract says, and the lanes that come of it.
#include "admission/concurrency.h"

#include "admission/lanes.h"
#include "contract/contract.h"
#include "contract/fields.h"
#include "surface.h"

namespace {

using namespace viewcap_test;
using viewcap::Admission;
using viewcap::Concurrency;
using Mode = viewcap::ConcurrencyMode;

struct Reading {
    Concurrency concurrency;
    std::string code;
    std::string message;
};

Reading read(const std::string& value) {
    const auto definition = document(value.empty() ? "{}" : R"({"concurrency":)" + value + "}");
    viewcap::FieldReader fields(definition.root(), "component 'a.b', action 'run'");
    Reading reading;
    reading.concurrency = viewcap::read_concurrency(fields, definition.root());
    reading.code = fields.error().code;
    reading.message = fields.error().message;
    return reading;
}

TEST_CASE("a contract says by instance, capability or key, or how many run in parallel, and how many wait", "[core]") {
    CHECK(read("").concurrency.mode == Mode::instance);
    CHECK(read(R"({"mode":"instance"})").concurrency.mode == Mode::instance);
    CHECK_FALSE(read(R"({"mode":"instance"})").concurrency.queue_depth);
    CHECK(read(R"({"mode":"capability","queueDepth":0})").concurrency.queue_depth == 0u);
    const Reading key = read(R"({"mode":"key","key":"ledger","queueDepth":7})");
    CHECK(key.concurrency.mode == Mode::key);
    CHECK(key.concurrency.key == "ledger");
    CHECK(key.concurrency.max == 1);
    CHECK(key.concurrency.queue_depth == 7u);
    const Reading parallel = read(R"({"mode":"parallel","max":4})");
    CHECK(parallel.concurrency.mode == Mode::parallel);
    CHECK(parallel.concurrency.max == 4);
    for (const Reading& reading : {key, parallel}) CHECK(reading.code.empty());
}

TEST_CASE("what is no concurrency is refused with a message that names component, action and field", "[core]") {
    const std::pair<const char*, const char*> rows[] = {
        {R"("parallel")", "an object"},
        {"null", "an object"},
        {"{}", "mode"},
        {R"({"mode":"serial"})", "serial"},
        {R"({"mode":7})", "mode"},
        {R"({"mode":"parallel"})", "max"},
        {R"({"mode":"parallel","max":0})", "max"},
        {R"({"mode":"parallel","max":1.5})", "max"},
        {R"({"mode":"parallel","max":"2"})", "max"},
        {R"({"mode":"parallel","max":3000000000})", "max"},
        {R"({"mode":"parallel","max":2,"key":"x"})", "key"},
        {R"({"mode":"instance","max":2})", "max"},
        {R"({"mode":"key"})", "key"},
        {R"({"mode":"key","key":""})", "key"},
        {R"({"mode":"key","key":7})", "key"},
        {R"({"mode":"capability","queueDepth":-1})", "queueDepth"},
        {R"({"mode":"capability","queueDepth":0.5})", "queueDepth"},
        {R"({"mode":"capability","queueDepth":"2"})", "queueDepth"},
        {R"({"mode":"capability","queueDepth":null})", "queueDepth"},
        {R"({"mode":"capability","queuedepth":1})", "queuedepth"},
    };
    for (const auto& [value, named] : rows) {
        INFO(value);
        const Reading reading = read(value);
        CHECK(reading.code == "INVALID_DEFINITION");
        INFO(reading.message);
        CHECK(reading.message.find("component 'a.b', action 'run', 'concurrency'") == 0);
        CHECK(reading.message.find(named) != std::string::npos);
    }
    CHECK(read(R"({"mode":"key","key":")" + std::string(129, 'k') + "\"}").code == "LIMIT_EXCEEDED");
}

TEST_CASE("actions have a concurrency, observations none, and a queue depth stands in it and nowhere else", "[core]") {
    const auto interned = [](const std::string& members) {
        const auto contract = document(R"({"type":"a.b","description":"d",)" + members + "}");
        return viewcap::read_contract(contract.root(), {}, viewcap::RegistryOptions());
    };
    const auto good = interned(
        R"("actions":{"run":{"description":"d","effect":"local-state","concurrency":{"mode":"parallel","max":3}},)"
        R"("walk":{"description":"d","effect":"local-state"}})");
    REQUIRE(good);
    CHECK((*good)->capabilities[0].concurrency.mode == Mode::parallel);
    CHECK((*good)->capabilities[0].concurrency.max == 3);
    CHECK((*good)->capabilities[1].concurrency.mode == Mode::instance);
    CHECK_FALSE(interned(R"("observations":{"see":{"description":"d","concurrency":{"mode":"instance"}}})"));
    CHECK_FALSE(interned(R"("actions":{"run":{"description":"d","effect":"local-state","queueDepth":3}})"));
}

/// A call of a capability of a registration.
struct Caller {
    viewcap::RegistrationHandle registration;
    std::uint32_t capability;
    Concurrency concurrency;
    viewcap::Lane* own = nullptr;

    viewcap::LaneUser as(viewcap::InvocationHandle call) const {
        return {call, registration, capability, &concurrency, own, 2};
    }
};

Concurrency of(Mode mode, const char* key = "") {
    Concurrency concurrency;
    concurrency.mode = mode;
    concurrency.key = key;
    return concurrency;
}

TEST_CASE("by instance all actions of a registration stand in one line, which is its own", "[core]") {
    viewcap::Lanes lanes;
    viewcap::Lane first, second;
    const Caller one{1, 0, of(Mode::instance), &first};
    const Caller two{1, 1, of(Mode::instance), &first};
    const Caller other{2, 0, of(Mode::instance), &second};
    CHECK(lanes.enter(one.as(11)) == Admission::run);
    CHECK(lanes.probe(two.as(12)) == Admission::wait);
    CHECK(lanes.enter(two.as(12)) == Admission::wait);
    CHECK(lanes.enter(other.as(13)) == Admission::run);
    CHECK(lanes.holds(two.as(12), 11));
    CHECK_FALSE(lanes.holds(other.as(13), 11));
    CHECK(lanes.size() == 0);
    CHECK(lanes.leave(one.as(11)) == 12);
    Caller gone = two;
    gone.own = nullptr;
    CHECK(lanes.leave(gone.as(12)) == 0);
    CHECK(lanes.enter(gone.as(14)) == Admission::full);
}

TEST_CASE("by capability each action of each registration has its line, which goes with the last who stands in it",
          "[core]") {
    viewcap::Lanes lanes;
    const Caller one{1, 0, of(Mode::capability)};
    const Caller two{1, 1, of(Mode::capability)};
    const Caller other{2, 0, of(Mode::capability)};
    CHECK(lanes.probe(one.as(11)) == Admission::run);
    CHECK(lanes.size() == 0);
    for (const Caller& caller : {one, two, other}) CHECK(lanes.enter(caller.as(11)) == Admission::run);
    CHECK(lanes.size() == 3);
    CHECK(lanes.enter(one.as(12)) == Admission::wait);
    CHECK(lanes.leave(one.as(11)) == 12);
    CHECK(lanes.leave(two.as(11)) == 0);
    CHECK(lanes.leave(other.as(11)) == 0);
    CHECK(lanes.leave(one.as(12)) == 0);
    CHECK(lanes.leave(one.as(12)) == 0);
    CHECK(lanes.size() == 0);
}

TEST_CASE("by key all who name it stand in one line, each with the depth of its own contract", "[core]") {
    viewcap::Lanes lanes;
    const Caller one{1, 0, of(Mode::key, "ledger")};
    Caller two{2, 5, of(Mode::key, "ledger")};
    two.concurrency.queue_depth = 0;
    const Caller other{3, 0, of(Mode::key, "1.0")};
    const Caller capability{1, 0, of(Mode::capability)};
    CHECK(lanes.enter(one.as(11)) == Admission::run);
    CHECK(lanes.enter(two.as(12)) == Admission::full);
    CHECK(lanes.enter(one.as(13)) == Admission::wait);
    CHECK(lanes.enter(other.as(14)) == Admission::run);
    CHECK(lanes.enter(capability.as(15)) == Admission::run);
    CHECK(lanes.holds(two.as(12), 11));
    CHECK(lanes.leave(one.as(11)) == 13);
    CHECK(lanes.leave(one.as(13)) == 0);
    CHECK(lanes.enter(two.as(12)) == Admission::run);
}

TEST_CASE("in parallel so many run at once, then the registry's depth waits", "[core]") {
    viewcap::Lanes lanes;
    Caller caller{1, 0, of(Mode::parallel)};
    caller.concurrency.max = 3;
    for (viewcap::InvocationHandle call = 1; call <= 3; ++call) CHECK(lanes.enter(caller.as(call)) == Admission::run);
    CHECK(lanes.enter(caller.as(4)) == Admission::wait);
    CHECK(lanes.enter(caller.as(5)) == Admission::wait);
    CHECK(lanes.enter(caller.as(6)) == Admission::full);
    CHECK(lanes.leave(caller.as(2)) == 4);
}

}  // namespace
