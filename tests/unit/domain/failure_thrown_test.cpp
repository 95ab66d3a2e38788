// What a procedure's throw becomes (§6.3), row by row; and the issues of an input.
#include "domain/failure.h"
#include "walk_text.h"

namespace {

using namespace domain_test;
using domain::Failure;
using domain::failure_of;
using domain::failure_text;

Failure thrown(const std::string& facts) {
    // The text is gone before the failure is looked at: only static texts may be viewed.
    const auto document = json(facts);
    return domain::thrown_failure(document.root());
}
std::string plain_text() { return failure_text(failure_of("EXECUTION_FAILED")); }

TEST_CASE("a capability error of the three codes that a handler may throw stays itself", "[domain]") {
    for (const std::string code : {"EXECUTION_FAILED", "FORBIDDEN", "UNAUTHENTICATED"})
        for (const bool retryable : {false, true})
            for (const bool exposed : {false, true}) {
                const Failure failure =
                    thrown(R"({"kind":"capability","code":")" + code + R"(","publicMessage":"Mine.","retryable":)" +
                           (retryable ? "true" : "false") + R"(,"exposeToModel":)" + (exposed ? "true" : "false") +
                           R"(,"details":{"a":1}})");
                INFO(code << retryable << exposed);
                CHECK(failure.code == code);
                CHECK(failure.stage == failure_of(code).stage);
                CHECK(failure.message == "Mine.");
                CHECK(failure.retryable == retryable);
                CHECK(failure.exposed == exposed);
                CHECK(failure.details == R"({"a":1})");
                CHECK(failure.is_own);
            }
}

TEST_CASE("a capability error of any other code is a concealed execution failure and nothing of it stays", "[domain]") {
    std::vector<std::string> codes = {"", "MADE_UP", "forbidden", "FORBIDDEN "};
    for (const auto& row : domain::kErrorRows)
        if (row.code != "EXECUTION_FAILED" && row.code != "FORBIDDEN" && row.code != "UNAUTHENTICATED")
            codes.emplace_back(row.code);
    CHECK(codes.size() == 4 + 22 - 3);
    for (const std::string& code : codes) {
        INFO(code);
        CHECK(failure_text(thrown(R"({"kind":"capability","code":")" + code +
                                  R"(","publicMessage":"No such capability.","retryable":true,"exposeToModel":true,)"
                                  R"("details":{"issues":[]}})")) == plain_text());
    }
}

TEST_CASE("a code that is no text is no code of a capability error", "[domain]") {
    for (const std::string code : {"null", "7", R"(["FORBIDDEN"])", R"({"$is":"symbol"})", R"({"a":"FORBIDDEN"})"})
        CHECK(failure_text(thrown(R"({"kind":"capability","exposeToModel":true,"code":)" + code + "}")) ==
              plain_text());
    CHECK(failure_text(thrown(R"({"kind":"capability","exposeToModel":true})")) == plain_text());
}

TEST_CASE("fields of a capability error that are of another type have the code's defaults", "[domain]") {
    for (const std::string odd : {"null", "1", R"({"$is":"function"})", "[]", "{}"}) {
        const Failure failure = thrown(R"({"kind":"capability","code":"FORBIDDEN","publicMessage":)" + odd +
                                       R"(,"retryable":)" + odd + R"(,"exposeToModel":)" + odd + "}");
        INFO(odd);
        CHECK(failure.message == "This operation is not allowed.");
        CHECK_FALSE(failure.retryable);
        CHECK(failure.exposed);
    }
    CHECK_FALSE(thrown(R"({"kind":"capability","code":"FORBIDDEN","retryable":"true"})").retryable);
    CHECK_FALSE(thrown(R"({"kind":"capability","code":"EXECUTION_FAILED","exposeToModel":"yes"})").exposed);
}

TEST_CASE("details that are no object are none, and no details of an own error ever leave", "[domain]") {
    for (const std::string odd : {"null", "1", "\"secret\"", "[1]", R"({"$is":"function"})", R"({"$is":"deep"})"}) {
        INFO(odd);
        CHECK(thrown(R"({"kind":"capability","code":"FORBIDDEN","details":)" + odd + "}").details.empty());
    }
    std::string deep = "1";
    for (int level = 0; level < 100; ++level) deep = R"({"issues":)" + deep + "}";
    const Failure failure = thrown(R"({"kind":"capability","code":"FORBIDDEN","details":)" + deep + "}");
    CHECK(failure.details == deep);
    CHECK(domain::outward_text(failure) ==
          R"({"code":"FORBIDDEN","message":"This operation is not allowed.","retryable":false})");
}

TEST_CASE("an input refused inside the call is an invalid input with its issues", "[domain]") {
    CHECK(failure_text(thrown(R"({"kind":"input","issues":[{"path":["a"],"message":"m","value":"secret"}]})")) ==
          R"({"code":"INPUT_INVALID","stage":"input-validation","publicMessage":"The input did not pass validation.",)"
          R"("retryable":false,"exposeToModel":true,"details":{"issues":[{"path":["a"],"message":"m"}]}})");
}

