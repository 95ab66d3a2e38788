// Two ways to the same digits: a decimal of at most 15 digits that divides back exactly is the answer (no two such
// decimals share a double); everything else runs Steele and White's free-format algorithm on big integers.
// std::to_chars is no choice: the oldest supported toolchain has it for integers only.
#include "shortest_digits.h"

#include <cmath>
#include <cstdint>

#include "big_number.h"
#include "ieee_bits.h"
#include "json_number.h"

namespace host_protocol {
namespace {

constexpr double kLargestFifteenDigits = 1e15;

ShortestDigits digits_of(std::uint64_t integer, int scale) {
    ShortestDigits out{};
    while (integer % 10 == 0) {
        integer /= 10;
        --scale;
    }
    std::array<char, 20> reversed{};
    int count = 0;
    for (; integer != 0; integer /= 10)
        reversed[static_cast<std::size_t>(count++)] = static_cast<char>('0' + integer % 10);
    for (int i = 0; i < count; ++i)
        out.digits[static_cast<std::size_t>(i)] = reversed[static_cast<std::size_t>(count - 1 - i)];
    out.count = count;
    out.point = count - scale;
    return out;
}

/// value × 10^scale as an integer of at most 15 digits, when that integer stands for `value` exactly.
bool short_decimal(double value, ShortestDigits& out) {
    if (value >= kLargestFifteenDigits || value < 1e-7) return false;
    for (int scale = 0; scale <= 22; ++scale) {
        const double power = kExactPowersOfTen[static_cast<std::size_t>(scale)];
        const double scaled = value * power;
        if (scaled >= kLargestFifteenDigits) return false;
        const double whole = std::nearbyint(scaled);
        if (whole / power == value) {
            out = digits_of(static_cast<std::uint64_t>(whole), scale);
            return true;
        }
    }
    return false;
}

/// value = rest / unit; the doubles that read as `value` lie within (rest - below) / unit and (rest + above) / unit.
struct Interval {
    BigNumber rest, unit, below, above;
    bool closed;  // the ends belong to it: reading rounds half to even
};

Interval interval_of(std::uint64_t mantissa, int exponent, bool lower_is_closer) {
    // Doubled, so that half a unit in the last place is an integer; doubled again where the lower neighbour is closer.
    const std::uint32_t extra = lower_is_closer ? 2 : 1;
    Interval in{BigNumber(mantissa), BigNumber(1), BigNumber(1), BigNumber(1), (mantissa & 1) == 0};
    if (exponent >= 0) {
        const auto up = static_cast<std::uint32_t>(exponent);
        in.rest.shift_left(up + extra);
        in.unit.shift_left(extra);
        in.below.shift_left(up);
        in.above.shift_left(up + extra - 1);
    } else {
        in.rest.shift_left(extra);
        in.unit.shift_left(static_cast<std::uint32_t>(-exponent) + extra);
        in.above.shift_left(extra - 1);
    }
    return in;
}

bool reaches_unit(const Interval& in) {
    BigNumber high = in.rest;
    high.add(in.above);
    const int order = high.compare(in.unit);
    return in.closed ? order >= 0 : order > 0;
}

/// Scales so that the first digit is about to come out; returns the decimal point.
int scale_to_first_digit(Interval& in, double value) {
    const int point = static_cast<int>(std::ceil(std::log10(value) - 1e-10));
    if (point >= 0) {
        in.unit.multiply_power_of_ten(static_cast<std::uint32_t>(point));
    } else {
        const auto up = static_cast<std::uint32_t>(-point);
        in.rest.multiply_power_of_ten(up);
        in.below.multiply_power_of_ten(up);
        in.above.multiply_power_of_ten(up);
    }
    if (!reaches_unit(in)) return point;
    in.unit.multiply_add(10, 0);
    return point + 1;
}

char next_digit(Interval& in) {
    in.rest.multiply_add(10, 0);
    in.below.multiply_add(10, 0);
    in.above.multiply_add(10, 0);
    char digit = '0';
    for (; in.rest.compare(in.unit) >= 0; ++digit) in.rest.subtract(in.unit);
    return digit;
}

/// Whether the last digit goes up: the candidate above is the only one left, or the closer one, or the even one of two.
bool rounds_up(Interval& in, bool low, bool high, char digit) {
    if (low != high) return high;
    in.rest.multiply_add(2, 0);
    const int order = in.rest.compare(in.unit);
    return order > 0 || (order == 0 && (digit & 1) != 0);
}

}  // namespace

ShortestDigits shortest_digits(double value) {
    ShortestDigits out{};
    if (short_decimal(value, out)) return out;
    const auto bits = bits_of_double(value);
    const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
    const int field = static_cast<int>(bits >> 52);
    const std::uint64_t mantissa = field == 0 ? fraction : fraction | (std::uint64_t{1} << 52);
    Interval in = interval_of(mantissa, (field == 0 ? 1 : field) - 1075, fraction == 0 && field > 1);
    out.point = scale_to_first_digit(in, value);
    while (true) {
        const char digit = next_digit(in);
        const int to_below = in.rest.compare(in.below);
        const bool low = in.closed ? to_below <= 0 : to_below < 0;
        const bool high = reaches_unit(in);
        const bool last = low || high;
        const bool up = last && rounds_up(in, low, high, digit);
        out.digits[static_cast<std::size_t>(out.count++)] = static_cast<char>(digit + (up ? 1 : 0));
        if (last) return out;
    }
}

}  // namespace host_protocol
