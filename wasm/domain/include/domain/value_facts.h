// Values of JavaScript that are not JSON, as facts in JSON text: how the glue tells C++ what an author or a caller
// gave.
//
//   null, booleans, strings, finite numbers      themselves
//   arrays, objects                              themselves, member by member, at most 6 levels deep
//   everything else                              {"$is": what}, with what one of
//       function undefined symbol bigint NaN Infinity -Infinity, unreadable (it threw), deep (below the 6th level)
//   an object's own key that starts with "$"     with another "$" before it, so that nothing can pose as a fact
//
// An absent member is absent; one that is undefined is absent, too.
#pragma once

#include <string>
#include <string_view>

#include "host_protocol/json_text.h"

namespace domain {

inline constexpr std::string_view kFact = "$is";

/// The word of a fact, such as "function"; empty for a value that is JSON.
inline std::string_view fact_of(host_protocol::JsonValue value) {
    if (!value.is(host_protocol::JsonType::object)) return {};
    const host_protocol::JsonValue word = value.find(kFact);
    return word.is(host_protocol::JsonType::string) ? word.string() : std::string_view();
}
inline bool is_function(host_protocol::JsonValue value) { return fact_of(value) == "function"; }
/// An object that is no fact; arrays are none.
inline bool is_record(host_protocol::JsonValue value) {
    return value.is(host_protocol::JsonType::object) && fact_of(value).empty();
}
inline bool is_text(host_protocol::JsonValue value) { return value.is(host_protocol::JsonType::string); }
inline bool is_list(host_protocol::JsonValue value) { return value.is(host_protocol::JsonType::array); }
inline bool is_number(host_protocol::JsonValue value) { return value.is(host_protocol::JsonType::number); }
inline bool is_boolean(host_protocol::JsonValue value) { return value.is(host_protocol::JsonType::boolean); }

/// The key as its author wrote it: facts double a leading "$".
inline std::string_view authors_key(std::string_view key) {
    return !key.empty() && key.front() == '$' ? key.substr(1) : key;
}

/// What was found, for the sentence of a problem: `the string "on"`, `the number 0`, `an array`, `nothing`, `NaN`, …
/// Texts are cut at 60 UTF-16 units.
std::string found(host_protocol::JsonValue value);

}  // namespace domain
