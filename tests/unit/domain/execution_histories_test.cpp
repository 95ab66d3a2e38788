// Many executions at once, interleaved at random, against a model that knows each one's whole plan and no states: it
// says in one pass what is asked, what is told of it and how it ends.
#include <algorithm>
#include <map>
#include <random>

#include "execution_model.h"

namespace {

using namespace domain_test;

struct Live {
    Plan plan;
    const Shape* shape = nullptr;
    std::string execution, asked;
    std::size_t answers = 0, executed = 0;
    bool foreign = false;  // told something that was not asked for: only what holds for all is expected
    bool demanded = false, approved = false, ended = false, aborted = false;
    Step step;
    std::string text;
    Texts events;
};

class History {
  public:
    explicit History(unsigned seed) : random_(seed) {
        options_ = {random_() % 2 == 0, random_() % 3 == 0, random_() % 4 != 0};
        options_.strict = options_.strict && options_.listens;
        Nodes nodes;
        for (int at = 0; at < 4; ++at) {
            shapes_.push_back(random_shape(random_));
            nodes.push_back(procedure_of("c" + std::to_string(at), shapes_.back()));
        }
        const auto facts = json(text_of(options_));
        auto created = domain::GovernedRuntime::create(built(nodes), facts.root());
        REQUIRE(created);
        runtime_ = std::move(*created);
        calls_.reserve(kCalls);
    }

    std::size_t run() {
        while (true) {
            std::vector<Live*> open;
            for (Live& live : calls_)
                if (!live.ended) open.push_back(&live);
            CHECK(runtime_->open_count() == open.size());
            if (open.empty() && calls_.size() == kCalls) break;
            now_ += static_cast<double>(random_() % 200) - 100;
            if (calls_.size() < kCalls && (open.empty() || (open.size() < 6 && random_() % 3 == 0)))
                begin();
            else
                go_on(*open[random_() % open.size()]);
            if (random_() % 8 == 0) disturb();
            collect();
        }
        for (const Live& live : calls_) check(live);
        return calls_.size();
    }

  private:
    static constexpr std::size_t kCalls = 12;

    void begin() {
        Live live;
        const std::size_t at = random_() % 4;
        live.shape = &shapes_[at];
        live.plan = random_plan(random_);
        live.foreign = random_() % 8 == 0;
        live.execution = "exe_" + std::to_string(calls_.size());
        live.aborted = live.plan.gone_after == 0;
        live.step = live.plan.resumes ? runtime_->resume(resume_text(live, at), now_)
                                      : runtime_->begin(call_text(live, at), now_);
        calls_.push_back(std::move(live));
        took(calls_.back());
    }
    static std::string call_text(const Live& live, std::size_t at) {
        Call call;
        call.id = "c" + std::to_string(at);
        call.execution = live.execution;
        call.aborted = live.aborted;
        if (live.plan.is_nobody) call.actor = "null";
        return call.text();
    }
    static std::string resume_text(const Live& live, std::size_t at) {
        return Resume{record({{"capabilityId", "\"c" + std::to_string(at) + "\""}, {"expiresAt", "1e15"}}), "null",
                      live.execution, live.aborted}
            .text();
    }

    void go_on(Live& live) {
        auto [told, text] = answer_of(live.plan, live.step, live.executed);
        if (live.foreign && random_() % 3 == 0) {
            told = static_cast<Told>(random_() % 18);
            if (random_() % 2 == 0) text = "[{\"type\":\"allow\"},";
        }
        ++live.answers;
        live.aborted = live.aborted || live.answers >= live.plan.gone_after;
        note(live, told, text);
        const auto handle = live.step.execution;
        live.step = runtime_->tell(handle, told, text, live.aborted, now_);
        took(live);
        if (live.ended) CHECK(runtime_->tell(handle, told, text, false, now_).ask == Ask::ignored);
    }

    /// Kept by what was told alone: whether an approval was demanded, and whether there is one.
    static void note(Live& live, Told told, const std::string& text) {
        const Ask asked = live.step.ask;
        if (asked == Ask::decide_inline && told == Told::decided && text == kBossApproves) live.approved = true;
        if (asked == Ask::consume_approval && told == Told::done) live.approved = true;
        if (asked == Ask::run_policies && told == Told::batch && text == text_of(Said::demand)) live.demanded = true;
    }

