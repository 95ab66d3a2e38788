// Random histories of governed calls: votes, policies, people, lanes and the pool, in any order. Whatever happens, each
// call has one answer, runs at most once, never without the approval that it needs, and nobody waits for ever.
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "calls.h"

namespace {

using namespace viewcap_test;

constexpr const char* kDesk = R"({"type":"invoices.pending","description":"d",
"observations":{"look":{"description":"d"}},
"actions":{"act":{"description":"d","input":{"type":"object"},"effect":"local-state"},
"risk":{"description":"d","input":{"type":"object"},"effect":"local-state","confirmation":"required"},
"both":{"description":"d","input":{"type":"object"},"effect":"local-state","concurrency":{"mode":"parallel","max":2,"queueDepth":1}},
"alone":{"description":"d","input":{"type":"object"},"effect":"navigation","concurrency":{"mode":"key","key":"k"}},
"secret":{"description":"d","input":{"type":"object"},"effect":"local-state"}}})";
constexpr const char* kNames[] = {"look", "act", "risk", "both", "alone", "secret"};
constexpr std::size_t kMostPending = 1;
// Small, so that histories meet them: places and waiters of a consumer, places of all.
constexpr std::size_t kPoolPlaces = 2;
constexpr std::size_t kPoolDepth = 1;
constexpr std::size_t kPoolTotal = 3;

enum class Place { gates, line, turn, handler, over };

struct GovernedCall {
    viewcap::InvocationHandle handle = 0;
    viewcap::RegistrationHandle registration = 0;
    std::string consumer, name, identity, input, evidence;
    Place place = Place::gates;
    bool admit_later = false;
    bool refused = false;
    bool confirmed = false;
    bool ran = false;
};

struct Approval {
    std::string consumer, input, registration_id;
    bool approved = false;
    bool spent = false;
};

class GovernedHistory {
  public:
    explicit GovernedHistory(unsigned seed)
        : random_(seed),
          surface_(
              R"("limits":{"dedupeCacheSize":100000,"dedupeCacheTtlMs":4000000000,"maxPendingConfirmations":1,"maxConcurrentObservationsPerConsumer":2,"maxQueuedObservationsPerConsumer":1,"maxConcurrentObservationsTotal":3})") {
        surface_.registry->listen(seed % 4);
        contract_ = surface_.intern(kDesk);
    }

    void step() {
        switch (below(20)) {
            case 0:
            case 19: mount(); break;
            case 1: unmount(); break;
            case 2: advance_clock(); break;
            case 3:
            case 4: decide(); break;
            case 5:
            case 6:
            case 7:
            case 8:
            case 9:
            case 10: begin(); break;
            default: go_on(); break;
        }
        carry_out();
        check();
    }

    void finish(std::map<std::string, int>& met) {
        surface_.registry->dispose(surface_.now);
        live_.clear();
        carry_out();
        for (const auto& [handle, call] : calls_) CHECK(call.place == Place::over);
        CHECK(surface_.registry->expire(surface_.now) == -1);
        for (const auto& [what, times] : met_) met[what] += times;
    }

  private:
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

    template <typename Test>
    GovernedCall* any(Test test) {
        std::vector<GovernedCall*> list;
        for (auto& [handle, call] : calls_)
            if (test(call)) list.push_back(&call);
        return list.empty() ? nullptr : list[below(static_cast<std::uint32_t>(list.size()))];
    }

