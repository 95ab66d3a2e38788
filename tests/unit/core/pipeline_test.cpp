// The order of the phases, the steps of the author's gates, and what a handler's output must be.
#include "calls.h"

namespace {

using namespace viewcap_test;

TEST_CASE("of several faults of one call the first phase answers", "[core]") {
    TestSurface surface(R"("limits":{"maxInputBytes":64})");
    const std::string bad_input = R"("input":{"status":"nonsense"})";
    CHECK(code_of(surface.begin("setFilters", R"("timeoutMs":0,"registrationId":"x",)" + bad_input)) ==
          "INVALID_INPUT");
    CHECK(code_of(surface.begin("setFilters", R"("registrationId":"x",)" + bad_input)) == "CAPABILITY_NOT_FOUND");
    const auto table = surface.mount("reg_1");
    CHECK(code_of(surface.begin("setFilters", R"("registrationId":"x",)" + bad_input)) == "STALE_CAPABILITY");
    REQUIRE(surface.registry->update(table, R"({"enabled":false})", surface.now));
    CHECK(code_of(surface.begin("setFilters", R"("registrationId":"x",)" + bad_input)) == "STALE_CAPABILITY");
    CHECK(code_of(surface.begin("setFilters", bad_input)) == "CAPABILITY_NOT_AVAILABLE");
    REQUIRE(surface.registry->update(table, R"({"enabled":true})", surface.now));
    require_plan(surface.begin("setFilters", bad_input));
}

TEST_CASE("a conflict answers before resolution", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    run(surface, "setFilters", R"("invocationId":"same")");
    surface.registry->unmount(table, surface.now);
    CHECK(code_of(surface.begin("setFilters", R"("invocationId":"same","registrationId":"reg_9")")) ==
          "INVOCATION_CONFLICT");
    CHECK(code_of(surface.begin("setFilters", R"("invocationId":"same","instanceId":7)")) == "INVALID_INPUT");
}

TEST_CASE("when() answers before the input's verdict, which answers before the precondition", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto closed = surface.begin("setFilters", R"("input":{"status":"nonsense"})");
    require_plan(closed);
    CHECK(closed.input_refused);
    CHECK(closed.admit_later);
    CHECK(code_of(surface.advance(closed, Step::unavailable, "not now")) == "CAPABILITY_NOT_AVAILABLE");
    const auto open = surface.begin("setFilters", R"("input":{"status":"nonsense"})");
    const auto answer = surface.advance(open, Step::input);
    CHECK(code_of(answer) == "INVALID_INPUT");
    CHECK(at(answer.result, {"error", "retry"}) == "with-changes");
    CHECK(detail_of(answer, "issues").find(R"("path":"/status")") != std::string::npos);
    CHECK(answer.result.find("nonsense") == std::string::npos);
}

TEST_CASE("an input that was refused never takes the queue's place, whatever step comes", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto refused = surface.begin("setFilters", R"("input":7)");
    require_plan(refused);
    CHECK_FALSE(run(surface, "setFilters").input_refused);
    CHECK(code_of(surface.advance(refused, Step::admit)) == "INVALID_INPUT");
}

TEST_CASE("a closed when() gives its reason, clipped to 300 code units, or 'unavailable'", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    CHECK(detail_of(surface.advance(run(surface, "setFilters"), Step::unavailable, "nothing is selected"), "reason") ==
          "nothing is selected");
    CHECK(detail_of(surface.advance(run(surface, "setFilters"), Step::unavailable), "reason") == "unavailable");
    const std::string long_reason = std::string(299, 'x') + "😀";
    CHECK(detail_of(surface.advance(run(surface, "setFilters"), Step::unavailable, long_reason), "reason") ==
          std::string(299, 'x'));
}

TEST_CASE("issues of a validation in JavaScript are passed on as they are", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto answer =
        surface.advance(run(surface, "setFilters"), Step::external_issues, R"([{"path":"/a","message":"m"}])");
    CHECK(code_of(answer) == "INVALID_INPUT");
    CHECK(detail_of(answer, "issues") == R"([{"path":"/a","message":"m"}])");
}

TEST_CASE("a failed precondition keeps its message and its details up to 2,048 bytes", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto failed = [&](const std::string& payload) {
        return surface.advance(run(surface, "setFilters"), Step::precondition, payload);
    };
    const auto answer = failed(R"({"message":"Select a row first.","details":{"rows":0}})");
    CHECK(code_of(answer) == "PRECONDITION_FAILED");
    CHECK(at(answer.result, {"error", "message"}) == "Select a row first.");
    CHECK(at(answer.result, {"error", "retry"}) == "with-changes");
    CHECK(at(answer.result, {"error", "details"}) == R"({"rows":0})");
    const std::string most = R"({"x":")" + std::string(2048 - 8, 'x') + "\"}";
    CHECK(at(failed(R"({"message":"m","details":)" + most + "}").result, {"error", "details"}) == most);
    CHECK(at(failed(R"({"message":"m","details":{"x":")" + std::string(2048 - 7, 'x') + "\"}}").result,
             {"error", "details"})
              .empty());
    CHECK(at(failed(R"({"message":")" + std::string(400, 'm') + "\"}").result, {"error", "message"}) ==
          std::string(300, 'm'));
    for (const char* payload : {"", "null", "7", "nonsense", R"({"message":7,"details":[1]})"}) {
        INFO(payload);
        CHECK(code_of(failed(payload)) == "PRECONDITION_FAILED");
    }
}

