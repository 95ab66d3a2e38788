// Measures and cuts of UTF-8 text, in the units that the specification names.
#pragma once

#include <cstddef>
#include <string_view>

namespace host_protocol {

bool is_utf8(std::string_view text);
/// Length in UTF-16 code units of well-formed UTF-8.
std::size_t utf16_length(std::string_view text);
/// Length in Unicode code points of well-formed UTF-8.
std::size_t code_point_count(std::string_view text);
/// The longest prefix of at most `units` UTF-16 code units that splits no code point.
std::string_view clip_utf16(std::string_view text, std::size_t units);
/// U+0000 to U+001F or U+007F to U+009F anywhere.
bool has_control_character(std::string_view text);

}  // namespace host_protocol
