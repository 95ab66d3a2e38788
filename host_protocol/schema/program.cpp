#include "schema/program.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host_protocol/text.h"
#include "schema/equality.h"
#include "schema/issue_text.h"

namespace host_protocol::schema_detail {
namespace {

// Far above what any lint-clean schema needs on a value of 32 levels; a recursive schema whose branches overlap can be
// made to double its work with every level, and then answers with one issue instead of hanging.
constexpr std::uint32_t kMaxFrames = 600;
constexpr std::uint32_t kMaxSteps = 2'000'000;
constexpr std::uint32_t kScanLimit = 8;

std::uint8_t type_bits_of(JsonValue value) {
    switch (value.type()) {
        case JsonType::null: return kNullBit;
        case JsonType::boolean: return kBooleanBit;
        case JsonType::string: return kStringBit;
        case JsonType::array: return kArrayBit;
        case JsonType::object: return kObjectBit;
        case JsonType::number: break;
    }
    return std::trunc(value.number()) == value.number() ? kNumberBit | kIntegerBit : kNumberBit;
}

class Evaluator {
  public:
    Evaluator(const Program& program, const SchemaOptions& options) : program_(program), options_(options) {}

    std::vector<Issue> run(JsonValue instance) {
        check(program_.root, instance, Place{});
        return std::move(issues_);
    }

  private:
    /// In quiet mode (inside anyOf) the first fault answers; else faults are collected up to the bound.
    bool check(std::uint32_t id, JsonValue value, const Place& place) {
        const Rule& rule = program_.rules[id];
        if (exhausted_ || ++steps_ > kMaxSteps || frames_ >= kMaxFrames) return exhaust(place);
        const std::uint8_t bits = type_bits_of(value);
        if ((bits & rule.types) == 0) return refuse(place, [&] { return type_text(rule); });
        if (rule.groups == 0) return true;
        ++frames_;
        bool valid = true;
        if ((bits & kStringBit) != 0 && (rule.groups & kStringGroup) != 0)
            valid = check_string(rule, value.string(), place);
        if ((bits & kNumberBit) != 0 && (rule.groups & kNumberGroup) != 0)
            valid = check_number(rule, value.number(), place);
        if ((bits & kArrayBit) != 0 && (rule.groups & kArrayGroup) != 0) valid = check_array(rule, value, place);
        if ((bits & kObjectBit) != 0 && (rule.groups & kObjectGroup) != 0) valid = check_object(rule, value, place);
        if (go_on(valid) && (rule.groups & kValuesGroup) != 0) valid = check_values(rule, value, place) && valid;
        if (go_on(valid) && (rule.groups & kAnyOfGroup) != 0) valid = check_any_of(rule, value, place) && valid;
        --frames_;
        return valid;
    }

    bool check_string(const Rule& rule, std::string_view text, const Place& place) {
        bool valid = true;
        const auto size = static_cast<double>(text.size());
        // A code point takes one to four bytes: most lengths are decided without counting.
        if (size > rule.max_length || size < rule.min_length * 4) {
            const auto length = static_cast<double>(code_point_count(text));
            if (length > rule.max_length)
                valid = refuse(place, [&] {
                    return bound_text("must have at most ", rule.max_length, " characters", "maxLength");
                });
            if (length < rule.min_length)
                valid = refuse(place, [&] {
                    return bound_text("must have at least ", rule.min_length, " characters", "minLength");
                });
        }
        if (go_on(valid) && rule.has_pattern) valid = check_pattern(rule, text, place) && valid;
        if (go_on(valid) && rule.format != Format::none && !matches_format(rule.format, text))
            valid =
                refuse(place, [&] { return "must be a valid " + std::string(format_name(rule.format)) + " (format)"; });
        return valid;
    }

    bool check_pattern(const Rule& rule, std::string_view text, const Place& place) {
        const std::uint32_t limit = options_.max_pattern_input;
        if (text.size() > limit && utf16_length(text) > limit)
            return refuse(place, [&] { return bound_text("must have at most ", limit, " UTF-16 units", "pattern"); });
        if (options_.match != nullptr && options_.match(rule.pattern, text) == 1) return true;
        return refuse(place, [&] { return pattern_text(rule); });
    }

    bool check_number(const Rule& rule, double value, const Place& place) {
        bool valid = true;
        const auto bound = [&](bool met, std::string_view wanted, double limit, std::string_view keyword) {
            if (!met) valid = refuse(place, [&] { return bound_text(wanted, limit, "", keyword); });
        };
        bound(value >= rule.minimum, "must be at least ", rule.minimum, "minimum");
        bound(value <= rule.maximum, "must be at most ", rule.maximum, "maximum");
        bound(value > rule.exclusive_minimum, "must be greater than ", rule.exclusive_minimum, "exclusiveMinimum");
        bound(value < rule.exclusive_maximum, "must be less than ", rule.exclusive_maximum, "exclusiveMaximum");
        if (rule.has_divisor)
            bound(is_multiple_of(value, rule.divisor), "must be a multiple of ", rule.divisor.value, "multipleOf");
        return valid;
    }

