#include <algorithm>
#include <utility>

#include "contract/capability_parts.h"
#include "contract/contract.h"
#include "contract/fields.h"
#include "host_protocol/ids.h"
#include "host_protocol/text.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

namespace codes = host_protocol::definition_codes;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

constexpr std::size_t kMaxIdUnits = 128;
constexpr std::size_t kMaxOriginUnits = 128;

std::string quoted(std::string_view text) { return concat({"'", host_protocol::clip_utf16(text, 128), "'"}); }

struct Reading {
    const RegistryOptions& options;
    const Contract& contract;
    JsonValue external;
};

bool is_external(const Reading& reading, std::string_view name) {
    if (!reading.external.is(JsonType::array)) return false;
    for (JsonValue element : reading.external.elements())
        if (element.is(JsonType::string) && element.string() == name) return true;
    return false;
}

/// The effect of an action; a server effect is another plane's.
Effect read_effect(FieldReader& fields, JsonValue definition) {
    const JsonValue effect = definition.find("effect");
    if (!effect) {
        fields.refuse(codes::kInvalidDefinition, "effect", "is missing; an action has 'local-state' or 'navigation'");
        return Effect::local_state;
    }
    for (std::string_view server : {"server-query", "server-mutation", "external-side-effect", "destructive"})
        if (effect.is(JsonType::string) && effect.string() == server)
            fields.refuse(
                codes::kPlaneViolation, "effect",
                concat({"is '", server,
                        "', which belongs to the domain plane; a view action has 'local-state' or 'navigation'"}));
    return fields.choice("effect", {"local-state", "navigation"}, 0) == 1 ? Effect::navigation : Effect::local_state;
}

void read_action_fields(const Reading& reading, FieldReader& fields, JsonValue definition, Capability& capability) {
    fields.allow({"description", "input", "output", "effect", "idempotent", "reversible", "confirmation", "audit",
                  "timeoutMs", "concurrency", "meta", "tags"});
    capability.effect = read_effect(fields, definition);
    capability.idempotent = fields.flag("idempotent", false);
    capability.reversible = fields.flag("reversible", true);
    capability.confirmation =
        static_cast<Confirmation>(fields.choice("confirmation", {"never", "optional", "required"}, 0));
    capability.timeout_ms = fields.count("timeoutMs", reading.options.limits.action_timeout_ms);
    capability.concurrency = read_concurrency(fields, definition);
    capability.external_input = is_external(reading, capability.name);
}

void read_observation_fields(const Reading& reading, FieldReader& fields, Capability& capability) {
    fields.allow({"description", "output", "effect", "audit", "timeoutMs", "meta", "tags"});
    fields.choice("effect", {"read"}, 0);
    capability.idempotent = true;
    capability.timeout_ms = fields.count("timeoutMs", reading.options.limits.observation_timeout_ms);
}

/// `{"capabilityId":…,"name":…,"description":…,…` without the availability, which changes.
std::string make_snapshot_head(const Capability& capability) {
    std::string out = "{";
    append_text_member(out, "capabilityId", capability.id);
    append_text_member(out, "name", capability.name);
    append_text_member(out, "description", capability.description);
    const std::string_view output = capability.output ? capability.output->text() : std::string_view();
    if (capability.kind == CapabilityKind::observation) {
        append_json_member(out, "outputSchema", output.empty() ? "{}" : output);
    } else {
        append_json_member(out, "inputSchema", capability.input->text());
        if (!output.empty()) append_json_member(out, "outputSchema", output);
        append_text_member(out, "effect", effect_name(capability.effect));
        append_bool_member(out, "idempotent", capability.idempotent);
        append_bool_member(out, "reversible", capability.reversible);
        append_text_member(out, "confirmation", confirmation_name(capability.confirmation));
    }
    if (!capability.meta.empty()) append_json_member(out, "meta", capability.meta);
    if (!capability.tags.empty()) append_json_member(out, "tags", capability.tags);
    return out;
}

void finish_capability(Capability& capability) {
    make_descriptor(capability);
    capability.snapshot_head = make_snapshot_head(capability);
}

