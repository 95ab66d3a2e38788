#include "catalog/projection.h"

#include "host_protocol/descriptor.h"
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

void Projection::refresh(const Surface& surface, std::uint32_t& generations) {
    const AvailabilityChange* changes = nullptr;
    std::size_t count = 0;
    if (mount_revision_ != surface.mount_revision()) {
        rebuild(surface, generations);
    } else if (surface.changes_since(change_position_, changes, count)) {
        if (count > 0) follow(changes, count);
    } else {
        bool moved = false;
        for (Entry& entry : entries_) moved = take_availability(entry) || moved;
        if (moved) render();
    }
    change_position_ = surface.change_position();
}

void Projection::rebuild(const Surface& surface, std::uint32_t& generations) {
    entries_.clear();
    first_entry_.clear();
    for (const Registration* registration : surface.ordered(scope_)) {
        first_entry_.emplace(registration->handle, static_cast<std::uint32_t>(entries_.size()));
        const auto count = static_cast<std::uint32_t>(registration->contract->capabilities.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            Entry entry{registration, i, {}, 0, 0, true, {}};
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
    std::vector<host_protocol::WireNameEntry> list;
    list.reserve(entries_.size());
    for (const Entry& entry : entries_)
        list.push_back({capability_of(*entry.registration, entry.capability).id, entry.registration->instance_id});
    std::vector<std::string> names = host_protocol::assign_wire_names(list);
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].wire_name = std::move(names[i]);
}

bool Projection::take_availability(Entry& entry) {
    const Availability now = entry.registration->availability(entry.capability);
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
        if (entry.available || entry.wire_name.empty()) continue;
        if (state_.size() > 1) state_ += ',';
        host_protocol::append_state_entry(state_, entry.wire_name, false, entry.reason, {});
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

std::string Projection::names() const {
    std::string out = "{\"names\":[";
    std::string withheld;
    bool first = true;
    for (const Entry& entry : entries_) {
        const std::string& id = capability_of(*entry.registration, entry.capability).id;
        if (entry.wire_name.empty()) {
            withheld += withheld.empty() ? "{" : ",{";
            append_text_member(withheld, "canonicalId", id);
            append_text_member(withheld, "reason", kNameTaken);
            withheld += '}';
            continue;
        }
        out += first ? "[\"" : ",[\"";
        first = false;
        out += entry.wire_name + "\",\"" + id + "\",\"" + entry.registration->id + "\",\"" +
               entry.registration->instance_id + "\"]";
    }
    return out + "],\"withheld\":[" + withheld + "]}";
}

}  // namespace viewcap
