// Stage 11: what a throw becomes, who may try again, how long it waits, what ends it (spec: domain.md §§6.3, 6.4).
#include "plane_driver.h"

namespace {

using namespace domain_test;

const std::string kAgain = R"({"kind":"capability","code":"EXECUTION_FAILED","retryable":true})";
const std::string kForGood = R"({"kind":"capability","code":"EXECUTION_FAILED","retryable":false})";

std::string retry(int max, const std::string& more = "") {
    return R"(,"retry":{"maxAttempts":)" + std::to_string(max) + more + "}";
}
const std::string kIdempotent = R"(,"idempotent":true)";
const std::string kVeto = R"(,"retryOn":)" + kFunction;

/// Executions asked for when every attempt goes so.
std::size_t attempts(const std::string& more, const std::string& effect, Told told, const std::string& text = "") {
    Plane plane(one(more, effect));
    for (int at = 0; at < 9; ++at) plane.on(Ask::execute, told, text);
    const Ended ended = plane.invoke();
    std::size_t count = 0, started = 0, retried = 0;
    for (const Step& step : plane.asks) count += step.ask == Ask::execute;
    for (const std::string& event : ended.events) {
        started += event.substr(0, 8) == "started ";
        retried += event.substr(0, 8) == "retried ";
    }
    CHECK(started == 1);
    CHECK(retried == count - 1);
    if (told == Told::threw)
        CHECK(ended.events.back().find(R"("attempts":)" + std::to_string(count)) != std::string::npos);
    return count;
}

TEST_CASE("an attempt is made again only where the metadata, the error and the effect allow it", "[domain]") {
    struct Row {
        std::string more, effect;
        Told told;
        std::string text;
        std::size_t expected;
    };
    const Row rows[] = {
        {retry(2), "read", Told::threw, kAgain, 3},
        {retry(1), "read", Told::threw, kAgain, 2},
        {retry(0), "read", Told::threw, kAgain, 1},
        {"", "read", Told::threw, kAgain, 1},
        {retry(2), "none", Told::threw, kAgain, 3},
        {retry(2), "read", Told::threw, kForGood, 1},
        {retry(2), "read", Told::threw, R"({"kind":"other"})", 1},
        {retry(2), "read", Told::threw, R"({"kind":"rpc","code":"X","retryable":true})", 1},
        {retry(2), "read", Told::threw, R"({"kind":"input","retryable":true})", 1},
        {retry(2), "read", Told::threw, R"({"kind":"output","retryable":true})", 1},
        // A forged code is re-mapped, and its hint is not believed.
        {retry(2), "read", Told::threw, R"({"kind":"capability","code":"TIMEOUT","retryable":true})", 1},
        {retry(2), "read", Told::threw, R"({"kind":"capability","code":"FORBIDDEN","retryable":true})", 3},
        {"", "write", Told::threw, kAgain, 1},
        {kIdempotent, "write", Told::threw, kAgain, 1},
        {retry(1) + kIdempotent, "write", Told::threw, kAgain, 2},
        {retry(1) + kIdempotent, "destructive", Told::threw, kAgain, 2},
        {retry(1) + kIdempotent, "external", Told::threw, kAgain, 2},
        {retry(2), "read", Told::timed_out, "", 3},
        {retry(1) + kIdempotent, "write", Told::timed_out, "", 2},
        {"", "write", Told::timed_out, "", 1},
        {retry(2), "read", Told::stopped, "", 1},
    };
    for (const Row& row : rows) {
        INFO(row.more << " " << row.effect << " " << row.text);
        CHECK(attempts(row.more, row.effect, row.told, row.text) == row.expected);
    }
}

TEST_CASE("write-like work without idempotence is not tried again, whatever the metadata came in with", "[domain]") {
    // The registry refuses such metadata (SI-11); the machine does not rely on it.
    domain::CapabilityRegistry::Parts parts;
    for (const auto effect : {domain::SideEffect::none, domain::SideEffect::read, domain::SideEffect::write,
                              domain::SideEffect::destructive, domain::SideEffect::external}) {
        auto capability = std::make_shared<domain::Capability>();
        capability->id = "c" + std::to_string(parts.capabilities.size());
        capability->exposed = domain::bit(domain::Surface::direct);
        capability->side_effect = effect;
        capability->max_retries = 3;
        parts.capabilities.push_back(std::move(capability));
    }
    const auto facts = json("{}");
    auto runtime = domain::GovernedRuntime::create(std::make_shared<const domain::CapabilityRegistry>(std::move(parts)),
                                                   facts.root());
    REQUIRE(runtime);
    for (int at = 0; at < 5; ++at) {
        Call call;
        call.id = "c" + std::to_string(at);
        Step step = (*runtime)->begin(call.text(), 0);
        REQUIRE(step.ask == Ask::execute);
        step = (*runtime)->tell(step.execution, Told::threw, kAgain, false, 0);
        CHECK(step.ask == (at < 2 ? Ask::back_off : Ask::finished));
    }
}

TEST_CASE("each retry is told with its number and the error before, and waits twice as long", "[domain]") {
    Plane plane(one(retry(3, R"(,"backoffMs":40)")));
    plane.takes = 10;
    const Ended ended = plane.on(Ask::execute, Told::threw, kAgain)
                            .on(Ask::execute, Told::timed_out)
                            .on(Ask::execute, Told::threw, kAgain)
                            .invoke();
    CHECK(ended.asked == "hash execute back-off execute back-off execute back-off execute");
    CHECK(plane.asks[2].number == 40);
    CHECK(plane.asks[4].number == 80);
    CHECK(plane.asks[6].number == 160);
    CHECK(ended.events == Texts{R"(requested {"sideEffect":"read","risk":"low"})", R"(started {"attempt":1})",
                                R"(retried {"attempt":2,"previousErrorCode":"EXECUTION_FAILED"})",
                                R"(retried {"attempt":3,"previousErrorCode":"TIMEOUT"})",
                                R"(retried {"attempt":4,"previousErrorCode":"EXECUTION_FAILED"})",
                                R"(completed {"durationMs":80,"attempts":4})"});
    for (const std::string& event : ended.whole) CHECK(event.find(R"("executionId":"exe_1")") != std::string::npos);

    Plane usual(one(retry(1)));
    usual.on(Ask::execute, Told::threw, kAgain).invoke();
    CHECK(usual.asks[2].number == 250);
}

TEST_CASE("the wait stays a finite number however often it doubled", "[domain]") {
    Plane plane(one(retry(2000, R"(,"backoffMs":1e300)")));
    plane.on(Ask::execute, Told::threw, kAgain).on(Ask::execute, Told::threw, kAgain).invoke();
    CHECK(plane.asks[4].number == 1e300);

    Plane patient(one(retry(90)), "{}");
    Step step = patient.runtime->begin(Call().text(), 0);
    double waited = 0;
    for (int at = 0; at < 90; ++at) {
        step = patient.runtime->tell(step.execution, Told::threw, kAgain, false, 0);
        REQUIRE(step.ask == Ask::back_off);
        CHECK(step.number >= waited);
        CHECK(step.number < 1e16);
        waited = step.number;
        step = patient.runtime->tell(step.execution, Told::done, "", false, 0);
        REQUIRE(step.ask == Ask::execute);
    }
    CHECK(patient.runtime->tell(step.execution, Told::threw, kAgain, false, 0).ask == Ask::finished);
}

TEST_CASE("the author's predicate is asked only where an attempt would be made, and no is no", "[domain]") {
    Plane yes(one(retry(1, kVeto)));
    const Ended again = yes.on(Ask::execute, Told::threw, kAgain).on(Ask::execute, Told::threw, kAgain).invoke();
    CHECK(again.asked == "hash execute retry? back-off execute");
    CHECK(json(yes.asks[2].text).root().find("code").string() == "EXECUTION_FAILED");
    CHECK(again.outcome == "failed EXECUTION_FAILED@execution");

    Plane no(one(retry(1, kVeto)));
    const Ended vetoed = no.on(Ask::execute, Told::timed_out).on(Ask::may_retry, Told::no).invoke();
    CHECK(vetoed.asked == "hash execute retry?");
    CHECK(vetoed.outcome == "cancelled TIMEOUT@timeout");

    Plane final(one(retry(1, kVeto)));
    CHECK(final.on(Ask::execute, Told::threw, kForGood).invoke().asked == "hash execute");
}

TEST_CASE("a timeout is a cancellation, and a failure after it was tried again counts every attempt", "[domain]") {
    const Ended timed_out = Plane(one()).on(Ask::execute, Told::timed_out).invoke();
    CHECK(timed_out.error == R"({"code":"TIMEOUT","stage":"timeout","publicMessage":"The time limit was reached.",)"
                             R"("retryable":true,"exposeToModel":true})");
    CHECK(timed_out.events.back() == R"(cancelled {"code":"TIMEOUT","durationMs":0})");

    Plane plane(one(retry(3)));
    const Ended ended =
        plane.on(Ask::execute, Told::timed_out).on(Ask::execute, Told::threw, R"({"kind":"other"})").invoke();
    CHECK(ended.events.back() == R"(failed {"code":"EXECUTION_FAILED","stage":"execution","retryable":false,)"
                                 R"("attempts":2})");
}

TEST_CASE("a throw becomes one of four codes, with the message of those that may be told", "[domain]") {
    const std::string own = R"({"kind":"capability","code":"FORBIDDEN","publicMessage":"Not yours.","retryable":true,)"
                            R"("exposeToModel":false})";
    const Ended forbidden = Plane(one()).on(Ask::execute, Told::threw, own).invoke();
    CHECK(forbidden.error == R"({"code":"FORBIDDEN","stage":"authorization","publicMessage":"Not yours.",)"
                             R"("retryable":true,"exposeToModel":false,"own":true})");
    const std::pair<std::string, std::string> rows[] = {
        {R"({"kind":"capability","code":"CAPABILITY_NOT_FOUND"})", "failed EXECUTION_FAILED@execution"},
        {R"({"kind":"capability","code":"CANCELLED"})", "failed EXECUTION_FAILED@execution"},
        {R"({"kind":"input","issues":[]})", "failed INPUT_INVALID@input-validation"},
        {R"({"kind":"rpc","code":"UNAUTHORIZED"})", "failed UNAUTHENTICATED@authentication"},
        {R"({"kind":"rpc","code":"FORBIDDEN"})", "failed FORBIDDEN@authorization"},
        {R"({"kind":"rpc","code":"CONFLICT","message":"m"})", "failed EXECUTION_FAILED@execution"},
        {"", "failed EXECUTION_FAILED@execution"},
        {"{", "failed EXECUTION_FAILED@execution"},
        {"[1]", "failed EXECUTION_FAILED@execution"}};
    for (const auto& [facts, expected] : rows) {
        INFO(facts);
        const Ended ended = Plane(one()).on(Ask::execute, Told::threw, facts).invoke();
        CHECK(ended.outcome == expected);
        CHECK(ended.events.back().find(R"("attempts":1})") != std::string::npos);
    }
}

}  // namespace
