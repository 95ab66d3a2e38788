// What the outside knows of every call of a random history, kept apart from the core and compared with what it says.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "calls.h"

namespace viewcap_test {

/// Where the glue has a call: its gates before admission, its place in the line, the gates after its turn, its handler.
enum class Place { gates, line, turn, handler, over };

struct Call {
    viewcap::InvocationHandle handle = 0;
    viewcap::RegistrationHandle registration = 0;
    std::string identity;  // consumer and invocation id; empty: a fresh id
    std::string capability;
    Place place = Place::gates;
    bool admit_later = false;
    bool input_refused = false;
    bool aborted = false;
    int answers = 0;

    bool is_action() const { return capability != "readState"; }
};

class CallBook {
  public:
    explicit CallBook(std::size_t depth) : depth_(depth) {}

    void planned(Call call) {
        REQUIRE(live.count(call.registration) == 1);
        REQUIRE(calls.count(call.handle) == 0);
        // Within the window an identity is in flight or kept at most once.
        if (!call.identity.empty()) REQUIRE(taken.insert(call.identity).second);
        calls.emplace(call.handle, call);
    }
    void went(viewcap::InvocationHandle handle) {
        Call& call = calls.at(handle);
        REQUIRE(call.answers == 0);
        REQUIRE(live.count(call.registration) == 1);
        call.place = Place::handler;
    }
    void waits(viewcap::InvocationHandle handle) {
        Call& call = calls.at(handle);
        REQUIRE(call.answers == 0);
        call.place = Place::line;
        auto& line = lines[call.registration];
        line.push_back(handle);
        REQUIRE(line.size() <= depth_);
    }
    void answered(viewcap::InvocationHandle handle, const std::string& code, const std::string& retry) {
        Call& call = calls.at(handle);
        REQUIRE(++call.answers == 1);
        ++met[code.empty() ? "ok" : code];
        leave_line(call);
        call.place = Place::over;
        const bool transient = code == "EXECUTION_FAILED" && retry == "after-delay";
        if (code == "RATE_LIMITED" || transient) taken.erase(call.identity);
    }
    void dispatched(viewcap::InvocationHandle handle) {
        Call& call = calls.at(handle);
        REQUIRE(call.answers == 0);
        REQUIRE(call.place == Place::line);
        REQUIRE(live.count(call.registration) == 1);
        REQUIRE(lines[call.registration].front() == handle);
        leave_line(call);
        call.place = Place::turn;
        ++met["dispatch"];
    }
    void aborted(viewcap::InvocationHandle handle) {
        Call& call = calls.at(handle);
        REQUIRE(call.capability == "open");
        REQUIRE(call.answers == 0);
        REQUIRE_FALSE(call.aborted);
        call.aborted = true;
        ++met["abort"];
    }
    /// Whether somebody stands in front of those who wait: else their turn was lost.
    void require_no_lost_waiter() const {
        for (const auto& [registration, line] : lines) {
            if (line.empty()) continue;
            bool held = false;
            for (const auto& [handle, call] : calls)
                held = held || (call.registration == registration && call.is_action() && call.answers == 0 &&
                                (call.place == Place::handler || call.place == Place::turn ||
                                 (call.place == Place::gates && !call.admit_later)));
            REQUIRE(held);
        }
    }
    std::vector<viewcap::InvocationHandle> open() const {
        std::vector<viewcap::InvocationHandle> list;
        for (const auto& [handle, call] : calls)
            if (call.answers == 0) list.push_back(handle);
        return list;
    }
    /// Forgets calls that are over, so that long histories stay quick; some stay, for late settlements.
    void trim() {
        for (auto it = calls.begin(); it != calls.end() && calls.size() > 64;)
            it = it->second.answers > 0 ? calls.erase(it) : std::next(it);
    }

    std::map<viewcap::InvocationHandle, Call> calls;
    std::set<viewcap::RegistrationHandle> live;
    std::set<std::string> taken;
    std::map<std::string, int> met;  // how often each kind of answer or item came
    std::map<viewcap::RegistrationHandle, std::vector<viewcap::InvocationHandle>> lines;

  private:
    void leave_line(const Call& call) {
        auto& line = lines[call.registration];
        line.erase(std::remove(line.begin(), line.end(), call.handle), line.end());
    }
    std::size_t depth_;
};

}  // namespace viewcap_test
