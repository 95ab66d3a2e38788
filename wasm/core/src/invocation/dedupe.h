// Phase 1, identity: the same invocation id runs once (spec: invocation.md §1 phase 1).
//
// Per consumer: what is in flight and the last results, found by invocation id. In-flight entries are never evicted;
// terminal ones leave by age or by number, oldest first. Consumers leave when idle, least recently used first.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <map>

#include "host_protocol/vocabulary.h"
#include "viewcap/effects.h"

namespace viewcap {

class DedupeCache {
  public:
    explicit DedupeCache(const host_protocol::Limits& limits)
        : max_entries_(limits.dedupe_cache_size), ttl_ms_(limits.dedupe_cache_ttl_ms) {}

    enum class Verdict : std::uint8_t { fresh, join, replay, conflict };
    struct Lookup {
        Verdict verdict = Verdict::fresh;
        InvocationHandle invocation = 0;     // join
        const std::string* result = nullptr; // replay; valid until the next call
    };

    /// Looks the id up; when it is fresh, enters it as in flight under `invocation`.
    Lookup enter(std::string_view consumer, std::string_view invocation_id, std::string fingerprint, InvocationHandle invocation,
                 double now);
    /// Ends an in-flight entry: keeps the result when it is `cacheable`, forgets the id otherwise.
    void settle(std::string_view consumer, std::string_view invocation_id, bool cacheable, std::string_view result, double now);

    std::size_t consumers() const { return consumers_.size(); }
    std::size_t entries(std::string_view consumer) const;

  private:
    struct Entry {
        std::string invocation_id;
        std::string fingerprint;
        InvocationHandle invocation;  // 0: terminal
        std::string result;
        double expires_at;
    };
    struct Consumer {
        std::string key;
        std::list<Entry> terminal;  // oldest first
        std::list<Entry> in_flight;
        std::map<std::string_view, std::list<Entry>::iterator> by_id;
    };
    using Consumers = std::list<Consumer>;

    Consumer& touch(std::string_view key, double now);
    void purge(Consumer& consumer, double now) const;
    void drop_oldest(Consumer& consumer) const;
    void drop_idle(double now);

    std::uint32_t max_entries_;
    double ttl_ms_;
    Consumers consumers_;  // most recently used first
    std::map<std::string_view, Consumers::iterator> by_key_;
};

}  // namespace viewcap
