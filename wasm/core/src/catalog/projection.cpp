#include "catalog/projection.h"

#include "host_protocol/descriptor.h"
#include "host_protocol/json_text.h"
#include "host_protocol/wire_names.h"
#include "json_out.h"

namespace viewcap {
namespace {

/// Splicing moves the tail of the bytes each time; with more changes than this one pass over all is cheaper.
constexpr std::size_t kMaxSplices = 8;
constexpr std::string_view kNameTaken = "its wire name is another capability's";

const Capability& capability_of(const Registration& registration, std::uint32_t index) {
    return registration.contract->capabilities[index];
}

}  // namespace

host_protocol::Status Projection::vote(host_protocol::JsonValue list) {
    const std::string_view text = list ? list.raw() : std::string_view();
    if (text == votes_text_) return host_protocol::ok();
    auto votes = Votes::read(list);
    if (!votes) return votes.error();
    if (!votes->hides_as(votes_)) mount_revision_ = kNever;
    votes_ = std::move(*votes);
    votes_text_ = text;
    voted_ = true;
    return host_protocol::ok();
}

void Projection::refresh(const Surface& surface, std::uint32_t& generations) {
    const AvailabilityChange* changes = nullptr;
    std::size_t count = 0;
    if (mount_revision_ != surface.mount_revision())
        rebuild(surface, generations);
    else if (voted_ || !surface.changes_since(change_position_, changes, count))
        follow_all();
    else if (count > 0)
        follow(changes, count);
    if (note_revision_ != surface.note_revision()) {
        render_state();
        note_revision_ = surface.note_revision();
    }
    voted_ = false;
    change_position_ = surface.change_position();
}

void Projection::rebuild(const Surface& surface, std::uint32_t& generations) {
    entries_.clear();
    first_entry_.clear();
    for (const Registration* registration : surface.ordered(scope_)) {
        first_entry_.emplace(registration->handle, static_cast<std::uint32_t>(entries_.size()));
        const auto count = static_cast<std::uint32_t>(registration->contract->capabilities.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            const Vote* vote = votes_.find(registration->handle, i);
            Entry entry{registration, i, {}, 0, 0, true, vote != nullptr && vote->hides, {}};
            take_availability(entry);
            entries_.push_back(std::move(entry));
        }
    }
    assign_names();
    render();
    mount_revision_ = surface.mount_revision();
    generation_ = ++generations;
}

void Projection::assign_names() {
    // Of references to one procedure: whose owners' instance ids are equal.
    const auto owner_of = [](const Registration& reference) {
        return concat({reference.contract->type, "\n", reference.instance_id});
    };
    std::map<std::string, std::uint32_t> owners;
    for (const Entry& entry : entries_)
        if (entry.registration->reference && !entry.hidden) ++owners[owner_of(*entry.registration)];
    std::vector<host_protocol::WireNameEntry> list;
    std::vector<std::size_t> places;
    list.reserve(entries_.size());
    places.reserve(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].hidden) continue;
        const Registration& registration = *entries_[i].registration;
        std::string_view instance = registration.instance_id;
        if (registration.reference && (instance.empty() || owners[owner_of(registration)] > 1))
            instance = registration.id;
        list.push_back({capability_of(registration, entries_[i].capability).id, instance});
        places.push_back(i);
    }
    std::vector<std::string> names = host_protocol::assign_wire_names(list);
    for (std::size_t i = 0; i < names.size(); ++i) entries_[places[i]].wire_name = std::move(names[i]);
}

bool Projection::take_availability(Entry& entry) {
    const Availability now = availability_under(votes_.find(entry.registration->handle, entry.capability),
                                                *entry.registration, entry.capability);
    if (now.available == entry.available && now.reason == entry.reason) return false;
    entry.available = now.available;
    entry.reason = now.reason;
    return true;
}

