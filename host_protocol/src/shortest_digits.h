// The shortest decimal digits that read back as a given double, and among those the closest to it.
#pragma once

#include <array>

namespace host_protocol {

/// value = 0.d1d2d3… × 10^point
struct ShortestDigits {
    std::array<char, 20> digits;
    int count;
    int point;
};

/// `value` is finite and greater than zero.
ShortestDigits shortest_digits(double value);

}  // namespace host_protocol
