#include "registration/mounting.h"

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

std::string owner_of(const Contract& contract) {
    return concat({contract.is_procedure() ? "procedure '" : "component '", contract.type, "'"});
}

constexpr std::string_view kInstanceIdRule = "must be 1 to 128 of letters, digits, '-' and '_'";

std::string read_instance_id(FieldReader& fields, JsonValue object) {
    const JsonValue value = object.find("instanceId");
    if (!value) return "default";
    if (value.is(JsonType::string) && host_protocol::is_instance_id(value.string())) return std::string(value.string());
    fields.refuse(codes::kInvalidId, "instanceId", kInstanceIdRule);
    return {};
}

/// The object at `name`, checked as {type, instanceId?}; absent when it is, or refused.
JsonValue read_component_name(FieldReader& fields, JsonValue object, std::string_view name, std::string& instance_id) {
    const JsonValue named = object.find(name);
    if (!named) return {};
    if (!named.is(JsonType::object)) {
        fields.refuse(codes::kInvalidDefinition, name, concat({"must be {type, instanceId?}, found ", kind_of(named)}));
        return {};
    }
    FieldReader inner(named, concat({fields.owner(), ", ", name}));
    inner.allow({"type", "instanceId"});
    instance_id = read_instance_id(inner, named);
    const JsonValue type = named.find("type");
    if (!type.is(JsonType::string) || !host_protocol::is_component_type(type.string()))
        inner.refuse(codes::kInvalidId, "type", "must be a component type");
    if (!inner.failed()) return named;
    fields.adopt(inner.error());
    return {};
}

void read_component_place(FieldReader& fields, JsonValue object, MountRequest& request) {
    fields.allow(
        {"registrationId", "instanceId", "parent", "enabled", "guard", "policies", "votes", "discovery", "audit"});
    request.instance_id = read_instance_id(fields, object);
    std::string unused;
    if (const JsonValue parent = read_component_name(fields, object, "parent", unused)) request.parent = parent.raw();
}

void read_reference_place(FieldReader& fields, JsonValue object, const RegistryOptions& options,
                          MountRequest& request) {
    fields.allow({"registrationId", "owner", "meta", "enabled", "guard", "policies", "votes", "discovery", "audit"});
    request.instance_id.clear();
    if (const JsonValue owner = read_component_name(fields, object, "owner", request.instance_id))
        request.owner_type = owner.find("type").string();
    request.meta = fields.record("meta", options.limits.max_meta_bytes);
}

/// `{name: level}`; a level for a capability that is none is refused.
void read_audit_levels(FieldReader& fields, JsonValue object, const Contract& contract, MountRequest& request) {
    const JsonValue levels = object.find("audit");
    if (!levels) return;
    if (!levels.is(JsonType::object))
        return fields.refuse(codes::kInvalidDefinition, "audit",
                             concat({"must be {name: level}, found ", kind_of(levels)}));
    FieldReader inner(levels, concat({fields.owner(), ", audit"}));
    for (const auto& [name, level] : levels.members()) {
        const std::int32_t index = contract.index_of(name);
        if (index < 0)
            inner.refuse(codes::kInvalidDefinition, host_protocol::clip_utf16(name, 60), "is no capability of this");
        request.audit.emplace_back(static_cast<std::uint32_t>(index),
                                   static_cast<AuditLevel>(inner.choice(name, {"none", "metadata", "full"}, 1)));
    }
    if (inner.failed()) fields.adopt(inner.error());
}

struct Override {
    std::uint32_t capability;
    bool clear;
    bool available;
    std::string_view reason;
};

bool read_override(FieldReader& fields, const Contract& contract, std::string_view name, JsonValue value,
                   Override& out) {
    const std::int32_t index = contract.index_of(name);
    if (index < 0) {
        fields.refuse(codes::kInvalidDefinition, host_protocol::clip_utf16(name, 60),
                      "in 'availability' is no capability of this component");
        return false;
    }
    out = {static_cast<std::uint32_t>(index), value.is(JsonType::null), true, {}};
    if (out.clear) return true;
    const JsonValue available = value.find("available");
    const JsonValue reason = value.find("reason");
    if (!available.is(JsonType::boolean) || (reason && !reason.is(JsonType::string))) {
        fields.refuse(codes::kInvalidDefinition, name,
                      "in 'availability' must be {available: true or false, reason?: string} or null");
        return false;
    }
    out.available = available.boolean();
    if (reason) out.reason = reason.string();
    return true;
}