Result<Capability> read_capability(const Reading& reading, CapabilityKind kind, std::string_view name,
                                   JsonValue definition) {
    Capability capability;
    capability.kind = kind;
    capability.name = name;
    capability.id = concat({"view:", reading.contract.type, ".", name});
    const std::string_view word = kind == CapabilityKind::action ? "action " : "observation ";
    FieldReader fields(definition, concat({"component '", reading.contract.type, "', ", word, quoted(name)}));
    if (!host_protocol::is_capability_name(name))
        fields.refuse(codes::kInvalidId, "", "is not a capability name: a lower-case letter, then letters and digits");
    else if (capability.id.size() > kMaxIdUnits)
        fields.refuse(codes::kInvalidId, "", "gives an id of more than 128 characters");
    else if (!definition.is(JsonType::object))
        fields.refuse(codes::kInvalidDefinition, "", concat({"must be an object, found ", kind_of(definition)}));
    if (fields.failed()) return fields.error();

    capability.description = fields.required_text("description", reading.options.limits.max_capability_description);
    if (kind == CapabilityKind::action)
        read_action_fields(reading, fields, definition, capability);
    else
        read_observation_fields(reading, fields, capability);
    capability.audit = static_cast<AuditLevel>(fields.choice("audit", {"none", "metadata", "full"}, 1));
    capability.meta = fields.record("meta", reading.options.limits.max_meta_bytes);
    capability.tags = fields.text_list("tags");
    if (fields.failed()) return fields.error();

    if (kind == CapabilityKind::action) {
        const JsonValue input = definition.find("input");
        auto schema = read_schema(fields, "input", std::string(input ? input.raw() : host_protocol::kEmptyObjectSchema),
                                  reading.options.schema);
        if (!schema) return schema.error();
        capability.input = std::move(*schema);
    }
    if (auto status = read_output(fields, definition, reading.options.schema, capability); !status)
        return status.error();
    finish_capability(capability);
    return capability;
}

host_protocol::Status read_capabilities(const Reading& reading, JsonValue list, CapabilityKind kind,
                                        Contract& contract) {
    if (!list) return host_protocol::ok();
    const std::string_view field = kind == CapabilityKind::action ? "actions" : "observations";
    FieldReader fields(list, concat({"component ", quoted(contract.type)}));
    if (!list.is(JsonType::object)) {
        fields.refuse(codes::kInvalidDefinition, field, concat({"must be an object, found ", kind_of(list)}));
        return fields.error();
    }
    for (const auto& [name, definition] : list.members()) {
        if (contract.index_of(name) >= 0) {
            fields.refuse(codes::kDuplicateCapability, name,
                          "is declared twice; a name belongs to one observation or one action");
            return fields.error();
        }
        auto capability = read_capability(reading, kind, name, definition);
        if (!capability) return capability.error();
        contract.capabilities.push_back(std::move(*capability));
    }
    return host_protocol::ok();
}

}  // namespace

Result<std::unique_ptr<Contract>> read_contract(JsonValue definition, JsonValue external,
                                                const RegistryOptions& options) {
    auto contract = std::make_unique<Contract>();
    const JsonValue type = definition.find("type");
    FieldReader fields(definition, concat({"component ", type.is(JsonType::string) ? quoted(type.string())
                                                                                   : std::string("without a type")}));
    if (!definition.is(JsonType::object))
        fields.refuse(codes::kInvalidDefinition, "", concat({"must be an object, found ", kind_of(definition)}));
    else if (!type.is(JsonType::string) || !host_protocol::is_component_type(type.string()) ||
             type.string().size() > kMaxIdUnits)
        fields.refuse(codes::kInvalidId, "type",
                      "must be lower-case segments joined by dots, each a letter then letters, digits and '-', at most "
                      "128 characters");
    if (fields.failed()) return fields.error();

    contract->type = type.string();
    fields.allow({"type", "description", "meta", "origin", "priority", "tags", "observations", "actions"});
    contract->description = fields.required_text("description", options.limits.max_component_description);
    contract->origin = fields.optional_text("origin", "first-party", kMaxOriginUnits);
    contract->priority = fields.number("priority", 0);
    contract->meta = fields.record("meta", options.limits.max_meta_bytes);
    contract->tags = fields.text_list("tags");
    if (fields.failed()) return fields.error();

    const Reading reading{options, *contract, external};
    if (auto status =
            read_capabilities(reading, definition.find("observations"), CapabilityKind::observation, *contract);
        !status)
        return status.error();
    contract->observation_count = static_cast<std::uint32_t>(contract->capabilities.size());
    if (auto status = read_capabilities(reading, definition.find("actions"), CapabilityKind::action, *contract);
        !status)
        return status.error();
    return contract;
}

}  // namespace viewcap
