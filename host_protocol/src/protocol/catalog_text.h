// Tools of a catalog as JSON: the stable half only, members in a fixed order.
#pragma once

#include <string>
#include <vector>

#include "host_protocol/catalog_merge.h"

namespace host_protocol {

/// `[{wireName, canonicalId, description, inputSchema, requiresApproval, sideEffect?}, …]`
std::string domain_tools_json(const std::vector<const DomainTool*>& tools);

/// Entries `{wireName, canonicalId, plane, executor, description, inputSchema, …}`: of the server with requiresApproval
/// and sideEffect, of the page with effect and confirmation; in meta mode the three tools instead of the page's.
std::string tool_block_json(const std::vector<const DomainTool*>& domain, const std::vector<const StepTool*>& frontend,
                            bool meta);

}  // namespace host_protocol
