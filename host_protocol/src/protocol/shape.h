// What an object of the protocol looks like, as rows; and the check of one against them. Unknown members are ignored,
// so that a newer peer can talk to an older one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "host_protocol/json_text.h"
#include "host_protocol/result.h"
#include "schema/place.h"

namespace host_protocol::shape {

using schema_detail::Place;

enum class Kind : std::uint8_t { text, word, integer, number, boolean, object, array, any };

inline constexpr std::uint32_t kUnbounded = 0xFFFFFFFF;
inline constexpr bool kRequired = true;
inline constexpr bool kOptional = false;

struct Field {
    std::string_view name;
    Kind kind;
    bool required;
    // Of a text in UTF-16 units, of an integer itself, of an array in elements.
    std::uint32_t minimum = 0;
    std::uint32_t maximum = kUnbounded;
    // A word is one of these.
    std::span<const std::string_view> words{};
};

/// PROTOCOL_DECODE_ERROR; the message never repeats a value.
Error fault(const Place& place, std::string_view found, std::string_view allowed);

/// The reader's own fault, whose place is an offset in bytes.
Error unreadable(const Error& error);

/// Leaves the member of each field, absent where there is none, in `found`, which has room for as many as there are
/// fields.
Status check(JsonValue object, std::span<const Field> fields, const Place& place, JsonValue* found);
/// One value against one row.
Status check_value(JsonValue value, const Field& field, const Place& place);
/// A text that is none of JSON's yet.
Status check_text(std::string_view text, const Field& field, const Place& place);

/// "a string of 65 units", "an array of 3", "null": never the value itself.
std::string describe(JsonValue value);
std::string decimal(double number);

}  // namespace host_protocol::shape
