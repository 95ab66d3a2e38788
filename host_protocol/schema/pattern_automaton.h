// The position automaton (Glushkov) of a pattern: one state per character set, an edge where one set may follow
// another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schema/pattern_syntax.h"

namespace host_protocol::schema_detail {

/// One yes or no each; bytes, since std::vector<bool> costs 5 kB of code.
using Flags = std::vector<std::uint8_t>;

struct PatternAutomaton {
    std::vector<CharSet> sets;                     // of each position
    std::vector<std::vector<std::uint32_t>> next;  // edges; a position never leads back into an abandoned look-around
    std::vector<std::uint32_t> first;              // positions that can begin a match
    Flags final;                                   // reaching it is a match, whatever follows
    bool anchored = false;
    bool always_matches = false;
};

/// Builds it, or says in `problem` which construct cannot be proven: back-references, look-arounds under a quantifier,
/// alternatives that start alike under a quantifier, repeated groups that match nothing, one loop read in two ways.
/// Bounded repetitions of more than one set, or of no fixed count, are widened to loops: that only adds ways.
PatternAutomaton build_automaton(const PatternTree& tree, std::string& problem);

}  // namespace host_protocol::schema_detail
