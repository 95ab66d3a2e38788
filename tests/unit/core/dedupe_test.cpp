// Phase 1: one execution per invocation id within the window.
#include "invocation/dedupe.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

namespace {

using viewcap::DedupeCache;
using Verdict = DedupeCache::Verdict;

constexpr double kTtl = 600000;

host_protocol::Limits limits_of(std::uint32_t size) {
    host_protocol::Limits limits;
    limits.dedupe_cache_size = size;
    return limits;
}

std::string numbered(const char* prefix, int number) { return prefix + std::to_string(number); }

/// A cache under test: `f` stands for a request, other texts for other requests.
class Cache : public DedupeCache {
  public:
    explicit Cache(std::uint32_t size = 200) : DedupeCache(limits_of(size)) {}

    Lookup enter(const std::string& consumer, const std::string& id, const std::string& request,
                 viewcap::InvocationHandle call, double now) {
        Lookup lookup = DedupeCache::enter(consumer, id, "[\"" + request + "\"]", call, now);
        if (lookup.verdict == Verdict::fresh) tickets_[consumer + id] = lookup.ticket;
        return lookup;
    }
    void settle(const std::string& consumer, const std::string& id, bool cacheable, const std::string& output,
                double now) {
        const Ticket ticket = tickets_.at(consumer + id);
        if (!cacheable) return forget(ticket);
        viewcap::StoredResult result;
        result.ok = true;
        result.text = output;
        keep(ticket, result, now);
    }

