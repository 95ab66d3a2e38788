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

std::string owner_of(const Contract& contract) { return "component '" + contract.type + "'"; }

constexpr std::string_view kInstanceIdRule = "must be 1 to 128 of letters, digits, '-' and '_'";

std::string read_instance_id(FieldReader& fields, JsonValue object) {
    const JsonValue value = object.find("instanceId");
    if (!value) return "default";
    if (value.is(JsonType::string) && host_protocol::is_instance_id(value.string())) return std::string(value.string());
    fields.refuse(codes::kInvalidId, "instanceId", kInstanceIdRule);
    return {};
}

std::string read_parent(FieldReader& fields, JsonValue object) {
    const JsonValue parent = object.find("parent");
    if (!parent) return {};
    if (!parent.is(JsonType::object)) {
        fields.refuse(codes::kInvalidDefinition, "parent",
                      concat({"must be {type, instanceId?}, found ", kind_of(parent)}));
        return {};
    }
    FieldReader inner(parent, fields.owner() + ", parent");
    inner.allow({"type", "instanceId"});
    read_instance_id(inner, parent);
    const JsonValue type = parent.find("type");
    if (!type.is(JsonType::string) || !host_protocol::is_component_type(type.string()))
        inner.refuse(codes::kInvalidId, "type", "must be a component type");
    if (inner.failed()) fields.refuse(inner.error().code, "parent", inner.error().message);
    return std::string(parent.raw());
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

Result<MountRequest> read_mount_request(JsonValue object, const Contract& contract) {
    MountRequest request;
    FieldReader fields(object, owner_of(contract));
    fields.allow({"registrationId", "instanceId", "parent", "enabled", "guard"});
    request.registration_id = fields.required_text("registrationId", 128);
    request.instance_id = read_instance_id(fields, object);
    request.parent = read_parent(fields, object);
    request.enabled = fields.flag("enabled", true);
    request.refused_by_guard = !fields.flag("guard", true);
    if (fields.failed()) return fields.error();
    return request;
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
