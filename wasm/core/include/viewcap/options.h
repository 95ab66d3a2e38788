// What a registry is made with (spec: js-api.md "registry", capabilities.md §3 "Authority", invocation.md §4).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "host_protocol/json_text.h"
#include "host_protocol/limits.h"
#include "host_protocol/result.h"
#include "schema/schema.h"

namespace viewcap {

enum class Environment : std::uint8_t { production, development, test };
enum class OnDuplicate : std::uint8_t { reject, replace };
/// What registering `view:X.Y` causes while X.Y is a known procedure's path (spec: contextual.md, end).
enum class SuffixPolicy : std::uint8_t { off, warn, error };
enum class AuditLevel : std::uint8_t { none, metadata, full };

struct RegistryOptions {
    std::string surface_id;
    Environment environment = Environment::development;
    OnDuplicate on_duplicate = OnDuplicate::reject;
    SuffixPolicy duplicate_suffix = SuffixPolicy::warn;
    /// There are policies for every capability; one of them is of discovery only.
    bool policies = false;
    bool votes = false;
    /// Instead of each contract's own, where a mount says nothing nearer.
    std::optional<AuditLevel> audit_level;
    host_protocol::Limits limits;
    host_protocol::SchemaOptions schema;
    /// Component type → SHA-256 (hex) of its contract's canonical JSON; consulted only when has_authority.
    std::map<std::string, std::string, std::less<>> authority;
    bool has_authority = false;
};

/// Reads `{surfaceId, environment, limits?, schemaProfile?, onDuplicateInstance?, duplicateSuffixPolicy?, authority?,
/// policies?, votes?, auditLevel?}`.
/// Fails with INVALID_DEFINITION, or UNSUPPORTED_SCHEMA when the full profile is not in this build.
host_protocol::Result<RegistryOptions> read_options(host_protocol::JsonValue object, host_protocol::PatternMatch match);

}  // namespace viewcap
