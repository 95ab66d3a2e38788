// One approval binds one request and serves one call.
#include "confirmations.h"
#include "host_protocol/text.h"
#include "invocation/result_text.h"

namespace {

using namespace viewcap_test;

TEST_CASE("a call without evidence is asked for an approval that names id, summary, expiry, effect and origin",
          "[core]") {
    Desk desk;
    const auto verdict = desk.check({});
    REQUIRE(verdict.failure);
    CHECK(verdict.failure->code == "CONFIRMATION_REQUIRED");
    CHECK(verdict.failure->retry == "with-confirmation");
    CHECK(verdict.failure->details ==
          R"({"confirmationId":"cnf_1","summary":"Run it. — input: {\"id\":1}","expiresAt":121000,)"
          R"("effect":"local-state","origin":"client"})");
}

TEST_CASE("the same request while pending answers with the same id, with or without evidence", "[core]") {
    Desk desk;
    const std::string id = desk.asked({});
    desk.now += kTtl - 1;
    CHECK(desk.asked({}) == id);
    CHECK(desk.asked({}, id) == id);
    CHECK(desk.store.pending_count() == 1);
    desk.now += 1;
    CHECK(desk.asked({}) != id);
    CHECK(desk.outcome({}, id) == "expired with-confirmation");
}

TEST_CASE("an approval serves one call: while a call holds it and after it was used, any other is consumed", "[core]") {
    Desk desk;
    const std::string id = desk.approved({});
    desk.now += 5;
    const auto verdict = desk.check({}, id, 7);
    CHECK_FALSE(verdict.failure);
    CHECK(verdict.approved_at == 1000);
    CHECK(desk.outcome({}, id, 8) == "consumed no");
    CHECK(desk.outcome({}, id, 7) == "ok");
    desk.store.settle(id, 8, desk.now);
    CHECK(desk.outcome({}, id, 7) == "ok");
    desk.store.settle(id, 7, desk.now);
    CHECK(desk.outcome({}, id, 7) == "consumed no");
    desk.store.release(id, 7);
    CHECK(desk.outcome({}, id, 9) == "consumed no");
    CHECK(desk.asked({}) != id);
}

TEST_CASE("a call that ended before its dispatch gives the approval back, and only the call that holds it can",
          "[core]") {
    Desk desk;
    const std::string id = desk.approved({});
    REQUIRE(desk.outcome({}, id, 7) == "ok");
    desk.store.release(id, 8);
    CHECK(desk.outcome({}, id, 9) == "consumed no");
    desk.store.release(id, 7);
    CHECK(desk.outcome({}, id, 9) == "ok");
}

TEST_CASE("an approved request that comes without evidence is answered with the id it has: no second dialog",
          "[core]") {
    Desk desk;
    const std::string id = desk.approved({});
    CHECK(desk.asked({}) == id);
    REQUIRE(desk.outcome({}, id, 7) == "ok");
    const std::string second = desk.asked({});
    CHECK(second != id);
    REQUIRE(desk.store.resolve(second, true, desk.now));
    REQUIRE(desk.outcome({}, second, 8) == "ok");
    desk.store.settle(second, 8, desk.now);
    desk.store.release(id, 7);
    CHECK(desk.asked({}) == id);
}

TEST_CASE("an approval is over with the expiry that the person saw, unless a call holds it", "[core]") {
    Desk desk;
    const std::string id = desk.asked({});
    desk.now += kTtl - 10;
    REQUIRE(desk.store.resolve(id, true, desk.now));
    desk.now += 9;
    REQUIRE(desk.outcome({}, id, 7) == "ok");
    desk.now += 1000;
    CHECK(desk.outcome({}, id, 7) == "ok");
    CHECK(desk.outcome({}, id, 8) == "consumed no");
    desk.store.release(id, 7);
    CHECK(desk.outcome({}, id, 7) == "expired with-confirmation");
    CHECK(desk.asked({}) != id);
}

TEST_CASE("after a refusal the identical request is refused for as long as a confirmation lives, then asked again",
          "[core]") {
    Desk desk;
    const std::string id = desk.asked({});
    desk.now += 100;
    REQUIRE(desk.store.resolve(id, false, desk.now));
    CHECK(desk.outcome({}) == "denied no");
    CHECK(desk.outcome({}, id) == "denied no");
    Request other;
    other.input = R"({"id":2})";
    CHECK(desk.outcome(other) == "required");
    desk.now += kTtl - 1;
    CHECK(desk.outcome({}) == "denied no");
    desk.now += 1;
    CHECK(desk.asked({}) != id);
    CHECK(desk.outcome({}, id) == "denied no");
}

TEST_CASE("evidence for another request, another consumer's or nobody's is a mismatch and uses nothing up", "[core]") {
    Desk desk;
    const std::string id = desk.approved({});
    std::vector<Request> others(5);
    others[0].consumer = "test:eve";
    others[1].registration = "reg_2";
    others[2].capability = "view:a.b.other";
    others[3].effect = "navigation";
    others[4].input = R"({"id":2})";
    for (const Request& other : others) CHECK(desk.outcome(other, id) == "mismatch no");
    CHECK(desk.outcome({}, "cnf_unknown") == "mismatch no");
    CHECK(desk.outcome({}, std::string(64, 'a')) == "mismatch no");
    CHECK(desk.outcome({}, id) == "ok");
}

TEST_CASE("what a record binds cannot be shifted between its parts", "[core]") {
    Desk desk;
    Request one;
    one.consumer = R"(test:a","effect":"x)";
    Request two;
    two.effect = R"(x","effect":"local-state)";
    const std::string id = desk.approved(one);
    CHECK(desk.outcome(two, id) == "mismatch no");
    CHECK(desk.outcome(one, id) == "ok");
}

TEST_CASE("of the pending records no more are made than allowed, and the next request is told to come later",
          "[core]") {
    Desk desk(2);
    Request request;
    std::vector<std::string> ids;
    for (const char* input : {"1", "2"}) {
        request.input = input;
        ids.push_back(desk.asked(request));
    }
    request.input = "3";
    const auto refused = desk.check(request);
    REQUIRE(refused.failure);
    CHECK(refused.failure->code == "RATE_LIMITED");
    CHECK(refused.failure->details == R"({"reason":"queue-full"})");
    CHECK(desk.store.size() == 2);
    request.input = "1";
    CHECK(desk.asked(request) == ids[0]);
    REQUIRE(desk.store.resolve(ids[0], false, desk.now));
    request.input = "3";
    CHECK(desk.outcome(request) == "required");
}

TEST_CASE("resolve is true only for the call that decided", "[core]") {
    Desk desk;
    const std::string id = desk.asked({});
    CHECK_FALSE(desk.store.resolve("cnf_unknown", true, desk.now));
    CHECK(desk.store.resolve(id, true, desk.now));
    CHECK_FALSE(desk.store.resolve(id, false, desk.now));
    CHECK(desk.outcome({}, id) == "ok");
    Request other;
    other.input = "2";
    const std::string late = desk.asked(other);
    desk.now += kTtl;
    CHECK_FALSE(desk.store.resolve(late, true, desk.now));
    CHECK(desk.outcome(other, late) == "expired with-confirmation");
}

TEST_CASE("what is pending is listed oldest first with what a person has to see, and what is over is not", "[core]") {
    Desk desk;
    desk.asked({});
    desk.now += 10;
    Request other;
    other.input = "2";
    other.summary = "Two.";
    desk.asked(other);
    const std::string second =
        R"({"confirmationId":"cnf_2","capabilityId":"view:a.b.run","registrationId":"reg_1","consumerKey":"test:ada",)"
        R"("effect":"local-state","summary":"Two.","input":2,"requestedAt":1010,"expiresAt":121010})";
    CHECK(
        desk.store.pending(desk.now) ==
        R"([{"confirmationId":"cnf_1","capabilityId":"view:a.b.run","registrationId":"reg_1","consumerKey":"test:ada",)"
        R"("effect":"local-state","summary":"Run it. — input: {\"id\":1}","input":{"id":1},"requestedAt":1000,"expiresAt":121000},)" +
            second + "]");
    CHECK(desk.store.pending(121000) == "[" + second + "]");
    CHECK(desk.store.pending(121010) == "[]");
}

