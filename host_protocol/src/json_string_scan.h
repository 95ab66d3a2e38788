// The inside of a JSON string: where it ends, whether it is well formed, what its escapes stand for.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace host_protocol {

struct StringScan {
    const char* at;          // the closing quote, or the fault
    std::string_view fault;  // empty, or one of json_fault
    bool escaped;            // the decoded bytes were appended to the side buffer
};

/// The first byte from `at` that is not plain ASCII text (a quote, a backslash, a control character, a byte from 0x80
/// on), or `end`. Eight bytes at a time: most of a JSON text is the inside of strings.
inline const char* skip_plain_text(const char* at, const char* end) {
    constexpr std::uint64_t kOnes = 0x0101010101010101u;
    constexpr std::uint64_t kHighs = 0x8080808080808080u;
    while (end - at >= 8) {
        std::uint64_t eight;
        std::memcpy(&eight, at, 8);
        const std::uint64_t quote = eight ^ (kOnes * '"');
        const std::uint64_t slash = eight ^ (kOnes * '\\');
        const std::uint64_t control = (eight - kOnes * 0x20) & ~eight;
        // The lowest high bit is exact; borrows make noise only above it.
        const std::uint64_t special =
            (control | ((quote - kOnes) & ~quote) | ((slash - kOnes) & ~slash) | eight) & kHighs;
        if (special != 0) return at + (std::countr_zero(special) >> 3);
        at += 8;
    }
    for (; at != end; ++at) {
        const auto c = static_cast<std::uint8_t>(*at);
        if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') break;
    }
    return at;
}

/// `begin` is behind the opening quote. Decodes into `unescaped` only when there is an escape.
StringScan scan_json_string(const char* begin, const char* end, std::string& unescaped);

}  // namespace host_protocol
