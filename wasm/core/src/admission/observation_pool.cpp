#include "admission/observation_pool.h"

#include <algorithm>

namespace viewcap {
namespace {

bool take_out(std::vector<InvocationHandle>& list, InvocationHandle invocation) {
    const auto found = std::find(list.begin(), list.end(), invocation);
    if (found == list.end()) return false;
    list.erase(found);
    return true;
}

}  // namespace

Admission ObservationPool::probe(const Consumer* consumer) const {
    const std::size_t running = consumer == nullptr ? 0 : consumer->running.size();
    const std::size_t waiting = consumer == nullptr ? 0 : consumer->waiting.size();
    if (running < max_running_ && total_ < max_total_) return Admission::run;
    return waiting < max_waiting_ ? Admission::wait : Admission::full;
}

Admission ObservationPool::probe(std::string_view consumer_key) const {
    const auto found = consumers_.find(consumer_key);
    return probe(found == consumers_.end() ? nullptr : &found->second);
}

bool ObservationPool::holds(std::string_view consumer_key, InvocationHandle invocation) const {
    const auto found = consumers_.find(consumer_key);
    if (found == consumers_.end()) return false;
    const auto& running = found->second.running;
    return std::find(running.begin(), running.end(), invocation) != running.end();
}

ObservationPool::Consumer& ObservationPool::consumer_of(std::string_view key) {
    const auto at = consumers_.lower_bound(key);
    if (at != consumers_.end() && at->first == key) return at->second;
    if (!spare_) {
        Consumer& made = consumers_.emplace_hint(at, std::string(key), Consumer())->second;
        made.turn = round_.end();
        return made;
    }
    spare_.key() = key;
    return consumers_.insert(at, std::move(spare_))->second;
}

void ObservationPool::drop_if_idle(Consumers::iterator consumer) {
    if (consumer->second.running.empty() && consumer->second.waiting.empty()) spare_ = consumers_.extract(consumer);
}

void ObservationPool::place_in_round(Consumer& consumer) {
    const bool wanted = !consumer.waiting.empty() && consumer.running.size() < max_running_;
    if (wanted == (consumer.turn != round_.end())) return;
    if (wanted) {
        consumer.turn = round_.insert(round_.end(), &consumer);
    } else {
        round_.erase(consumer.turn);
        consumer.turn = round_.end();
    }
}

Admission ObservationPool::enter(std::string_view consumer_key, InvocationHandle invocation) {
    const Admission admission = probe(consumer_key);
    if (admission == Admission::full) return admission;
    Consumer& consumer = consumer_of(consumer_key);
    if (admission == Admission::run) {
        consumer.running.push_back(invocation);
        ++total_;
    } else {
        consumer.waiting.push_back(invocation);
        place_in_round(consumer);
    }
    return admission;
}

InvocationHandle ObservationPool::next_turn() {
    if (round_.empty()) return 0;
    Consumer& consumer = *round_.front();
    round_.pop_front();
    consumer.turn = round_.end();
    const InvocationHandle next = consumer.waiting.front();
    consumer.waiting.erase(consumer.waiting.begin());
    consumer.running.push_back(next);
    ++total_;
    place_in_round(consumer);
    return next;
}

InvocationHandle ObservationPool::leave(std::string_view consumer_key, InvocationHandle invocation) {
    const auto found = consumers_.find(consumer_key);
    if (found == consumers_.end()) return 0;
    Consumer& consumer = found->second;
    const bool ran = take_out(consumer.running, invocation);
    if (ran) --total_;
    if (!ran && !take_out(consumer.waiting, invocation)) return 0;
    place_in_round(consumer);
    const InvocationHandle next = ran ? next_turn() : 0;
    drop_if_idle(found);
    return next;
}

}  // namespace viewcap
