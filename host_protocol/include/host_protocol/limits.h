// Limits of one registry (spec: invocation.md §4). Names, defaults and minimums are rows of the vocabulary.
//
//     Result<Limits> limits = read_limits(options.find("limits"));
//     if (!limits) return limits.error();                  // INVALID_DEFINITION, names the limit
#pragma once

#include "host_protocol/json_text.h"
#include "host_protocol/vocabulary.h"

namespace host_protocol {

/// The overrides of `object` over the defaults; an absent value is all defaults. Each number is a finite integer of at
/// least its row's minimum (1, or 0 for queue depths) and counts as 4294967295 above that; allowUnsafePatterns is a
/// boolean. Anything else, an unknown name included, is INVALID_DEFINITION with Error.path "limits" or "limits.<name>".
Result<Limits> read_limits(JsonValue object);

}  // namespace host_protocol
