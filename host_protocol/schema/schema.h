// A JSON Schema of the profile, checked when it is made and compiled when it is first used (spec: capabilities.md §3).
//
//     Result<Schema> schema = Schema::create(text, options);      // lint: UNSUPPORTED_SCHEMA names keyword and place
//     std::vector<Issue> issues = schema->validate(value);         // empty: valid
//
// The portable profile runs in the schema program (program.h). schemaProfile "full" runs in valijson behind its fence,
// and only in builds that link it; elsewhere asking for it is one clear error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/json_text.h"
#include "host_protocol/result.h"

namespace host_protocol {

/// The boundary's one upcall: 1 found, 0 not found, -1 the pattern does not compile. An unanchored ECMA-262 search with
/// the `u` flag; pure, never throws, never re-enters.
using PatternMatch = int (*)(std::string_view pattern, std::string_view text);

enum class SchemaProfile { portable, full };

struct SchemaOptions {
    SchemaProfile profile = SchemaProfile::portable;
    std::uint32_t max_bytes = 16384;
    std::uint32_t max_depth = 8;
    std::uint32_t max_pattern_input = 1024;  // UTF-16 code units; a longer string fails without running the pattern
    bool allow_unsafe_patterns = false;
    PatternMatch match = nullptr;
};

/// JSON Pointer and a sentence that never echoes the rejected value.
struct Issue {
    std::string path;
    std::string message;
};
inline constexpr std::size_t kMaxIssues = 20;
/// `[{"path":…,"message":…}, …]`, at most kMaxIssues of them.
std::string issues_json(const std::vector<Issue>& issues);

class Schema {
  public:
    /// Lints; fails with UNSUPPORTED_SCHEMA, Error.path is the JSON Pointer into the schema.
    static Result<Schema> create(std::string text, const SchemaOptions& options);
    Schema(Schema&&) noexcept;
    Schema& operator=(Schema&&) noexcept;
    ~Schema();

    /// At most kMaxIssues issues; none: valid. Compiles on first use.
    std::vector<Issue> validate(JsonValue instance) const;
    /// The schema's own JSON text, as given.
    std::string_view text() const;

  private:
    struct Impl;
    explicit Schema(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Whether this build can evaluate SchemaProfile::full.
bool full_profile_available();

}  // namespace host_protocol
