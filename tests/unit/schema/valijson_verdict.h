// Valijson's own answer, without any of the corrections of the fence: a second opinion on schemas and values.
#pragma once

#include "schema/schema.h"

/// Fails where valijson refuses the schema.
host_protocol::Result<bool> valijson_verdict(host_protocol::JsonValue schema, host_protocol::JsonValue instance,
                                             host_protocol::PatternMatch match);
