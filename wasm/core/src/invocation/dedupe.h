// Phase 1, identity: the same invocation id runs once (spec: invocation.md §1 phase 1).
//
// Per consumer: what is in flight and the last results, found by invocation id. In-flight entries are never evicted;
// terminal ones leave by age or by number, oldest first. Consumers leave when idle, least recently used first.
// Requests are kept as they came and compared canonically only when an id comes again, which is rare.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <string_view>

#include "host_protocol/vocabulary.h"
#include "viewcap/effects.h"

namespace viewcap {

/// A terminal result in parts: a replay names the same ids as the request that asks for it.
struct StoredResult {
    bool ok = false;
    bool changed = false;
    std::uint64_t version = 0;
    std::string text;  // ok: the output as JSON, "" for none; else the whole result
};

class DedupeCache {
  public:
    explicit DedupeCache(const host_protocol::Limits& limits)
        : max_entries_(limits.dedupe_cache_size), ttl_ms_(limits.dedupe_cache_ttl_ms) {}

    struct Entry {
        std::string request;
        InvocationHandle invocation = 0;  // 0: terminal
        double expires_at = 0;
        StoredResult result;
    };
    using Entries = std::map<std::string, Entry, std::less<>>;
    struct Consumer {
        std::string key;
        Entries entries;
        std::deque<Entries::iterator> terminal;  // oldest first
    };
    /// An in-flight entry; stays good until it is settled.
    struct Ticket {
        Consumer* consumer = nullptr;
        Entries::iterator entry{};
        explicit operator bool() const { return consumer != nullptr; }
    };

    enum class Verdict : std::uint8_t { fresh, join, replay, conflict };
    struct Lookup {
        Verdict verdict = Verdict::fresh;
        Ticket ticket;                         // fresh
        InvocationHandle invocation = 0;       // join
        const StoredResult* result = nullptr;  // replay; valid until the next call
    };

    /// Looks the id up; when it is fresh, enters it as in flight under `invocation`. `request` as request_text() gives
    /// it.
    Lookup enter(std::string_view consumer, std::string_view invocation_id, std::string request,
                 InvocationHandle invocation, double now);
    /// Ends an in-flight entry: keeps the result.
    void keep(const Ticket& ticket, StoredResult result, double now);
    /// Ends an in-flight entry: its id is free again.
    void forget(const Ticket& ticket);

    std::size_t consumers() const { return consumers_.size(); }
    std::size_t entries(std::string_view consumer) const;

  private:
    using Consumers = std::list<Consumer>;

    Consumer& touch(std::string_view key, double now);
    static void purge(Consumer& consumer, double now);
    static void drop_oldest(Consumer& consumer);
    void drop_idle(double now);

    std::uint32_t max_entries_;
    double ttl_ms_;
    Consumers consumers_;  // most recently used first
    std::map<std::string_view, Consumers::iterator> by_key_;
};

}  // namespace viewcap
