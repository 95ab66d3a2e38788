// Small helpers for writing texts: JSON objects one member at a time, and sentences out of parts; and for reading
// values that may be anything. Out of line on purpose: they stand in every message of the module.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "host_protocol/json_text.h"

namespace host_protocol {

/// Appends `,"key":` (no comma directly after an opening bracket). `key` needs no escaping.
void append_key(std::string& out, std::string_view key);
void append_text_member(std::string& out, std::string_view key, std::string_view text);
/// `json` is JSON text already.
void append_json_member(std::string& out, std::string_view key, std::string_view json);
void append_number_member(std::string& out, std::string_view key, double number);
void append_bool_member(std::string& out, std::string_view key, bool flag);

/// The parts in a row.
std::string concat(std::initializer_list<std::string_view> parts);
/// `{"key":"text"}`
std::string one_member(std::string_view key, std::string_view text);

bool is_true(JsonValue value);
/// The string, or `fallback` for anything else.
std::string_view text_or(JsonValue value, std::string_view fallback);

/// A handle out of a JSON number; 0, which is none, for anything that cannot be one.
inline std::uint32_t handle_of(double number) {
    return number >= 0 && number <= 4294967295.0 ? static_cast<std::uint32_t>(number) : 0;
}

}  // namespace host_protocol
