// The schema program: a linted portable schema as flat arrays, evaluated over a parsed document.
//
// Nothing is allocated while a value is valid; paths and messages are built only for what is wrong. Recursion is
// bounded by the nesting of the value and by the chains that the lint allows, and by hard limits on frames and steps.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/formats.h"
#include "schema/keywords.h"
#include "schema/multiple_of.h"
#include "schema/place.h"
#include "schema/profile.h"
#include "schema/schema.h"

namespace host_protocol::schema_detail {

constexpr std::uint32_t kNoRule = UINT32_MAX;

/// Which groups of keywords a rule has; a value skips the groups it has not.
enum RuleGroup : std::uint8_t {
    kStringGroup = 1,
    kNumberGroup = 2,
    kArrayGroup = 4,
    kObjectGroup = 8,
    kValuesGroup = 16,
    kAnyOfGroup = 32
};

/// One schema. Ranges index the arrays of the Program.
struct Rule {
    std::uint8_t types = kAnyType;
    std::uint8_t groups = 0;
    bool closed = false;  // additionalProperties: false
    bool unique = false;
    Format format = Format::none;
    bool has_pattern = false;
    bool is_const = false;
    bool has_divisor = false;
    std::uint32_t items = kNoRule;
    std::uint32_t properties = 0, property_count = 0, required_count = 0;
    std::uint32_t branches = 0, branch_count = 0;
    std::uint32_t values = 0, value_count = 0;
    double min_items = 0, max_items = 0, min_length = 0, max_length = 0;
    double minimum = 0, maximum = 0, exclusive_minimum = 0, exclusive_maximum = 0;
    Divisor divisor{};
    std::string_view pattern{};
};

/// A name of `properties` or `required`.
struct Property {
    std::string_view name;
    std::uint32_t rule = kNoRule;
    bool required = false;
    bool declared = false;
};

struct Program {
    std::vector<Rule> rules;
    std::vector<Property> properties;
    std::vector<std::uint32_t> by_name;  // parallel to properties: each rule's slice sorted by name
    std::vector<std::uint32_t> branches;
    std::vector<JsonValue> values;  // of enum and const; they live in the schema's own document
    std::uint32_t root = 0;
};

Program compile_program(JsonValue root, const LintedSchema& linted);

/// Only what `schema` itself says about a value, not its subschemas: the full profile leaves those to valijson.
Program compile_own_keywords(JsonValue schema, const LintedSchema& linted);

std::vector<Issue> run_program(const Program& program, const SchemaOptions& options, JsonValue instance);

}  // namespace host_protocol::schema_detail