TEST_CASE("a summary, a policy's or the default, has at most 300 units and splits no character", "[core]") {
    Desk desk;
    Request request;
    request.input = "\"" + std::string(500, 'x') + "\"";
    CHECK(host_protocol::utf16_length(at(desk.check(request).failure->details, {"summary"})) == 300);
    request.summary = std::string(299, 'x') + "\xF0\x9F\x98\x80";
    request.input = "1";
    CHECK(at(desk.check(request).failure->details, {"summary"}) == std::string(299, 'x'));
}

TEST_CASE("the time until the next expiry is rounded up, and what is over ends once", "[core]") {
    Desk desk;
    CHECK(desk.store.expire(desk.now) == -1);
    desk.asked({});
    CHECK(desk.store.expire(1000.5) == kTtl);
    CHECK(desk.store.expire(120999.5) == 1);
    desk.items();
    CHECK(desk.store.expire(121000) == -1);
    CHECK(desk.items().size() == 3);
    CHECK(desk.store.expire(121001) == -1);
    CHECK(desk.items().empty());
}

TEST_CASE("a call that names an approval by its ids carries it while it is good and nobody holds it", "[core]") {
    Desk desk;
    const std::string id = desk.asked({});
    const auto carries = [&](const std::string& consumer, const std::string& registration, const std::string& name) {
        return desk.store.carries_approval(id, consumer, registration, name, desk.now);
    };
    CHECK_FALSE(carries("test:ada", "reg_1", "view:a.b.run"));
    REQUIRE(desk.store.resolve(id, true, desk.now));
    CHECK(carries("test:ada", "reg_1", "view:a.b.run"));
    CHECK_FALSE(carries("test:eve", "reg_1", "view:a.b.run"));
    CHECK_FALSE(carries("test:ada", "reg_2", "view:a.b.run"));
    CHECK_FALSE(carries("test:ada", "reg_1", "view:a.b.other"));
    CHECK_FALSE(desk.store.carries_approval("", "test:ada", "reg_1", "view:a.b.run", desk.now));
    REQUIRE(desk.outcome({}, id, 7) == "ok");
    CHECK_FALSE(carries("test:ada", "reg_1", "view:a.b.run"));
    desk.store.release(id, 7);
    CHECK(carries("test:ada", "reg_1", "view:a.b.run"));
    desk.now += kTtl;
    CHECK_FALSE(carries("test:ada", "reg_1", "view:a.b.run"));
}

TEST_CASE("what a call hears of a confirmation has a retry hint and detail keys of its code's row", "[core]") {
    namespace failures = viewcap::failures;
    std::vector<viewcap::Failure> all = {failures::too_many_confirmations(),
                                         failures::confirmation_required("cnf_1", "Run it.", 1.5, "navigation")};
    for (const char* reason : {"denied", "consumed", "mismatch", "expired"})
        all.push_back(failures::confirmation_invalid(reason));
    for (const auto& failure : all)
        require_in_vocabulary(viewcap::error_result({"inv", "view:a.b", 1, false}, failure));
}

TEST_CASE("two records never have one id", "[core]") {
    Desk desk;
    Request other;
    other.input = "2";
    const std::string id = desk.asked({});
    const auto verdict = desk.store.check(other.ask(), "", id, 1, desk.now);
    REQUIRE(verdict.failure);
    CHECK(verdict.failure->code == "EXECUTION_FAILED");
    CHECK(desk.store.size() == 1);
}

}  // namespace
