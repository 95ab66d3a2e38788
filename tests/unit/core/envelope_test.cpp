// The envelope of a call, field by field, and which requests are the same.
#include "invocation/envelope.h"

#include <string>

#include "surface.h"

namespace {

using namespace viewcap_test;

constexpr const char* kCapability = "view:invoices.pending.setFilters";

/// An envelope and what it points into.
struct Reading {
    std::string text;
    host_protocol::JsonReader reader;
    viewcap::Envelope envelope;
};

std::unique_ptr<Reading> read(const std::string& text, const host_protocol::Limits& limits = {}) {
    auto reading = std::make_unique<Reading>();
    reading->text = text;
    reading->envelope = viewcap::read_envelope(reading->reader, reading->text, limits);
    return reading;
}

std::string with_fields(const std::string& fields) {
    return R"({"freshId":"inv_fresh","capabilityId":")" + std::string(kCapability) + "\"" +
           (fields.empty() ? "" : "," + fields) + "}";
}

std::string request_of(const std::string& fields) { return viewcap::request_text(read(with_fields(fields))->envelope); }

bool same(const std::string& fields, const std::string& other) {
    return viewcap::same_request(request_of(fields), request_of(other));
}

TEST_CASE("a string field of the envelope that is no string of at most 128 code units is INVALID_INPUT at its path",
          "[core]") {
    for (const char* name : {"invocationId", "instanceId", "registrationId", "surfaceVersion", "confirmationId"})
        for (const std::string& value : {std::string("7"), std::string("null"), std::string("true"), std::string("[]"),
                                         std::string("{}"), "\"" + std::string(129, 'x') + "\""}) {
            TestSurface surface;
            surface.mount("reg_1");
            INFO(name << ": " << value);
            const auto answer = surface.begin("setFilters", "\"" + std::string(name) + "\":" + value);
            CHECK(code_of(answer) == "INVALID_INPUT");
            CHECK(detail_of(answer, "issues").find("\"path\":\"/" + std::string(name) + "\"") != std::string::npos);
        }
}

TEST_CASE("the bound of 128 is counted in UTF-16 code units", "[core]") {
    const auto units = [](int pairs, int letters) {
        std::string text;
        for (int i = 0; i < pairs; ++i) text += "😀";
        return text + std::string(static_cast<std::size_t>(letters), 'x');
    };
    for (const char* name : {"invocationId", "instanceId", "registrationId", "surfaceVersion", "confirmationId"}) {
        INFO(name);
        const std::string open = "\"" + std::string(name) + "\":\"";
        CHECK(read(with_fields(open + units(64, 0) + "\""))->envelope.issues.empty());
        CHECK(read(with_fields(open + units(63, 2) + "\""))->envelope.issues.empty());
        CHECK(read(with_fields(open + units(64, 1) + "\""))->envelope.issues.size() == 1);
    }
    CHECK(read(with_fields(R"("consumer":{"id":")" + units(64, 0) + R"(","kind":"test"})"))->envelope.issues.empty());
    CHECK(read(with_fields(R"("consumer":{"id":")" + units(64, 1) + R"(","kind":"test"})"))->envelope.issues.size() ==
          1);
}

TEST_CASE("several malformed fields are all reported", "[core]") {
    const auto reading =
        read(with_fields(R"("instanceId":1,"registrationId":2,"timeoutMs":"x","malformed":["surfaceVersion"])"));
    REQUIRE(reading->envelope.issues.size() == 4);
    CHECK(reading->envelope.issues[3].path.find("surfaceVersion") != std::string::npos);
}

TEST_CASE("a call without an invocation id takes the fresh one, and one with an id keeps it", "[core]") {
    CHECK(read(with_fields(""))->envelope.invocation_id == "inv_fresh");
    CHECK(read(with_fields(R"("invocationId":"mine")"))->envelope.invocation_id == "mine");
}