TEST_CASE("a callback of the author's that throws a plain error is EXECUTION_FAILED without its text", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto answer = surface.advance(run(surface, "setFilters"), Step::thrown);
    CHECK(code_of(answer) == "EXECUTION_FAILED");
    CHECK(detail_of(answer, "reason") == "handler-error");
}

TEST_CASE("an observation takes no input: nothing or an empty object", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    for (const char* fields : {"", R"("input":{})"}) CHECK_FALSE(run(surface, "readState", fields).input_refused);
    for (const char* input : {"null", "[]", "0", "\"\"", "false", R"({"a":1})"}) {
        INFO(input);
        const auto plan = surface.begin("readState", R"("input":)" + std::string(input));
        require_plan(plan);
        CHECK(plan.input_refused);
        CHECK(code_of(surface.advance(plan, Step::input)) == "INVALID_INPUT");
    }
}

TEST_CASE("an action without an input is checked as an empty object", "[core]") {
    TestSurface surface;
    const auto contract = surface.intern(
        R"({"type":"invoices.pending","description":"d","actions":{"pick":{"description":"d","effect":"local-state",
        "input":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}}})");
    surface.mount("reg_1", "default", contract);
    CHECK(surface.begin("pick").input_refused);
    CHECK_FALSE(surface.begin("pick", R"("input":{"id":"x"})").input_refused);
}

TEST_CASE("an action that needs a person's confirmation asks for it after its input, and never runs without",
          "[core]") {
    TestSurface surface;
    const auto contract = surface.intern(
        R"({"type":"invoices.pending","description":"d","actions":{"wipe":{"description":"d","effect":"local-state",
        "confirmation":"required","input":{"type":"object","properties":{},"additionalProperties":false}}}})");
    surface.mount("reg_1", "default", contract);
    const auto wrong = surface.begin("wipe", R"("input":{"a":1})");
    CHECK(code_of(surface.advance(wrong, Step::input)) == "INVALID_INPUT");
    const auto right = surface.begin("wipe");
    CHECK_FALSE(right.input_refused);
    CHECK(right.needs_confirmation);
    CHECK(right.admit_later);
    CHECK(code_of(surface.advance(right, Step::confirm, R"({"input":{},"freshId":"cnf_1"})")) ==
          "CONFIRMATION_REQUIRED");
    const auto skipping = surface.begin("wipe");
    CHECK(code_of(surface.advance(skipping, Step::admit)) == "EXECUTION_FAILED");
}

