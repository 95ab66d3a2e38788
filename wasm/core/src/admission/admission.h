// What asking for a place comes to (spec: invocation.md §1, phase 8).
#pragma once

#include <cstdint>

namespace viewcap {

enum class Admission : std::uint8_t { run, wait, full };

}  // namespace viewcap
