#include "invocation/dedupe.h"

namespace viewcap {
namespace {

constexpr std::size_t kMaxConsumers = 64;

}  // namespace

std::size_t DedupeCache::entries(std::string_view consumer) const {
    const auto found = by_key_.find(consumer);
    return found == by_key_.end() ? 0 : found->second->by_id.size();
}

void DedupeCache::drop_oldest(Consumer& consumer) const {
    consumer.by_id.erase(consumer.terminal.front().invocation_id);
    consumer.terminal.pop_front();
}

void DedupeCache::purge(Consumer& consumer, double now) const {
    while (!consumer.terminal.empty() && consumer.terminal.front().expires_at <= now) drop_oldest(consumer);
}

void DedupeCache::drop_idle(double now) {
    // From the least recently used end: those with nothing left, and the surplus that has nothing in flight.
    for (auto it = consumers_.end(); it != consumers_.begin();) {
        --it;
        purge(*it, now);
        const bool surplus = consumers_.size() > kMaxConsumers && it->in_flight.empty() && it != consumers_.begin();
        if (!surplus && !it->by_id.empty()) {
            if (consumers_.size() <= kMaxConsumers) return;
            continue;
        }
        if (it == consumers_.begin()) return;
        by_key_.erase(it->key);
        it = consumers_.erase(it);
    }
}

DedupeCache::Consumer& DedupeCache::touch(std::string_view key, double now) {
    const auto found = by_key_.find(key);
    if (found != by_key_.end()) {
        consumers_.splice(consumers_.begin(), consumers_, found->second);
    } else {
        consumers_.emplace_front();
        consumers_.front().key = key;
        by_key_.emplace(consumers_.front().key, consumers_.begin());
    }
    if (consumers_.size() > 1) drop_idle(now);
    return consumers_.front();
}

DedupeCache::Lookup DedupeCache::enter(std::string_view consumer_key, std::string_view invocation_id, std::string fingerprint,
                                       InvocationHandle invocation, double now) {
    Consumer& consumer = touch(consumer_key, now);
    purge(consumer, now);
    const auto found = consumer.by_id.find(invocation_id);
    if (found != consumer.by_id.end()) {
        const Entry& entry = *found->second;
        if (entry.fingerprint != fingerprint) return {Verdict::conflict, 0, nullptr};
        if (entry.invocation != 0) return {Verdict::join, entry.invocation, nullptr};
        return {Verdict::replay, 0, &entry.result};
    }
    consumer.in_flight.push_back({std::string(invocation_id), std::move(fingerprint), invocation, {}, 0});
    const auto entry = std::prev(consumer.in_flight.end());
    consumer.by_id.emplace(entry->invocation_id, entry);
    return {};
}

void DedupeCache::settle(std::string_view consumer_key, std::string_view invocation_id, bool cacheable, std::string_view result,
                         double now) {
    const auto place = by_key_.find(consumer_key);
    if (place == by_key_.end()) return;
    Consumer& consumer = *place->second;
    const auto found = consumer.by_id.find(invocation_id);
    if (found == consumer.by_id.end() || found->second->invocation == 0) return;
    const auto entry = found->second;
    if (!cacheable) {
        consumer.by_id.erase(found);
        consumer.in_flight.erase(entry);
        return;
    }
    entry->invocation = 0;
    entry->result = result;
    entry->expires_at = now + ttl_ms_;
    consumer.terminal.splice(consumer.terminal.end(), consumer.in_flight, entry);
    while (consumer.terminal.size() > 1 && consumer.by_id.size() > max_entries_) drop_oldest(consumer);
}

}  // namespace viewcap
