#include "shape.h"

#include <cmath>

#include "host_protocol/json_out.h"
#include "host_protocol/protocol_vocabulary.h"
#include "host_protocol/text.h"

namespace host_protocol::shape {
namespace {

std::string range(const Field& field) {
    const std::string least = decimal(field.minimum);
    if (field.maximum == kUnbounded) return concat({"at least ", least});
    return concat({least, " to ", decimal(field.maximum)});
}

std::string allowed_by(const Field& field) {
    switch (field.kind) {
        case Kind::text:
            if (field.minimum == 0 && field.maximum == kUnbounded) return "a string";
            return concat({"a string of ", range(field), " UTF-16 units"});
        case Kind::integer: return concat({"an integer of ", range(field)});
        case Kind::number: return "a number of at least 0";
        case Kind::boolean: return "true or false";
        case Kind::object: return "an object";
        case Kind::array:
            if (field.minimum == 0 && field.maximum == kUnbounded) return "an array";
            return concat({"an array of ", range(field)});
        case Kind::any: return "a JSON value";
        case Kind::word: break;
    }
    std::string words = "one of";
    for (const std::string_view word : field.words) words += concat({" '", word, "'"});
    return words;
}

std::string describe_text(std::string_view text) {
    return concat({"a string of ", decimal(static_cast<double>(utf16_length(text))), " units"});
}

bool within(std::size_t size, const Field& field) {
    return size >= field.minimum && (field.maximum == kUnbounded || size <= field.maximum);
}

bool text_fits(std::string_view text, const Field& field) {
    // A text has at most as many units as bytes: most need no counting.
    if (field.minimum <= 1 && text.size() <= field.maximum) return text.size() >= field.minimum;
    return within(utf16_length(text), field);
}

bool integer_fits(double number, const Field& field) {
    return number == std::trunc(number) && number >= field.minimum &&
           (field.maximum == kUnbounded || number <= field.maximum);
}

bool is_word(std::string_view text, const Field& field) {
    for (const std::string_view word : field.words)
        if (word == text) return true;
    return false;
}

bool fits(JsonValue value, const Field& field) {
    switch (field.kind) {
        case Kind::text: return value.is(JsonType::string) && text_fits(value.string(), field);
        case Kind::word: return value.is(JsonType::string) && is_word(value.string(), field);
        case Kind::integer: return value.is(JsonType::number) && integer_fits(value.number(), field);
        case Kind::number: return value.is(JsonType::number) && value.number() >= 0;
        case Kind::boolean: return value.is(JsonType::boolean);
        case Kind::object: return value.is(JsonType::object);
        case Kind::array: return value.is(JsonType::array) && within(value.size(), field);
        case Kind::any: return true;
    }
    return false;
}

}  // namespace

std::string decimal(double number) {
    std::string text;
    append_json_number(text, number);
    return text;
}

std::string describe(JsonValue value) {
    switch (value.type()) {
        case JsonType::null: return "null";
        case JsonType::boolean: return "a boolean";
        case JsonType::number: return concat({"the number ", decimal(value.number())});
        case JsonType::string: return describe_text(value.string());
        case JsonType::array: return concat({"an array of ", decimal(value.size())});
        case JsonType::object: break;
    }
    return "an object";
}

Error fault(const Place& place, std::string_view found, std::string_view allowed) {
    std::string path = schema_detail::json_pointer(place);
    std::string message = concat({"Found ", found, " at '", path, "'; allowed is ", allowed, "."});
    return make_error(host_codes::kProtocolDecodeError, std::move(message), std::move(path));
}

Error unreadable(const Error& error) {
    return make_error(host_codes::kProtocolDecodeError, concat({error.message, " (", error.path, ")"}));
}

Status check_value(JsonValue value, const Field& field, const Place& place) {
    if (fits(value, field)) return ok();
    const bool other_word = field.kind == Kind::word && value.is(JsonType::string);
    return fault(place, other_word ? "another word" : describe(value), allowed_by(field));
}

Status check_text(std::string_view text, const Field& field, const Place& place) {
    const bool fit = field.kind == Kind::word ? is_word(text, field) : text_fits(text, field);
    if (fit) return ok();
    return fault(place, field.kind == Kind::word ? "another word" : describe_text(text), allowed_by(field));
}

Status check(JsonValue object, std::span<const Field> fields, const Place& place, JsonValue* found) {
    if (!object.is(JsonType::object)) return fault(place, describe(object), "an object");
    for (std::size_t i = 0; i < fields.size(); ++i) found[i] = {};
    for (const JsonMember member : object.members()) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (fields[i].name != member.key) continue;
            found[i] = member.value;
            break;
        }
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const Place here = place.member(fields[i].name);
        if (found[i]) {
            Status status = check_value(found[i], fields[i], here);
            if (!status) return status;
        } else if (fields[i].required) {
            return fault(here, "nothing", allowed_by(fields[i]));
        }
    }
    return ok();
}

}  // namespace host_protocol::shape
