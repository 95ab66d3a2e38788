// `multipleOf`, exact for the decimals that people write: 0.07 is a multiple of 0.01.
#pragma once

#include <cstdint>

namespace host_protocol::schema_detail {

/// digits × 10^exponent, the shortest decimal that reads back as the double it came from.
struct Decimal {
    std::uint64_t digits = 0;
    int exponent = 0;
};

/// Of the magnitude of a finite number.
Decimal shortest_decimal(double value);

struct Divisor {
    double value = 1;
    Decimal decimal{};
};

bool is_multiple_of(double value, const Divisor& divisor);

}  // namespace host_protocol::schema_detail
