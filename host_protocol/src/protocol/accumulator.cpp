// Frames in, history out.
#include "host_protocol/accumulator.h"

#include <set>

#include "history_walk.h"
#include "step_shapes.h"

namespace host_protocol {
namespace {

void append_item(std::string& list, std::string_view item) {
    if (!list.empty()) list += ',';
    list += item;
}

std::string bracketed(std::string_view items) { return concat({"[", items, "]"}); }

std::string message_of(std::string_view role, std::string_view parts) {
    return concat({R"({"role":")", role, R"(","content":[)", parts, "]}"});
}

void append_call_part(std::string& parts, std::string_view id, std::string_view name, std::string_view input) {
    if (!parts.empty()) parts += ',';
    parts += '{';
    append_text_member(parts, "type", part_types::kToolCall);
    append_text_member(parts, "toolCallId", id);
    append_text_member(parts, "toolName", name);
    append_json_member(parts, "input", input);
    parts += '}';
}

std::string error_item(std::string_view code, std::string_view message) {
    std::string out = "{";
    append_text_member(out, "code", code);
    append_text_member(out, "message", message);
    return out + '}';
}

using Wanted = std::map<std::string_view, JsonValue>;

/// Parts for the calls that the browser is asked for and the messages do not hold; they join the list.
std::string uncalled(JsonValue messages, JsonValue pending, Wanted& wanted, std::string& left) {
    std::set<std::string_view> called;
    for (const JsonValue message : messages.elements())
        for_each_tie(message, 0, [&called](Tie, const CallPlace& at) { called.insert(at.call_id); });
    std::string missing;
    for (const JsonValue call : pending.elements()) {
        const auto asked = wanted.find(call.find("toolCallId").string());
        if (asked == wanted.end() || called.count(asked->first) != 0) continue;
        append_call_part(missing, asked->first, call.find("wireName").string(), call.find("input").raw());
        append_item(left, call.raw());
        wanted.erase(asked);
    }
    return missing;
}

}  // namespace

Status ResponseAccumulator::push(std::string_view text) {
    const Result<JsonValue> value = reader_.read(text, {std::size_t{1} << 30, bounds::kMaxJsonDepth});
    if (!value) return shape::unreadable(value.error());
    const Result<std::optional<Frame>> read = read_frame(*value);
    if (!read) return read.error();
    if (!*read) return ok();
    const Frame& frame = **read;
    if (frame.type == FrameType::error) take_error(frame.value.find("error"));
    if (finished_) return ok();
    switch (frame.type) {
        case FrameType::text_delta: take_text(part_types::kText, frame.value.find("text").string()); break;
        case FrameType::reasoning_delta: take_text(part_types::kReasoning, frame.value.find("text").string()); break;
        case FrameType::tool_call: take_call(frame.value); break;
        case FrameType::tool_result: take_result(frame.value); break;
        case FrameType::step_finish: take_finish(frame.value); break;
        default: break;
    }
    return ok();
}

/// Content after results belongs to the assistant's next message, once all calls of this one are answered.
ResponseAccumulator::Round& ResponseAccumulator::open_round() {
    if (rounds_.empty()) return rounds_.emplace_back();
    Round& round = rounds_.back();
    if (round.calls.empty()) return round;
    for (const std::size_t call : round.calls)
        if (calls_[call].result.empty()) return round;
    return rounds_.emplace_back();
}

void ResponseAccumulator::close_text() {
    if (text_type_.empty()) return;
    std::string part = "{";
    append_text_member(part, "type", text_type_);
    append_text_member(part, "text", text_);
    append_item(open_round().parts, part + '}');
    text_type_ = {};
    text_.clear();
}

void ResponseAccumulator::take_text(std::string_view type, std::string_view text) {
    if (text_type_ != type) close_text();
    text_type_ = type;
    text_ += text;
}

void ResponseAccumulator::take_call(JsonValue frame) {
    const std::string_view id = frame.find("toolCallId").string();
    if (by_id_.find(id) != by_id_.end()) return;
    close_text();
    Round& round = open_round();
    by_id_.emplace(id, calls_.size());
    round.calls.push_back(calls_.size());
    calls_.push_back({std::string(id),
                      std::string(frame.find("wireName").string()),
                      std::string(frame.find("input").raw()),
                      frame.find("executor").string() == executors::kServer,
                      {}});
    append_call_part(round.parts, id, calls_.back().wire_name, calls_.back().input);
}

void ResponseAccumulator::take_result(JsonValue frame) {
    const auto known = by_id_.find(frame.find("toolCallId").string());
    if (known == by_id_.end()) return;
    Call& call = calls_[known->second];
    if (!call.server || !call.result.empty()) return;
    close_text();
    call.result = frame.find("result").raw();
}

void ResponseAccumulator::take_finish(JsonValue frame) {
    finished_ = true;
    response_messages_ = frame.find("responseMessages").raw();
    pending_ = frame.find("pendingToolCalls").raw();
    const JsonValue usage = frame.find("usage");
    if (usage) usage_ = usage.raw();
}

void ResponseAccumulator::take_error(JsonValue error) {
    append_item(errors_, error_item(error.find("code").string(), error.find("message").string()));
}

/// What a call without a result is answered with.
std::string ResponseAccumulator::answer_for(std::string_view call_id) const {
    const auto known = by_id_.find(call_id);
    if (known == by_id_.end()) return outcome_unknown();
    const Call& call = calls_[known->second];
    if (!call.server) return not_executed();
    return call.result.empty() ? outcome_unknown() : call.result;
}

std::string ResponseAccumulator::from_frames() const {
    std::string messages;
    for (const Round& round : rounds_) {
        append_item(messages, message_of(roles::kAssistant, round.parts));
        std::string results;
        for (const std::size_t index : round.calls) {
            const Call& call = calls_[index];
            if (!results.empty()) results += ',';
            append_tool_result_part(results, call.id, call.wire_name, answer_for(call.id));
        }
        if (!results.empty()) append_item(messages, message_of(roles::kTool, results));
    }
    return bracketed(messages);
}

/// Whether the messages of the step-finish are such as a request may hold.
bool ResponseAccumulator::from_finish(ResponseOutcome& outcome) {
    JsonReader pending_reader;
    const JsonLimits limits{std::size_t{1} << 30, bounds::kMaxJsonDepth};
    const Result<JsonValue> messages = reader_.read(response_messages_, limits);
    const Result<JsonValue> pending = pending_reader.read(pending_, limits);
    if (!messages || !pending || !shape::check_messages(*messages, {})) return false;
    Wanted wanted;
    for (const JsonValue call : pending->elements()) wanted.emplace(call.find("toolCallId").string(), call);
    const HistoryFaults faults = examine_history(*messages);
    std::vector<std::string> answers;
    std::string left;
    for (const CallPlace& open : faults.open) {
        const auto asked = wanted.find(open.call_id);
        const bool is_pending = asked != wanted.end();
        answers.push_back(is_pending ? std::string() : answer_for(open.call_id));
        if (!is_pending) continue;
        append_item(left, asked->second.raw());
        wanted.erase(asked);
    }
    const std::string missing = uncalled(*messages, *pending, wanted, left);
    outcome.messages = write_repaired(*messages, faults, answers);
    outcome.pending = bracketed(left);
    if (missing.empty()) return true;
    outcome.messages.pop_back();
    if (outcome.messages.size() > 1) outcome.messages += ',';
    outcome.messages += message_of(roles::kAssistant, missing) + ']';
    return true;
}

ResponseOutcome ResponseAccumulator::finish() {
    close_text();
    ResponseOutcome outcome{{}, "[]", usage_, {}, finished_};
    std::string errors = errors_;
    if (finished_ && !from_finish(outcome)) {
        append_item(errors, error_item(host_codes::kProtocolDecodeError,
                                       "The messages of step-finish are none that a request may hold."));
        outcome.finished = false;
    }
    if (!outcome.finished) {
        if (errors.empty())
            errors = error_item(host_codes::kTransportFailed, "The response ended before its step-finish.");
        outcome.messages = from_frames();
        outcome.pending = "[]";
    }
    outcome.errors = bracketed(errors);
    return outcome;
}

std::string ResponseAccumulator::finish_text() {
    const ResponseOutcome outcome = finish();
    std::string out = "{";
    append_json_member(out, "messages", outcome.messages);
    append_json_member(out, "pending", outcome.pending);
    if (!outcome.usage.empty()) append_json_member(out, "usage", outcome.usage);
    append_json_member(out, "errors", outcome.errors);
    return out + '}';
}

}  // namespace host_protocol
