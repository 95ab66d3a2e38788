#include "contract/fields.h"

#include <algorithm>
#include <cmath>

#include "host_protocol/text.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {

namespace codes = host_protocol::definition_codes;
using host_protocol::JsonType;
using host_protocol::JsonValue;

std::string_view kind_of(JsonValue value) {
    if (!value) return "nothing";
    switch (value.type()) {
        case JsonType::null: return "null";
        case JsonType::boolean: return "a boolean";
        case JsonType::number: return "a number";
        case JsonType::string: return "a string";
        case JsonType::array: return "an array";
        case JsonType::object: return "an object";
    }
    return "nothing";
}

namespace {

std::string expected(std::string_view what, JsonValue found) {
    return concat({"must be ", what, ", found ", kind_of(found)});
}

}  // namespace

void FieldReader::refuse(std::string_view code, std::string_view field, std::string_view problem) {
    if (failed_) return;
    failed_ = true;
    const bool named = !field.empty();
    error_ = host_protocol::make_error(code, concat({owner_, named ? ": '" : "", field, named ? "' " : " ", problem}),
                                       std::string(field));
}

void FieldReader::adopt(const host_protocol::Error& error) {
    if (failed_) return;
    failed_ = true;
    error_ = error;
}

void FieldReader::required(std::string_view name) {
    if (!object_.find(name)) refuse(codes::kInvalidDefinition, name, "is missing");
}

void FieldReader::allow(std::initializer_list<std::string_view> names) {
    if (!object_.is(JsonType::object)) return refuse(codes::kInvalidDefinition, "", expected("an object", object_));
    for (const auto& member : object_.members()) {
        if (std::find(names.begin(), names.end(), member.key) != names.end()) continue;
        std::string known;
        for (std::string_view name : names) known += concat({known.empty() ? "" : ", ", name});
        refuse(codes::kInvalidDefinition, host_protocol::clip_utf16(member.key, 60),
               concat({"is not a known field; known are ", known}));
    }
}

std::string FieldReader::required_text(std::string_view name, std::size_t max_units) {
    const JsonValue value = object_.find(name);
    if (!value) {
        refuse(codes::kInvalidDefinition, name, "is missing");
        return {};
    }
    std::string text = optional_text(name, "", max_units);
    if (text.empty()) refuse(codes::kInvalidDefinition, name, "must not be empty");
    return text;
}

std::string FieldReader::optional_text(std::string_view name, std::string_view fallback, std::size_t max_units) {
    const JsonValue value = object_.find(name);
    if (!value) return std::string(fallback);
    if (!value.is(JsonType::string)) {
        refuse(codes::kInvalidDefinition, name, expected("a string", value));
        return {};
    }
    const std::size_t units = host_protocol::utf16_length(value.string());
    if (units > max_units)
        refuse(codes::kLimitExceeded, name,
               concat({"has ", std::to_string(units), " characters, allowed are ", std::to_string(max_units)}));
    return std::string(value.string());
}

bool FieldReader::flag(std::string_view name, bool fallback) {
    const JsonValue value = object_.find(name);
    if (!value) return fallback;
    if (!value.is(JsonType::boolean)) {
        refuse(codes::kInvalidDefinition, name, expected("true or false", value));
        return fallback;
    }
    return value.boolean();
}

double FieldReader::number(std::string_view name, double fallback) {
    const JsonValue value = object_.find(name);
    if (!value) return fallback;
    if (!value.is(JsonType::number)) {
        refuse(codes::kInvalidDefinition, name, expected("a finite number", value));
        return fallback;
    }
    return value.number();
}

std::uint32_t FieldReader::count(std::string_view name, std::uint32_t fallback) {
    const double number_found = number(name, fallback);
    if (object_.find(name) &&
        (number_found < 1 || number_found > 2147483647.0 || std::floor(number_found) != number_found)) {
        refuse(codes::kInvalidDefinition, name, "must be a whole number of at least 1");
        return fallback;
    }
    return static_cast<std::uint32_t>(number_found);
}

std::size_t FieldReader::choice(std::string_view name, std::initializer_list<std::string_view> allowed,
                                std::size_t fallback) {
    const JsonValue value = object_.find(name);
    if (!value) return fallback;
    if (value.is(JsonType::string)) {
        const auto* found = std::find(allowed.begin(), allowed.end(), value.string());
        if (found != allowed.end()) return static_cast<std::size_t>(found - allowed.begin());
    }
    std::string known;
    for (std::string_view one : allowed) known += concat({known.empty() ? "'" : ", '", one, "'"});
    std::string found(kind_of(value));
    if (value.is(JsonType::string)) found = concat({"'", host_protocol::clip_utf16(value.string(), 60), "'"});
    refuse(codes::kInvalidDefinition, name, concat({"must be one of ", known, ", found ", found}));
    return fallback;
}

std::string FieldReader::record(std::string_view name, std::size_t max_bytes) {
    const JsonValue value = object_.find(name);
    if (!value) return {};
    if (!value.is(JsonType::object)) {
        refuse(codes::kInvalidDefinition, name, expected("a JSON record", value));
        return {};
    }
    if (value.raw().size() > max_bytes)
        refuse(codes::kLimitExceeded, name,
               concat({"has ", std::to_string(value.raw().size()), " bytes serialized, allowed are ",
                       std::to_string(max_bytes)}));
    return std::string(value.raw());
}

std::string FieldReader::text_list(std::string_view name) {
    const JsonValue value = object_.find(name);
    if (!value) return {};
    bool good = value.is(JsonType::array);
    if (good)
        for (JsonValue element : value.elements()) good = good && element.is(JsonType::string);
    if (!good) {
        refuse(codes::kInvalidDefinition, name, "must be a list of strings");
        return {};
    }
    return std::string(value.raw());
}

}  // namespace viewcap
