// The keys of one object as a set: their canonical order and their uniqueness.
#pragma once

#include <cstdint>
#include <vector>

#include "host_protocol/json_text.h"

namespace host_protocol {

/// Order of well-formed UTF-8 texts by UTF-16 code units (RFC 8785), which differs from byte order above U+FFFF.
bool less_utf16(std::string_view left, std::string_view right);

/// Sorts entries of `tape` that are keys, in place, by less_utf16.
void sort_keys(const JsonTape& tape, std::uint32_t* first, std::uint32_t* last);

/// Entry of the first key that repeats an earlier key of the same object, or 0 (never a key) when all differ.
std::uint32_t find_duplicate_key(const JsonTape& tape, std::uint32_t object);

}  // namespace host_protocol