TEST_CASE("an output is checked against its schema, its size in bytes, and being JSON", "[core]") {
    TestSurface surface(R"("limits":{"maxOutputBytes":40})");
    surface.mount("reg_1");
    const auto settled = [&](Outcome outcome, const std::string& text) {
        return surface.settle(run(surface, "readState"), outcome, text);
    };
    CHECK(settled(Outcome::output, R"({"total":3})").kind == Kind::done);
    for (const char* output : {R"({"total":"3"})", "{}", R"({"total":1,"more":2})", "null", "nonsense", "{\"total\":1",
                               R"({"total":1,"total":2})"}) {
        INFO(output);
        const auto answer = settled(Outcome::output, output);
        CHECK(code_of(answer) == "EXECUTION_FAILED");
        CHECK(detail_of(answer, "reason") == "output-invalid");
    }
    CHECK(detail_of(settled(Outcome::not_json, ""), "reason") == "output-invalid");
    CHECK(detail_of(settled(Outcome::output, R"({"total":1,"x":")" + std::string(40, 'x') + "\"}"), "reason") ==
          "output-too-large");
}

TEST_CASE("an output at its largest passes and one byte more is too large, never cut", "[core]") {
    TestSurface surface(R"("limits":{"maxOutputBytes":20})");
    surface.mount("reg_1");
    CHECK(surface.settle(run(surface, "setFilters"), Outcome::output, "\"" + std::string(18, 'x') + "\"").kind ==
          Kind::done);
    CHECK(surface.settle(run(surface, "setFilters"), Outcome::output, "\"ééééééééé\"").kind == Kind::done);
    const auto answer = surface.settle(run(surface, "setFilters"), Outcome::output, "\"" + std::string(19, 'x') + "\"");
    CHECK(detail_of(answer, "reason") == "output-too-large");
    CHECK(answer.result.find("xxx") == std::string::npos);
}

TEST_CASE("no output is a success, with or without a schema, and is no member of the result", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    CHECK(surface.settle(run(surface, "readState")).kind == Kind::done);
    CHECK(surface.settle(run(surface, "setFilters", R"("invocationId":"mine")")).kind == Kind::done);
    CHECK(
        surface.begin("setFilters", R"("invocationId":"mine")").result ==
        R"({"status":"ok","invocationId":"mine","capabilityId":"view:invoices.pending.setFilters","surfaceVersion":"1"})");
}

TEST_CASE("a result says the version at settlement and that it moved since the call began", "[core]") {
    TestSurface surface;
    const auto table = surface.mount("reg_1");
    const auto still = surface.settle(run(surface, "setFilters"));
    CHECK(still.surface_version == 1);
    CHECK_FALSE(still.surface_changed);
    const auto plan = run(surface, "setFilters", R"("invocationId":"mine")");
    REQUIRE(surface.registry->update(table, R"({"invalidate":true})", surface.now));
    const auto moved = surface.settle(plan, Outcome::output, "1");
    CHECK(moved.surface_version == 2);
    CHECK(moved.surface_changed);
    const std::string replayed = surface.begin("setFilters", R"("invocationId":"mine")").result;
    CHECK(at(replayed, {"surfaceVersion"}) == "2");
    CHECK(at(replayed, {"surfaceChanged"}) == "true");
    CHECK(at(replayed, {"output"}) == "1");
    const auto failing = run(surface, "setFilters");
    REQUIRE(surface.registry->update(table, R"({"invalidate":true})", surface.now));
    const auto failed = surface.settle(failing, Outcome::thrown_other);
    CHECK(at(failed.result, {"surfaceVersion"}) == "3");
    CHECK(at(failed.result, {"surfaceChanged"}) == "true");
}

TEST_CASE("a settled call answers no step and no outcome again", "[core]") {
    TestSurface surface;
    surface.mount("reg_1");
    const auto plan = run(surface, "setFilters");
    REQUIRE(surface.settle(plan).kind == Kind::done);
    for (int step = 0; step < 8; ++step) CHECK(surface.advance(plan, static_cast<Step>(step)).kind == Kind::ignored);
    for (int outcome = 0; outcome < 7; ++outcome)
        CHECK(surface.settle(plan, static_cast<Outcome>(outcome)).kind == Kind::ignored);
    CHECK(surface.registry->settle(4000000000U, Outcome::no_output, "", surface.now).kind == Kind::ignored);
    CHECK(surface.registry->advance(0, Step::admit, "", surface.now).kind == Kind::ignored);
}

}  // namespace
