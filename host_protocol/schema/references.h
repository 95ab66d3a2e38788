// Local references: `#`, `#/$defs/name`, with ~0 ~1 and percent escapes (RFC 6901 §6).
#pragma once

#include <string_view>

#include "host_protocol/json_text.h"

namespace host_protocol::schema_detail {

/// The value that the fragment `reference` names inside `root`; absent when the reference is not local, is malformed or
/// dangles.
JsonValue resolve_reference(JsonValue root, std::string_view reference);

}  // namespace host_protocol::schema_detail
