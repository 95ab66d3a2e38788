// Whether a message history is legal: every tool call has a later result, and every result an earlier call
// (spec: host-protocol.md, "Step request").
//
//     HistoryFaults faults = examine_history(messages);             // both lists empty: legal
//     Result<std::string> legal = repair_history(messages_text);    // what a saved one is passed through
//
// A provider may use an id again in a later turn, so calls and results are paired in order: a result belongs to the
// nearest open call of its id before it. Only tool-call parts of assistant messages and tool-result parts of tool
// messages count; whatever else a history holds is passed over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/json_text.h"

namespace host_protocol {

struct CallPlace {
    std::uint32_t message;
    std::uint32_t part;
    std::string_view call_id;
    std::string_view tool_name;
};

struct HistoryFaults {
    std::vector<CallPlace> open;     // calls without a result, in the order of the history
    std::vector<CallPlace> orphans;  // results without a call

    bool none() const { return open.empty() && orphans.empty(); }
};

/// `messages` is an array; linear in its parts.
HistoryFaults examine_history(JsonValue messages);

/// JSON text of the array without its orphans, with an answer for each open call: `answers[i]` is the value (JSON text)
/// of the result of `faults.open[i]`, and an empty one leaves it open. Answers follow the tool messages behind the
/// call.
std::string write_repaired(JsonValue messages, const HistoryFaults& faults, const std::vector<std::string>& answers);

/// Open calls are answered TOOL_OUTCOME_UNKNOWN; the same text when nothing was wrong. PROTOCOL_DECODE_ERROR for what
/// is no JSON array.
Result<std::string> repair_history(std::string_view messages);

/// `{"error":{"code":…,"message":…,"retry":…}}`: what stands for a result that there is not.
std::string failed_result(std::string_view code, std::string_view message, std::string_view retry);
/// It may have run: verify first. retry "no".
std::string outcome_unknown();
/// It certainly never ran. retry "yes".
std::string not_executed();

/// Appends one tool-result part; `value` is JSON text.
void append_tool_result_part(std::string& out, std::string_view call_id, std::string_view tool_name,
                             std::string_view value);

}  // namespace host_protocol
