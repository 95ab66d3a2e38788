// Drives one execution after the other through a runtime, by script (plane.h has the texts).
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "plane.h"

namespace domain_test {

class Plane {
  public:
    explicit Plane(const Nodes& nodes, const std::string& options = kSink) {
        const auto facts = json(options);
        auto created = domain::GovernedRuntime::create(built(nodes), facts.root());
        REQUIRE(created);
        runtime = std::move(*created);
    }

    /// The next answer to this ask, once; then the one after it, and smooth ones at the end.
    Plane& on(Ask asked, Told told, const std::string& text = "") {
        script_[asked].push_back({told, text, false});
        return *this;
    }
    /// The caller's token is aborted while this is being done; it is done smoothly all the same.
    Plane& abort_at(Ask asked) {
        const auto [told, text] = smooth(asked, input);
        script_[asked].push_back({told, text, true});
        return *this;
    }

    Ended invoke(const Call& call = {}) { return finish(runtime->begin(call.text(), now)); }
    Ended resume(const Resume& call) { return finish(runtime->resume(call.text(), now)); }

    /// Answers until it has ended; nothing is left open then.
    Ended finish(Step step) {
        Ended ended;
        bool aborted = false;
        asks.clear();
        for (int turns = 0; step.ask != Ask::finished; ++turns) {
            REQUIRE(step.ask != Ask::ignored);
            REQUIRE(turns < 100);
            asks.push_back(step);
            ended.asked += (ended.asked.empty() ? "" : " ") + name_of(step);
            const Answer answer = next_answer(step.ask);
            aborted = aborted || answer.aborts;
            now += takes;
            step = runtime->tell(step.execution, answer.told, answer.text, aborted, now);
        }
        CHECK(runtime->tell(step.execution, Told::done, "", false, now).ask == Ask::ignored);
        CHECK(runtime->open_count() == 0);
        ended.outcome = outcome_of(step.text);
        if (!step.text.empty()) {
            const auto document = json(step.text);
            if (const auto error = document.root().find("error")) ended.error = error.raw();
        }
        const std::string events = runtime->audit().take();
        ended.events = short_events(events);
        const auto document = json(events);
        for (const auto event : document.root().elements()) ended.whole.emplace_back(event.raw());
        return ended;
    }

    std::unique_ptr<domain::GovernedRuntime> runtime;
    std::vector<Step> asks;  // of the last execution
    std::string input = kInput;
    double now = 1000;
    double takes = 0;  // milliseconds that each answer takes

  private:
    struct Answer {
        Told told;
        std::string text;
        bool aborts;
    };
    /// With the phase of a batch.
    static std::string name_of(const Step& step) {
        std::string name = kAskNames[static_cast<std::size_t>(step.ask)];
        if (step.ask == Ask::run_policies)
            name += ":" + std::string(domain::kPhases[static_cast<std::size_t>(step.number)]);
        return name;
    }
    Answer next_answer(Ask asked) {
        auto& queue = script_[asked];
        if (!queue.empty()) {
            Answer answer = queue.front();
            queue.pop_front();
            return answer;
        }
        const auto [told, text] = smooth(asked, input);
        return {told, text, false};
    }
    std::map<Ask, std::deque<Answer>> script_;
};

}  // namespace domain_test
