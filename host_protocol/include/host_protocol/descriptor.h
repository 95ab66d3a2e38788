// Wire descriptors (spec: capabilities.md §7): the stable half serialized once, with a place for the wire name.
#pragma once

#include <string>
#include <string_view>

namespace host_protocol {

struct DescriptorSource {
    std::string_view canonical_id;
    std::string_view plane;         // "view" or "domain"
    std::string_view description;   // without prefix
    std::string_view input_schema;  // JSON text; empty: the empty closed object schema
    std::string_view effect;
    std::string_view confirmation;
};

/// JSON text of the empty closed object schema, the input of every observation.
inline constexpr std::string_view kEmptyObjectSchema =
    R"({"type":"object","properties":{},"additionalProperties":false})";

/// `head` + wire name + `tail` + availability is one descriptor object.
struct DescriptorTemplate {
    std::string head;  // {"wireName":"
    std::string tail;  // ","canonicalId":…,"confirmation":"never"
};

/// Prefixes the description with `[plane · effect]`, and ` · requires confirmation` when confirmation is required.
DescriptorTemplate make_descriptor_template(const DescriptorSource& source);

/// Appends `,"available":true}` or `,"available":false,"unavailableReason":…}`.
void append_availability(std::string& out, bool available, std::string_view reason);

/// Appends one entry of the volatile half: {"wireName":…,"available":…,"unavailableReason"?:…,"note"?:…}.
void append_state_entry(std::string& out, std::string_view wire_name, bool available, std::string_view reason,
                        std::string_view note);

}  // namespace host_protocol
