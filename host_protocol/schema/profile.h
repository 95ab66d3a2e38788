// The lint: what a schema may say (spec: capabilities.md §3 "JSON Schema profile"), checked once, when it is
// registered.
//
// It refuses, naming keyword and place: keywords outside the profile, values of the wrong type, references that are not
// local or dangle, cycles that consume no level of the instance, unsafe patterns, too many levels or bytes.
// What passes can be compiled without further checks.
#pragma once

#include <cstdint>
#include <vector>

#include "schema/schema.h"

namespace host_protocol::schema_detail {

/// One `$ref`: tape index of the schema that holds it, and the schema it names.
struct Reference {
    std::uint32_t from;
    JsonValue target;
};

struct LintedSchema {
    bool needs_full = false;            // it uses what only the full profile has
    std::vector<Reference> references;  // sorted by `from`
};

/// What the `$ref` of `schema` names; absent when it has none.
JsonValue target_of(const LintedSchema& linted, JsonValue schema);

Result<LintedSchema> lint_schema(JsonValue root, const SchemaOptions& options);

}  // namespace host_protocol::schema_detail
