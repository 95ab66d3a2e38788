// The keywords of both profiles as one table (spec: capabilities.md §3): name, shape of the value, where it is allowed.
#pragma once

#include <cstdint>
#include <string_view>

#include "host_protocol/json_text.h"

namespace host_protocol::schema_detail {

/// What the value of a keyword must look like.
enum class Shape : std::uint8_t {
    anything,
    string,
    boolean,
    array,
    number,
    divisor,       // a number greater than 0
    count,         // a non-negative integer
    type_names,    // one type name or a list of distinct ones
    member_names,  // a list of distinct strings
    pattern,
    format,
    reference,
    schema,
    schema_list,  // at least one schema
    schema_map,
    pattern_map,  // keys are patterns
    items,        // one schema; full: a list too
    additional,   // a boolean; full: a schema
    dependencies,
};

enum class Keyword : std::uint8_t {
    type,
    enumeration,
    constant,
    properties,
    required,
    additional_properties,
    items,
    min_items,
    max_items,
    unique_items,
    min_length,
    max_length,
    pattern,
    format,
    minimum,
    maximum,
    exclusive_minimum,
    exclusive_maximum,
    multiple_of,
    any_of,
    definitions,
    reference,
    annotation,
    identifier,
    one_of,
    all_of,
    negation,
    condition,
    then_branch,
    else_branch,
    pattern_properties,
    property_names,
    contains,
    dependencies,
    additional_items,
    min_properties,
    max_properties
};

struct KeywordRow {
    std::string_view name;
    Keyword keyword;
    Shape shape;
    bool portable;
    bool same_level;  // its subschemas apply to the instance value itself, not to a part of it
};

/// The row, or nullptr for a keyword outside both profiles.
const KeywordRow* find_keyword(std::string_view name);

/// Bits of a set of JSON Schema types.
enum TypeBit : std::uint8_t {
    kNullBit = 1,
    kBooleanBit = 2,
    kNumberBit = 4,
    kStringBit = 8,
    kArrayBit = 16,
    kObjectBit = 32,
    kIntegerBit = 64,
    kAnyType = 127
};

/// 0 when `name` is no type name. "number" includes "integer".
std::uint8_t type_bits(std::string_view name);
/// Bits of the value of the keyword "type"; 0 when it is malformed.
std::uint8_t type_set(JsonValue value);
/// "string or null"
void append_type_names(std::string& out, std::uint8_t bits);

}  // namespace host_protocol::schema_detail
