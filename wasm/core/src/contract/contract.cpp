#include "contract/contract.h"

#include <algorithm>
#include <array>

#include "contract/capability_parts.h"
#include "host_protocol/vocabulary.h"
#include "host_protocol/wire_names.h"
#include "json_out.h"

namespace viewcap {

std::string_view effect_name(Effect effect) {
    namespace effects = host_protocol::effects;
    constexpr std::array<std::string_view, 7> kNames = {
        effects::kRead,           effects::kLocalState,         effects::kNavigation, effects::kServerQuery,
        effects::kServerMutation, effects::kExternalSideEffect, effects::kDestructive};
    return kNames[static_cast<std::size_t>(effect)];
}

std::string_view confirmation_name(Confirmation confirmation) {
    namespace levels = host_protocol::confirmation;
    constexpr std::array<std::string_view, 3> kNames = {levels::kNever, levels::kOptional, levels::kRequired};
    return kNames[static_cast<std::size_t>(confirmation)];
}

std::string_view Capability::plane() const {
    return kind == CapabilityKind::procedure ? host_protocol::planes::kDomain : host_protocol::planes::kView;
}

std::int32_t Contract::index_of(std::string_view wanted) const {
    const auto found = std::find_if(capabilities.begin(), capabilities.end(),
                                    [wanted](const Capability& capability) { return capability.name == wanted; });
    return found == capabilities.end() ? -1 : static_cast<std::int32_t>(found - capabilities.begin());
}

host_protocol::Result<host_protocol::Schema> read_schema(const FieldReader& fields, std::string_view field,
                                                         std::string text,
                                                         const host_protocol::SchemaOptions& options) {
    auto schema = host_protocol::Schema::create(std::move(text), options);
    if (!schema) {
        host_protocol::Error& error = schema.error();
        error.message = concat({fields.owner(), ": '", field, "' ", error.message});
    }
    return schema;
}

host_protocol::Status read_output(const FieldReader& fields, host_protocol::JsonValue definition,
                                  const host_protocol::SchemaOptions& options, Capability& capability) {
    const host_protocol::JsonValue output = definition.find("output");
    if (!output) return host_protocol::ok();
    auto schema = read_schema(fields, "output", std::string(output.raw()), options);
    if (!schema) return schema.error();
    capability.output = std::move(*schema);
    return host_protocol::ok();
}

void make_descriptor(Capability& capability) {
    host_protocol::DescriptorSource source;
    source.canonical_id = capability.id;
    source.plane = capability.plane();
    source.description = capability.description;
    if (capability.input) source.input_schema = capability.input->text();
    source.effect = effect_name(capability.effect);
    source.confirmation = confirmation_name(capability.confirmation);
    capability.descriptor = host_protocol::make_descriptor_template(source);
    capability.wire_name = host_protocol::encode_wire_name(capability.id);
}

}  // namespace viewcap
