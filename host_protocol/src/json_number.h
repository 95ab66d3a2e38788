// Decimal text to double, exactly rounded on every platform; included by the reader and the writer.
//
// The C library is not used: its strtod is slow in WebAssembly (128-bit long double in software) and large.
#pragma once

#include <array>

namespace host_protocol {

/// Powers of ten that a double holds exactly.
inline constexpr std::array<double, 23> kExactPowersOfTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

struct ScannedNumber {
    const char* end;  // behind the number; null when the grammar of JSON is not met
    double value;     // infinite when the number is outside the range of a double
};

/// Reads the JSON number that begins at `at` and stops at its end or at `end`.
ScannedNumber scan_json_number(const char* at, const char* end);

}  // namespace host_protocol
