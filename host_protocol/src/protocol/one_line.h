// JSON text on one line.
#pragma once

#include <string>
#include <string_view>

namespace host_protocol {

/// Appends JSON text without line ends, and one behind it. Inside strings they are escaped: what there is of them is
/// space between tokens.
inline void append_line(std::string& out, std::string_view json) {
    if (json.find_first_of("\r\n") == std::string_view::npos)
        out += json;
    else
        for (const char c : json) out += c == '\n' || c == '\r' ? ' ' : c;
    out += '\n';
}

}  // namespace host_protocol
