// What policies of discovery say to one consumer (spec: capabilities.md §5): which capabilities do not exist for it,
// and which are not available.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host_protocol/json_text.h"
#include "host_protocol/result.h"
#include "registration/registration.h"

namespace viewcap {

struct Vote {
    RegistrationHandle registration;
    std::uint32_t capability;
    bool hides;          // else it disables
    std::string reason;  // of a disabling one, clipped, never empty
};

class Votes {
  public:
    /// Reads `[[registration, capability, 1 or 2, reason?], …]`, 1 disables, 2 hides; absent: no votes.
    /// INVALID_DEFINITION for any other shape.
    static host_protocol::Result<Votes> read(host_protocol::JsonValue list);

    /// Null: exposed.
    const Vote* find(RegistrationHandle registration, std::uint32_t capability) const;
    bool hides_as(const Votes& other) const;

  private:
    std::vector<Vote> sorted_;
};

/// Availability for the consumer: a vote comes behind component-disabled, a pushed override and `when`.
Availability availability_under(const Vote* vote, const Registration& registration, std::uint32_t capability);

}  // namespace viewcap
