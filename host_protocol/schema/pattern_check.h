// One question about a pattern of a schema: may it be registered?
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace host_protocol::schema_detail {

/// Empty, or the end of a sentence that begins with the keyword: why the pattern is invalid or unsafe.
std::string why_pattern_refused(std::string_view pattern, const SchemaOptions& options);

}  // namespace host_protocol::schema_detail