TEST_CASE("a consumer is anonymous and embedded by default and its key is kind and id", "[core]") {
    CHECK(read(with_fields(""))->envelope.consumer_key == "embedded:anonymous");
    CHECK(read(with_fields(R"("consumer":{"id":"a:b","kind":"mcp-bridge"})"))->envelope.consumer_key ==
          "mcp-bridge:a:b");
    CHECK(read(with_fields(R"("consumer":{"id":"a"})"))->envelope.consumer_key == "embedded:a");
    CHECK(read(with_fields(R"("consumer":{"id":"a:b","kind":"mcp-bridge"})"))->envelope.consumer_id == "a:b");
}

TEST_CASE("a consumer of an unknown kind is refused", "[core]") {
    for (const char* kind : {"robot", "", "Embedded", "embedded ", "test\\u0000"}) {
        INFO(kind);
        const auto reading = read(with_fields(R"("consumer":{"id":"a","kind":")" + std::string(kind) + "\"}"));
        REQUIRE(reading->envelope.issues.size() == 1);
        CHECK(reading->envelope.issues[0].path == "/consumer/kind");
    }
    for (const char* kind : {"embedded", "webmcp", "mcp-bridge", "test", "other"})
        CHECK(
            read(with_fields(R"("consumer":{"id":"a","kind":")" + std::string(kind) + "\"}"))->envelope.issues.empty());
}

TEST_CASE("a call's timeout is a whole number of milliseconds from 1 to what a timer can hold", "[core]") {
    CHECK(read(with_fields(R"("timeoutMs":1)"))->envelope.timeout_ms == 1);
    CHECK(read(with_fields(R"("timeoutMs":2147483647)"))->envelope.timeout_ms == 2147483647);
    for (const char* value : {"0", "-1", "0.5", "2147483648", "1e300", "-1e300", "null", "\"5\"", "[]", "true"}) {
        INFO(value);
        const auto reading = read(with_fields(R"("timeoutMs":)" + std::string(value)));
        REQUIRE(reading->envelope.issues.size() == 1);
        CHECK(reading->envelope.issues[0].path == "/timeoutMs");
    }
}

TEST_CASE("an input over its size in UTF-8 bytes is marked", "[core]") {
    host_protocol::Limits limits;
    limits.max_input_bytes = 16;
    CHECK_FALSE(read(with_fields("\"input\":\"" + std::string(14, 'x') + "\""), limits)->envelope.input_problem);
    CHECK(read(with_fields("\"input\":\"" + std::string(15, 'x') + "\""), limits)->envelope.input_problem);
    CHECK_FALSE(read(with_fields("\"input\":\"ééééééé\""), limits)->envelope.input_problem);
    CHECK(read(with_fields("\"input\":\"éééééééé\""), limits)->envelope.input_problem);
}

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST_CASE("an input over its depth is marked and the fields around it are still read", "[core]") {
    CHECK_FALSE(read(with_fields("\"input\":" + nested(32)))->envelope.input_problem);
    for (std::size_t levels : {std::size_t{33}, std::size_t{1000}, std::size_t{20000}}) {
        const auto reading = read(with_fields("\"input\":" + nested(levels) + R"(,"instanceId":"left","timeoutMs":5)"));
        INFO(levels);
        CHECK(reading->envelope.input_problem);
        CHECK(reading->envelope.capability_id == kCapability);
        CHECK(reading->envelope.instance_id == "left");
        CHECK(reading->envelope.timeout_ms == 5);
        CHECK(reading->envelope.issues.empty());
    }
}

TEST_CASE("what JavaScript found to be no JSON value is marked with its path", "[core]") {
    const auto reading = read(with_fields(R"("inputProblem":{"path":"/a","message":"is a Date"})"));
    REQUIRE(reading->envelope.input_problem);
    CHECK(reading->envelope.input_problem->path == "/a");
    CHECK(reading->envelope.input_problem->message == "is a Date");
    CHECK(read(with_fields(R"("inputProblem":7)"))->envelope.input_problem);
}