  private:
    std::map<std::string, Ticket> tickets_;
};

/// One call from begin to a kept result.
void run(Cache& cache, const std::string& consumer, const std::string& id, double now = 0) {
    REQUIRE(cache.enter(consumer, id, "f", 1, now).verdict == Verdict::fresh);
    cache.settle(consumer, id, true, "result of " + id, now);
}

TEST_CASE("an id is fresh once, joined while in flight, replayed afterwards, and in conflict with another request",
          "[core]") {
    Cache cache;
    CHECK(cache.enter("test:a", "inv", "f", 7, 0).verdict == Verdict::fresh);
    const auto joined = cache.enter("test:a", "inv", "f", 8, 1);
    CHECK(joined.verdict == Verdict::join);
    CHECK(joined.invocation == 7);
    CHECK(cache.enter("test:a", "inv", "other", 9, 2).verdict == Verdict::conflict);
    cache.settle("test:a", "inv", true, "result", 3);
    const auto replayed = cache.enter("test:a", "inv", "f", 10, 4);
    REQUIRE(replayed.verdict == Verdict::replay);
    CHECK(replayed.result->text == "result");
    CHECK(cache.enter("test:a", "inv", "other", 11, 5).verdict == Verdict::conflict);
    CHECK(cache.enter("test:a", "inv", "f", 12, 6).result->text == "result");
}

TEST_CASE("different consumers use the same id without meeting", "[core]") {
    Cache cache;
    CHECK(cache.enter("test:a", "inv", "f", 1, 0).verdict == Verdict::fresh);
    CHECK(cache.enter("other:a", "inv", "g", 2, 0).verdict == Verdict::fresh);
    cache.settle("test:a", "inv", true, "of test", 0);
    cache.settle("other:a", "inv", true, "of other", 0);
    CHECK(cache.enter("test:a", "inv", "f", 3, 0).result->text == "of test");
    CHECK(cache.enter("other:a", "inv", "g", 4, 0).result->text == "of other");
}

TEST_CASE("the last 200 results of a consumer are kept and the oldest leaves first", "[core]") {
    Cache cache;
    for (int i = 0; i < 201; ++i) run(cache, "test:a", numbered("inv", i));
    CHECK(cache.entries("test:a") == 200);
    CHECK(cache.enter("test:a", "inv1", "f", 1, 0).verdict == Verdict::replay);
    CHECK(cache.enter("test:a", "inv200", "f", 1, 0).verdict == Verdict::replay);
    CHECK(cache.enter("test:a", "inv0", "f", 1, 0).verdict == Verdict::fresh);
}

TEST_CASE("the order of settlement, not of begin, says which result is the oldest", "[core]") {
    Cache cache(2);
    cache.enter("test:a", "begun first", "f", 1, 0);
    run(cache, "test:a", "settled first");
    cache.settle("test:a", "begun first", true, "r", 0);
    run(cache, "test:a", "third");
    CHECK(cache.enter("test:a", "begun first", "f", 2, 0).verdict == Verdict::replay);
    CHECK(cache.enter("test:a", "settled first", "f", 3, 0).verdict == Verdict::fresh);
}

TEST_CASE("an entry in flight is never evicted, by number or by age", "[core]") {
    Cache cache(3);
    for (int i = 0; i < 10; ++i)
        REQUIRE(cache.enter("test:a", numbered("flying", i), "f", 100, 0).verdict == Verdict::fresh);
    for (int i = 0; i < 20; ++i) run(cache, "test:a", numbered("inv", i), kTtl * i);
    for (int i = 0; i < 10; ++i)
        CHECK(cache.enter("test:a", numbered("flying", i), "f", 1, kTtl * 30).verdict == Verdict::join);
}

TEST_CASE("a result is kept for ten minutes after its settlement and no longer", "[core]") {
    Cache cache;
    cache.enter("test:a", "inv", "f", 1, 0);
    cache.settle("test:a", "inv", true, "r", 1000);
    CHECK(cache.enter("test:a", "inv", "f", 2, 1000 + kTtl - 1).verdict == Verdict::replay);
    CHECK(cache.enter("test:a", "inv", "f", 3, 1000 + kTtl).verdict == Verdict::fresh);
}

TEST_CASE("an expired id is no conflict either", "[core]") {
    Cache cache;
    run(cache, "test:a", "inv");
    CHECK(cache.enter("test:a", "inv", "other", 2, kTtl).verdict == Verdict::fresh);
}

TEST_CASE("a result that is not cacheable is forgotten and its id is free again", "[core]") {
    Cache cache;
    cache.enter("test:a", "inv", "f", 1, 0);
    cache.settle("test:a", "inv", false, "r", 0);
    CHECK(cache.entries("test:a") == 0);
    CHECK(cache.enter("test:a", "inv", "other", 2, 0).verdict == Verdict::fresh);
}

TEST_CASE("64 consumers are kept and the least recently used one leaves first", "[core]") {
    Cache cache;
    for (int i = 0; i < 64; ++i) run(cache, numbered("test:", i), "inv");
    CHECK(cache.enter("test:0", "inv", "f", 1, 0).verdict == Verdict::replay);
    run(cache, "test:64", "inv");
    CHECK(cache.consumers() == 64);
    CHECK(cache.entries("test:1") == 0);
    CHECK(cache.enter("test:0", "inv", "f", 1, 0).verdict == Verdict::replay);
    CHECK(cache.enter("test:2", "inv", "f", 1, 0).verdict == Verdict::replay);
}

TEST_CASE("a consumer with a call in flight outlives any number of newcomers", "[core]") {
    Cache cache;
    cache.enter("test:flying", "inv", "f", 7, 0);
    for (int i = 0; i < 200; ++i) run(cache, numbered("test:", i), "inv");
    CHECK(cache.consumers() == 64);
    const auto found = cache.enter("test:flying", "inv", "f", 8, 0);
    CHECK(found.verdict == Verdict::join);
    CHECK(found.invocation == 7);
}

TEST_CASE("more than 64 consumers with calls in flight all keep them, and the surplus leaves once they settle",
          "[core]") {
    Cache cache;
    for (int i = 0; i < 100; ++i) cache.enter(numbered("test:", i), "inv", "f", 1, 0);
    for (int i = 0; i < 100; ++i) CHECK(cache.enter(numbered("test:", i), "inv", "f", 2, 0).verdict == Verdict::join);
    for (int i = 0; i < 100; ++i) cache.settle(numbered("test:", i), "inv", true, "r", 0);
    run(cache, "test:last", "inv");
    CHECK(cache.consumers() == 64);
}

TEST_CASE("a consumer that has nothing left is dropped when another one calls", "[core]") {
    Cache cache;
    cache.enter("test:a", "inv", "f", 1, 0);
    cache.settle("test:a", "inv", false, "r", 0);
    run(cache, "test:b", "inv");
    CHECK(cache.consumers() == 1);
    run(cache, "test:c", "inv", kTtl);
    CHECK(cache.consumers() == 1);
}

}  // namespace
