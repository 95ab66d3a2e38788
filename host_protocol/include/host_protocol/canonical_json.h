// RFC 8785 canonical JSON and SHA-256: what fingerprints, manifests and confirmations are computed over.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "host_protocol/json_text.h"

namespace host_protocol {

/// Appends the canonical form of `value`: keys sorted by UTF-16 code unit, numbers in ECMAScript's shortest form, -0 as
/// 0.
void append_canonical_json(std::string& out, JsonValue value);
std::string canonical_json(JsonValue value);

using Sha256Digest = std::array<std::uint8_t, 32>;
Sha256Digest sha256(std::string_view bytes);
/// Lowercase hexadecimal, 64 characters.
std::string sha256_hex(std::string_view bytes);

}  // namespace host_protocol