void Projection::render() {
    bytes_ = "[";
    for (Entry& entry : entries_) {
        if (entry.wire_name.empty()) continue;
        const host_protocol::DescriptorTemplate& stable =
            capability_of(*entry.registration, entry.capability).descriptor;
        if (bytes_.size() > 1) bytes_ += ',';
        bytes_ += stable.head;
        bytes_ += entry.wire_name;
        bytes_ += stable.tail;
        entry.suffix = static_cast<std::uint32_t>(bytes_.size());
        host_protocol::append_availability(bytes_, entry.available, entry.reason);
        entry.length = static_cast<std::uint32_t>(bytes_.size()) - entry.suffix;
    }
    bytes_ += ']';
    render_state();
}

void Projection::render_state() {
    state_ = "[";
    for (const Entry& entry : entries_) {
        if (entry.wire_name.empty()) continue;
        const ReferenceFacts* reference = entry.registration->reference.get();
        const std::string_view note = reference != nullptr ? std::string_view(reference->note) : std::string_view();
        if (entry.available && note.empty()) continue;
        if (state_.size() > 1) state_ += ',';
        host_protocol::append_state_entry(state_, entry.wire_name, entry.available, entry.reason, note);
    }
    state_ += ']';
}

void Projection::splice(std::size_t index) {
    Entry& entry = entries_[index];
    if (entry.wire_name.empty()) return;
    std::string suffix;
    host_protocol::append_availability(suffix, entry.available, entry.reason);
    // Into a second buffer: copying forward is several times faster here than moving a tail within one.
    spliced_.clear();
    spliced_.reserve(bytes_.size() + suffix.size());
    spliced_.append(bytes_, 0, entry.suffix).append(suffix).append(bytes_, entry.suffix + entry.length);
    bytes_.swap(spliced_);
    const auto length = static_cast<std::uint32_t>(suffix.size());
    const std::uint32_t shift = length - entry.length;  // modulo 2^32: may stand for a negative distance
    entry.length = length;
    for (std::size_t i = index + 1; i < entries_.size(); ++i) entries_[i].suffix += shift;
}

void Projection::follow(const AvailabilityChange* changes, std::size_t count) {
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < count; ++i) {
        const auto first = first_entry_.find(changes[i].registration);
        if (first == first_entry_.end()) continue;
        const std::size_t index = first->second + changes[i].capability;
        if (take_availability(entries_[index])) moved.push_back(index);
    }
    if (moved.empty()) return;
    if (moved.size() > kMaxSplices) {
        render();
        return;
    }
    for (std::size_t index : moved) splice(index);
    render_state();
}

void Projection::follow_all() {
    bool moved = false;
    for (Entry& entry : entries_) moved = take_availability(entry) || moved;
    if (moved) render();
}

std::string Projection::names() const {
    std::string out = "{\"names\":[";
    std::string withheld;
    bool first = true;
    for (const Entry& entry : entries_) {
        if (entry.hidden) continue;
        const std::string& id = capability_of(*entry.registration, entry.capability).id;
        if (entry.wire_name.empty()) {
            withheld += withheld.empty() ? "{" : ",{";
            append_text_member(withheld, "canonicalId", id);
            append_text_member(withheld, "reason", kNameTaken);
            withheld += '}';
            continue;
        }
        out += first ? "[" : ",[";
        first = false;
        const std::string& instance = entry.registration->instance_id;
        out += concat({"\"", entry.wire_name, "\","});
        host_protocol::append_json_string(out, id);
        out += concat({",\"", entry.registration->id, instance.empty() ? "\",null" : "\",\"", instance,
                       instance.empty() ? "" : "\""});
        // Who goes first where there are too many for a request; hardly any has one.
        if (const double priority = entry.registration->contract->priority; priority != 0) {
            out += ',';
            host_protocol::append_json_number(out, priority);
        }
        out += ']';
    }
    return out + "],\"withheld\":[" + withheld + "]}";
}

}  // namespace viewcap
