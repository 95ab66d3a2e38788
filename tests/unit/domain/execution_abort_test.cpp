// A caller who gives up, and exceptions that nobody expected, at every single ask.
#include "plane_ways.h"

namespace {

using namespace domain_test;

struct Cut {
    Step step;         // what came of the cut
    std::string tail;  // outcome after smooth answers
    Texts events;
};
/// Answers the way up to `at`, there `told` (none: as usual) and with the token aborted or not; then smoothly.
Cut cut(const std::vector<Ask>& way, std::size_t at, bool aborts, std::optional<Told> told) {
    Plane plane(kEverything, kAll);
    const bool resumes = way[0] == Ask::hash_input;
    Step step = resumes ? plane.runtime->resume(Resume{record()}.text(), 0) : plane.runtime->begin(Call().text(), 0);
    int executed = 0;
    for (std::size_t index = 0; index <= at; ++index) {
        REQUIRE(step.ask == way[index]);
        if (step.ask == Ask::execute) ++executed;
        const Answer usual = usual_answer(step.ask, executed < 2);
        const bool here = index == at;
        step = plane.runtime->tell(step.execution, here && told ? *told : usual.told, usual.text, here && aborts, 0);
    }
    Cut result{step, {}, {}};
    if (step.ask == Ask::finished) {
        result.tail = outcome_of(step.text);
        result.events = short_events(plane.runtime->audit().take());
        CHECK(plane.runtime->open_count() == 0);
        return result;
    }
    const Ended ended = plane.finish(step);
    result.tail = ended.outcome;
    result.events = ended.events;
    return result;
}
bool holds(const Texts& events, const std::string& type) {
    for (const std::string& event : events)
        if (event.substr(0, type.size()) == type) return true;
    return false;
}

TEST_CASE("a token aborted before the call: requested and cancelled, no record, no start, nothing run", "[domain]") {
    Call call;
    call.aborted = true;
    for (const std::string& options : {kSink, kStrict, kInline}) {
        const Ended gated = Plane(one(kGate), options).invoke(call);
        CHECK(gated.asked == "hash");
        CHECK(gated.outcome == "cancelled CANCELLED@cancellation");
        CHECK(gated.events == Texts{R"(requested {"sideEffect":"read","risk":"low"})",
                                    R"(cancelled {"code":"CANCELLED","durationMs":0})"});
        CHECK(Plane(one(), options).invoke(call).events == gated.events);
        CHECK(Plane(one(policies_of({{"e", "execution"}})), options)
                  .on(Ask::run_policies, Told::batch, decision("require-approval", R"(,"reason":"r")"))
                  .invoke(call)
                  .events == gated.events);
    }
    // A refusal that came before the token was looked at stays what it is.
    CHECK(Plane(one(policies_of({{"p", "invocation"}})))
              .on(Ask::run_policies, Told::batch, decision("deny"))
              .invoke(call)
              .outcome == "failed POLICY_DENIED@policy");
}

TEST_CASE("a resume with an aborted token burns nothing", "[domain]") {
    Resume call{record()};
    call.aborted = true;
    const Ended ended = Plane(one(kGate)).resume(call);
    CHECK(ended.asked == "hash");
    CHECK(ended.events == Texts{R"(cancelled {"code":"CANCELLED","durationMs":0})"});
}

TEST_CASE("aborted at any ask before its output, a call is cancelled: no record after it, no handler", "[domain]") {
    for (std::size_t at = 0; at < kWay.size(); ++at) {
        const Ask asked = kWay[at];
        INFO(at << " " << kAskNames[static_cast<std::size_t>(asked)]);
        const Cut result = cut(kWay, at, true, std::nullopt);
        const bool had_output = asked == Ask::validate_output || asked == Ask::redact;
        CHECK(result.tail == (had_output ? "completed" : "cancelled CANCELLED@cancellation"));
        CHECK(holds(result.events, "started ") == (at > 4));
        CHECK(holds(result.events, "cancelled ") == !had_output);
        // Asking the person inline is the gate: nobody is bothered for a caller that has gone.
        CHECK(holds(result.events, "approval_requested ") == (at > 2));
        if (at > 4 && !had_output) CHECK(result.step.ask == Ask::finished);
    }
}

TEST_CASE("aborted at any ask before it is consumed, a resume burns nothing; after that it is burned", "[domain]") {
    for (std::size_t at = 0; at < kResumeWay.size() - 2; ++at) {
        INFO(at);
        const Cut result = cut(kResumeWay, at, true, std::nullopt);
        CHECK(result.tail == "cancelled CANCELLED@cancellation");
        if (at == 2) CHECK(result.step.ask == Ask::finished);
        CHECK(holds(result.events, "started ") == (at > 4));
    }
}

TEST_CASE("a caller that goes while a person is asked inline leaves no record", "[domain]") {
    Plane plane(one(kGate), kInline);
    const Ended ended = plane.abort_at(Ask::decide_inline).invoke();
    CHECK(ended.asked == "hash decide");
    CHECK(ended.outcome == "cancelled CANCELLED@cancellation");

    // Nor where the hash is made only for the gate.
    const Ended silent = Plane(one(kGate), "{}").abort_at(Ask::hash_input).invoke();
    CHECK(silent.asked == "hash");
    CHECK(silent.outcome == "cancelled CANCELLED@cancellation");
    // A record that is stored already is answered.
    CHECK(Plane(one(kGate)).abort_at(Ask::store_approval).invoke().outcome == "approval-required");
}

TEST_CASE("of time and token the first cause wins, and the token ends the retries", "[domain]") {
    const auto raced = [](const std::string& more, Told told, const std::string& text = "") {
        Plane plane(one(more));
        Step step = plane.runtime->begin(Call().text(), 0);
        step = plane.runtime->tell(step.execution, Told::hashed, kInput, false, 0);
        REQUIRE(step.ask == Ask::execute);
        step = plane.runtime->tell(step.execution, told, text, true, 0);
        REQUIRE(step.ask == Ask::finished);
        return outcome_of(step.text);
    };
    const std::string retry = R"(,"retry":{"maxAttempts":1})";
    const std::string asking = R"(,"retry":{"maxAttempts":1,"retryOn":)" + kFunction + "}";
    CHECK(raced("", Told::timed_out) == "cancelled TIMEOUT@timeout");
    CHECK(raced(retry, Told::timed_out) == "cancelled CANCELLED@cancellation");
    CHECK(raced(asking, Told::timed_out) == "cancelled CANCELLED@cancellation");
    for (const Told told : {Told::output, Told::threw, Told::stopped})
        CHECK(raced(retry, told, kAgain) == "cancelled CANCELLED@cancellation");
}

TEST_CASE("an exception that nobody expected is an envelope at every ask, with one terminal event", "[domain]") {
    for (const std::vector<Ask>& way : {kWay, kResumeWay})
        for (std::size_t at = 0; at < way.size(); ++at) {
            INFO(kAskNames[static_cast<std::size_t>(way[at])]);
            const Cut result = cut(way, at, false, Told::broke);
            CHECK(result.tail == (way[at] == Ask::decide_inline ? "failed INTERNAL_ERROR@approval"
                                                                : "failed INTERNAL_ERROR@execution"));
            REQUIRE_FALSE(result.events.empty());
            CHECK(result.events.back().find(R"(failed {"code":"INTERNAL_ERROR")") == 0);
            const bool executed = way[at] == Ask::validate_output || way[at] == Ask::redact;
            CHECK((result.events.back().find("executedBeforeFailure") != std::string::npos) == executed);
            // Up to the hash of stage 5 whoever may not see it is asked first (decision 18).
            CHECK((result.step.ask == Ask::run_policies) ==
                  (way[at] == Ask::validate_input || (at == 1 && way[0] == Ask::validate_input)));
        }
    CHECK(Plane(one(kGate)).on(Ask::store_approval, Told::broke).invoke().outcome == "failed INTERNAL_ERROR@approval");
}

}  // namespace
