// Random histories of one registry: whatever the order of events, each call has one answer and nothing is lost.
#include <cstdlib>
#include <random>

#include "call_book.h"

namespace {

using namespace viewcap_test;

constexpr const char* kCapabilities[] = {"readState", "setFilters", "open"};
constexpr const char* kInputs[] = {"", "{}", R"({"status":"open"})", R"({"status":"nonsense"})", "7"};

class History {
  public:
    explicit History(unsigned seed)
        : random_(seed), book_(2), surface_(R"("limits":{"dedupeCacheSize":100000,"dedupeCacheTtlMs":4000000000})") {
        surface_.registry->listen(seed % 4);
        contract_ = surface_.intern();
    }

    void step() {
        switch (below(16)) {
            case 0: mount(); break;
            case 1: unmount(); break;
            case 2: update(); break;
            case 3: gates(); break;
            case 4: expire(); break;
            case 5:
            case 6:
            case 7:
            case 8: begin(); break;
            case 9: late(); break;
            default: go_on(); break;
        }
        carry_out();
        REQUIRE(surface_.registry->version() >= version_);
        version_ = surface_.registry->version();
        book_.require_no_lost_waiter();
        book_.trim();
    }

    void finish(std::map<std::string, int>& met) {
        surface_.registry->dispose(surface_.now);
        book_.live.clear();
        carry_out();
        CHECK(book_.open().empty());
        for (const auto& [what, times] : book_.met) met[what] += times;
        CHECK(surface_.registry->expire(surface_.now) == -1);
    }

  private:
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    template <typename List>
    auto pick(const List& list) {
        return *std::next(list.begin(), static_cast<std::ptrdiff_t>(below(static_cast<std::uint32_t>(list.size()))));
    }

    void mount() {
        if (book_.live.size() >= 4) return;
        const auto handle =
            surface_.mount("reg_" + std::to_string(++mounts_), "i" + std::to_string(below(4)), contract_);
        if (handle != 0) book_.live.insert(handle);
    }
    void unmount() {
        if (book_.live.empty() || below(3) > 0) return;
        const auto handle = pick(book_.live);
        book_.live.erase(handle);
        surface_.registry->unmount(handle, surface_.now);
    }
    void update() {
        if (book_.live.empty()) return;
        const char* patches[] = {R"({"enabled":false})",
                                 R"({"enabled":true})",
                                 R"({"enabled":true})",
                                 R"({"invalidate":true})",
                                 R"({"availability":{"open":{"available":false}}})",
                                 R"({"availability":{"open":null}})"};
        REQUIRE(surface_.registry->update(pick(book_.live), patches[below(6)], surface_.now));
    }
    void gates() {
        const auto handle = book_.live.empty() ? 1U : pick(book_.live);
        REQUIRE(surface_.registry->gates(
            "[[" + std::to_string(handle) + "," + std::to_string(below(4)) + "," + std::to_string(below(2)) + "]]",
            surface_.now));
    }
    void expire() {
        surface_.now += below(300);
        const double next = surface_.registry->expire(surface_.now);
        CHECK((next == -1 || next > 0));
        if (below(8) == 0) surface_.registry->expire(surface_.now - 10000);
    }

    void begin() {
        const std::string capability = kCapabilities[below(3)];
        const std::string input = kInputs[below(8) > 3 ? below(5) : below(3)];
        std::string fields = R"("instanceId":"i)" + std::to_string(below(4)) + "\"";
        if (!input.empty()) fields += ",\"input\":" + input;
        if (below(2) == 0) fields += ",\"timeoutMs\":" + std::to_string(1 + below(1000));
        std::string identity;
        if (below(2) == 0) {
            const std::string consumer = "c" + std::to_string(below(3));
            const std::string id = "id" + std::to_string(below(200) + mounts_ / 4);
            fields += R"(,"invocationId":")" + id + R"(","consumer":{"id":")" + consumer + R"(","kind":"test"})";
            identity = consumer + ":" + id;
        }
        note_begin(surface_.begin(capability, fields), capability, identity);
        // The same request at once again: what a caller does that has heard nothing.
        if (below(8) == 0) note_begin(surface_.begin(capability, fields), capability, identity);
    }
    void note_begin(const viewcap::Answer& answer, const std::string& capability, const std::string& identity) {
        if (answer.kind == Kind::join) ++book_.met["join"];
        if (answer.kind == Kind::join) REQUIRE(book_.calls.at(answer.invocation).answers == 0);
        if (answer.kind == Kind::result) note_first_answer(answer.result, identity);
        if (answer.kind != Kind::plan) return;
        Call call;
        call.handle = answer.invocation;
        call.registration = answer.registration;
        call.identity = identity;
        call.capability = capability;
        call.admit_later = answer.admit_later;
        call.input_refused = answer.input_refused;
        book_.planned(call);
    }
    /// An answer without a plan: of an early phase, a replay or a conflict.
    void note_first_answer(const std::string& result, const std::string& identity) {
        if (at(result, {"status"}) == "error") require_in_vocabulary(result);
        if (!identity.empty() && at(result, {"error", "code"}) != "INVOCATION_CONFLICT") book_.taken.insert(identity);
    }

