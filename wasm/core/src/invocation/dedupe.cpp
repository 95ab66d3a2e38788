#include "invocation/dedupe.h"

#include "invocation/envelope.h"

namespace viewcap {
namespace {

constexpr std::size_t kMaxConsumers = 64;

}  // namespace

std::size_t DedupeCache::entries(std::string_view consumer) const {
    const auto found = by_key_.find(consumer);
    return found == by_key_.end() ? 0 : found->second->entries.size();
}

void DedupeCache::drop_oldest(Consumer& consumer) {
    consumer.entries.erase(consumer.terminal.front());
    consumer.terminal.pop_front();
}

void DedupeCache::purge(Consumer& consumer, double now) {
    while (!consumer.terminal.empty() && consumer.terminal.front()->second.expires_at <= now) drop_oldest(consumer);
}

void DedupeCache::drop_idle(double now) {
    // From the least recently used end: those with nothing left, and the surplus that has nothing in flight.
    for (auto it = consumers_.end(); it != consumers_.begin();) {
        --it;
        if (it == consumers_.begin()) return;
        purge(*it, now);
        const bool in_flight = it->entries.size() > it->terminal.size();
        if (!it->entries.empty() && (in_flight || consumers_.size() <= kMaxConsumers)) {
            if (consumers_.size() <= kMaxConsumers) return;
            continue;
        }
        by_key_.erase(it->key);
        it = consumers_.erase(it);
    }
}

DedupeCache::Consumer& DedupeCache::touch(std::string_view key, double now) {
    const bool first = !consumers_.empty() && consumers_.front().key == key;
    const auto found = first ? by_key_.end() : by_key_.find(key);
    if (found != by_key_.end()) {
        consumers_.splice(consumers_.begin(), consumers_, found->second);
    } else if (!first) {
        consumers_.emplace_front();
        consumers_.front().key = key;
        by_key_.emplace(consumers_.front().key, consumers_.begin());
    }
    drop_idle(now);
    return consumers_.front();
}

DedupeCache::Lookup DedupeCache::enter(std::string_view consumer_key, std::string_view invocation_id,
                                       std::string request, InvocationHandle invocation, double now) {
    Consumer& consumer = touch(consumer_key, now);
    purge(consumer, now);
    Lookup lookup;
    const auto at = consumer.entries.lower_bound(invocation_id);
    if (at == consumer.entries.end() || at->first != invocation_id) {
        Entry entry;
        entry.request = std::move(request);
        entry.invocation = invocation;
        lookup.ticket = {&consumer, consumer.entries.emplace_hint(at, std::string(invocation_id), std::move(entry))};
        return lookup;
    }
    const Entry& entry = at->second;
    lookup.invocation = entry.invocation;
    lookup.result = &entry.result;
    if (!same_request(entry.request, request))
        lookup.verdict = Verdict::conflict;
    else
        lookup.verdict = entry.invocation != 0 ? Verdict::join : Verdict::replay;
    return lookup;
}

void DedupeCache::keep(const Ticket& ticket, StoredResult result, double now) {
    Consumer& consumer = *ticket.consumer;
    Entry& entry = ticket.entry->second;
    entry.invocation = 0;
    entry.result = std::move(result);
    entry.expires_at = now + ttl_ms_;
    consumer.terminal.push_back(ticket.entry);
    while (consumer.terminal.size() > 1 && consumer.entries.size() > max_entries_) drop_oldest(consumer);
}

void DedupeCache::forget(const Ticket& ticket) { ticket.consumer->entries.erase(ticket.entry); }

}  // namespace viewcap
