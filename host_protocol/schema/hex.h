// One hexadecimal digit.
#pragma once

namespace host_protocol::schema_detail {

/// 0 to 15, or -1 for a character that is no digit.
inline int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace host_protocol::schema_detail
