// What a registry is made with (spec: js-api.md "registry", capabilities.md §3 "Authority", invocation.md §4).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "host_protocol/json_text.h"
#include "host_protocol/limits.h"
#include "host_protocol/result.h"
#include "schema/schema.h"

namespace viewcap {

enum class Environment : std::uint8_t { production, development, test };
enum class OnDuplicate : std::uint8_t { reject, replace };

struct RegistryOptions {
    std::string surface_id;
    Environment environment = Environment::development;
    OnDuplicate on_duplicate = OnDuplicate::reject;
    host_protocol::Limits limits;
    host_protocol::SchemaOptions schema;
    /// Component type → SHA-256 (hex) of its contract's canonical JSON; consulted only when has_authority.
    std::map<std::string, std::string, std::less<>> authority;
    bool has_authority = false;
};

/// Reads `{surfaceId, environment, limits?, schemaProfile?, onDuplicateInstance?, authority?}`.
/// Fails with INVALID_DEFINITION, or UNSUPPORTED_SCHEMA when the full profile is not in this build.
host_protocol::Result<RegistryOptions> read_options(host_protocol::JsonValue object, host_protocol::PatternMatch match);

}  // namespace viewcap
