// Phase 2: which mounted capability a call means, and every way in which it is stale (spec: invocation.md §1 phase 2).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "invocation/envelope.h"
#include "invocation/failure.h"
#include "registration/surface.h"

namespace viewcap {

struct Resolution {
    Registration* registration = nullptr;
    std::uint32_t capability = 0;
    std::optional<Failure> failure;
};

/// Whom policies of discovery hide from the caller, of the candidates for its call: they take part in no answer.
struct HiddenSet {
    std::vector<RegistrationHandle> registrations;
    /// What is no longer mounted is hidden too: tombstones say nothing.
    bool gone = false;
};

bool is_hidden(const HiddenSet& hidden, const Registration& registration);

struct Candidate {
    RegistrationHandle registration;
    std::uint32_t capability;
};

/// By index: the cost does not grow with the number of mounted components. `skip_version_check` for a call that carries
/// an approved confirmation: mounting the dialog moved the version.
Resolution resolve(Surface& surface, const Envelope& envelope, const HiddenSet& hidden, bool skip_version_check,
                   double now);

/// Who could be meant, for policies of discovery to vote on: the registration that is named where it is live, has the
/// capability and is not hidden, else all that have it and are not. So where the one that is named turns out to be
/// hidden, those that the answer could speak of instead are asked about in a second round.
std::vector<Candidate> candidates_of(const Surface& surface, const Envelope& envelope, const HiddenSet& hidden);

}  // namespace viewcap
