// Phase 2: which mounted capability a call means, and every way in which it is stale (spec: invocation.md §1 phase 2).
#pragma once

#include <cstdint>
#include <optional>

#include "invocation/envelope.h"
#include "invocation/failure.h"
#include "registration/surface.h"

namespace viewcap {

struct Resolution {
    Registration* registration = nullptr;
    std::uint32_t capability = 0;
    std::optional<Failure> failure;
};

/// By index: the cost does not grow with the number of mounted components.
Resolution resolve(Surface& surface, const Envelope& envelope, double now);

}  // namespace viewcap
