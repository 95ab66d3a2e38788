#include "schema/keywords.h"

#include <string>

namespace host_protocol::schema_detail {
namespace {

constexpr KeywordRow kRows[] = {
    {"type", Keyword::type, Shape::type_names, true, false},
    {"properties", Keyword::properties, Shape::schema_map, true, false},
    {"required", Keyword::required, Shape::member_names, true, false},
    {"additionalProperties", Keyword::additional_properties, Shape::additional, true, false},
    {"description", Keyword::annotation, Shape::string, true, false},
    {"items", Keyword::items, Shape::items, true, false},
    {"enum", Keyword::enumeration, Shape::array, true, false},
    {"const", Keyword::constant, Shape::anything, true, false},
    {"minItems", Keyword::min_items, Shape::count, true, false},
    {"maxItems", Keyword::max_items, Shape::count, true, false},
    {"uniqueItems", Keyword::unique_items, Shape::boolean, true, false},
    {"minLength", Keyword::min_length, Shape::count, true, false},
    {"maxLength", Keyword::max_length, Shape::count, true, false},
    {"pattern", Keyword::pattern, Shape::pattern, true, false},
    {"format", Keyword::format, Shape::format, true, false},
    {"minimum", Keyword::minimum, Shape::number, true, false},
    {"maximum", Keyword::maximum, Shape::number, true, false},
    {"exclusiveMinimum", Keyword::exclusive_minimum, Shape::number, true, false},
    {"exclusiveMaximum", Keyword::exclusive_maximum, Shape::number, true, false},
    {"multipleOf", Keyword::multiple_of, Shape::divisor, true, false},
    {"anyOf", Keyword::any_of, Shape::schema_list, true, true},
    {"$defs", Keyword::definitions, Shape::schema_map, true, false},
    {"$ref", Keyword::reference, Shape::reference, true, true},
    {"title", Keyword::annotation, Shape::string, true, false},
    {"default", Keyword::annotation, Shape::anything, true, false},
    {"examples", Keyword::annotation, Shape::array, true, false},
    {"deprecated", Keyword::annotation, Shape::boolean, true, false},
    {"$comment", Keyword::annotation, Shape::string, true, false},
    {"$schema", Keyword::identifier, Shape::string, true, false},
    {"$id", Keyword::identifier, Shape::string, true, false},
    {"oneOf", Keyword::one_of, Shape::schema_list, false, true},
    {"allOf", Keyword::all_of, Shape::schema_list, false, true},
    {"not", Keyword::negation, Shape::schema, false, true},
    {"if", Keyword::condition, Shape::schema, false, true},
    {"then", Keyword::then_branch, Shape::schema, false, true},
    {"else", Keyword::else_branch, Shape::schema, false, true},
    {"patternProperties", Keyword::pattern_properties, Shape::pattern_map, false, false},
    {"propertyNames", Keyword::property_names, Shape::schema, false, false},
    {"contains", Keyword::contains, Shape::schema, false, false},
    {"dependencies", Keyword::dependencies, Shape::dependencies, false, true},
    {"definitions", Keyword::definitions, Shape::schema_map, false, false},
    {"additionalItems", Keyword::additional_items, Shape::schema, false, false},
    {"minProperties", Keyword::min_properties, Shape::count, false, false},
    {"maxProperties", Keyword::max_properties, Shape::count, false, false},
};

struct TypeRow {
    std::string_view name;
    std::uint8_t bits;
};
constexpr TypeRow kTypes[] = {
    {"object", kObjectBit},   {"array", kArrayBit},     {"string", kStringBit}, {"number", kNumberBit | kIntegerBit},
    {"integer", kIntegerBit}, {"boolean", kBooleanBit}, {"null", kNullBit},
};

}  // namespace

const KeywordRow* find_keyword(std::string_view name) {
    for (const KeywordRow& row : kRows)
        if (row.name == name) return &row;
    return nullptr;
}

std::uint8_t type_bits(std::string_view name) {
    for (const TypeRow& row : kTypes)
        if (row.name == name) return row.bits;
    return 0;
}

std::uint8_t type_set(JsonValue value) {
    if (value.is(JsonType::string)) return type_bits(value.string());
    if (!value.is(JsonType::array)) return 0;
    std::uint8_t all = 0;
    std::string_view seen[8];
    std::size_t count = 0;
    for (JsonValue name : value.elements()) {
        const std::uint8_t bits = name.is(JsonType::string) ? type_bits(name.string()) : std::uint8_t{0};
        if (bits == 0 || count == 8) return 0;
        for (std::size_t i = 0; i < count; ++i)
            if (seen[i] == name.string()) return 0;
        seen[count++] = name.string();
        all = static_cast<std::uint8_t>(all | bits);
    }
    return all;
}

void append_type_names(std::string& out, std::uint8_t bits) {
    bool first = true;
    std::uint8_t named = 0;
    for (const TypeRow& row : kTypes) {
        if ((bits & row.bits) != row.bits || (named & row.bits) == row.bits) continue;
        if (!first) out += " or ";
        out += row.name;
        named = static_cast<std::uint8_t>(named | row.bits);
        first = false;
    }
}

}  // namespace host_protocol::schema_detail
