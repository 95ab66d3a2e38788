// Pairing of calls and results, and the repair that follows from it.
#include "host_protocol/history.h"

#include "../text_index.h"
#include "history_walk.h"
#include "host_protocol/vocabulary.h"

namespace host_protocol {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
// What a browser keeps may hold what no request may: nothing but the reader's own bounds apply.
constexpr JsonLimits kSavedHistory{std::size_t{1} << 30, bounds::kMaxJsonDepth};

template <class Visit>
void for_each_tie_of_all(JsonValue messages, const Visit& visit) {
    std::uint32_t index = 0;
    for (const JsonValue message : messages.elements()) for_each_tie(message, index++, visit);
}

/// Open calls by id, the latest first.
class Pairing {
  public:
    explicit Pairing(std::size_t ties) : index_(ties) { ids_.reserve(ties); }

    void open(const CallPlace& call) {
        const std::uint32_t id = number_of(call.call_id);
        calls_.push_back({call, latest_[id], true});
        latest_[id] = static_cast<std::uint32_t>(calls_.size() - 1);
    }
    /// Whether there was a call to close.
    bool close(std::string_view call_id) {
        const std::uint32_t id = number_of(call_id);
        const std::uint32_t call = latest_[id];
        if (call == kNone) return false;
        latest_[id] = calls_[call].before;
        calls_[call].open = false;
        return true;
    }
    std::vector<CallPlace> left_open() const {
        std::vector<CallPlace> left;
        for (const Call& call : calls_)
            if (call.open) left.push_back(call.place);
        return left;
    }

  private:
    struct Call {
        CallPlace place;
        std::uint32_t before;  // the open call of the same id before it
        bool open;
    };

    std::uint32_t number_of(std::string_view call_id) {
        ids_.push_back(call_id);
        latest_.push_back(kNone);
        return index_.first_equal(call_id, static_cast<std::uint32_t>(ids_.size() - 1),
                                  [this](std::uint32_t at) { return ids_[at]; });
    }

    TextIndex index_;
    std::vector<std::string_view> ids_;
    std::vector<std::uint32_t> latest_;
    std::vector<Call> calls_;
};

class Repair {
  public:
    Repair(JsonValue messages, const HistoryFaults& faults, const std::vector<std::string>& answers)
        : messages_(messages), faults_(faults), answers_(answers) {}

    std::string run() {
        out_.reserve(messages_.raw().size() + 128 * faults_.open.size());
        out_ = "[";
        std::uint32_t index = 0;
        for (const JsonValue message : messages_.elements()) {
            // Answers wait behind the results that are there, so that those stay next to their calls.
            if (text_or(message.find("role"), {}) != roles::kTool) append_answers(index);
            append_message(message, index++);
        }
        append_answers(index);
        return std::move(out_ += ']');
    }

  private:
    /// Of the open calls in messages before `end`.
    void append_answers(std::uint32_t end) {
        std::string parts;
        for (; open_ < faults_.open.size() && faults_.open[open_].message < end; ++open_) {
            const CallPlace& call = faults_.open[open_];
            if (answers_[open_].empty()) continue;
            if (!parts.empty()) parts += ',';
            append_tool_result_part(parts, call.call_id, call.tool_name, answers_[open_]);
        }
        if (parts.empty()) return;
        separate();
        out_ += concat({"{\"role\":\"tool\",\"content\":[", parts, "]}"});
    }

    void append_message(JsonValue message, std::uint32_t index) {
        const bool faulty = orphan_ < faults_.orphans.size() && faults_.orphans[orphan_].message == index;
        if (!faulty) {
            separate();
            out_ += message.raw();
            return;
        }
        std::string parts;
        std::uint32_t part_index = 0;
        const JsonValue content = message.find("content");
        for (const JsonValue part : content.elements()) {
            if (is_orphan(index, part_index++)) continue;
            if (!parts.empty()) parts += ',';
            parts += part.raw();
        }
        if (parts.empty()) return;
        separate();
        const auto before = content.node().begin - message.node().begin;
        const auto behind = content.node().end - message.node().begin;
        out_ += concat({message.raw().substr(0, before), "[", parts, "]", message.raw().substr(behind)});
    }

    bool is_orphan(std::uint32_t message, std::uint32_t part) {
        if (orphan_ == faults_.orphans.size()) return false;
        const CallPlace& orphan = faults_.orphans[orphan_];
        if (orphan.message != message || orphan.part != part) return false;
        ++orphan_;
        return true;
    }

    void separate() {
        if (out_.size() > 1) out_ += ',';
    }

    JsonValue messages_;
    const HistoryFaults& faults_;
    const std::vector<std::string>& answers_;
    std::string out_;
    std::size_t open_ = 0;
    std::size_t orphan_ = 0;
};

}  // namespace

HistoryFaults examine_history(JsonValue messages) {
    std::size_t ties = 0;
    for_each_tie_of_all(messages, [&ties](Tie, const CallPlace&) { ++ties; });
    HistoryFaults faults;
    if (ties == 0) return faults;
    Pairing pairing(ties);
    for_each_tie_of_all(messages, [&](Tie tie, const CallPlace& place) {
        if (tie == Tie::call)
            pairing.open(place);
        else if (!pairing.close(place.call_id))
            faults.orphans.push_back(place);
    });
    faults.open = pairing.left_open();
    return faults;
}

std::string write_repaired(JsonValue messages, const HistoryFaults& faults, const std::vector<std::string>& answers) {
    return Repair(messages, faults, answers).run();
}

Result<std::string> repair_history(std::string_view messages) {
    JsonReader reader;
    const Result<JsonValue> root = reader.read(messages, kSavedHistory);
    if (!root) return make_error(host_codes::kProtocolDecodeError, root.error().message);
    if (!root->is(JsonType::array))
        return make_error(host_codes::kProtocolDecodeError, "A history is an array of messages.");
    const HistoryFaults faults = examine_history(*root);
    if (faults.none()) return std::string(messages);
    const std::vector<std::string> answers(faults.open.size(), outcome_unknown());
    return write_repaired(*root, faults, answers);
}

std::string failed_result(std::string_view code, std::string_view message, std::string_view retry) {
    std::string out = "{\"error\":{";
    append_text_member(out, "code", code);
    append_text_member(out, "message", message);
    append_text_member(out, "retry", retry);
    return out + "}}";
}

std::string outcome_unknown() {
    return failed_result(tool_codes::kToolOutcomeUnknown,
                         "No result of this call was seen. It may have run: verify before it is tried again.",
                         retry::kNo);
}

std::string not_executed() {
    return failed_result(tool_codes::kToolNotExecuted, "This call was not carried out.", retry::kYes);
}

void append_tool_result_part(std::string& out, std::string_view call_id, std::string_view tool_name,
                             std::string_view value) {
    out += '{';
    append_text_member(out, "type", part_types::kToolResult);
    append_text_member(out, "toolCallId", call_id);
    append_text_member(out, "toolName", tool_name);
    append_key(out, "output");
    out += concat({"{\"type\":\"json\",\"value\":", value, "}}"});
}

}  // namespace host_protocol
