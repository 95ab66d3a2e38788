// The server's own end of "every server call exactly one result".
#include <map>

#include "host_protocol/accumulator.h"
#include "host_protocol/history.h"
#include "host_protocol/json_out.h"

namespace host_protocol {

Result<std::string> close_server_calls(std::string_view messages, std::string_view results, std::string_view pending) {
    const JsonLimits limits{std::size_t{1} << 30, bounds::kMaxJsonDepth};
    JsonReader readers[3];
    const Result<JsonValue> list = readers[0].read(messages, limits);
    const Result<JsonValue> recorded = readers[1].read(results, limits);
    const Result<JsonValue> waiting = readers[2].read(pending, limits);
    const auto is_list = [](const Result<JsonValue>& value) { return value && value->is(JsonType::array); };
    if (!is_list(list) || !is_list(recorded) || !is_list(waiting))
        return make_error(host_codes::kProtocolDecodeError, "Messages, results and pending ids are JSON arrays.");
    std::map<std::string_view, std::string_view> known;
    for (const JsonValue result : recorded->elements()) {
        const JsonValue value = result.find("result");
        if (value) known.emplace(text_or(result.find("toolCallId"), {}), value.raw());
    }
    for (const JsonValue id : waiting->elements()) known.insert_or_assign(text_or(id, {}), std::string_view());
    const HistoryFaults faults = examine_history(*list);
    std::vector<std::string> answers;
    for (const CallPlace& open : faults.open) {
        const auto answer = known.find(open.call_id);
        answers.push_back(answer == known.end() ? not_executed() : std::string(answer->second));
    }
    return write_repaired(*list, faults, answers);
}

}  // namespace host_protocol
