// Equality of JSON values as `enum`, `const` and `uniqueItems` mean it: by value, whatever the order of keys; -0 is 0.
#pragma once

#include <cstdint>

#include "host_protocol/json_text.h"

namespace host_protocol::schema_detail {

bool deep_equal(JsonValue a, JsonValue b);

/// Equal values have equal hashes.
std::uint64_t deep_hash(JsonValue value);

/// Whether two elements are equal. O(n log n) in the bytes of the array, whatever its elements.
bool has_equal_elements(JsonValue array);

}  // namespace host_protocol::schema_detail
