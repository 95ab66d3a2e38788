#include "host_protocol/text.h"

#include "utf8.h"

namespace host_protocol {
namespace {

std::size_t utf16_units_of(char lead) {
    if (utf8::is_tail(lead)) return 0;
    return utf8::byte(lead) >= 0xF0 ? 2 : 1;
}

}  // namespace

bool is_utf8(std::string_view text) { return utf8::well_formed_prefix(text) == text.size(); }

std::size_t utf16_length(std::string_view text) {
    std::size_t units = 0;
    for (char c : text) units += utf16_units_of(c);
    return units;
}

std::size_t code_point_count(std::string_view text) {
    std::size_t count = 0;
    for (char c : text) count += utf8::is_tail(c) ? 0 : 1;
    return count;
}

std::string_view clip_utf16(std::string_view text, std::size_t units) {
    // A text of that many bytes cannot have more units: the common case needs no walk.
    if (text.size() <= units) return text;
    std::size_t used = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        used += utf16_units_of(text[at]);
        if (used > units) return text.substr(0, at);
    }
    return text;
}

bool has_control_character(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::uint8_t c = utf8::byte(text[at]);
        if (c < 0x20 || c == 0x7F) return true;
        // U+0080 to U+009F are C2 80 to C2 9F.
        if (c == 0xC2 && at + 1 < text.size() && utf8::byte(text[at + 1]) < 0xA0) return true;
    }
    return false;
}

}  // namespace host_protocol
