#include "admission/admissions.h"

namespace viewcap {
namespace {

bool is_pooled(const Place& place) { return place.capability.kind == CapabilityKind::observation; }

}  // namespace

LaneUser Admissions::user_of(const Place& place) const {
    Lane* const own = place.live == nullptr ? nullptr : &place.live->lane;
    return {place.invocation, place.registration, place.capability_index, &place.capability.concurrency, own, depth_};
}

Admission Admissions::probe(const Place& place) const {
    return is_pooled(place) ? pool_.probe(place.consumer_key) : lanes_.probe(user_of(place));
}

Admission Admissions::enter(const Place& place) {
    return is_pooled(place) ? pool_.enter(place.consumer_key, place.invocation) : lanes_.enter(user_of(place));
}

InvocationHandle Admissions::leave(const Place& place) {
    return is_pooled(place) ? pool_.leave(place.consumer_key, place.invocation) : lanes_.leave(user_of(place));
}

bool Admissions::holds(const Place& place, InvocationHandle invocation) const {
    return is_pooled(place) ? pool_.holds(place.consumer_key, invocation) : lanes_.holds(user_of(place), invocation);
}

}  // namespace viewcap
