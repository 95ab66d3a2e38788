// The upcall of the boundary for tests: RegExp itself in wasm, std::wregex over code points in native builds.
#pragma once

#include <string_view>

namespace viewcap_test {

/// As host_protocol::PatternMatch. Compiled patterns are kept. Native builds know \p{L}, \p{Letter} and \p{Nd} only,
/// and no look-behind: such patterns answer -1 there.
int pattern_match(std::string_view pattern, std::string_view text);

}  // namespace viewcap_test
