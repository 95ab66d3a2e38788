// What a confirmation tells whom, and how long it is remembered.
#include "confirmations.h"

namespace {

using namespace viewcap_test;

std::string told_of(Desk& desk) {
    std::string all;
    for (const std::string& item : desk.items()) all += item + "\n";
    return all;
}

std::string record_of(const char* type, int at_ms) {
    return "{\"audit\":{\"at\":" + std::to_string(at_ms) + ",\"type\":\"" + type +
           R"(","capabilityId":"view:a.b.run","registrationId":"reg_1","consumerId":"ada"}})" + "\n";
}

std::string resolved(const std::string& id, const std::string& outcome) {
    return R"({"confirmation":")" + id + R"(","outcome":")" + outcome + "\"}\n" +
           R"({"event":{"type":"confirmation-resolved","confirmationId":")" + id + R"(","outcome":")" + outcome +
           "\"}}\n";
}

TEST_CASE("every transition is told to who waits, to subscribers and to the audit, in this order", "[core]") {
    Desk desk;
    const std::string id = desk.asked({});
    CHECK(
        told_of(desk) ==
        R"({"confirmation":"cnf_1","outcome":"requested"})"
        "\n"
        R"({"event":{"type":"confirmation-requested","confirmationId":"cnf_1","capabilityId":"view:a.b.run","expiresAt":121000}})"
        "\n" +
            record_of("confirmation-requested", 1000));
    desk.now = 2000;
    REQUIRE(desk.store.resolve(id, true, desk.now));
    CHECK(told_of(desk) == resolved(id, "approved") + record_of("confirmation-approved", 2000));
    REQUIRE(desk.outcome({}, id, 7) == "ok");
    CHECK(told_of(desk).empty());
    desk.now = 3000;
    desk.store.settle(id, 7, 2500);
    CHECK(told_of(desk) == record_of("confirmation-consumed", 2500));
}

TEST_CASE("a refusal and an expiry are told too, each once", "[core]") {
    Desk desk;
    const std::string denied = desk.asked({});
    desk.items();
    REQUIRE(desk.store.resolve(denied, false, desk.now));
    CHECK_FALSE(desk.store.resolve(denied, false, desk.now));
    CHECK(told_of(desk) == resolved(denied, "denied") + record_of("confirmation-denied", 1000));
    Request other;
    other.input = "2";
    const std::string expired = desk.asked(other);
    desk.items();
    desk.now += kTtl;
    CHECK(desk.store.pending(desk.now) == "[]");
    CHECK(told_of(desk) == resolved(expired, "expired") + record_of("confirmation-expired", 121000));
}

TEST_CASE("an approval that nobody used in time is an expiry in the audit, and was resolved before for all others",
          "[core]") {
    Desk desk;
    const std::string id = desk.approved({});
    desk.items();
    desk.now += kTtl;
    CHECK(desk.outcome({}, id) == "expired with-confirmation");
    CHECK(desk.outcome({}, id) == "expired with-confirmation");
    CHECK(told_of(desk) == record_of("confirmation-expired", 121000));
}

TEST_CASE("who waits is told although nobody listens", "[core]") {
    viewcap::RegistryOptions options;
    viewcap::Outbox outbox;
    viewcap::EventLog log(outbox);
    viewcap::ConfirmationStore store(options, outbox, log);
    const Request request;
    store.check(request.ask(), "", "cnf_a", 1, 0);
    store.resolve("cnf_a", true, 0);
    CHECK(outbox.take() ==
          R"([{"confirmation":"cnf_a","outcome":"requested"},{"confirmation":"cnf_a","outcome":"approved"}])");
}

TEST_CASE("dispose expires everything that is pending, and nothing else", "[core]") {
    Desk desk;
    const std::string id = desk.asked({});
    Request other;
    other.input = "2";
    desk.approved(other);
    desk.items();
    desk.store.dispose(desk.now);
    CHECK(told_of(desk) == resolved(id, "expired") + record_of("confirmation-expired", 1000));
    CHECK(desk.store.pending(desk.now) == "[]");
}

TEST_CASE("a resolved record is remembered for ten minutes, then its id is nobody's", "[core]") {
    Desk desk;
    const std::string id = desk.asked({});
    REQUIRE(desk.store.resolve(id, false, desk.now));
    desk.now += 599999;
    CHECK(desk.outcome({}, id) == "denied no");
    desk.now += 1;
    CHECK(desk.outcome({}, id) == "mismatch no");
    CHECK(desk.store.size() == 0);
}

TEST_CASE("an approval or a refusal that holds for longer than ten minutes is remembered for as long", "[core]") {
    Desk desk(32, 3600000);
    const std::string id = desk.approved({});
    desk.now += 3599999;
    CHECK(desk.outcome({}, id, 7) == "ok");
}

TEST_CASE("of resolved records the 200 youngest are remembered, and never less than what a call holds", "[core]") {
    Desk desk;
    Request held;
    held.input = "\"held\"";
    const std::string id = desk.approved(held);
    REQUIRE(desk.outcome(held, id, 7) == "ok");
    Request request;
    std::vector<std::string> ids;
    for (int number = 0; number < 201; ++number) {
        request.input = std::to_string(number);
        ids.push_back(desk.asked(request));
        REQUIRE(desk.store.resolve(ids.back(), false, desk.now));
    }
    CHECK(desk.store.size() == 201);
    request.input = "0";
    CHECK(desk.outcome(request, ids[0]) == "mismatch no");
    request.input = "1";
    CHECK(desk.outcome(request, ids[1]) == "denied no");
    CHECK(desk.outcome(held, id, 7) == "ok");
    // It is the oldest of all: given back, there is no room for it.
    desk.store.release(id, 7);
    CHECK(desk.store.size() == 200);
    CHECK(desk.outcome(held, id, 7) == "mismatch no");
}

}  // namespace