TEST_CASE("an output refused inside the call is an invalid output and says nothing of it", "[domain]") {
    CHECK(failure_text(thrown(R"({"kind":"output","issues":[{"path":["a"],"message":"m"}]})")) ==
          failure_text(failure_of("OUTPUT_INVALID")));
}

TEST_CASE("a structured error of two codes is a refusal that keeps a message which is not empty", "[domain]") {
    for (const auto& [code, becomes] : {std::pair("UNAUTHORIZED", "UNAUTHENTICATED"), {"FORBIDDEN", "FORBIDDEN"}})
        for (const char* defined : {"", R"(,"defined":true)", R"(,"defined":false)"}) {
            const std::string head = std::string(R"({"kind":"rpc","retryable":true,"code":")") + code + '"' + defined;
            Failure expected = failure_of(becomes);
            for (const char* message : {"", R"(,"message":"")", R"(,"message":null)", R"(,"message":{"$is":"symbol"})",
                                        R"(,"message":["m"])"})
                CHECK(failure_text(thrown(head + message + "}")) == failure_text(expected));
            expected.message = "Another tenant's.";
            CHECK(failure_text(thrown(head + R"(,"message":"Another tenant's."})")) == failure_text(expected));
            expected.message = " ";
            CHECK(failure_text(thrown(head + R"(,"message":" "})")) == failure_text(expected));
        }
}

TEST_CASE("a declared or any other structured error is an exposed execution failure with its message", "[domain]") {
    for (const std::string code : {R"(,"code":"NOT_FOUND")", R"(,"code":"TIMEOUT")", R"(,"code":"unauthorized")", "",
                                   R"(,"code":403)", R"(,"code":["FORBIDDEN"])"})
        for (const char* defined : {"", R"(,"defined":true)", R"(,"defined":false)"}) {
            Failure expected = failure_of("EXECUTION_FAILED");
            expected.exposed = true;
            const std::string head = R"({"kind":"rpc","retryable":true,"details":{"a":1})" + code + defined;
            CHECK(failure_text(thrown(head + "}")) == failure_text(expected));
            expected.message = "Period is closed.";
            CHECK(failure_text(thrown(head + R"(,"message":"Period is closed."})")) == failure_text(expected));
        }
}

TEST_CASE("anything else that was thrown is a concealed execution failure with the generic message", "[domain]") {
    for (const std::string facts :
         {R"({"kind":"other","message":"secret","code":"FORBIDDEN","exposeToModel":true})", "{}", "null", "[]", "1",
          R"("other")", R"({"kind":"Capability","code":"FORBIDDEN"})", R"({"kind":7})", R"({"$is":"function"})",
          R"({"kind":{"$is":"symbol"}})", R"({"kind":["rpc"],"message":"secret"})"}) {
        INFO(facts);
        CHECK(failure_text(thrown(facts)) == plain_text());
    }
    CHECK(failure_text(domain::thrown_failure({})) == plain_text());
}

std::string issues(const std::string& facts) { return domain::invalid_input(json(facts).root()).details; }

TEST_CASE("issues are rebuilt: a path of texts and a message, whatever was given", "[domain]") {
    CHECK(issues("[]") == R"({"issues":[]})");
    for (const char* none : {"null", "{}", "7", R"("issues")", R"({"$is":"function"})"})
        CHECK(issues(none) == R"({"issues":[]})");
    CHECK(domain::invalid_input({}).details == R"({"issues":[]})");
    CHECK(issues(R"([{"path":["a",0,1.5,null,{"key":"k"},["x"],{"$is":"symbol"},"b"],"message":"m"}])") ==
          R"({"issues":[{"path":["a","0","1.5","b"],"message":"m"}]})");
    CHECK(issues(R"([{"message":"m"},{"path":"a","message":"n"},{"path":{"0":"a"},"message":"o"}])") ==
          R"({"issues":[{"path":[],"message":"m"},{"path":[],"message":"n"},{"path":[],"message":"o"}]})");
    CHECK(issues(R"([{"path":["a"]},{"path":["b"],"message":7}])") ==
          R"({"issues":[{"path":["a"],"message":"This value is not valid."},)"
          R"({"path":["b"],"message":"This value is not valid."}]})");
    CHECK(issues(R"([null,"m",7,["m"],{"$is":"unreadable"},{"path":[],"message":"m"}])") ==
          R"({"issues":[{"path":[],"message":"m"}]})");
}

TEST_CASE("no more than the first 100 issues are kept", "[domain]") {
    for (const std::uint32_t count : {99u, 100u, 101u, 1000u}) {
        std::string facts = "[null";
        for (std::uint32_t at = 0; at < count; ++at)
            facts += R"(,{"path":[)" + std::to_string(at) + R"(],"message":"m"})";
        const auto kept = json(issues(facts + "]"));
        const auto list = kept.root().find("issues");
        const std::uint32_t expected = count < 100 ? count : 100;
        REQUIRE(list.size() == expected);
        std::uint32_t at = 0;
        for (auto issue : list.elements()) CHECK(issue.find("path").raw() == "[\"" + std::to_string(at++) + "\"]");
    }
}

}  // namespace
