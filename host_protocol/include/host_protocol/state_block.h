// The volatile half as one message behind the conversation (spec: host-protocol.md, "Catalog composition"): the tool
// block stays byte-identical, so that a provider's prompt cache holds.
//
//     Capability state (this step):
//     - domain_update-status: unavailable (Open an invoice first); note: shows invoice 4711
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/result.h"
#include "host_protocol/step_request.h"

namespace host_protocol {

/// A line per entry that is unavailable or has a note and whose name is in `offered` (sorted); empty when there is
/// nothing to say. Line ends and control characters inside a reason or a note become a space: no entry forges another.
std::string render_state_block(std::span<const StepState> state, const std::vector<std::string_view>& offered);

/// `{"state":[…],"tools":[{"wireName":…},…]}` in; the block, or empty. INVALID_DEFINITION for what is no JSON object.
Result<std::string> render_state_block_text(std::string_view request);

}  // namespace host_protocol
