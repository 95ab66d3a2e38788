#include "host_protocol/limits.h"

#include <cmath>
#include <limits>

#include "host_protocol/text.h"

namespace host_protocol {
namespace {

constexpr double kLargest = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kShownUnits = 60;

std::string describe(JsonValue value) {
    switch (value.type()) {
        case JsonType::null: return "null";
        case JsonType::boolean: return "a boolean";
        case JsonType::string: return "a string";
        case JsonType::array: return "an array";
        case JsonType::object: return "an object";
        case JsonType::number: break;
    }
    std::string text = "the number ";
    append_json_number(text, value.number());
    return text;
}

Error refuse(std::string_view name, std::string_view found, std::string_view allowed) {
    std::string message = "The limit '";
    message.append(name).append("' is ").append(found).append("; allowed is ").append(allowed).append(".");
    return make_error(definition_codes::kInvalidDefinition, std::move(message), "limits." + std::string(name));
}

Error refuse_unknown(std::string_view name) {
    const std::string shown(clip_utf16(name, kShownUnits));
    std::string message = "There is no limit '" + shown + "'; known are ";
    for (const LimitRow& row : kLimitRows) message.append(row.name).append(", ");
    for (const FlagRow& row : kFlagRows) message.append(row.name).append(", ");
    message.replace(message.size() - 2, 2, ".");
    return make_error(definition_codes::kInvalidDefinition, std::move(message), "limits." + shown);
}

Status set_number(Limits& limits, const LimitRow& row, JsonValue value) {
    const double number = value.is(JsonType::number) ? value.number() : -1;
    if (number < row.minimum || number != std::trunc(number)) {
        return refuse(row.name, describe(value),
                      row.minimum == 0 ? "a finite integer of at least 0" : "a finite integer of at least 1");
    }
    limits.*row.member = static_cast<std::uint32_t>(std::fmin(number, kLargest));
    return ok();
}

Status set_limit(Limits& limits, const JsonMember& member) {
    for (const LimitRow& row : kLimitRows) {
        if (row.name == member.key) return set_number(limits, row, member.value);
    }
    for (const FlagRow& row : kFlagRows) {
        if (row.name != member.key) continue;
        if (!member.value.is(JsonType::boolean)) return refuse(row.name, describe(member.value), "true or false");
        limits.*row.member = member.value.boolean();
        return ok();
    }
    return refuse_unknown(member.key);
}

}  // namespace

Result<Limits> read_limits(JsonValue object) {
    Limits limits;
    if (!object) return limits;
    if (!object.is(JsonType::object)) {
        return make_error(definition_codes::kInvalidDefinition,
                          "The limits are " + describe(object) + "; allowed is an object of limits.", "limits");
    }
    for (const JsonMember member : object.members()) {
        const Status set = set_limit(limits, member);
        if (!set) return set.error();
    }
    return limits;
}

}  // namespace host_protocol