    void mount() {
        if (live_.size() >= 2) return;
        const std::string id = "reg_" + std::to_string(++mounts_);
        const std::string text = R"({"registrationId":")" + id + R"(","instanceId":"i)" + std::to_string(below(2)) +
                                 R"(","votes":true,"discovery":true)" + (below(2) == 0 ? R"(,"policies":true})" : "}");
        const auto outcome = surface_.registry->mount(contract_, text, surface_.now);
        REQUIRE(outcome);
        if (outcome->registration == 0) return;
        live_.insert(outcome->registration);
        ids_[outcome->registration] = id;
    }

    void unmount() {
        if (live_.empty() || below(4) != 0) return;
        const auto registration = *std::next(live_.begin(), below(static_cast<std::uint32_t>(live_.size())));
        live_.erase(registration);
        surface_.registry->unmount(registration, surface_.now);
    }

    void advance_clock() {
        constexpr double kTimes[] = {1, 400, 4000, 11000, 121000};
        surface_.now += kTimes[below(5)];
        surface_.registry->expire(surface_.now);
    }

    void decide() {
        const auto list = document(surface_.registry->confirmations(surface_.now));
        CHECK(list.root().size() <= kMostPending);
        for (auto pending : list.root().elements()) {
            if (below(2) == 0) continue;
            const std::string id(pending.find("confirmationId").string());
            const bool approved = below(4) != 0;
            const std::string text =
                R"({"id":")" + id + R"(","approved":)" + (approved ? std::string("true}") : std::string("false}"));
            CHECK(surface_.registry->resolve_confirmation(text, surface_.now));
            CHECK_FALSE(surface_.registry->resolve_confirmation(text, surface_.now));
            Approval& approval = approvals_[id];
            approval.approved = approved;
            ++met_[approved ? "approved" : "denied"];
            return;
        }
    }

    void begin() {
        GovernedCall call;
        call.consumer = below(2) == 0 ? "one" : "two";
        call.name = kNames[below(6)];
        call.input = call.name == "look" ? "{}" : R"({"n":)" + std::to_string(below(2)) + "}";
        std::string fields =
            R"("input":)" + call.input + R"(,"consumer":{"id":")" + call.consumer + R"(","kind":"test"})";
        if (below(2) == 0) {
            call.identity = call.consumer + "\n" + std::to_string(below(3) == 0 ? below(next_id_ + 1) : ++next_id_);
            fields += R"(,"invocationId":")" + call.identity.substr(call.identity.find('\n') + 1) + "\"";
        }
        if (call.name == "risk" && !approvals_.empty() && below(4) != 0) {
            const auto chosen = std::next(approvals_.begin(), below(static_cast<std::uint32_t>(approvals_.size())));
            call.evidence = chosen->first;
            if (below(5) != 0) {
                call.consumer = chosen->second.consumer;
                call.input = chosen->second.input;
                call.identity.clear();
                fields = R"("input":)" + call.input + R"(,"consumer":{"id":")" + call.consumer +
                         R"(","kind":"test"},"registrationId":")" + chosen->second.registration_id + "\"";
            }
            fields += R"(,"confirmationId":")" + call.evidence + "\"";
        }
        if (below(3) != 0 && call.evidence.empty()) fields += R"(,"instanceId":"i)" + std::to_string(below(2)) + "\"";
        viewcap::Answer answer = surface_.begin(call.name, fields);
        const bool hidden = call.name == "secret" && call.consumer == "two";
        while (answer.kind == Kind::ask) {
            const auto listed = document(answer.text);
            std::string votes = "[";
            for (auto candidate : listed.root().elements())
                if (hidden) votes += (votes.size() > 1 ? "," : "") + std::string((*candidate.elements().begin()).raw());
            answer = surface_.registry->advance(
                answer.invocation, Step::votes,
                R"({"hidden":)" + votes + R"(],"gone":)" + (hidden ? "true}" : "false}"), surface_.now);
        }
        if (answer.kind == Kind::result) {
            const std::string code = at(answer.result, {"error", "code"});
            ++met_[code.empty() ? "ok" : code];
            if (hidden) CHECK((code == "CAPABILITY_NOT_FOUND" || code == "INVOCATION_CONFLICT"));
            return;
        }
        if (answer.kind != Kind::plan) return;
        REQUIRE_FALSE(hidden);
        // Within the window an identity is in flight or kept at most once.
        if (!call.identity.empty()) REQUIRE(taken_.insert(call.identity).second);
        call.handle = answer.invocation;
        call.registration = answer.registration;
        call.admit_later = answer.admit_later;
        call.refused = answer.input_refused;
        calls_[call.handle] = call;
    }

    void go_on() {
        GovernedCall* call = any([](const GovernedCall& one) {
            return one.place == Place::gates || one.place == Place::turn || one.place == Place::handler;
        });
        if (call == nullptr) return;
        if (call->place == Place::handler) return below(3) == 0 ? settle(*call) : void();
        if (call->refused) return take(*call, Step::input, "");
        if (call->name == "risk" && !call->confirmed && call->place == Place::gates) return confirm(*call);
        switch (below(12)) {
            case 0: return take(*call, Step::policy_denied, "");
            case 1: return take(*call, Step::policy_threw, "");
            case 2: return take(*call, Step::precondition, R"({"message":"m"})");
            case 3: return cancel(*call);
            default: break;
        }
        if (call->place == Place::turn || !call->admit_later || below(3) == 0)
            return take(*call, Step::check_again, "");
        take(*call, Step::admit, "");
    }

    void confirm(GovernedCall& call) {
        const std::string fresh = "cnf_" + std::to_string(++next_confirmation_);
        const auto answer = surface_.registry->advance(
            call.handle, Step::confirm, R"({"input":)" + call.input + R"(,"freshId":")" + fresh + "\"}", surface_.now);
        if (answer.kind == Kind::result && code_of(answer) == "CONFIRMATION_REQUIRED") {
            const std::string id = detail_of(answer, "confirmationId");
            approvals_.emplace(id, Approval{call.consumer, call.input, ids_.at(call.registration), false, false});
            while (approvals_.size() > 12) approvals_.erase(approvals_.begin());
        }
        if (answer.kind != Kind::pass) return answered(call, answer);
        const auto approval = approvals_.find(call.evidence);
        REQUIRE(approval != approvals_.end());
        CHECK(approval->second.approved);
        CHECK_FALSE(approval->second.spent);
        CHECK(approval->second.input == call.input);
        CHECK(approval->second.consumer == call.consumer);
        for (const auto& [handle, other] : calls_)
            CHECK_FALSE((other.confirmed && other.place != Place::over && other.evidence == call.evidence));
        call.confirmed = true;
        ++met_["confirmed"];
    }

    void take(GovernedCall& call, Step step, const std::string& text) {
        answered(call, surface_.registry->advance(call.handle, step, text, surface_.now));
    }

    void settle(GovernedCall& call) {
        if (below(6) == 0) return cancel(call);
        const bool fails = below(4) == 0;
        answered(call, surface_.registry->settle(call.handle, fails ? Outcome::thrown_other : Outcome::output,
                                                 fails ? "" : "{}", surface_.now));
    }
    void cancel(GovernedCall& call) {
        answered(call, surface_.registry->settle(call.handle, Outcome::cancelled, "", surface_.now));
    }

    void answered(GovernedCall& call, const viewcap::Answer& answer) {
        if (answer.kind == Kind::go) return went(call);
        if (answer.kind == Kind::wait) call.place = Place::line;
        if (answer.kind == Kind::done) over(call, "ok", "");
        if (answer.kind == Kind::result)
            over(call, at(answer.result, {"error", "code"}), at(answer.result, {"error", "retry"}));
    }

    void went(GovernedCall& call) {
        REQUIRE(call.place != Place::over);
        REQUIRE(live_.count(call.registration) == 1);
        if (call.name == "risk") REQUIRE(call.confirmed);
        call.place = Place::handler;
        call.ran = true;
        ++met_["go"];
    }

    void over(GovernedCall& call, const std::string& code, const std::string& retry) {
        REQUIRE(call.place != Place::over);
        if (call.confirmed && call.place == Place::handler) approvals_[call.evidence].spent = true;
        call.place = Place::over;
        ++met_[code];
        const bool transient = code == "EXECUTION_FAILED" && retry == "after-delay";
        if (code == "RATE_LIMITED" || code == "CONFIRMATION_REQUIRED" || transient) taken_.erase(call.identity);
    }

    void carry_out() {
        for (const std::string& item : effects_of(surface_.outbox())) {
            const std::string settled = at(item, {"settle"});
            const std::string dispatched = at(item, {"dispatch"});
            if (!settled.empty()) {
                GovernedCall& call = calls_.at(static_cast<std::uint32_t>(std::atoi(settled.c_str())));
                over(call, at(item, {"result", "error", "code"}), at(item, {"result", "error", "retry"}));
            }
            if (!dispatched.empty()) {
                GovernedCall& call = calls_.at(static_cast<std::uint32_t>(std::atoi(dispatched.c_str())));
                REQUIRE(call.place == Place::line);
                call.place = Place::turn;
                ++met_["turn"];
            }
        }
    }

    /// The lane or pool in which a call stands.
    static std::string lane_of(const GovernedCall& call) {
        if (call.name == "look") return "look " + call.consumer;
        if (call.name == "alone") return "key";
        return (call.name == "both" ? "both " : "own ") + std::to_string(call.registration);
    }

    void check() {
        REQUIRE(surface_.registry->version() >= version_);
        version_ = surface_.registry->version();
        std::map<std::string, std::pair<std::size_t, std::size_t>> lanes;  // who holds, who waits
        for (const auto& [handle, call] : calls_) {
            auto& [holds, waits] = lanes[lane_of(call)];
            if (call.place == Place::handler || call.place == Place::turn ||
                (call.place == Place::gates && !call.admit_later))
                ++holds;
            if (call.place == Place::line) ++waits;
        }
        const std::size_t observing = lanes["look one"].first + lanes["look two"].first;
        CHECK(observing <= kPoolTotal);
        for (const auto& [lane, counts] : lanes) {
            const bool pool = lane[0] == 'l';
            const std::size_t places = pool ? kPoolPlaces : lane[0] == 'b' ? 2 : 1;
            const std::size_t depth = pool ? kPoolDepth : lane[0] == 'b' ? 1 : 2;
            INFO(lane);
            CHECK(counts.first <= places);
            CHECK(counts.second <= depth);
            if (counts.second > 0) CHECK((counts.first == places || (pool && observing == kPoolTotal)));
            if (pool && counts.second > 0) ++met_["pool full"];
        }
        for (auto it = calls_.begin(); it != calls_.end() && calls_.size() > 48;)
            it = it->second.place == Place::over ? calls_.erase(it) : std::next(it);
    }

    std::mt19937 random_;
    TestSurface surface_;
    viewcap::ContractHandle contract_ = 0;
    std::map<viewcap::InvocationHandle, GovernedCall> calls_;
    std::map<std::string, Approval> approvals_;
    std::map<viewcap::RegistrationHandle, std::string> ids_;
    std::set<viewcap::RegistrationHandle> live_;
    std::set<std::string> taken_;
    std::map<std::string, int> met_;
    std::uint32_t next_id_ = 0;
    int mounts_ = 0;
    int next_confirmation_ = 0;
    std::uint64_t version_ = 0;
};