std::vector<Override> read_overrides(FieldReader& fields, const Contract& contract, JsonValue patch) {
    std::vector<Override> overrides;
    const JsonValue availability = patch.find("availability");
    if (!availability) return overrides;
    if (!availability.is(JsonType::object)) {
        fields.refuse(codes::kInvalidDefinition, "availability",
                      concat({"must be an object, found ", kind_of(availability)}));
        return overrides;
    }
    for (const auto& [name, value] : availability.members()) {
        Override one{};
        if (!read_override(fields, contract, name, value, one)) break;
        overrides.push_back(one);
    }
    return overrides;
}

}  // namespace

Result<MountRequest> read_mount_request(JsonValue object, const Contract& contract, const RegistryOptions& options) {
    MountRequest request;
    FieldReader fields(object, owner_of(contract));
    if (contract.is_procedure())
        read_reference_place(fields, object, options, request);
    else
        read_component_place(fields, object, request);
    request.registration_id = fields.required_text("registrationId", 128);
    request.enabled = fields.flag("enabled", true);
    request.refused_by_guard = !fields.flag("guard", true);
    request.policies = fields.flag("policies", false);
    request.votes = fields.flag("votes", false);
    request.discovery = fields.flag("discovery", false);
    if (options.audit_level)
        for (std::uint32_t i = 0; i < contract.capabilities.size(); ++i)
            request.audit.emplace_back(i, *options.audit_level);
    read_audit_levels(fields, object, contract, request);
    if (fields.failed()) return fields.error();
    return request;
}

Registration& mount(Surface& surface, MountRequest request, std::shared_ptr<const Contract> contract) {
    const bool is_reference = contract->is_procedure();
    Registration& added =
        is_reference
            ? surface.add_reference(std::move(request.registration_id), std::move(contract),
                                    std::move(request.owner_type), std::move(request.instance_id))
            : surface.add(std::move(request.registration_id), std::move(contract), std::move(request.instance_id));
    added.parent = std::move(request.parent);
    if (is_reference) added.reference->meta = std::move(request.meta);
    added.set_enabled(request.enabled);
    added.policies = request.policies;
    added.discovery = request.discovery;
    if (request.votes) surface.set_votes(added);
    for (const auto& [capability, level] : request.audit) added.set_audit_level(capability, level);
    return added;
}

Result<UpdateOutcome> apply_update(Registration& registration, JsonValue patch) {
    const Contract& contract = *registration.contract;
    FieldReader fields(patch, owner_of(contract) + ", update");
    if (!patch.is(JsonType::object))
        fields.refuse(codes::kInvalidDefinition, "", concat({"must be an object, found ", kind_of(patch)}));
    if (fields.failed()) return fields.error();
    fields.allow({"enabled", "availability", "invalidate"});
    const bool enabled = fields.flag("enabled", registration.enabled());
    const std::vector<Override> overrides = read_overrides(fields, contract, patch);
    UpdateOutcome outcome;
    outcome.effective = fields.flag("invalidate", false);
    if (fields.failed()) return fields.error();

    if (registration.set_enabled(enabled)) {
        outcome.effective = true;
        for (std::uint32_t i = 0; i < contract.capabilities.size(); ++i) outcome.touched.push_back(i);
    }
    for (const Override& one : overrides) {
        const bool changed = one.clear ? registration.clear_override(one.capability)
                                       : registration.set_override(one.capability, one.available, one.reason);
        if (!changed) continue;
        outcome.effective = true;
        outcome.touched.push_back(one.capability);
    }
    return outcome;
}

}  // namespace viewcap
