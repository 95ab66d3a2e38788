// Problem 33: tool names that are illegal or taken, on each surface that a model reads (decisions 15, 22).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "domain/capability.h"

namespace domain {

/// Adds the problems of aiSdk, then those of mcp, each in the order of `capabilities`; only those exposed there count.
void check_tool_names(const std::vector<std::shared_ptr<const Capability>>& capabilities,
                      std::vector<std::string>& problems);

}  // namespace domain
