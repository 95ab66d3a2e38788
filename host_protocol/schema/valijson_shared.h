// What the constraints of the fence share: one compiled schema's checks, and the budget of an evaluation.
// For valijson_fence.cpp only, which includes valijson before this.
#pragma once

#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "schema/place.h"
#include "schema/program.h"
#include "schema/valijson_visitor.h"

namespace host_protocol::schema_detail {

using Context = std::vector<std::string>;

inline constexpr std::uint32_t kMaxFullSteps = 500'000;
inline constexpr std::size_t kEnoughErrors = 200;

/// Leaves an evaluation early: over budget, or with more errors than anyone will read.
struct Stop : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What one schema demands by itself, and of its members by name or pattern.
struct Checks {
    Program own;
    std::map<std::string_view, const valijson::Subschema*> properties{};
    std::vector<std::pair<std::string_view, const valijson::Subschema*>> patterns{};
    const valijson::Subschema* additional = nullptr;
    const valijson::Subschema* names = nullptr;
    bool closed = false;  // beside patterns; else `own` knows
};

struct Shared {
    SchemaOptions options;
    std::deque<Checks> checks{};
    valijson::Schema schema{};
    mutable Regexes regexes{};
    mutable std::uint32_t steps = 0;
};

inline std::string pointer_of(const Context& context) {
    std::string pointer;
    for (std::size_t i = 1; i < context.size(); ++i) {
        std::string_view token = context[i];
        if (token[0] == '/') {
            pointer += token.substr(1);
            continue;
        }
        token = token.substr(1, token.size() - 2);
        if (token.size() >= 2 && token.front() == '"' && token.back() == '"') token = token.substr(1, token.size() - 2);
        append_pointer_token(pointer, token);
    }
    return pointer;
}

}  // namespace host_protocol::schema_detail
