#include "host_protocol/descriptor.h"

#include "host_protocol/json_text.h"

namespace host_protocol {
namespace {

void append_field(std::string& out, std::string_view name, std::string_view text) {
    out.append(",\"").append(name).append("\":");
    append_json_string(out, text);
}

std::string prefixed_description(const DescriptorSource& source) {
    std::string text = "[";
    text.append(source.plane).append(" \u00B7 ").append(source.effect);
    if (source.confirmation == "required") text.append(" \u00B7 requires confirmation");
    return text.append("] ").append(source.description);
}

}  // namespace

DescriptorTemplate make_descriptor_template(const DescriptorSource& source) {
    DescriptorTemplate made;
    made.head = "{\"wireName\":\"";
    std::string& tail = made.tail;
    tail.push_back('"');
    append_field(tail, "canonicalId", source.canonical_id);
    append_field(tail, "plane", source.plane);
    append_field(tail, "description", prefixed_description(source));
    tail.append(",\"inputSchema\":");
    tail.append(source.input_schema.empty() ? kEmptyObjectSchema : source.input_schema);
    append_field(tail, "effect", source.effect);
    append_field(tail, "confirmation", source.confirmation);
    return made;
}

void append_availability(std::string& out, bool available, std::string_view reason) {
    out.append(available ? ",\"available\":true" : ",\"available\":false");
    if (!available) append_field(out, "unavailableReason", reason);
    out.push_back('}');
}

void append_state_entry(std::string& out, std::string_view wire_name, bool available, std::string_view reason,
                        std::string_view note) {
    out.append("{\"wireName\":");
    append_json_string(out, wire_name);
    out.append(available ? ",\"available\":true" : ",\"available\":false");
    if (!available) append_field(out, "unavailableReason", reason);
    if (!note.empty()) append_field(out, "note", note);
    out.push_back('}');
}

}  // namespace host_protocol
