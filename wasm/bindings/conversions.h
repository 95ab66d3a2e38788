// The pure helpers behind `convert(number, text)`: ids, wire names, canonical JSON, hashes, manifests, scopes and
// histories.
#pragma once

#include <string>
#include <string_view>

namespace viewcap::boundary {

/// The answer as JSON text; `{"error":…}` for text that does not fit. By number, from 0, as
/// js_glue/src/runtime/table.ts has them:
///   0 wireName "id" → "name" | null
///   1 wireNameForInstance ["id", "instance" | null, level] → "name" | null
///   2 assignWireNames [{id, instanceId?}, …] → ["name" | null, …]
///   3 decodeWireName "name" → "id" | null
///   4 parseCapabilityId "id" → {plane, componentType, name} | {plane, path} | null
///   5 canonicalJson any → the canonical text itself
///   6 sha256 "text" → "hex"
///   7 manifest [contract, …] → manifest
///   8 checkManifest manifest → {"ok":true}
///   9 reduceInputSchema [schema, [bound key, …], [overridable key, …]] → {"ok":schema}
///   10 resolveScope {floor, requested?} → {scope, rejected}
///   11 repairHistory [message, …] → [message, …]
std::string convert(int conversion, std::string_view text);

}  // namespace viewcap::boundary