    /// Takes the next step of some open call, as the glue may.
    void go_on() {
        const auto open = book_.open();
        if (open.empty()) return;
        Call& call = book_.calls.at(pick(open));
        if (below(12) == 0)
            return note(call, surface_.registry->settle(call.handle, Outcome::cancelled, "", surface_.now));
        if (call.place == Place::gates) return gate(call);
        if (call.place == Place::turn)
            return note(call, advance(call, below(4) == 0 ? Step::unavailable : Step::check_again));
        if (call.place == Place::handler) settle(call);
    }
    void gate(Call& call) {
        if (call.input_refused) return note(call, advance(call, Step::input));
        const std::uint32_t choice = below(8);
        if (choice == 0) return note(call, advance(call, Step::unavailable));
        if (choice == 1) return note(call, advance(call, Step::precondition, R"({"message":"m"})"));
        if (choice == 2) return note(call, advance(call, Step::thrown));
        if (call.admit_later) return note(call, advance(call, Step::admit));
        if (choice == 3) CHECK(advance(call, Step::hold).kind == Kind::ignored);
        note(call, advance(call, Step::check_again));
    }
    void settle(Call& call) {
        const Outcome outcomes[] = {Outcome::no_output,    Outcome::output,       Outcome::output,  Outcome::not_json,
                                    Outcome::thrown_error, Outcome::thrown_other, Outcome::internal};
        const Outcome outcome = outcomes[below(7)];
        const char* texts[] = {R"({"total":1})", R"({"code":"RATE_LIMITED","message":"m"})", R"({"transient":true})"};
        const std::size_t text = outcome == Outcome::output ? 0 : outcome == Outcome::thrown_error ? 1 : 2;
        note(call, surface_.registry->settle(call.handle, outcome, texts[text], surface_.now));
    }
    viewcap::Answer advance(const Call& call, Step step, const std::string& text = "") {
        return surface_.registry->advance(call.handle, step, text, surface_.now);
    }
    void note(Call& call, const viewcap::Answer& answer) {
        if (answer.kind == Kind::go) book_.went(call.handle);
        if (answer.kind == Kind::wait) book_.waits(call.handle);
        if (answer.kind == Kind::done) book_.answered(call.handle, "", "");
        if (answer.kind == Kind::ignored) FAIL("an open call was ignored at place " << static_cast<int>(call.place));
        if (answer.kind != Kind::result) return;
        require_in_vocabulary(answer.result);
        book_.answered(call.handle, at(answer.result, {"error", "code"}), at(answer.result, {"error", "retry"}));
    }
    void late() {
        for (const auto& [handle, call] : book_.calls)
            if (call.answers > 0 && below(4) == 0)
                REQUIRE(surface_.registry->settle(handle, Outcome::output, R"({"total":1})", surface_.now).kind ==
                        Kind::ignored);
    }

    void carry_out() {
        for (const std::string& item : effects_of(surface_.outbox())) {
            const auto number = [&item](const char* name) {
                const std::string text = at(item, {name});
                return static_cast<viewcap::InvocationHandle>(text.empty() ? 0 : std::stoul(text));
            };
            if (const auto settled = number("settle"); settled != 0) {
                require_in_vocabulary(at(item, {"result"}));
                book_.answered(settled, at(item, {"result", "error", "code"}), at(item, {"result", "error", "retry"}));
            }
            if (const auto aborted = number("abort"); aborted != 0) book_.aborted(aborted);
            if (const auto turn = number("dispatch"); turn != 0) book_.dispatched(turn);
        }
    }

    std::mt19937 random_;
    CallBook book_;
    TestSurface surface_;
    viewcap::ContractHandle contract_ = 0;
    std::uint32_t mounts_ = 0;
    std::uint64_t version_ = 0;
};

int steps_wanted() {
    const char* given = std::getenv("VIEWCAP_HISTORY_STEPS");
    return given == nullptr ? 5000 : std::max(1, std::atoi(given));
}

TEST_CASE(
    "in any history each call has one answer, nothing runs unmounted, no turn is lost and the version never goes back",
    "[core]") {
    constexpr int kSteps = 500;
    std::map<std::string, int> met;
    const int histories = (steps_wanted() + kSteps - 1) / kSteps;
    for (int seed = 1; seed <= histories; ++seed) {
        History history(static_cast<unsigned>(seed));
        for (int i = 0; i < kSteps; ++i) {
            INFO("seed " << seed << ", step " << i);
            history.step();
        }
        history.finish(met);
    }
    // Histories that meet nothing would prove nothing.
    if (histories * kSteps < 5000) return;
    for (const char* what :
         {"ok", "join", "dispatch", "abort", "RATE_LIMITED", "TIMEOUT", "CANCELLED", "COMPONENT_UNMOUNTED",
          "CAPABILITY_NOT_AVAILABLE", "INVALID_INPUT", "PRECONDITION_FAILED", "EXECUTION_FAILED"}) {
        INFO(what);
        CHECK(met[what] > 0);
    }
}

}  // namespace
