// Short words for the schema tests: make a schema, validate a text, name what came out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "support/pattern_match.h"

namespace viewcap_test {

using host_protocol::Issue;
using host_protocol::JsonLimits;
using host_protocol::JsonReader;
using host_protocol::Result;
using host_protocol::Schema;
using host_protocol::SchemaOptions;
using host_protocol::SchemaProfile;

inline SchemaOptions portable() {
    SchemaOptions options;
    options.match = pattern_match;
    return options;
}

inline SchemaOptions full() {
    SchemaOptions options = portable();
    options.profile = SchemaProfile::full;
    return options;
}

/// "ok", or "<pointer>: <message>" of the refusal.
inline std::string refusal(std::string_view schema, const SchemaOptions& options = portable()) {
    const Result<Schema> made = Schema::create(std::string(schema), options);
    if (made) return "ok";
    return (made.error().code == "UNSUPPORTED_SCHEMA" ? "" : std::string(made.error().code) + " ") + made.error().path +
           ": " + made.error().message;
}

inline std::vector<Issue> issues(std::string_view schema, std::string_view instance,
                                 const SchemaOptions& options = portable()) {
    const Result<Schema> made = Schema::create(std::string(schema), options);
    if (!made) return {{"schema", made.error().path + ": " + made.error().message}};
    JsonReader reader;
    const auto value = reader.read(instance, JsonLimits{1 << 20, 200});
    if (!value) return {{"instance", value.error().message}};
    return made->validate(*value);
}

/// "valid", or "<pointer>: <message>" of the first issue.
inline std::string verdict(std::string_view schema, std::string_view instance,
                           const SchemaOptions& options = portable()) {
    const std::vector<Issue> found = issues(schema, instance, options);
    return found.empty() ? "valid" : found[0].path + ": " + found[0].message;
}

inline bool accepts(std::string_view schema, std::string_view instance, const SchemaOptions& options = portable()) {
    return issues(schema, instance, options).empty();
}

}  // namespace viewcap_test
