#include "json_string_scan.h"

#include <cstdint>

#include "host_protocol/json_text.h"
#include "utf8.h"

namespace host_protocol {
namespace {

/// Four hexadecimal digits at `at`, or -1.
std::int32_t hex4(const char* at, const char* end) {
    if (end - at < 4) return -1;
    std::int32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = at[i];
        const char lower = static_cast<char>(c | 0x20);
        if (c >= '0' && c <= '9') {
            value = value * 16 + (c - '0');
        } else if (lower >= 'a' && lower <= 'f') {
            value = value * 16 + (lower - 'a' + 10);
        } else {
            return -1;
        }
    }
    return value;
}

bool is_surrogate(std::int32_t unit) { return (unit & 0xF800) == 0xD800; }

/// `at` is behind "\u"; moves it behind the escape. The fault, or nothing.
std::string_view decode_unicode(const char*& at, const char* end, std::string& out) {
    const std::int32_t unit = hex4(at, end);
    if (unit < 0) return json_fault::kMalformed;
    at += 4;
    if (!is_surrogate(unit)) {
        utf8::append(out, static_cast<std::uint32_t>(unit));
        return {};
    }
    const bool follows = end - at >= 2 && at[0] == '\\' && at[1] == 'u';
    const std::int32_t low = follows ? hex4(at + 2, end) : -1;
    if (unit >= 0xDC00 || low < 0xDC00 || low > 0xDFFF) return json_fault::kLoneSurrogate;
    at += 6;
    utf8::append(out, static_cast<std::uint32_t>(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)));
    return {};
}

/// `at` is behind the backslash; moves it behind the escape. The fault, or nothing.
std::string_view decode_escape(const char*& at, const char* end, std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
    if (at == end) return json_fault::kMalformed;
    const char letter = *at++;
    if (letter == 'u') return decode_unicode(at, end, out);
    const std::size_t named = kLetters.find(letter);
    if (named == std::string_view::npos) return json_fault::kMalformed;
    out.push_back(kValues[named]);
    return {};
}

}  // namespace

StringScan scan_json_string(const char* begin, const char* end, std::string& unescaped) {
    const char* copied = begin;
    const char* at = begin;
    bool escaped = false;
    while (true) {
        at = skip_plain_text(at, end);
        if (at == end) return {at, json_fault::kMalformed, escaped};
        if (*at == '"') break;
        if (*at == '\\') {
            const char* const escape = at;
            unescaped.append(copied, at);
            escaped = true;
            ++at;
            const std::string_view fault = decode_escape(at, end, unescaped);
            if (!fault.empty()) return {escape, fault, escaped};
            copied = at;
            continue;
        }
        const std::size_t length = utf8::sequence_length(at, end);
        if (length <= 1) return {at, length == 0 ? json_fault::kNotUtf8 : json_fault::kMalformed, escaped};
        at += length;
    }
    if (escaped) unescaped.append(copied, at);
    return {at, {}, escaped};
}

}  // namespace host_protocol
