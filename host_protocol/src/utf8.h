// One well-formed UTF-8 sequence, as Unicode's table 3-7 lists them: no surrogates, no overlong forms, nothing above
// U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace host_protocol::utf8 {

inline std::uint8_t byte(char c) { return static_cast<std::uint8_t>(c); }
inline bool is_tail(char c) { return (byte(c) & 0xC0u) == 0x80u; }

/// Bytes of the sequence at `at` (1 to 4), or 0 when there is no well-formed one before `end`.
inline std::size_t sequence_length(const char* at, const char* end) {
    const std::uint8_t lead = byte(*at);
    const std::size_t left = static_cast<std::size_t>(end - at);
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4 || left < 2 || !is_tail(at[1])) return 0;
    if (lead < 0xE0) return 2;
    const std::uint8_t second = byte(at[1]);
    if (left < 3 || !is_tail(at[2])) return 0;
    if (lead < 0xF0) {
        const bool overlong = lead == 0xE0 && second < 0xA0;
        const bool surrogate = lead == 0xED && second > 0x9F;
        return overlong || surrogate ? 0 : 3;
    }
    if (left < 4 || !is_tail(at[3])) return 0;
    const bool overlong = lead == 0xF0 && second < 0x90;
    const bool beyond = lead == 0xF4 && second > 0x8F;
    return overlong || beyond ? 0 : 4;
}

/// Bytes before the first fault; all of them when there is none.
inline std::size_t well_formed_prefix(std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        const std::size_t length = sequence_length(at, end);
        if (length == 0) break;
        at += length;
    }
    return static_cast<std::size_t>(at - text.data());
}

/// Appends a scalar value; the caller excludes surrogates.
inline void append(std::string& out, std::uint32_t scalar) {
    const auto put = [&out](std::uint32_t bits) { out.push_back(static_cast<char>(bits)); };
    if (scalar < 0x80) return put(scalar);
    if (scalar < 0x800) {
        put(0xC0u | (scalar >> 6));
    } else if (scalar < 0x10000) {
        put(0xE0u | (scalar >> 12));
        put(0x80u | ((scalar >> 6) & 0x3Fu));
    } else {
        put(0xF0u | (scalar >> 18));
        put(0x80u | ((scalar >> 12) & 0x3Fu));
        put(0x80u | ((scalar >> 6) & 0x3Fu));
    }
    put(0x80u | (scalar & 0x3Fu));
}

}  // namespace host_protocol::utf8
