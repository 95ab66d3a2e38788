// Small helpers for writing JSON objects into a string, one member at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host_protocol/json_text.h"

namespace viewcap {

/// Appends `,"key":` (no comma directly after an opening bracket). `key` needs no escaping.
inline void append_key(std::string& out, std::string_view key) {
    if (!out.empty() && out.back() != '{') out += ',';
    out += '"';
    out += key;
    out += "\":";
}

inline void append_text_member(std::string& out, std::string_view key, std::string_view text) {
    append_key(out, key);
    host_protocol::append_json_string(out, text);
}

/// `json` is JSON text already.
inline void append_json_member(std::string& out, std::string_view key, std::string_view json) {
    append_key(out, key);
    out += json;
}

inline void append_number_member(std::string& out, std::string_view key, double number) {
    append_key(out, key);
    host_protocol::append_json_number(out, number);
}

inline void append_bool_member(std::string& out, std::string_view key, bool flag) {
    append_key(out, key);
    out += flag ? "true" : "false";
}

inline std::string json_string(std::string_view text) {
    std::string out;
    host_protocol::append_json_string(out, text);
    return out;
}

}  // namespace viewcap
