// A double's bits; std::bit_cast is missing from the standard library of the oldest supported toolchain.
#pragma once

#include <cstdint>
#include <cstring>

namespace host_protocol {

inline constexpr std::uint64_t kInfinityBits = 0x7FF0000000000000u;

inline double double_of_bits(std::uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::uint64_t bits_of_double(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

}  // namespace host_protocol