TEST_CASE("in random histories of governed calls each has one answer, runs at most once and never unapproved",
          "[core]") {
    const char* given = std::getenv("VIEWCAP_HISTORY_STEPS");
    const int steps = given != nullptr ? std::atoi(given) : 20000;
    constexpr int kPerHistory = 1000;
    std::map<std::string, int> met;
    for (int done = 0; done < steps; done += kPerHistory) {
        const unsigned seed = 20261201U + static_cast<unsigned>(done);
        INFO("seed " << seed);
        GovernedHistory history(seed);
        for (int step = 0; step < kPerHistory; ++step) history.step();
        history.finish(met);
    }
    std::string all = std::to_string(steps) + " steps:";
    for (const auto& [what, times] : met) all += " " + what + " " + std::to_string(times);
    WARN(all);
    for (const char* what :
         {"go", "turn", "ok", "confirmed", "approved", "denied", "CONFIRMATION_REQUIRED", "CONFIRMATION_INVALID",
          "RATE_LIMITED", "pool full", "COMPONENT_UNMOUNTED", "CAPABILITY_NOT_FOUND", "NOT_AUTHORIZED",
          "EXECUTION_FAILED", "PRECONDITION_FAILED", "CANCELLED", "TIMEOUT"}) {
        INFO(what);
        CHECK(met[what] > 0);
    }
}

}  // namespace
