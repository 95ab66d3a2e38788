#include "invocation/resolution.h"

#include "host_protocol/ids.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

/// An ambiguity lists at most this many instances: enough to choose from, bounded for a table of thousands.
constexpr std::size_t kMaxListedInstances = 64;

struct Target {
    std::string_view type;
    std::string_view name;
    std::string_view instance_id;  // empty: any
};

bool serves(const Registration& registration, const Target& target) {
    return registration.contract->type == target.type && registration.contract->index_of(target.name) >= 0 &&
           (target.instance_id.empty() || registration.instance_id == target.instance_id);
}

/// Live registrations that serve the target, by instance id; at most `most` of them, `count` says how many there are.
std::vector<Registration*> candidates(const Surface& surface, const Target& target, std::size_t most,
                                      std::size_t& count) {
    std::vector<Registration*> list;
    count = 0;
    if (!target.instance_id.empty()) {
        Registration* one = surface.by_instance(target.type, target.instance_id);
        if (one != nullptr && serves(*one, target)) list.push_back(one);
        count = list.size();
        return list;
    }
    const Instances* instances = surface.of_type(target.type);
    if (instances == nullptr) return list;
    for (const auto& [instance, registration] : *instances) {
        if (!serves(*registration, target)) continue;
        ++count;
        if (list.size() < most) list.push_back(registration);
        if (count > most) break;
    }
    return list;
}

Resolution failed(Failure failure) {
    Resolution resolution;
    resolution.failure = std::move(failure);
    return resolution;
}

Resolution found(Registration& registration, const Target& target) {
    Resolution resolution;
    resolution.registration = &registration;
    resolution.capability = static_cast<std::uint32_t>(registration.contract->index_of(target.name));
    return resolution;
}

Failure ambiguity(const std::vector<Registration*>& list) {
    std::string instances = "[";
    for (const Registration* registration : list) {
        instances += instances.size() > 1 ? ",{" : "{";
        append_text_member(instances, "instanceId", registration->instance_id);
        append_text_member(instances, "registrationId", registration->id);
        append_text_member(instances, "description", registration->contract->description);
        instances += '}';
    }
    return failures::ambiguous(instances + "]", list.size());
}

/// The live registration to name beside a stale one: the same instance if it is there, else the first.
const Registration* successor(const Surface& surface, const Target& target, const Tombstone* stale) {
    std::size_t count = 0;
    if (stale != nullptr && target.instance_id.empty()) {
        const Target same{target.type, target.name, stale->instance_id};
        const auto again = candidates(surface, same, 1, count);
        if (!again.empty()) return again.front();
    }
    const auto list = candidates(surface, target, 1, count);
    return list.empty() ? nullptr : list.front();
}

Resolution resolve_named(Surface& surface, const Envelope& envelope, const Target& target, double now) {
    Registration* named = surface.by_id(envelope.registration_id);
    if (named != nullptr && serves(*named, target)) return found(*named, target);
    const Tombstone* stale = surface.tombstones().find(envelope.registration_id, now);
    if (const Registration* live = successor(surface, target, stale))
        return failed(failures::stale(stale != nullptr || named != nullptr
                                          ? host_protocol::reasons::kRegistrationReplaced
                                          : host_protocol::reasons::kSurfaceReloaded,
                                      live->id));
    if (stale != nullptr && stale->contract->type == target.type && stale->contract->index_of(target.name) >= 0)
        return failed(failures::unmounted(host_protocol::unmount_phases::kResolve));
    return failed(failures::not_found());
}

}  // namespace

Resolution resolve(Surface& surface, const Envelope& envelope, double now) {
    const auto id = host_protocol::parse_capability_id(envelope.capability_id);
    if (!id || id->plane != host_protocol::Plane::view) return failed(failures::not_found());
    const Target target{id->component_type, id->name, envelope.instance_id};
    if (!envelope.registration_id.empty()) return resolve_named(surface, envelope, target, now);

    std::size_t count = 0;
    const std::vector<Registration*> list = candidates(surface, target, kMaxListedInstances, count);
    if (count == 1) return found(*list.front(), target);
    if (count > 1) return failed(ambiguity(list));
    if (surface.tombstones().had(target.type, target.name, target.instance_id, now))
        return failed(failures::unmounted(host_protocol::unmount_phases::kResolve));
    return failed(failures::not_found());
}

}  // namespace viewcap
