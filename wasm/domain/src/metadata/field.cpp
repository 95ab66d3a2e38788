#include "metadata/field.h"

#include "host_protocol/json_out.h"
#include "host_protocol/text.h"

namespace domain {

using host_protocol::concat;
using host_protocol::JsonType;
using host_protocol::JsonValue;

namespace {

constexpr std::size_t kShortUnits = 60;

struct FactWords {
    std::string_view fact, words;
};
constexpr FactWords kFactWords[] = {{"function", "a function"},
                                    {"undefined", "undefined"},
                                    {"symbol", "a symbol"},
                                    {"bigint", "a bigint"},
                                    {"NaN", "NaN"},
                                    {"Infinity", "Infinity"},
                                    {"-Infinity", "-Infinity"},
                                    {"unreadable", "a value that threw when it was read"},
                                    {"deep", "a value that is nested too deeply"}};

std::string found_object(JsonValue value) {
    const std::string_view fact = fact_of(value);
    if (is_record(value)) return "an object";
    for (const FactWords& row : kFactWords)
        if (row.fact == fact) return std::string(row.words);
    return "a value of an unknown kind";
}

}  // namespace

std::string found(JsonValue value) {
    if (!value) return "nothing";
    switch (value.type()) {
        case JsonType::null: return "null";
        case JsonType::boolean: return value.boolean() ? "true" : "false";
        case JsonType::number: {
            std::string out = "the number ";
            host_protocol::append_json_number(out, value.number());
            return out;
        }
        case JsonType::string: return "the string " + quoted_in_short(value.string());
        case JsonType::array: return "an array";
        case JsonType::object: return found_object(value);
    }
    return "nothing";
}

Field field_of(JsonValue owner, std::string_view place) {
    const std::size_t step = place.rfind('.');
    const JsonValue value = owner.find(step == std::string_view::npos ? place : place.substr(step + 1));
    return {place, fact_of(value) == "undefined" ? JsonValue() : value};
}

std::string quoted(std::string_view text) {
    std::string out;
    host_protocol::append_json_string(out, text);
    return out;
}

std::string quoted_in_short(std::string_view text) {
    const std::string_view head = host_protocol::clip_utf16(text, kShortUnits);
    return quoted(head.size() == text.size() ? std::string(text) : concat({head, "…"}));
}

std::string must_be(std::string_view place, std::string_view allowed, JsonValue value) {
    return concat({place, " must be ", allowed, "; found ", found(value)});
}

}  // namespace domain
