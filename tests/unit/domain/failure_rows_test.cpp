// Codes with their defaults, and the two shapes in which an error may leave.
#include "domain/failure.h"
#include "walk_text.h"

namespace {

using namespace domain_test;
using domain::Failure;
using domain::failure_of;

struct Row {
    std::string code, stage;
    bool retryable, exposed;
    std::string message;
};
const std::string kGeneric = "The operation failed.";
// The table of the specification, written down once more.
const std::vector<Row> kTable = {
    {"CAPABILITY_NOT_FOUND", "discovery", false, true, "No such capability."},
    {"INPUT_INVALID", "input-validation", false, true, "The input did not pass validation."},
    {"UNAUTHENTICATED", "authentication", false, true, "A valid identity is needed."},
    {"FORBIDDEN", "authorization", false, true, "This operation is not allowed."},
    {"POLICY_DENIED", "policy", false, true, "A policy refused this operation."},
    {"POLICY_FAILED", "policy", false, false, kGeneric},
    {"APPROVAL_REQUIRED", "approval", false, true, "This operation needs an approval."},
    {"APPROVAL_PENDING", "approval", true, true, "No approval decision yet."},
    {"APPROVAL_REJECTED", "approval", false, true, "The approval request was turned down."},
    {"APPROVAL_EXPIRED", "approval", false, true, "The approval lapsed; ask again."},
    {"APPROVAL_CONSUMED", "approval", false, true, "That approval was already spent."},
    {"APPROVAL_INPUT_MISMATCH", "approval", false, false, kGeneric},
    {"APPROVAL_SELF_APPROVAL", "approval", false, true, "Requester and approver must be different."},
    {"APPROVAL_UNSERIALIZABLE_INPUT", "approval", false, false, kGeneric},
    {"APPROVAL_RESUME_MISMATCH", "approval", false, false, kGeneric},
    {"EXECUTION_FAILED", "execution", false, false, kGeneric},
    {"OUTPUT_INVALID", "output-validation", false, false, kGeneric},
    {"TIMEOUT", "timeout", true, true, "The time limit was reached."},
    {"CANCELLED", "cancellation", false, true, "The caller stopped the operation."},
    {"AUDIT_UNAVAILABLE", "execution", true, false, kGeneric},
    {"ADAPTER_ERROR", "adapter", false, false, kGeneric},
    {"INTERNAL_ERROR", "execution", false, false, kGeneric}};

const std::string kConcealed = R"({"code":"INTERNAL_ERROR","message":"The operation failed.","retryable":false})";

void check_is_row(const Failure& failure, const Row& row) {
    INFO(row.code);
    CHECK(failure.code == row.code);
    CHECK(failure.stage == row.stage);
    CHECK(failure.retryable == row.retryable);
    CHECK(failure.exposed == row.exposed);
    CHECK(failure.message == row.message);
    CHECK(failure.details.empty());
    CHECK_FALSE(failure.is_own);
}

TEST_CASE("each of the 22 codes brings its stage, retry hint, exposure and safe message", "[domain]") {
    CHECK(kTable.size() == domain::kErrorRows.size());
    for (const Row& row : kTable) check_is_row(failure_of(row.code), row);
}

TEST_CASE("a code that is none has the defaults of an internal error", "[domain]") {
    for (const char* code : {"", "NOPE", "internal_error", "TIMEOUT ", "policy-denied"})
        check_is_row(failure_of(code), kTable.back());
}

TEST_CASE("a stage given with a code replaces the code's own and nothing else", "[domain]") {
    Row row = kTable.back();
    row.stage = "approval";
    check_is_row(failure_of("INTERNAL_ERROR", "approval"), row);
}

TEST_CASE("the text of a failure for the glue has every field, details and own only where there are any", "[domain]") {
    Failure failure = failure_of("FORBIDDEN");
    CHECK(domain::failure_text(failure) ==
          R"({"code":"FORBIDDEN","stage":"authorization","publicMessage":"This operation is not allowed.",)"
          R"("retryable":false,"exposeToModel":true})");
    failure.message = "a \"quoted\"\nline";
    failure.retryable = true;
    failure.exposed = false;
    failure.details = R"({"a":[1]})";
    failure.is_own = true;
    CHECK(domain::failure_text(failure) ==
          R"({"code":"FORBIDDEN","stage":"authorization","publicMessage":"a \"quoted\"\nline",)"
          R"("retryable":true,"exposeToModel":false,"details":{"a":[1]},"own":true})");
}

TEST_CASE("a concealed failure leaves as one and the same text whatever its code, hint, message or details",
          "[domain]") {
    for (const Row& row : kTable)
        for (const bool retryable : {false, true})
            for (const char* details : {"", R"({"issues":[{"path":[],"message":"m"}]})"}) {
                INFO(row.code << " " << retryable << " " << details);
                Failure failure = failure_of(row.code);
                failure.exposed = false;
                failure.retryable = retryable;
                failure.message = "SELECT secret FROM t";
                failure.details = details;
                failure.is_own = retryable;
                CHECK(domain::outward_text(failure) == kConcealed);
            }
}

TEST_CASE("an exposed failure leaves with code, message and hint, without stage or details", "[domain]") {
    for (const Row& row : kTable)
        for (const bool retryable : {false, true}) {
            if (row.code == "INPUT_INVALID") continue;
            Failure failure = failure_of(row.code);
            failure.exposed = true;
            failure.retryable = retryable;
            failure.message = "Told.";
            failure.details = R"({"issues":[{"path":["a"],"message":"m"}],"policy":"p"})";
            CHECK(domain::outward_text(failure) ==
                  R"({"code":")" + row.code + R"(","message":"Told.","retryable":)" + (retryable ? "true}" : "false}"));
        }
}

TEST_CASE("of the details of an invalid input only the issues leave, of an issue only path and message", "[domain]") {
    const std::string head =
        R"({"code":"INPUT_INVALID","message":"The input did not pass validation.","retryable":false)";
    const struct {
        std::string details, left;
    } cases[] = {
        {"", "}"},
        {R"({"issues":[{"path":["a","0"],"message":"m"}]})",
         R"(,"details":{"issues":[{"path":["a","0"],"message":"m"}]}})"},
        {R"({"secret":1,"issues":[{"input":"s","path":["a"],"message":"m","received":7}],"cause":"c"})",
         R"(,"details":{"issues":[{"path":["a"],"message":"m"}]}})"},
        {R"({"issues":[]})", R"(,"details":{"issues":[]}})"},
        {R"({"secret":1})", "}"},
        {R"({"issues":{"0":"secret"}})", "}"},
        {R"(["issues"])", "}"},
        {R"("issues")", "}"},
        {R"({"issues":)", "}"},
        {"not JSON", "}"},
    };
    for (const auto& one : cases) {
        INFO(one.details);
        Failure failure = failure_of("INPUT_INVALID");
        failure.details = one.details;
        CHECK(domain::outward_text(failure) == head + one.left);
    }
}

TEST_CASE("the outward text of what the runtime itself made of issues is the same issues again", "[domain]") {
    const auto issues = json(R"([{"path":["a b","\u0000"],"message":"\"<é"},{"path":[],"message":""}])");
    const Failure failure = domain::invalid_input(issues.root());
    const auto outward = json(domain::outward_text(failure));
    CHECK(outward.root().find("details").raw() == failure.details);
}

}  // namespace
