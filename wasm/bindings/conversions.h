// The pure helpers behind `convert(name, text)`: ids, wire names, canonical JSON, hashes, manifests.
#pragma once

#include <string>
#include <string_view>

namespace viewcap::boundary {

/// The answer as JSON text; `{"error":…}` for text or a name that does not fit.
///   wireName "id" → "name" | null            decodeWireName "name" → "id" | null
///   wireNameForInstance ["id", "instance" | null, level] → "name" | null
///   assignWireNames [{id, instanceId?}, …] → ["name" | null, …]
///   parseCapabilityId "id" → {plane, componentType, name} | {plane, path} | null
///   canonicalJson any → the canonical text itself     sha256 "text" → "hex"
///   reduceInputSchema [schema, [bound key, …], [overridable key, …]] → {"ok":schema}
///   manifest [contract, …] → manifest      checkManifest manifest → {"ok":true}
std::string convert(std::string_view name, std::string_view text);

}  // namespace viewcap::boundary
