// The exact text of every event: order of keys, what is left out, and that nothing is written unheard.
#include "domain/audit.h"
#include "walk_text.h"

namespace {

using namespace domain_test;
using domain::ActorFacts;
using domain::AuditLog;
using domain::Envelope;
using domain::PolicyRecord;
using domain::Stance;

ActorFacts user() { return {"u1", domain::actor_kinds::kUser, true}; }

struct Book {
    ActorFacts actor = user();
    Envelope full{"mcp", &actor, "exe_1", "ledger.close", "corr", "ab12"};
    Envelope bare{"direct", &actor, {}, {}, {}, {}};
    AuditLog log;
    Book() { log.listen(true); }
    /// The one event, without the array around it.
    std::string event() {
        const std::string all = log.take();
        CHECK(log.empty());
        return all.substr(1, all.size() - 2);
    }
};

std::string full_head(const std::string& type, const std::string& time) {
    return R"({"type":")" + type + R"(","timestamp":)" + time +
           R"(,"surface":"mcp","actor":{"id":"u1","kind":"user"},"executionId":"exe_1",)"
           R"("capabilityId":"ledger.close","correlationId":"corr","inputHash":"ab12","data":)";
}
std::string bare_head(const std::string& type) {
    return R"({"type":")" + type + R"(","timestamp":0,"surface":"direct","actor":{"id":"u1","kind":"user"},"data":)";
}

domain::Capability capability() {
    domain::Capability it;
    it.id = "ledger.close";
    it.description = "secret description";
    it.side_effect = domain::SideEffect::destructive;
    it.risk = 3;
    return it;
}

const std::vector<PolicyRecord> kEveryStance = {{"a", Stance::allow},
                                                {"b \"q\"", Stance::deny},
                                                {"c", Stance::hide},
                                                {"d", Stance::require_approval},
                                                {"e", Stance::error}};
const std::string kEveryStanceText =
    R"("policyDecisions":[{"policy":"a","type":"allow"},{"policy":"b \"q\"","type":"deny"},)"
    R"({"policy":"c","type":"hide"},{"policy":"d","type":"require-approval"},{"policy":"e","type":"error"}])";

TEST_CASE("requested carries side effect and risk of a capability that there is", "[domain]") {
    Book book;
    const domain::Capability known = capability();
    book.log.requested(book.full, &known, 1700000000123.0);
    CHECK(book.event() ==
          full_head("capability.requested", "1700000000123") + R"({"sideEffect":"destructive","risk":"critical"}})");
    book.log.requested(book.full, nullptr, 0.5);
    CHECK(book.event() == full_head("capability.requested", "0.5") + "{}}");
    book.log.requested(book.bare, nullptr, 0);
    CHECK(book.event() == bare_head("capability.requested") + "{}}");
}

TEST_CASE("denied carries exactly reason and public code, and decisions only where there are any", "[domain]") {
    Book book;
    book.log.denied(book.bare, "unknown", "CAPABILITY_NOT_FOUND", {}, 0);
    CHECK(book.event() ==
          bare_head("capability.denied") + R"({"reason":"unknown","publicCode":"CAPABILITY_NOT_FOUND"}})");
    book.log.denied(book.full, "policy-denied", "POLICY_DENIED", kEveryStance, 5);
    CHECK(book.event() == full_head("capability.denied", "5") +
                              R"({"reason":"policy-denied","publicCode":"POLICY_DENIED",)" + kEveryStanceText + "}}");
}

TEST_CASE("approval_requested carries the approval's id, reasons, types and deadline", "[domain]") {
    Book book;
    book.log.approval_requested(book.full, {"apr_1", R"(["r \"1\"","r2"])", "[]", 1700000900000.0}, 1);
    CHECK(book.event() == full_head("capability.approval_requested", "1") +
                              R"({"approvalId":"apr_1","reasons":["r \"1\"","r2"],"types":[],)"
                              R"("expiresAt":1700000900000}})");
}

TEST_CASE("approved and rejected name the approver twice, and a comment only where there is one", "[domain]") {
    Book book;
    const ActorFacts approver{"boss", domain::actor_kinds::kService, true};
    const Envelope stored{"mcp", &approver, {}, "ledger.close", {}, "ab12"};
    const std::string rest = R"(,"timestamp":7,"surface":"mcp","actor":{"id":"boss","kind":"service"},)"
                             R"("capabilityId":"ledger.close","inputHash":"ab12","data":)"
                             R"({"approvalId":"apr_1","approver":{"id":"boss","kind":"service"})";
    book.log.decided(true, stored, "apr_1", "fine \"so\"", 7);
    CHECK(book.event() == R"({"type":"capability.approved")" + rest + R"(,"comment":"fine \"so\""}})");
    book.log.decided(false, stored, "apr_1", "", 7);
    CHECK(book.event() == R"({"type":"capability.rejected")" + rest + "}}");
}

TEST_CASE("started is attempt 1, with the approval where there is one", "[domain]") {
    Book book;
    book.log.started(book.full, "", 2);
    CHECK(book.event() == full_head("capability.started", "2") + R"({"attempt":1}})");
    book.log.started(book.full, "apr_1", 2);
    CHECK(book.event() == full_head("capability.started", "2") + R"({"attempt":1,"approvalId":"apr_1"}})");
}

