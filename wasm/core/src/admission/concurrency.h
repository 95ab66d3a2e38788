// Which calls of a capability wait for each other, as its contract says (spec: invocation.md §1, phase 8).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host_protocol/json_text.h"

namespace viewcap {

class FieldReader;

/// instance: all actions of one registration stand in one line. capability: each capability of each registration has
/// its own. key: all who name the key, in the whole registry. parallel: as capability, with `max` running.
enum class ConcurrencyMode : std::uint8_t { instance, capability, key, parallel };

struct Concurrency {
    ConcurrencyMode mode = ConcurrencyMode::instance;
    std::uint32_t max = 1;
    /// How many may wait; without it the registry's actionQueueDepth.
    std::optional<std::uint32_t> queue_depth;
    std::string key;  // mode key only
};

/// Reads the field `concurrency` of `definition`: `{mode:"instance"}`, `{mode:"capability"}`, `{mode:"key",key}` or
/// `{mode:"parallel",max}`, each with `queueDepth?`; the default when absent. A refusal (INVALID_DEFINITION, or
/// LIMIT_EXCEEDED for a key of more than 128 UTF-16 units) is left in `fields`.
Concurrency read_concurrency(FieldReader& fields, host_protocol::JsonValue definition);

}  // namespace viewcap
