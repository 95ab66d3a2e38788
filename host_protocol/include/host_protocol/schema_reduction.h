// The schema that an agent sees of a procedure whose input is bound in part (spec: contextual.md, "Binding" 1 and 2).
//
//     auto reduced = reduce_input_schema(schema, {"invoiceId"}, {});      // JSON text, the order of members kept
//
// Pure: the author's schema is read, a new text is written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/json_text.h"
#include "host_protocol/result.h"

namespace host_protocol {

/// UNSUPPORTED_SCHEMA when the root is not `type: "object"` with `properties`, or combines schemas (`$ref`, `anyOf` and
/// what only the full profile has): then no key can be taken out of it.
Status check_reducible(JsonValue schema);

/// A bound key that is not overridable is locked: it leaves `properties` and `required`, and root `default` and
/// `examples` go. An overridable one stays, is no longer required, and its description says that the current UI value
/// applies when it is omitted. Without bound keys it is the schema's own text. Fails as check_reducible.
Result<std::string> reduce_input_schema(JsonValue schema, const std::vector<std::string_view>& bound,
                                        const std::vector<std::string_view>& overridable);

}  // namespace host_protocol
