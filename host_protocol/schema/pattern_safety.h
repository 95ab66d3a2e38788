// Catastrophic backtracking, refused before a pattern ever runs (spec: capabilities.md §3; design §3).
//
// A backtracking engine spends as many steps as there are ways to read a prefix of the text. The pattern becomes an
// automaton with one state per character set; two ways around one loop on the same text mean exponential time, a chain
// of k loops that can share a text means time n^(k+1). What is not proven to stay within n² for the longest text that
// reaches a pattern (max_pattern_input) is refused.
#pragma once

#include <string>
#include <string_view>

#include "schema/pattern_syntax.h"

namespace host_protocol::schema_detail {

/// Empty: proven safe. Otherwise why not, as the end of the sentence "the pattern has …".
std::string why_unsafe(const PatternTree& tree);

}  // namespace host_protocol::schema_detail
