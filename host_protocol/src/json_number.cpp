#include "json_number.h"

#include <cstdint>

#include "big_number.h"
#include "ieee_bits.h"

namespace host_protocol {
namespace {

constexpr std::int64_t kExponentCap = 1'000'000'000'000;
// Every point halfway between two doubles has at most 767 significant digits, so 800 and "anything more" decide.
constexpr std::int64_t kDigitsThatDecide = 800;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The parts of a number's text; leading zeros of the digits are gone.
struct Decimal {
    const char* first = nullptr;  // first significant digit
    const char* last = nullptr;   // behind the last digit; a '.' may lie between
    std::int64_t digits = 0;      // significant digits up to `last`
    std::int64_t exponent = 0;    // value = digits × 10^exponent
    std::uint64_t leading = 0;    // the first up to 19 digits as an integer
};

/// value = (quotient + something in [0, 1) that is 0 unless sticky) × 2^exponent, quotient's top bit set.
double round_to_double(std::uint64_t quotient, bool sticky, std::int64_t exponent) {
    const std::int64_t top = exponent + 63;
    if (top > 1023) return double_of_bits(kInfinityBits);
    const std::int64_t kept = top >= -1022 ? 53 : 53 + top + 1022;
    if (kept < 0) return 0.0;
    const std::int64_t cut = 64 - kept;
    std::uint64_t mantissa = cut == 64 ? 0 : quotient >> cut;
    const std::uint64_t half = std::uint64_t{1} << (cut - 1);
    const std::uint64_t rest = cut == 64 ? quotient : quotient & ((half << 1) - 1);
    if (rest > half || (rest == half && (sticky || (mantissa & 1) != 0))) ++mantissa;
    // The hidden bit adds one to the exponent field, and so does a carry out of the rounding.
    const std::uint64_t field = top >= -1022 ? static_cast<std::uint64_t>(top + 1022) << 52 : 0;
    return double_of_bits(field + mantissa);
}

/// Up to 19 digits over 5^27 at most: the long division fits one machine word.
double divide_small(std::uint64_t digits, std::int64_t power) {
    std::uint64_t divisor = 1;
    for (std::int64_t i = 0; i < power; ++i) divisor *= 5;
    std::uint64_t quotient = digits / divisor;
    std::uint64_t rest = digits % divisor;
    std::int64_t exponent = -power;
    while ((quotient >> 63) == 0) {
        rest <<= 1;
        const bool bit = rest >= divisor;
        if (bit) rest -= divisor;
        quotient = (quotient << 1) | (bit ? 1 : 0);
        --exponent;
    }
    return round_to_double(quotient, rest != 0, exponent);
}

double divide_big(BigNumber& numerator, BigNumber& divisor) {
    const std::int64_t excess =
        static_cast<std::int64_t>(numerator.bit_length()) - static_cast<std::int64_t>(divisor.bit_length());
    std::int64_t exponent = excess;
    if (excess < 0) numerator.shift_left(static_cast<std::uint32_t>(-excess));
    if (excess > 0) divisor.shift_left(static_cast<std::uint32_t>(excess));
    std::uint64_t quotient = 0;
    while (true) {
        const bool bit = numerator.compare(divisor) >= 0;
        if (bit) numerator.subtract(divisor);
        quotient = (quotient << 1) | (bit ? 1 : 0);
        if ((quotient >> 63) != 0) break;
        numerator.multiply_add(2, 0);
        --exponent;
    }
    return round_to_double(quotient, !numerator.is_zero(), exponent);
}

double convert_big(const Decimal& decimal) {
    BigNumber numerator;
    std::int64_t taken = 0;
    bool more = false;
    for (const char* at = decimal.first; at != decimal.last; ++at) {
        if (!is_digit(*at)) continue;
        if (taken < kDigitsThatDecide) {
            numerator.multiply_add(10, static_cast<std::uint32_t>(*at - '0'));
            ++taken;
        } else if (*at != '0') {
            more = true;
            break;
        }
    }
    std::int64_t exponent = decimal.exponent + decimal.digits - taken;
    if (more) {
        numerator.multiply_add(10, 1);
        --exponent;
    }
    BigNumber divisor(1);
    if (exponent < 0) divisor.multiply_power_of_ten(static_cast<std::uint32_t>(-exponent));
    if (exponent > 0) numerator.multiply_power_of_ten(static_cast<std::uint32_t>(exponent));
    return divide_big(numerator, divisor);
}

double convert(const Decimal& decimal) {
    if (decimal.digits == 0) return 0.0;
    const std::int64_t point = decimal.digits + decimal.exponent;
    if (point > 310) return double_of_bits(kInfinityBits);
    if (point < -330) return 0.0;
    if (decimal.digits <= 15 && decimal.exponent >= -22 && decimal.exponent <= 22) {
        // Both operands are exact, so the one rounding is the right one (Clinger).
        const double exact = static_cast<double>(decimal.leading);
        return decimal.exponent < 0 ? exact / kExactPowersOfTen[static_cast<std::size_t>(-decimal.exponent)]
                                    : exact * kExactPowersOfTen[static_cast<std::size_t>(decimal.exponent)];
    }
    if (decimal.digits <= 19 && decimal.exponent <= 0 && decimal.exponent >= -27)
        return divide_small(decimal.leading, -decimal.exponent);
    return convert_big(decimal);
}

/// Collects digits; `step` is what one digit adds to the exponent.
const char* take_digits(const char* at, const char* end, std::int64_t step, Decimal& decimal) {
    for (; at != end && is_digit(*at); ++at) {
        decimal.exponent += step;
        if (decimal.digits == 0) {
            if (*at == '0') continue;
            decimal.first = at;
        }
        if (decimal.digits < 19) decimal.leading = decimal.leading * 10 + static_cast<std::uint64_t>(*at - '0');
        ++decimal.digits;
    }
    decimal.last = at;
    return at;
}

/// Behind the exponent part that begins at `at` ('e' or 'E'), or null.
const char* take_exponent(const char* at, const char* end, Decimal& decimal) {
    ++at;
    const bool negative = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    if (at == end || !is_digit(*at)) return nullptr;
    std::int64_t exponent = 0;
    for (; at != end && is_digit(*at); ++at) {
        if (exponent < kExponentCap) exponent = exponent * 10 + (*at - '0');
    }
    decimal.exponent += negative ? -exponent : exponent;
    return at;
}

}  // namespace

ScannedNumber scan_json_number(const char* at, const char* end) {
    const bool negative = at != end && *at == '-';
    if (negative) ++at;
    if (at == end || !is_digit(*at)) return {nullptr, 0.0};
    Decimal decimal;
    if (*at == '0') {
        ++at;
    } else {
        at = take_digits(at, end, 0, decimal);
    }
    if (at != end && *at == '.') {
        const char* const fraction = at + 1;
        at = take_digits(fraction, end, -1, decimal);
        if (at == fraction) return {nullptr, 0.0};
    }
    if (at != end && (*at == 'e' || *at == 'E')) {
        at = take_exponent(at, end, decimal);
        if (at == nullptr) return {nullptr, 0.0};
    }
    const double magnitude = convert(decimal);
    return {at, negative ? -magnitude : magnitude};
}

}  // namespace host_protocol
