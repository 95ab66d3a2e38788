#include "host_protocol/schema_reduction.h"

#include <algorithm>

#include "host_protocol/descriptor.h"
#include "host_protocol/vocabulary.h"

namespace host_protocol {
namespace {

using Keys = std::vector<std::string_view>;

constexpr std::string_view kOmissionSentence = "When omitted, the current value in the UI applies.";

bool holds(const Keys& keys, std::string_view key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); }

/// An object or an array that is being written, with its commas.
void append_raw(std::string& out, std::string_view json) {
    if (out.back() != '{' && out.back() != '[') out += ',';
    out += json;
}

void append_member(std::string& out, std::string_view key, std::string_view json) {
    append_raw(out, "");
    append_json_string(out, key);
    out += ':';
    out += json;
}

/// The schema of an overridable property, its description extended.
std::string described(JsonValue property) {
    if (!property.is(JsonType::object)) {
        // A boolean schema of the full profile; `false` admits nothing, described or not.
        if (!property.is(JsonType::boolean) || !property.boolean()) return std::string(property.raw());
    }
    std::string text;
    const JsonValue given = property.find("description");
    if (given.is(JsonType::string) && !given.string().empty()) text = std::string(given.string()) + " ";
    text += kOmissionSentence;
    std::string description;
    append_json_string(description, text);

    std::string out = "{";
    if (property.is(JsonType::object))
        for (const auto& [key, value] : property.members())
            append_member(out, key, key == "description" ? std::string_view(description) : value.raw());
    if (!given) append_member(out, "description", description);
    return out + "}";
}

struct Reduction {
    const Keys& bound;
    const Keys& overridable;
    bool removed = false;

    bool is_bound(std::string_view key) const { return holds(bound, key); }
    bool is_locked(std::string_view key) const { return is_bound(key) && !holds(overridable, key); }
};

std::string reduced_properties(JsonValue properties, Reduction& reduction) {
    std::string out = "{";
    for (const auto& [key, value] : properties.members()) {
        if (reduction.is_locked(key)) {
            reduction.removed = true;
            continue;
        }
        append_member(out, key, reduction.is_bound(key) ? std::string_view(described(value)) : value.raw());
    }
    return out + "}";
}

/// Empty when nothing is left that was there.
std::string reduced_required(JsonValue required, const Reduction& reduction) {
    std::string out = "[";
    for (JsonValue name : required.elements())
        if (!name.is(JsonType::string) || !reduction.is_bound(name.string())) append_raw(out, name.raw());
    return out == "[" && required.size() > 0 ? std::string() : out + "]";
}

}  // namespace

Status check_reducible(JsonValue schema) {
    std::string_view fault;
    const JsonValue type = schema.find("type");
    if (!type.is(JsonType::string) || type.string() != "object")
        fault = "'type' is not \"object\"";
    else if (!schema.find("properties").is(JsonType::object))
        fault = "'properties' is missing";
    for (std::string_view keyword : {"$ref", "anyOf", "oneOf", "allOf", "not", "if"})
        if (schema.find(keyword)) fault = keyword;
    if (fault.empty()) return ok();
    std::string message =
        "keys can be bound only where the root has type \"object\" with properties and combines nothing; found: ";
    message += fault;
    return make_error(definition_codes::kUnsupportedSchema, std::move(message));
}

Result<std::string> reduce_input_schema(JsonValue schema, const Keys& bound, const Keys& overridable) {
    if (schema && bound.empty()) return std::string(schema.raw());
    if (Status status = check_reducible(schema); !status) return status.error();
    Reduction reduction{bound, overridable};
    const std::string properties = reduced_properties(schema.find("properties"), reduction);
    if (reduction.removed && properties == "{}") return std::string(kEmptyObjectSchema);
    std::string out = "{";
    for (const auto& [key, value] : schema.members()) {
        if (key == "properties") {
            append_member(out, key, properties);
        } else if (key == "required" && value.is(JsonType::array)) {
            if (const std::string required = reduced_required(value, reduction); !required.empty())
                append_member(out, key, required);
        } else if (!reduction.removed || (key != "default" && key != "examples")) {
            append_member(out, key, value.raw());
        }
    }
    return out + "}";
}

}  // namespace host_protocol