TEST_CASE("retried, completed and cancelled carry their two members", "[domain]") {
    Book book;
    book.log.retried(book.full, 2, "TIMEOUT", 3);
    CHECK(book.event() == full_head("capability.retried", "3") + R"({"attempt":2,"previousErrorCode":"TIMEOUT"}})");
    book.log.completed(book.full, 12.5, 3, 4);
    CHECK(book.event() == full_head("capability.completed", "4") + R"({"durationMs":12.5,"attempts":3}})");
    book.log.cancelled(book.full, "CANCELLED", 0, 5);
    CHECK(book.event() == full_head("capability.cancelled", "5") + R"({"code":"CANCELLED","durationMs":0}})");
}

TEST_CASE("failed says that something was executed only as true, and never what the error says", "[domain]") {
    Book book;
    domain::Failure failure = domain::failure_of("TIMEOUT");
    failure.message = "secret message";
    failure.details = R"({"secret":1})";
    book.log.failed(book.full, failure, 0, false, {}, 6);
    CHECK(book.event() == full_head("capability.failed", "6") +
                              R"({"code":"TIMEOUT","stage":"timeout","retryable":true,"attempts":0}})");
    failure = domain::failure_of("INTERNAL_ERROR", "approval");
    book.log.failed(book.full, failure, 2, true, {{"p", Stance::allow}}, 6);
    CHECK(book.event() == full_head("capability.failed", "6") +
                              R"({"code":"INTERNAL_ERROR","stage":"approval","retryable":false,"attempts":2,)"
                              R"("executedBeforeFailure":true,"policyDecisions":[{"policy":"p","type":"allow"}]}})");
    book.log.failed(book.bare, failure, 1, false, kEveryStance, 0);
    CHECK(book.event() == bare_head("capability.failed") +
                              R"({"code":"INTERNAL_ERROR","stage":"approval","retryable":false,"attempts":1,)" +
                              kEveryStanceText + "}}");
}

TEST_CASE("each optional member of the envelope is left out on its own", "[domain]") {
    for (unsigned given = 0; given < 16; ++given) {
        Book book;
        Envelope call = book.bare;
        std::string expected = R"({"type":"capability.started","timestamp":0,"surface":"direct",)"
                               R"("actor":{"id":"u1","kind":"user"})";
        const auto set = [&](unsigned bit, std::string_view& member, std::string_view text, const std::string& key) {
            if ((given & bit) == 0) return;
            member = text;
            expected += ",\"" + key + "\":\"" + std::string(text) + "\"";
        };
        set(1, call.execution_id, "e", "executionId");
        set(2, call.capability_id, "c", "capabilityId");
        set(4, call.correlation_id, "k", "correlationId");
        set(8, call.input_hash, "h", "inputHash");
        book.log.started(call, "", 0);
        CHECK(book.event() == expected + R"(,"data":{"attempt":1}})");
    }
}

TEST_CASE("texts of callers are escaped wherever they stand", "[domain]") {
    Book book;
    const ActorFacts odd{"a\"b\\\n", domain::actor_kinds::kAnonymous, false};
    const Envelope call{"\"", &odd, "\"", "\"", "\n", "\""};
    book.log.decided(true, call, "\"", "\\", 0);
    const auto read = json(book.event());
    CHECK(read.root().find("actor").find("id").string() == "a\"b\\\n");
    CHECK(read.root().find("correlationId").string() == "\n");
    CHECK(read.root().find("data").find("comment").string() == "\\");
}

TEST_CASE("events are taken in the order in which they happened, once", "[domain]") {
    Book book;
    CHECK(book.log.empty());
    CHECK(book.log.take() == "[]");
    book.log.requested(book.bare, nullptr, 0);
    book.log.started(book.bare, "", 0);
    book.log.completed(book.bare, 1, 1, 0);
    CHECK_FALSE(book.log.empty());
    CHECK(book.log.take() == "[" + bare_head("capability.requested") + "{}}," + bare_head("capability.started") +
                                 R"({"attempt":1}},)" + bare_head("capability.completed") +
                                 R"({"durationMs":1,"attempts":1}}])");
    CHECK(book.log.empty());
    CHECK(book.log.take() == "[]");
}

TEST_CASE("a log that nobody listens to writes nothing at all", "[domain]") {
    Book book;
    AuditLog log;
    const domain::Capability known = capability();
    CHECK_FALSE(log.wanted());
    log.requested(book.full, &known, 0);
    log.denied(book.full, "r", "c", kEveryStance, 0);
    log.approval_requested(book.full, {"a", "[]", "[]", 0}, 0);
    log.decided(true, book.full, "a", "", 0);
    log.decided(false, book.full, "a", "", 0);
    log.started(book.full, "", 0);
    log.retried(book.full, 2, "c", 0);
    log.completed(book.full, 0, 1, 0);
    log.failed(book.full, domain::failure_of("TIMEOUT"), 0, false, {}, 0);
    log.cancelled(book.full, "c", 0, 0);
    log.discovered("mcp", book.actor, {"a"}, true, 0);
    CHECK(log.empty());
    CHECK(log.take() == "[]");
    log.listen(true);
    log.started(book.full, "", 0);
    CHECK_FALSE(log.empty());
}

}  // namespace
