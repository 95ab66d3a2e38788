#include "invocation/resolution.h"

#include <algorithm>

#include "host_protocol/ids.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

/// An ambiguity lists at most this many instances: enough to choose from, bounded for a table of thousands.
constexpr std::size_t kMaxListedInstances = 64;
constexpr std::size_t kAll = ~std::size_t{0};

struct Target {
    std::string_view type;  // of a component, or a procedure's whole id
    std::string_view name;
    std::string_view instance_id;  // empty: any; of a reference its owner's
    bool is_procedure = false;
};

std::optional<Target> read_target(const Envelope& envelope) {
    const auto id = host_protocol::parse_capability_id(envelope.capability_id);
    if (!id) return std::nullopt;
    if (id->plane == host_protocol::Plane::domain)
        return Target{envelope.capability_id, id->path, envelope.instance_id, true};
    return Target{id->component_type, id->name, envelope.instance_id, false};
}

bool serves(const Registration& registration, const Target& target) {
    return registration.contract->type == target.type && registration.contract->index_of(target.name) >= 0 &&
           (target.instance_id.empty() || registration.instance_id == target.instance_id);
}

/// Live registrations that serve the target and are not hidden, by instance id; at most `most` of them.
struct Found {
    std::vector<Registration*> list;
    std::size_t count = 0;  // how many there are, counted to one more than `most`
};

Found candidates(const Surface& surface, const Target& target, const HiddenSet& hidden, std::size_t most) {
    Found found;
    const auto consider = [&](Registration& registration) {
        if (!serves(registration, target) || is_hidden(hidden, registration)) return;
        if (++found.count <= most) found.list.push_back(&registration);
    };
    if (!target.instance_id.empty() && !target.is_procedure) {
        if (Registration* one = surface.by_instance(target.type, target.instance_id)) consider(*one);
        return found;
    }
    const Instances* instances = surface.of_type(target.type);
    if (instances == nullptr) return found;
    // References sort by instance id first, so those of one owner stand together.
    const std::string first = target.instance_id.empty() ? std::string() : concat({target.instance_id, "\n"});
    for (auto at = instances->lower_bound(first); at != instances->end() && found.count <= most; ++at) {
        if (at->first.substr(0, first.size()) != first) break;
        consider(*at->second);
    }
    return found;
}

Resolution failed(Failure failure) {
    Resolution resolution;
    resolution.failure = std::move(failure);
    return resolution;
}

/// A decision about what cannot be taken back was made in view of another surface.
bool saw_another_surface(const Surface& surface, const Envelope& envelope, Effect effect) {
    if (effect != Effect::destructive && effect != Effect::external_side_effect) return false;
    return !envelope.surface_version.empty() && envelope.surface_version != std::to_string(surface.version());
}

Resolution go_on(const Surface& surface, const Envelope& envelope, const Target& target, Registration& registration,
                 bool skip_version_check) {
    Resolution resolution;
    resolution.registration = &registration;
    resolution.capability = static_cast<std::uint32_t>(registration.contract->index_of(target.name));
    if (skip_version_check || !target.is_procedure ||
        !saw_another_surface(surface, envelope, registration.contract->capabilities[resolution.capability].effect))
        return resolution;
    Failure failure = failures::stale(host_protocol::reasons::kSurfaceVersionMismatch, registration.id);
    failure.message = "The surface has changed since this was decided. Look at the current catalog and decide again.";
    return failed(std::move(failure));
}

Failure ambiguity(const Found& found) {
    std::string instances = "[";
    for (const Registration* registration : found.list) {
        instances += instances.size() > 1 ? ",{" : "{";
        if (!registration->instance_id.empty()) append_text_member(instances, "instanceId", registration->instance_id);
        append_text_member(instances, "registrationId", registration->id);
        if (!registration->reference) append_text_member(instances, "description", registration->contract->description);
        append_context(instances, *registration);
        instances += '}';
    }
    return failures::ambiguous(instances + "]", found.list.size());
}

/// The live registration to name beside a stale one: the same instance if it is there, else the first.
const Registration* successor(const Surface& surface, const Target& target, const HiddenSet& hidden,
                              const Tombstone* stale) {
    if (stale != nullptr && target.instance_id.empty() && !stale->instance_id.empty()) {
        Target same = target;
        same.instance_id = stale->instance_id;
        const Found again = candidates(surface, same, hidden, 1);
        if (again.count > 0) return again.list.front();
    }
    const Found others = candidates(surface, target, hidden, 1);
    return others.count > 0 ? others.list.front() : nullptr;
}

Resolution resolve_named(Surface& surface, const Envelope& envelope, const Target& target, const HiddenSet& hidden,
                         bool skip_version_check, double now) {
    Registration* named = surface.by_id(envelope.registration_id);
    if (named != nullptr && is_hidden(hidden, *named)) named = nullptr;
    if (named != nullptr && serves(*named, target)) return go_on(surface, envelope, target, *named, skip_version_check);
    const Tombstone* stale = hidden.gone ? nullptr : surface.tombstones().find(envelope.registration_id, now);
    if (const Registration* live = successor(surface, target, hidden, stale))
        return failed(failures::stale(stale != nullptr || named != nullptr
                                          ? host_protocol::reasons::kRegistrationReplaced
                                          : host_protocol::reasons::kSurfaceReloaded,
                                      live->id));
    if (stale != nullptr && stale->contract->type == target.type && stale->contract->index_of(target.name) >= 0)
        return failed(failures::unmounted(host_protocol::unmount_phases::kResolve));
    return failed(failures::not_found());
}

}  // namespace

bool is_hidden(const HiddenSet& hidden, const Registration& registration) {
    return !hidden.registrations.empty() && std::find(hidden.registrations.begin(), hidden.registrations.end(),
                                                      registration.handle) != hidden.registrations.end();
}

Resolution resolve(Surface& surface, const Envelope& envelope, const HiddenSet& hidden, bool skip_version_check,
                   double now) {
    const auto target = read_target(envelope);
    if (!target) return failed(failures::not_found());
    if (!envelope.registration_id.empty())
        return resolve_named(surface, envelope, *target, hidden, skip_version_check, now);

    const Found found = candidates(surface, *target, hidden, kMaxListedInstances);
    if (found.count == 1) return go_on(surface, envelope, *target, *found.list.front(), skip_version_check);
    if (found.count > 1) return failed(ambiguity(found));
    if (!hidden.gone && surface.tombstones().had(target->type, target->name, target->instance_id, now))
        return failed(failures::unmounted(host_protocol::unmount_phases::kResolve));
    return failed(failures::not_found());
}

std::vector<Candidate> candidates_of(const Surface& surface, const Envelope& envelope, const HiddenSet& hidden) {
    std::vector<Candidate> list;
    const auto target = read_target(envelope);
    if (!target) return list;
    const auto add = [&](const Registration& registration) {
        list.push_back(
            {registration.handle, static_cast<std::uint32_t>(registration.contract->index_of(target->name))});
    };
    const Registration* named = surface.by_id(envelope.registration_id);
    if (named != nullptr && serves(*named, *target) && !is_hidden(hidden, *named)) {
        add(*named);
        return list;
    }
    // More than can be listed could all be hidden but one, so all are asked about.
    for (const Registration* registration : candidates(surface, *target, hidden, kAll).list) add(*registration);
    return list;
}

}  // namespace viewcap
