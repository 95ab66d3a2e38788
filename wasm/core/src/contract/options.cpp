#include "viewcap/options.h"

#include "contract/fields.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"
#include "viewcap/manifest.h"

namespace viewcap {

namespace codes = host_protocol::definition_codes;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

namespace {

host_protocol::SchemaOptions schema_options(const host_protocol::Limits& limits, host_protocol::PatternMatch match) {
    host_protocol::SchemaOptions schema;
    schema.max_bytes = limits.max_schema_bytes;
    schema.max_depth = limits.max_schema_depth;
    schema.max_pattern_input = limits.max_pattern_input;
    schema.allow_unsafe_patterns = limits.allow_unsafe_patterns;
    schema.match = match;
    return schema;
}

}  // namespace

Result<RegistryOptions> read_options(JsonValue object, host_protocol::PatternMatch match) {
    RegistryOptions options;
    FieldReader fields(object, "registry options");
    if (!object.is(JsonType::object)) {
        fields.refuse(codes::kInvalidDefinition, "", concat({"must be an object, found ", kind_of(object)}));
        return fields.error();
    }
    fields.allow({"surfaceId", "environment", "limits", "schemaProfile", "onDuplicateInstance", "duplicateSuffixPolicy",
                  "authority", "policies", "votes", "auditLevel"});
    options.surface_id = fields.required_text("surfaceId", 128);
    options.environment =
        static_cast<Environment>(fields.choice("environment", {"production", "development", "test"}, 1));
    options.on_duplicate = static_cast<OnDuplicate>(fields.choice("onDuplicateInstance", {"reject", "replace"}, 0));
    options.duplicate_suffix =
        static_cast<SuffixPolicy>(fields.choice("duplicateSuffixPolicy", {"off", "warn", "error"}, 1));
    options.policies = fields.flag("policies", false);
    options.votes = fields.flag("votes", false);
    if (object.find("auditLevel"))
        options.audit_level = static_cast<AuditLevel>(fields.choice("auditLevel", {"none", "metadata", "full"}, 1));
    const bool full = fields.choice("schemaProfile", {"portable", "full"}, 0) == 1;
    if (full && !host_protocol::full_profile_available())
        fields.refuse(codes::kUnsupportedSchema, "schemaProfile",
                      "is 'full', which only the full module has: loadRuntime({variant: \"full\"})");
    if (fields.failed()) return fields.error();

    if (const JsonValue limits = object.find("limits")) {
        auto read = host_protocol::read_limits(limits);
        if (!read) return read.error();
        options.limits = *read;
    }
    options.schema = schema_options(options.limits, match);
    if (full) options.schema.profile = host_protocol::SchemaProfile::full;
    if (const JsonValue manifest = object.find("authority")) {
        auto hashes = check_manifest(manifest);
        if (!hashes) return hashes.error();
        options.authority = std::move(*hashes);
        options.has_authority = true;
    } else if (options.environment == Environment::production) {
        fields.refuse(codes::kInvalidDefinition, "environment", "is 'production', which needs an authority");
        return fields.error();
    }
    return options;
}

}  // namespace viewcap
