#include "admission/lanes.h"

#include "json_out.h"

namespace viewcap {
namespace {

std::uint32_t depth_of(const LaneUser& user) { return user.concurrency->queue_depth.value_or(user.depth); }

}  // namespace

std::string Lanes::name_of(const LaneUser& user) {
    if (user.concurrency->mode == ConcurrencyMode::key) return concat({"key ", user.concurrency->key});
    return concat({std::to_string(user.registration), ".", std::to_string(user.capability)});
}

const Lane* Lanes::find(const LaneUser& user) const {
    if (user.concurrency->mode == ConcurrencyMode::instance) return user.own;
    const auto found = lanes_.find(name_of(user));
    return found == lanes_.end() ? nullptr : &found->second;
}

Admission Lanes::probe(const LaneUser& user) const {
    const Lane* lane = find(user);
    return lane == nullptr ? Admission::run : lane->probe(user.concurrency->max, depth_of(user));
}

Admission Lanes::enter(const LaneUser& user) {
    const bool instance = user.concurrency->mode == ConcurrencyMode::instance;
    if (instance && user.own == nullptr) return Admission::full;
    Lane& lane = instance ? *user.own : lanes_[name_of(user)];
    return lane.enter(user.invocation, user.concurrency->max, depth_of(user));
}

InvocationHandle Lanes::leave(const LaneUser& user) {
    if (user.concurrency->mode == ConcurrencyMode::instance)
        return user.own == nullptr ? 0 : user.own->leave(user.invocation);
    const auto found = lanes_.find(name_of(user));
    if (found == lanes_.end()) return 0;
    const InvocationHandle next = found->second.leave(user.invocation);
    if (found->second.empty()) lanes_.erase(found);
    return next;
}

bool Lanes::holds(const LaneUser& user, InvocationHandle invocation) const {
    const Lane* lane = find(user);
    return lane != nullptr && lane->holds(invocation);
}

}  // namespace viewcap
