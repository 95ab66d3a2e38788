// One pass over the parts of a history that tie messages together: calls of the assistant, results of tools.
#pragma once

#include "host_protocol/history.h"
#include "host_protocol/json_out.h"
#include "host_protocol/protocol_vocabulary.h"

namespace host_protocol {

enum class Tie : std::uint8_t { none, call, result };

inline Tie tie_of(std::string_view role, JsonValue part) {
    const std::string_view type = text_or(part.find("type"), {});
    if (role == roles::kAssistant && type == part_types::kToolCall) return Tie::call;
    if (role == roles::kTool && type == part_types::kToolResult) return Tie::result;
    return Tie::none;
}

/// The ties of one message: `visit(tie, place)`.
template <class Visit>
void for_each_tie(JsonValue message, std::uint32_t message_index, const Visit& visit) {
    const JsonValue content = message.find("content");
    if (!content.is(JsonType::array)) return;
    const std::string_view role = text_or(message.find("role"), {});
    std::uint32_t part_index = 0;
    for (const JsonValue part : content.elements()) {
        const std::uint32_t index = part_index++;
        const Tie tie = tie_of(role, part);
        if (tie == Tie::none) continue;
        visit(tie, CallPlace{message_index, index, text_or(part.find("toolCallId"), {}),
                             text_or(part.find("toolName"), {})});
    }
}

}  // namespace host_protocol