    /// What holds for every step, whatever was told before.
    void took(Live& live) {
        REQUIRE(live.step.ask != Ask::ignored);
        if (live.step.ask == Ask::finished) {
            live.ended = true;
            live.text = live.step.text;
            return;
        }
        live.asked += std::string(kAskNames[static_cast<std::size_t>(live.step.ask)]) + " ";
        if (live.step.ask == Ask::store_approval || live.step.ask == Ask::consume_approval) CHECK_FALSE(live.aborted);
        if (live.step.ask != Ask::execute) return;
        ++live.executed;
        CHECK_FALSE(live.aborted);
        CHECK((live.approved || !(live.shape->gated || live.demanded || live.plan.resumes)));
        CHECK(live.executed <= 1 + static_cast<std::size_t>(live.shape->retries));
        if (live.shape->writes && !live.shape->idempotent) CHECK(live.executed == 1);
    }

    /// Told to whoever has ended already.
    void disturb() {
        for (const Live& live : calls_)
            if (live.ended && live.step.execution != 0)
                CHECK(runtime_->tell(live.step.execution, static_cast<Told>(random_() % 16), "", true, now_).ask ==
                      Ask::ignored);
    }

    void collect() {
        const auto document = json(runtime_->audit().take());
        for (const auto event : document.root().elements()) {
            const std::string_view execution = event.find("executionId").string();
            const auto owner = std::find_if(calls_.begin(), calls_.end(),
                                            [&](const Live& live) { return live.execution == execution; });
            REQUIRE(owner != calls_.end());
            owner->events.emplace_back(event.find("type").string().substr(11));
        }
    }

    void check(const Live& live) {
        INFO(live.execution);
        const std::string outcome = outcome_of(live.text);
        if (!live.foreign) {
            const Forecast forecast = forecast_of(live.plan, *live.shape, options_);
            CHECK(live.asked == forecast.asked);
            CHECK(outcome == forecast.outcome);
            CHECK(live.events == (options_.listens ? forecast.events : Texts{}));
        }
        if (!options_.listens) return;
        std::size_t terminal = 0, started = 0;
        for (const std::string& event : live.events) {
            CHECK(terminal == 0);
            terminal += event == "denied" || event == "completed" || event == "failed" || event == "cancelled";
            started += event == "started";
        }
        CHECK(terminal == (outcome == "approval-required" ? 0 : 1));
        CHECK(started <= 1);
        if (live.executed > 0) CHECK(started == 1);
    }

    std::mt19937 random_;
    Options options_;
    std::vector<Shape> shapes_;
    std::unique_ptr<domain::GovernedRuntime> runtime_;
    std::vector<Live> calls_;
    double now_ = 1e6;
};

TEST_CASE("executions in any order disturb each other in nothing, and each goes as the model says", "[domain]") {
    std::size_t executions = 0;
    for (unsigned seed = 1; seed <= 2500; ++seed) {
        INFO("seed " << seed);
        executions += History(seed).run();
    }
    CHECK(executions == 2500 * 12);
}

TEST_CASE("the random plans reach every ending that there is", "[domain]") {
    // Else the histories above would show nothing.
    std::mt19937 random(7);
    std::map<std::string, int> met;
    for (int at = 0; at < 40000; ++at) {
        const Plan plan = random_plan(random);
        const Shape shape = random_shape(random);
        Options options{random() % 2 == 0, random() % 3 == 0, true};
        ++met[forecast_of(plan, shape, options).outcome];
    }
    for (const std::string ending :
         {"completed", "approval-required", "cancelled CANCELLED@cancellation", "cancelled TIMEOUT@timeout",
          "failed CAPABILITY_NOT_FOUND@discovery", "failed INPUT_INVALID@input-validation",
          "failed UNAUTHENTICATED@authentication", "failed POLICY_DENIED@policy", "failed POLICY_FAILED@policy",
          "failed APPROVAL_UNSERIALIZABLE_INPUT@approval", "failed APPROVAL_REJECTED@approval",
          "failed APPROVAL_SELF_APPROVAL@approval", "failed INTERNAL_ERROR@approval",
          "failed APPROVAL_INPUT_MISMATCH@approval", "failed APPROVAL_CONSUMED@approval",
          "failed AUDIT_UNAVAILABLE@execution", "failed EXECUTION_FAILED@execution",
          "failed OUTPUT_INVALID@output-validation"}) {
        INFO(ending);
        CHECK(met[ending] > 10);
    }
    CHECK(met.size() == 18);
}

}  // namespace
