// Whatever is told, asked for or not, at whatever ask: no crash, one finished step, and silence after it.
#include <set>

#include "plane_ways.h"

namespace {

using namespace domain_test;

constexpr int kToldTried = domain::kToldCount + 2;  // and two that are no words at all
Told told_at(int index) { return static_cast<Told>(index < domain::kToldCount ? index : index * 7); }

// Which words answer which ask (domain/runtime.h), apart from broke.
const std::map<Ask, std::set<Told>> kAnswers = {
    {Ask::validate_input, {Told::valid, Told::invalid}},
    {Ask::hash_input, {Told::hashed, Told::unhashable}},
    {Ask::run_policies, {Told::batch}},
    {Ask::decide_inline, {Told::decided, Told::undecided, Told::refused}},
    {Ask::store_approval, {Told::done, Told::refused}},
    {Ask::audit_started, {Told::done, Told::refused}},
    {Ask::execute, {Told::output, Told::threw, Told::timed_out, Told::stopped}},
    {Ask::back_off, {Told::done, Told::stopped}},
    {Ask::validate_output, {Told::valid, Told::invalid}},
    {Ask::redact, {Told::done, Told::refused}},
    {Ask::consume_approval, {Told::done, Told::refused}},
    {Ask::may_retry, {Told::yes, Told::no}},
};

struct Way {
    std::vector<Ask> asks;
    std::string options;
};
const std::vector<Way> kWays = {
    {kWay, kAll},
    {kResumeWay, kAll},
    {{Ask::validate_input, Ask::hash_input, Ask::run_policies, Ask::store_approval}, kStrict}};

Step at_ask(Plane& plane, const Way& way, std::size_t at) {
    const bool resumes = way.asks[0] == Ask::hash_input;
    Step step = resumes ? plane.runtime->resume(Resume{record()}.text(), 0) : plane.runtime->begin(Call().text(), 0);
    int executed = 0;
    for (std::size_t index = 0; index < at; ++index) {
        if (step.ask == Ask::execute) ++executed;
        const Answer answer = usual_answer(step.ask, executed < 2);
        step = plane.runtime->tell(step.execution, answer.told, answer.text, false, 0);
    }
    REQUIRE(step.ask == way.asks[at]);
    return step;
}

/// Terminal events among them; a suspension has none.
std::size_t terminals(const Texts& events) {
    std::size_t count = 0;
    for (const std::string& event : events)
        for (const char* type : {"denied ", "completed ", "failed ", "cancelled "})
            count += event.substr(0, std::string(type).size()) == type;
    return count;
}

void try_told(const Way& way, std::size_t at, Told told, const std::string& text, bool aborted) {
    Plane plane(kEverything, way.options);
    Step step = at_ask(plane, way, at);
    const domain::ExecutionHandle handle = step.execution;
    const auto answers = kAnswers.at(step.ask);
    step = plane.runtime->tell(handle, told, text, aborted, 0);
    REQUIRE(step.ask != Ask::ignored);
    const Ask after = step.ask;
    Ended ended;
    if (after == Ask::finished) {
        ended.outcome = outcome_of(step.text);
        ended.events = short_events(plane.runtime->audit().take());
    } else {
        ended = plane.finish(step);
    }
    CHECK(terminals(ended.events) == (ended.outcome == "approval-required" ? 0 : 1));
    if (answers.count(told) == 0) {
        CHECK(ended.outcome.find("failed INTERNAL_ERROR@") == 0);
        // Only the policies that may conceal are still asked.
        if (after != Ask::finished) CHECK(after == Ask::run_policies);
    }
    CHECK(plane.runtime->open_count() == 0);
    for (int index = 0; index < kToldTried; ++index)
        CHECK(plane.runtime->tell(handle, told_at(index), text, aborted, 0).ask == Ask::ignored);
    CHECK(plane.runtime->audit().empty());
}

TEST_CASE("every word at every ask, fitting or not, ends in exactly one finished step and one terminal event",
          "[domain]") {
    std::size_t tried = 0;
    for (const Way& way : kWays)
        for (std::size_t at = 0; at < way.asks.size(); ++at)
            for (int index = 0; index < kToldTried; ++index)
                for (const std::string text : {"", "{", "[]", R"({"a":1})", R"("x")"})
                    for (const bool aborted : {false, true}) {
                        INFO(at << " " << index << " " << text);
                        try_told(way, at, told_at(index), text, aborted);
                        ++tried;
                    }
    CHECK(tried == (kWay.size() + kResumeWay.size() + 4) * std::size_t{kToldTried} * 10);
}

TEST_CASE("an execution that is over, or never was, is ignored and disturbs no other", "[domain]") {
    Plane plane(one(kGate));
    const Step step = plane.runtime->begin(Call().text(), 0);
    for (const domain::ExecutionHandle handle : {0u, step.execution + 1, 4294967295u})
        for (int index = 0; index < kToldTried; ++index) {
            const Step answer = plane.runtime->tell(handle, told_at(index), "", true, 0);
            CHECK(answer.ask == Ask::ignored);
            CHECK(answer.capability == -1);
        }
    CHECK(plane.runtime->open_count() == 1);
    CHECK(plane.finish(step).outcome == "approval-required");
}

TEST_CASE("two executions of one id are two executions", "[domain]") {
    Plane plane(one());
    const Step first = plane.runtime->begin(Call().text(), 0), second = plane.runtime->begin(Call().text(), 0);
    CHECK(first.execution != second.execution);
    CHECK(plane.runtime->open_count() == 2);
    CHECK(plane.runtime->tell(first.execution, Told::broke, "", false, 0).ask == Ask::finished);
    CHECK(plane.finish(second).outcome == "completed");
}

}  // namespace
