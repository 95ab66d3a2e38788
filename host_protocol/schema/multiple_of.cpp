#include "schema/multiple_of.h"

#include <cmath>
#include <string>

#include "host_protocol/json_text.h"

namespace host_protocol::schema_detail {
namespace {

constexpr double kExactInteger = 9007199254740992.0;  // 2^53

bool is_small_integer(double value) { return std::fabs(value) <= kExactInteger && std::trunc(value) == value; }

std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
    // Both are below 10^17: the product needs 128 bits, which wasm has only by library; doubling is enough here.
    std::uint64_t product = 0;
    for (; b > 0; b >>= 1) {
        if (b & 1) product = (product + a) % modulus;
        a = (a + a) % modulus;
    }
    return product;
}

std::uint64_t power_of_ten_modulo(int exponent, std::uint64_t modulus) {
    std::uint64_t result = 1 % modulus, base = 10 % modulus;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = multiply_modulo(result, base, modulus);
        base = multiply_modulo(base, base, modulus);
    }
    return result;
}

}  // namespace

Decimal shortest_decimal(double value) {
    std::string text;
    append_json_number(text, std::fabs(value));
    Decimal decimal;
    bool fraction = false;
    std::size_t at = 0;
    for (; at < text.size() && text[at] != 'e'; ++at) {
        if (text[at] == '.') {
            fraction = true;
            continue;
        }
        if (decimal.digits >= 100'000'000'000'000'000ull) {
            // 17 significant digits are all a double has: what follows are the zeros of a large integer.
            decimal.exponent += fraction ? 0 : 1;
            continue;
        }
        decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(text[at] - '0');
        decimal.exponent -= fraction ? 1 : 0;
    }
    if (at < text.size()) {
        const bool negative = text[at + 1] == '-';
        int exponent = 0;
        for (at += 2; at < text.size(); ++at) exponent = exponent * 10 + (text[at] - '0');
        decimal.exponent += negative ? -exponent : exponent;
    }
    while (decimal.digits != 0 && decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        ++decimal.exponent;
    }
    return decimal;
}

bool is_multiple_of(double value, const Divisor& divisor) {
    if (value == 0) return true;
    if (is_small_integer(value) && is_small_integer(divisor.value)) return std::fmod(value, divisor.value) == 0;
    const Decimal dividend = shortest_decimal(value);
    const std::uint64_t modulus = divisor.decimal.digits;
    const int shift = dividend.exponent - divisor.decimal.exponent;
    // Digits never end in a zero, so a value with a finer last place than the divisor's is no multiple of it.
    if (shift < 0) return false;
    return multiply_modulo(dividend.digits % modulus, power_of_ten_modulo(shift, modulus), modulus) == 0;
}

}  // namespace host_protocol::schema_detail