TEST_CASE("a marked input is never joined or cached and is answered after availability", "[core]") {
    TestSurface surface(R"("limits":{"maxInputBytes":40})");
    const auto table = surface.mount("reg_1");
    const std::string big = R"("invocationId":"same","input":{"status":")" + std::string(60, 'x') + "\"}";
    const auto first = surface.begin("setFilters", big);
    const auto second = surface.begin("setFilters", big);
    require_plan(first);
    require_plan(second);
    CHECK(first.input_refused);
    CHECK(code_of(surface.advance(first, viewcap::AdvanceStep::input)) == "INVALID_INPUT");
    CHECK(code_of(surface.advance(second, viewcap::AdvanceStep::input)) == "INVALID_INPUT");
    require_plan(surface.begin("setFilters", R"("invocationId":"same","input":{})"));
    REQUIRE(surface.registry->update(table, R"({"enabled":false})", surface.now));
    CHECK(code_of(surface.begin("setFilters", big)) == "CAPABILITY_NOT_AVAILABLE");
}

TEST_CASE("the order of keys, -0 and the spelling of numbers and strings do not make another request", "[core]") {
    CHECK(same(R"("input":{"a":1,"b":[2,{"c":3,"d":4}]})", R"("input":{"b":[2,{"d":4,"c":3}],"a":1.0})"));
    CHECK(same(R"("input":-0)", R"("input":0)"));
    CHECK(same(R"("input":{"n":-0.0})", R"("input":{"n":0e5})"));
    CHECK(same(R"("input":100)", R"("input": 1e2 )"));
    CHECK(same(R"("input":"\u0041\/")", R"("input":"A/")"));
    const std::string long_text(400, 'x');
    CHECK(same(R"("input":{"a":")" + long_text + R"(","b":1})", R"("input":{"b":1,"a":")" + long_text + R"("})"));
}

TEST_CASE("every field of the request makes another request, and a value never passes for another field's", "[core]") {
    const std::string requests[] = {"",
                                    R"("registrationId":"x")",
                                    R"("instanceId":"x")",
                                    R"("surfaceVersion":"x")",
                                    R"("confirmationId":"x")",
                                    R"("input":"x")",
                                    R"("input":{})",
                                    R"("input":null)",
                                    R"("input":[])",
                                    R"("input":0)",
                                    R"("input":"0")",
                                    R"("input":false)",
                                    R"("input":{"a":null})",
                                    R"("input":[1,2])",
                                    R"("input":[2,1])",
                                    R"("registrationId":"x","instanceId":"x")",
                                    R"("registrationId":"x\",\"")",
                                    R"("registrationId":"x","input":"x")",
                                    R"("input":")" + std::string(300, 'x') + "\"",
                                    R"("input":")" + std::string(301, 'x') + "\"",
                                    R"("instanceId":"y","input":")" + std::string(300, 'x') + "\""};
    for (const std::string& one : requests)
        for (const std::string& other : requests) {
            INFO(one << " and " << other);
            CHECK(same(one, other) == (&one == &other));
        }
    const auto of_capability = [](const char* text) { return viewcap::request_text(read(text)->envelope); };
    CHECK_FALSE(viewcap::same_request(of_capability(R"({"capabilityId":"view:a.b"})"),
                                      of_capability(R"({"capabilityId":"view:a.c"})")));
}

TEST_CASE("what identifies the caller and bounds the wait is no part of the request", "[core]") {
    CHECK(same(R"("invocationId":"a")", ""));
    CHECK(same(R"("timeoutMs":5)", ""));
    CHECK(same(R"("consumer":{"id":"a","kind":"test"})", ""));
    CHECK(same(R"("running":[1,2])", ""));
}

TEST_CASE("an envelope that is no readable object is INVALID_INPUT with no further word", "[core]") {
    for (const std::string& text :
         {std::string(), std::string("nonsense"), std::string("[]"), std::string("7"), std::string("{\"a\":1,\"a\":2}"),
          std::string("{\"a\":1e400}"), std::string("\xff\xfe"), std::string(1, '\0')}) {
        TestSurface surface;
        CHECK(code_of(surface.registry->begin(text, surface.now)) == "INVALID_INPUT");
    }
}

}  // namespace
