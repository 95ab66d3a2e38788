// What the constraints of the fence share: one compiled schema's checks, and the budget of an evaluation.
// For valijson_fence.cpp only, which includes valijson before this.
#pragma once

#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/place.h"
#include "schema/program.h"
#include "schema/valijson_tape.h"

namespace host_protocol::schema_detail {

using Context = std::vector<std::string>;

/// The keyword under which a rewritten schema names its Checks.
inline constexpr char kChecks[] = "viewcap-checks";
inline constexpr std::uint32_t kMaxFullSteps = 500'000;
inline constexpr std::size_t kEnoughErrors = 200;

/// Leaves an evaluation early: over budget, or with more errors than anyone will read.
struct Stop : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Never used for a rewritten schema; valijson wants a type that can be made of a pattern.
struct NoRegex {
    explicit NoRegex(const std::string&) {}
    static bool search(const std::string&, const NoRegex&) { return false; }
};

using Visitor = valijson::ValidationVisitor<TapeAdapter, NoRegex>;
using Regexes = std::unordered_map<std::string, NoRegex>;

/// What one schema demands by itself, and of its members by name or pattern.
struct Checks {
    Program own;
    JsonValue declared{};
    std::vector<std::pair<std::string_view, const valijson::Schema*>> patterns{};
    const valijson::Schema* additional = nullptr;
    const valijson::Schema* names = nullptr;
    bool closed = false;  // beside patterns; else `own` knows
};

struct Shared {
    SchemaOptions options;
    std::deque<Checks> checks{};
    std::deque<valijson::Schema> schemas{};
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
