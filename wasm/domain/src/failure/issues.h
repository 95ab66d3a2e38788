// Issues of a validation as they are told: where and what, never a value (spec: domain.md §6.2, stage 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "host_protocol/json_text.h"

namespace domain {

inline constexpr std::size_t kMaxIssues = 100;
// What details are read back with; above what a hundred issues of ordinary messages need.
inline constexpr std::size_t kMaxIssuesBytes = std::size_t{4} << 20;
inline constexpr std::uint32_t kMaxIssuesDepth = 64;

/// `{"issues":[{"path":[text…],"message":text}…]}`, rebuilt member by member so that nothing else comes along. Empty
/// when `issues` is no array.
std::string issues_text(host_protocol::JsonValue issues);

}  // namespace domain
