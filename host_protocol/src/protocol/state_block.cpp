#include "host_protocol/state_block.h"

#include <algorithm>

#include "host_protocol/heap_sort.h"
#include "host_protocol/json_out.h"
#include "host_protocol/text.h"
#include "host_protocol/vocabulary.h"

namespace host_protocol {
namespace {

constexpr std::string_view kHeading = "Capability state (this step):";

/// On one line, whatever it holds.
void append_flat(std::string& out, std::string_view text) {
    if (!has_control_character(text)) {
        out += text;
        return;
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool two_bytes = text[at] == '\xC2' && has_control_character(text.substr(at, 2));
        const bool control = two_bytes || has_control_character(text.substr(at, 1));
        if (two_bytes) ++at;
        if (!control)
            out += text[at];
        else if (out.back() != ' ')
            out += ' ';
    }
}

void append_entry(std::string& out, const StepState& entry) {
    out += concat({"\n- ", entry.wire_name, ": "});
    if (!entry.available) {
        out += "unavailable";
        if (!entry.unavailable_reason.empty()) {
            out += " (";
            append_flat(out, entry.unavailable_reason);
            out += ')';
        }
    }
    if (entry.note.empty()) return;
    out += entry.available ? "note: " : "; note: ";
    append_flat(out, entry.note);
}

}  // namespace

std::string render_state_block(std::span<const StepState> state, const std::vector<std::string_view>& offered) {
    std::string out;
    for (const StepState& entry : state) {
        if (entry.available && entry.note.empty()) continue;
        if (!std::binary_search(offered.begin(), offered.end(), entry.wire_name)) continue;
        if (out.empty()) out = kHeading;
        append_entry(out, entry);
    }
    return out;
}

Result<std::string> render_state_block_text(std::string_view request) {
    JsonReader reader;
    const Result<JsonValue> object = reader.read(request, {std::size_t{1} << 30, bounds::kMaxJsonDepth});
    if (!object) return make_error(definition_codes::kInvalidDefinition, object.error().message, "state");
    const JsonValue entries = object->find("state");
    const JsonValue tools = object->find("tools");
    if (!entries.is(JsonType::array) || !tools.is(JsonType::array))
        return make_error(definition_codes::kInvalidDefinition, "State and tools are arrays.", "state");
    std::vector<StepState> state;
    for (const JsonValue entry : entries.elements()) {
        const JsonValue available = entry.find("available");
        state.push_back({text_or(entry.find("wireName"), {}), !available || is_true(available),
                         text_or(entry.find("unavailableReason"), {}), text_or(entry.find("note"), {})});
    }
    std::vector<std::string_view> offered;
    for (const JsonValue tool : tools.elements()) offered.push_back(text_or(tool.find("wireName"), {}));
    heap_sort(offered.begin(), offered.end());
    return render_state_block(state, offered);
}

}  // namespace host_protocol
