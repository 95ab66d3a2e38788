// Every error that the core makes against the rows of the vocabulary, and what an author's error may carry.
#include "invocation/failure.h"

#include "calls.h"
#include "invocation/result_text.h"

namespace {

using namespace viewcap_test;
namespace failures = viewcap::failures;

using failures::Thrower;

viewcap::Failure thrown(const std::string& payload, Thrower thrower = Thrower::handler) {
    const auto read = document(payload);
    return failures::thrown(read.root(), thrower);
}

/// As a result would carry it.
std::string result_of(const viewcap::Failure& failure) {
    return viewcap::error_result({"inv", "view:a.b", 1, false}, failure);
}

TEST_CASE("every error the core makes has a retry hint and detail keys of its code's row", "[core]") {
    const std::vector<viewcap::Failure> all = {failures::not_found(),
                                               failures::not_available(""),
                                               failures::not_available(std::string(1000, 'x')),
                                               failures::ambiguous("[]", 2),
                                               failures::unmounted("resolve"),
                                               failures::stale("surface-reloaded", "reg_1"),
                                               failures::conflict(),
                                               failures::invalid_input({{"/a", "m"}}),
                                               failures::invalid_input_json("[]"),
                                               failures::policy_error(),
                                               failures::not_authorized(),
                                               failures::locked_fields(R"(["id"])"),
                                               failures::binding_failed(),
                                               failures::binding_changed(),
                                               failures::confirmation_required("cnf_1", "Delete it?", 5, "destructive"),
                                               failures::confirmation_invalid("denied"),
                                               failures::confirmation_invalid("expired"),
                                               failures::precondition({}),
                                               failures::own_queue(),
                                               failures::queue_full(),
                                               failures::timeout(1, true),
                                               failures::timeout(4294967295U, false),
                                               failures::cancelled(true),
                                               failures::cancelled(false),
                                               failures::output_invalid(),
                                               failures::output_too_large(2, 1),
                                               failures::handler_error(true),
                                               failures::handler_error(false),
                                               failures::handler_error(true, true),
                                               failures::handler_error(false, true),
                                               failures::internal(),
                                               failures::thrown({}, Thrower::policy),
                                               failures::thrown({}, Thrower::handler),
                                               failures::thrown({}, Thrower::executor)};
    for (const viewcap::Failure& failure : all) require_in_vocabulary(result_of(failure));
}

TEST_CASE("an author's error may carry the codes of its place and every other one is that place's failure", "[core]") {
    const std::string everywhere =
        " NOT_AUTHENTICATED NOT_AUTHORIZED RATE_LIMITED CAPABILITY_NOT_AVAILABLE PRECONDITION_FAILED ";
    const struct {
        Thrower thrower;
        std::string more;
        std::string otherwise;
    } places[] = {
        {Thrower::policy, "CAPABILITY_NOT_FOUND ", R"({"reason":"policy-error"})"},
        {Thrower::handler, "EXECUTION_FAILED ", R"({"reason":"handler-error"})"},
        {Thrower::executor, "EXECUTION_FAILED INVALID_INPUT CONFIRMATION_REQUIRED ", R"({"reason":"transport"})"}};
    for (const auto& place : places)
        for (const auto& row : host_protocol::kErrorRows) {
            const std::string code(row.code);
            const auto failure = thrown(R"({"code":")" + code + R"(","message":"mine"})", place.thrower);
            INFO(code << " where others are " << place.otherwise);
            require_in_vocabulary(result_of(failure));
            const bool kept = (everywhere + place.more).find(" " + code + " ") != std::string::npos;
            CHECK(failure.code == (kept ? code : "EXECUTION_FAILED"));
            CHECK((failure.message == "mine") == kept);
            if (!kept) CHECK(failure.details == place.otherwise);
        }
    for (const char* payload : {"7", "null", "[]", "{}", R"({"code":7})", R"({"code":"nonsense","message":"mine"})",
                                R"({"code":"timeout"})"}) {
        INFO(payload);
        CHECK(thrown(payload).details == R"({"reason":"handler-error"})");
    }
}

TEST_CASE("an author's retry hint is kept only where the code's row allows it", "[core]") {
    for (const auto& row : host_protocol::kErrorRows)
        for (std::string_view hint : host_protocol::kRetryHints) {
            const viewcap::Failure failure = thrown(R"({"code":")" + std::string(row.code) +
                                                    R"(","message":"m","retry":")" + std::string(hint) + "\"}");
            INFO(row.code << " " << hint);
            const auto* kept = host_protocol::find_error_row(failure.code);
            REQUIRE(kept != nullptr);
            CHECK(host_protocol::allows_retry(*kept, failure.retry));
            if (kept->code == "PRECONDITION_FAILED" && host_protocol::allows_retry(*kept, hint))
                CHECK(failure.retry == hint);
        }
}