    bool check_array(const Rule& rule, JsonValue array, const Place& place) {
        bool valid = true;
        const double count = array.size();
        if (count < rule.min_items)
            valid =
                refuse(place, [&] { return bound_text("must have at least ", rule.min_items, " items", "minItems"); });
        if (count > rule.max_items)
            valid =
                refuse(place, [&] { return bound_text("must have at most ", rule.max_items, " items", "maxItems"); });
        if (rule.items != kNoRule) {
            std::size_t at = 0;
            for (JsonValue element : array.elements()) {
                if (!go_on(valid)) return false;
                valid = check(rule.items, element, place.element(at++)) && valid;
            }
        }
        if (go_on(valid) && rule.unique && has_equal_elements(array))
            valid = refuse(place, [] { return std::string("must not hold two equal items (uniqueItems)"); });
        return valid;
    }

    bool check_object(const Rule& rule, JsonValue object, const Place& place) {
        bool valid = true;
        std::uint32_t expected = 0, required_seen = 0;
        for (JsonMember member : object.members()) {
            if (!go_on(valid)) return false;
            const Property* property = find_property(rule, member.key, expected);
            if (property != nullptr && property->required) ++required_seen;
            if (property == nullptr || !property->declared) {
                if (rule.closed)
                    valid = refuse(place.member(member.key), [&] { return undeclared_text(program_, rule); });
            } else if (property->rule != kNoRule) {
                valid = check(property->rule, member.value, place.member(member.key)) && valid;
            }
        }
        // A document has no duplicate keys, so counting is enough.
        if (required_seen < rule.required_count) valid = name_missing(rule, object, place);
        return valid;
    }

    /// Members mostly come in the order of the schema: the one after the last is tried first.
    const Property* find_property(const Rule& rule, std::string_view key, std::uint32_t& expected) const {
        const Property* own = program_.properties.data() + rule.properties;
        if (expected < rule.property_count && own[expected].name == key) return &own[expected++];
        if (rule.property_count <= kScanLimit) {
            for (std::uint32_t i = 0; i < rule.property_count; ++i)
                if (own[i].name == key) return expected = i + 1, &own[i];
            return nullptr;
        }
        const std::uint32_t* order = program_.by_name.data() + rule.properties;
        const std::uint32_t* end = order + rule.property_count;
        const std::uint32_t* at = std::lower_bound(
            order, end, key, [&](std::uint32_t i, std::string_view name) { return own[i].name < name; });
        if (at == end || own[*at].name != key) return nullptr;
        return expected = *at + 1, &own[*at];
    }

    bool name_missing(const Rule& rule, JsonValue object, const Place& place) {
        if (quiet_ > 0) return false;
        for (std::uint32_t i = 0; i < rule.property_count && issues_.size() < kMaxIssues; ++i) {
            const Property& property = program_.properties[rule.properties + i];
            if (property.required && !object.find(property.name))
                refuse(place, [&] {
                    std::string text = "must have the member ";
                    append_json_string(text, property.name);
                    return text + " (required)";
                });
        }
        return false;
    }

    bool check_values(const Rule& rule, JsonValue value, const Place& place) {
        for (std::uint32_t i = 0; i < rule.value_count; ++i)
            if (deep_equal(program_.values[rule.values + i], value)) return true;
        return refuse(place, [&] { return values_text(program_, rule); });
    }

    bool check_any_of(const Rule& rule, JsonValue value, const Place& place) {
        ++quiet_;
        bool found = false;
        for (std::uint32_t i = 0; i < rule.branch_count && !found; ++i)
            found = check(program_.branches[rule.branches + i], value, place);
        --quiet_;
        if (found) return true;
        return refuse(place, [&] {
            return "must fit at least one of " + std::to_string(rule.branch_count) + " alternatives (anyOf)";
        });
    }

    bool go_on(bool valid) const { return valid || (quiet_ == 0 && issues_.size() < kMaxIssues && !exhausted_); }

    template <class Text>
    bool refuse(const Place& place, Text text) {
        if (quiet_ == 0 && issues_.size() < kMaxIssues && !exhausted_) issues_.push_back({json_pointer(place), text()});
        return false;
    }

    /// Outside of every branch too: what could not be checked is not valid.
    bool exhaust(const Place& place) {
        if (!exhausted_) {
            exhausted_ = true;
            if (issues_.size() >= kMaxIssues) issues_.pop_back();
            issues_.push_back({json_pointer(place), "takes more steps to check against this schema than are allowed"});
        }
        return false;
    }

    const Program& program_;
    const SchemaOptions& options_;
    std::vector<Issue> issues_;
    std::uint32_t quiet_ = 0, frames_ = 0, steps_ = 0;
    bool exhausted_ = false;
};

}  // namespace

std::vector<Issue> run_program(const Program& program, const SchemaOptions& options, JsonValue instance) {
    return Evaluator(program, options).run(instance);
}

}  // namespace host_protocol::schema_detail
