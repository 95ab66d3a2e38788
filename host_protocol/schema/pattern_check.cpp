#include "schema/pattern_check.h"

#include "schema/pattern_safety.h"
#include "schema/pattern_syntax.h"

namespace host_protocol::schema_detail {

std::string why_pattern_refused(std::string_view pattern, const SchemaOptions& options) {
    const Result<PatternTree> tree = parse_pattern(pattern);
    if (!tree) return "is no valid ECMA-262 pattern of the u flag: " + tree.error().message;
    if (!options.allow_unsafe_patterns) {
        const std::string reason = why_unsafe(*tree);
        if (!reason.empty()) return "is not proven safe against catastrophic backtracking: it has " + reason;
    }
    // The engine has the last word: it knows the property names of \p{…}, and whatever else its grammar lacks.
    if (options.match != nullptr && options.match(pattern, {}) < 0)
        return "is refused by the engine that runs patterns";
    return {};
}

}  // namespace host_protocol::schema_detail
