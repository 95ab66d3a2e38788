// Random histories of confirmations against a plain model: whatever the order, one approval serves one call of one
// request.
#include <map>
#include <random>
#include <set>

#include "confirmations.h"

namespace {

using namespace viewcap_test;

class History {
  public:
    explicit History(unsigned seed) : random_(seed), desk_(4, 1000) {}

    void step() {
        switch (below(8)) {
            case 0: decide(); break;
            case 1: end_call(true); break;
            case 2: end_call(false); break;
            case 3: desk_.now += below(4) == 0 ? below(1200) : below(40); break;
            case 4: CHECK(desk_.store.expire(desk_.now) <= 1000); break;
            default: call(); break;
        }
        desk_.outbox.take();
        REQUIRE(desk_.store.pending_count() <= 4);
        REQUIRE(desk_.store.size() <= 4 + 200 + holders_.size());
    }
    std::map<std::string, int> met;

  private:
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

    Request any_request() {
        Request request;
        request.consumer = below(4) == 0 ? "test:eve" : "test:ada";
        request.input = std::to_string(below(below(4) == 0 ? 40 : 3));
        return request;
    }
    static std::string key_of(const Request& request) { return request.consumer + " " + request.input; }

    void call() {
        const Request request = any_request();
        std::string evidence;
        if (!made_.empty() && below(3) > 0) {
            const auto& [id, key] =
                made_[made_.size() - 1 - below(static_cast<std::uint32_t>(std::min<std::size_t>(made_.size(), 8)))];
            evidence = id;
        }
        const viewcap::InvocationHandle by = ++calls_;
        const auto verdict = desk_.check(request, evidence, by);
        if (!verdict.failure) return hold(request, evidence, by);
        if (verdict.failure->code != "CONFIRMATION_REQUIRED") {
            ++met[at(verdict.failure->details, {"reason"})];
            return;
        }
        const std::string id = at(verdict.failure->details, {"confirmationId"});
        const auto [made, fresh] = key_by_id_.emplace(id, key_of(request));
        // An id that is told again is told for the same request only, and only while nobody used it.
        REQUIRE(made->second == key_of(request));
        REQUIRE(spent_.count(id) == 0);
        REQUIRE(holders_.count(id) == 0);
        if (fresh) made_.emplace_back(id, made->second);
        ++met[fresh ? "fresh" : "again"];
    }
    void hold(const Request& request, const std::string& id, viewcap::InvocationHandle by) {
        REQUIRE(key_by_id_.at(id) == key_of(request));
        REQUIRE(approved_.count(id) == 1);
        REQUIRE(spent_.count(id) == 0);
        REQUIRE(holders_.emplace(id, by).second);
        ++met["held"];
    }
    void decide() {
        if (made_.empty()) return;
        const std::string& id =
            made_[made_.size() - 1 - below(static_cast<std::uint32_t>(std::min<std::size_t>(made_.size(), 5)))].first;
        const bool approve = below(3) > 0;
        if (!desk_.store.resolve(id, approve, desk_.now)) return;
        REQUIRE(decided_.insert(id).second);
        if (approve) approved_.insert(id);
    }
    void end_call(bool dispatched) {
        if (holders_.empty()) return;
        const auto holder = std::next(holders_.begin(),
                                      static_cast<std::ptrdiff_t>(below(static_cast<std::uint32_t>(holders_.size()))));
        const auto [id, by] = *holder;
        holders_.erase(holder);
        if (!dispatched) return desk_.store.release(id, by);
        desk_.store.settle(id, by, desk_.now);
        REQUIRE(spent_.insert(id).second);
        ++met["spent"];
    }

    std::mt19937 random_;
    Desk desk_;
    viewcap::InvocationHandle calls_ = 0;
    std::vector<std::pair<std::string, std::string>> made_;
    std::map<std::string, std::string> key_by_id_;
    std::set<std::string> decided_, approved_, spent_;
    std::map<std::string, viewcap::InvocationHandle> holders_;
};

TEST_CASE("in a random history no approval is used twice or for another request, and no limit is passed", "[core]") {
    std::map<std::string, int> met;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        INFO("seed " << seed);
        History history(seed);
        for (int step = 0; step < 2500; ++step) history.step();
        for (const auto& [what, times] : history.met) met[what] += times;
    }
    // All of it happens, or the history says nothing.
    for (const char* what :
         {"fresh", "again", "held", "spent", "denied", "consumed", "mismatch", "expired", "queue-full"}) {
        INFO(what);
        CHECK(met[what] > 20);
    }
}

}  // namespace
