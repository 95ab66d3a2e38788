// Texts that no glue would write, into every function that takes one: refused or answered, never a crash.
#include <limits>

#include "procedures.h"

namespace {

using namespace viewcap_test;

std::vector<std::string> hostile_texts() {
    using namespace std::string_literals;
    std::vector<std::string> texts = {
        "",
        "\0"s,
        "nonsense",
        "{",
        "[",
        "[[",
        "[[1,1",
        "{}",
        "[]",
        "null",
        "7",
        "-0",
        "1e400",
        "\"",
        "\"\\ud800\"",
        "{\"\\u0000\":1}",
        "\xff\xfe\xfd",
        "\xed\xa0\x80",
        "{\"a\":1,\"a\":2}",
        "[[]]",
        "[[1]]",
        "[[1,2,3,4,5]]",
        "[[-1,-1,-1]]",
        "[[1e300,1e300,1e300]]",
        "[[1,4294967296,0]]",
        "[[1,1,0,\"\\u0000\"]]",
        "{\"gates\":7}",
        "{\"gates\":[7]}",
        "{\"scope\":{}}",
        "{\"budget\":{\"maxBytes\":1e308},\"capturedAt\":\"t\"}",
        "{\"capabilityId\":\"view:invoices.pending.setFilters\",\"running\":[-1,1e300,0.5,\"x\"]}",
        "{\"capabilityId\":\"view:invoices.pending.open\",\"consumer\":7,\"input\":{},\"freshId\":7}",
        "{\"malformed\":7,\"inputProblem\":null}",
        "{\"availability\":{\"\":{}}}",
        "{\"code\":\"RATE_LIMITED\",\"details\":{\"\\u0000\":1}}",
        "{\"__proto__\":{\"enabled\":1}}"};
    texts.push_back(std::string(100000, '['));
    texts.push_back(std::string(100000, '[') + std::string(100000, ']'));
    texts.push_back("{\"input\":" + std::string(50000, '[') + std::string(50000, ']') + "}");
    texts.push_back("\"" + std::string(std::size_t{1} << 20, 'x') + "\"");
    texts.push_back("{\"registrationId\":\"reg\",\"instanceId\":\"" + std::string(100000, 'x') + "\"}");
    return texts;
}

TEST_CASE("any text into any function is refused or answered", "[core]") {
    for (const std::string& text : hostile_texts()) {
        TestSurface surface;
        surface.registry->listen(3);
        const auto table = surface.mount("reg_1");
        const auto contract = surface.intern();
        INFO(text.substr(0, 200));
        (void)surface.registry->mount(contract, text, surface.now);
        (void)surface.registry->update(table, text, surface.now);
        (void)surface.registry->gates(text, surface.now);
        (void)surface.registry->project(text, surface.now);
        (void)surface.registry->snapshot(text, surface.now);
        (void)surface.registry->begin(text, surface.now);
        for (int step = 0; step < 14; ++step)
            surface.advance(surface.begin("setFilters"), static_cast<Step>(step), text);
        const auto reference = refer(surface, "reg_p", "", reference_of(disable(), R"(,"bound":["ids"])"));
        (void)surface.registry->mount(intern_reference(surface, reference_of(disable())), text, surface.now);
        (void)surface.registry->update(reference, text, surface.now);
        surface.registry->known_paths(text);
        (void)surface.registry->resolve_confirmation(text, surface.now);
        for (int step = 0; step < 14; ++step) surface.advance(call(surface), static_cast<Step>(step), text);
        for (int outcome = 0; outcome < 7; ++outcome)
            surface.settle(surface.begin("readState"), static_cast<Outcome>(outcome), text);
        surface.registry->unmount(table, surface.now);
        surface.registry->dispose(surface.now);
        CHECK(surface.registry->version() >= 2);
    }
}

TEST_CASE("any text as an author's payload gives a result that is JSON of the vocabulary", "[core]") {
    for (const std::string& text : hostile_texts()) {
        TestSurface surface;
        surface.mount("reg_1");
        INFO(text.substr(0, 200));
        require_in_vocabulary(surface.advance(run(surface, "setFilters"), Step::precondition, text).result);
        require_in_vocabulary(surface.advance(run(surface, "setFilters"), Step::thrown, text).result);
        require_in_vocabulary(surface.settle(run(surface, "setFilters"), Outcome::thrown_error, text).result);
        require_in_vocabulary(surface.settle(run(surface, "setFilters"), Outcome::thrown_other, text).result);
    }
}

TEST_CASE("a registration, an update or a request that is no object is refused, and nothing is mounted", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    const auto contract = surface.intern();
    for (const char* text : {"[[]]", "[]", "[\"registrationId\",\"reg_2\"]", "7", "null", "\"registrationId\""}) {
        INFO(text);
        CHECK_FALSE(surface.registry->mount(contract, text, surface.now));
        CHECK_FALSE(surface.registry->update(table, text, surface.now));
        CHECK_FALSE(surface.registry->snapshot(text, surface.now));
    }
    CHECK(surface.registry->version() == 1);
}

TEST_CASE("U+0000 is an ordinary character of ids and reasons", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto plan =
        run(surface, "setFilters", R"("invocationId":"a\u0000b","consumer":{"id":"c\u0000d","kind":"test"})");
    CHECK(plan.invocation_id == std::string_view("a\0b", 3));
    const auto answer = surface.advance(plan, Step::unavailable, std::string("x\0y", 3));
    CHECK(detail_of(answer, "reason") == std::string("x\0y", 3));
    run(surface, "setFilters", R"("invocationId":"a","consumer":{"id":"c\u0000d","kind":"test"})");
}

TEST_CASE("handles that were never given are ignored or refused", "[core]") {
    TestSurface surface;
    for (std::uint32_t handle : {0U, 1U, 77U, std::numeric_limits<std::uint32_t>::max()}) {
        CHECK_FALSE(surface.registry->mount(handle, R"({"registrationId":"reg_1"})", surface.now));
        surface.registry->unmount(handle, surface.now);
        CHECK(surface.registry->update(handle, "{}", surface.now));
        CHECK(surface.registry->advance(handle, Step::admit, "", surface.now).kind == Kind::ignored);
        CHECK(surface.registry->settle(handle, Outcome::output, "", surface.now).kind == Kind::ignored);
        CHECK(surface.registry->wire_names(handle) == "{}");
    }
    CHECK(surface.registry->version() == 0);
}

TEST_CASE("a clock that gives no number leaves time where it was", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto plan = run(surface, "setFilters", R"("timeoutMs":100)");
    CHECK(surface.registry->expire(std::numeric_limits<double>::quiet_NaN()) == 100);
    CHECK(surface.registry->expire(-std::numeric_limits<double>::infinity()) == 100);
    CHECK(surface.settle(plan).kind == Kind::done);
}

}  // namespace
