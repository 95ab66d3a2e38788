// One projection of the surface into wire descriptors (spec: capabilities.md §7), kept between steps.
//
// Names, order and bytes are made again when the mount set changed, or who is hidden; when only availability moved, the
// bytes of the capabilities that moved are spliced; when only a note did, the volatile half is written; when nothing
// did, nothing is done. The bytes belong to the projection. What policies of discovery hide takes part in nothing.
// Components come first, by priority, then references to procedures.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/votes.h"
#include "registration/surface.h"

namespace viewcap {

class Projection {
  public:
    Projection(std::vector<std::string> scope, std::string consumer)
        : scope_(std::move(scope)), consumer_(std::move(consumer)) {}

    const std::vector<std::string>& scope() const { return scope_; }
    /// Empty: for everybody.
    const std::string& consumer() const { return consumer_; }
    /// INVALID_DEFINITION for votes that are none. What they say holds for the next refresh() and from then on.
    host_protocol::Status vote(host_protocol::JsonValue votes);
    /// `generations` counts those of all projections of a registry: an old map is never taken for a new one.
    void refresh(const Surface& surface, std::uint32_t& generations);

    /// The descriptor array, UTF-8.
    std::string_view bytes() const { return bytes_; }
    /// The volatile half: an array with an entry per capability that is unavailable or has a note.
    std::string_view state() const { return state_; }
    /// Changes when the names do.
    std::uint32_t generation() const { return generation_; }
    /// `{"names":[[wireName, canonicalId, registrationId, instanceId or null, priority when not 0], …],"withheld":[…]}`
    std::string names() const;

  private:
    struct Entry {
        const Registration* registration;
        std::uint32_t capability;
        std::string wire_name;     // empty: withheld, or hidden
        std::uint32_t suffix = 0;  // where the availability begins in bytes_
        std::uint32_t length = 0;
        bool available = true;
        bool hidden = false;
        std::string reason;
    };

    void rebuild(const Surface& surface, std::uint32_t& generations);
    void assign_names();
    void render();
    void render_state();
    /// Whether the entry's availability moved; takes the new one.
    bool take_availability(Entry& entry);
    void splice(std::size_t index);
    void follow(const AvailabilityChange* changes, std::size_t count);
    /// Every entry's availability again.
    void follow_all();

    std::vector<std::string> scope_;
    std::string consumer_;
    std::string votes_text_;
    Votes votes_;
    std::vector<Entry> entries_;
    std::map<RegistrationHandle, std::uint32_t> first_entry_;
    std::string bytes_;
    std::string spliced_;  // the other buffer of a splice
    std::string state_ = "[]";
    std::uint64_t mount_revision_ = kNever;
    std::uint64_t change_position_ = 0;
    std::uint64_t note_revision_ = 0;
    std::uint32_t generation_ = 0;
    bool voted_ = false;  // disabling votes changed since the last refresh

    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
};

}  // namespace viewcap