TEST_CASE("an author's details are cut to the keys of the code's row and dropped beyond 2,048 bytes", "[core]") {
    const auto limited = [](const std::string& details) {
        return thrown(R"({"code":"RATE_LIMITED","message":"m","details":)" + details + "}").details;
    };
    CHECK(limited(R"({"reason":"rate","retryAfterMs":5,"stack":"at x.js"})") ==
          R"({"reason":"rate","retryAfterMs":5})");
    CHECK(limited(R"({"stack":"at x.js","reason retryAfterMs":1,"":1,"reas":1})").empty());
    CHECK(limited(R"({"reason":")" + std::string(2048, 'x') + "\"}").empty());
    CHECK(limited("[1]").empty());
    CHECK(limited("7").empty());
    const viewcap::Failure own = thrown(R"({"code":"PRECONDITION_FAILED","message":"m","details":{"any":[1]}})");
    CHECK(own.details == R"({"any":[1]})");
    CHECK(thrown(R"({"code":"NOT_AUTHENTICATED","message":"m","details":{"user":"x"}})").details.empty());
}

TEST_CASE("an executor's error speaks for the server, whatever origin it claims", "[core]") {
    for (const std::string code : {"NOT_AUTHORIZED", "CONFIRMATION_REQUIRED"})
        for (const std::string details : {"{}", R"({"origin":"client"})"}) {
            const auto failure =
                thrown(R"({"code":")" + code + R"(","message":"m","details":)" + details + "}", Thrower::executor);
            CHECK(failure.details == R"({"origin":"server"})");
        }
    CHECK(thrown(R"({"code":"NOT_AUTHORIZED","message":"m"})", Thrower::policy).details == R"({"origin":"client"})");
}

TEST_CASE("an author's EXECUTION_FAILED is transient when its details or its retry hint say so, and keeps its message",
          "[core]") {
    CHECK(thrown(R"({"code":"EXECUTION_FAILED","message":"m","retry":"after-delay"})").retry == "after-delay");
    const viewcap::Failure plain = thrown(R"({"code":"EXECUTION_FAILED","message":"Broken.","retry":"yes"})");
    CHECK(plain.message == "Broken.");
    CHECK(viewcap::is_cacheable(plain));
    const viewcap::Failure transient =
        thrown(R"({"code":"EXECUTION_FAILED","message":"Later.","details":{"transient":true}})");
    CHECK(transient.retry == "after-delay");
    CHECK_FALSE(viewcap::is_cacheable(transient));
}

TEST_CASE("an author's message is clipped to 300 code units without splitting a pair", "[core]") {
    const viewcap::Failure failure = thrown(R"({"code":"NOT_AUTHORIZED","message":")" + std::string(299, 'x') + "😀\"}");
    CHECK(at(result_of(failure), {"error", "message"}) == std::string(299, 'x'));
}

TEST_CASE("which errors are kept for an id is what the rows say, a transient failure excepted", "[core]") {
    for (const auto& row : host_protocol::kErrorRows) {
        viewcap::Failure failure;
        failure.code = row.code;
        failure.retry = "no";
        CHECK(viewcap::is_cacheable(failure) == row.cacheable);
    }
    CHECK_FALSE(viewcap::is_cacheable(failures::handler_error(true)));
    viewcap::Failure unknown;
    unknown.code = "SOMETHING";
    CHECK_FALSE(viewcap::is_cacheable(unknown));
}

TEST_CASE("at most 20 issues are answered", "[core]") {
    std::vector<host_protocol::Issue> issues(50, {"/a", "m"});
    const auto read = document(result_of(failures::invalid_input(issues)));
    CHECK(read.root().find("error").find("details").find("issues").size() == 20);
}

}  // namespace
