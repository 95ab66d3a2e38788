// ECMA-262 patterns of the `u` flag, parsed completely into a tree for the safety check (pattern_safety.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/result.h"
#include "schema/char_set.h"

namespace host_protocol::schema_detail {

enum class PatternKind : std::uint8_t { empty, set, sequence, alternation, repeat, look, assertion, back_reference };

constexpr std::uint32_t kUnbounded = UINT32_MAX;

struct PatternNode {
    PatternKind kind = PatternKind::empty;
    bool at_start = false;               // assertion: it is ^
    bool behind = false;                 // look: it looks backwards
    std::uint32_t set = 0;               // set: index into PatternTree::sets
    std::uint32_t min = 0, max = 0;      // repeat
    std::vector<std::uint32_t> parts{};  // children; a repeat and a look have one
};

struct PatternTree {
    std::vector<PatternNode> nodes;
    std::vector<CharSet> sets;
    std::uint32_t root = 0;
};

/// The tree, or an Error whose message says what is wrong and at which byte (code: "pattern-syntax").
/// The names inside \p{…} are left to the engine that runs the pattern; such a set counts as every character.
Result<PatternTree> parse_pattern(std::string_view pattern);

}  // namespace host_protocol::schema_detail
