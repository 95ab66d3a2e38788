#include "catalog/snapshot_writer.h"

#include <algorithm>

#include "contract/fields.h"
#include "host_protocol/heap_sort.h"
#include "host_protocol/vocabulary.h"
#include "json_out.h"

namespace viewcap {
namespace {

namespace codes = host_protocol::definition_codes;
using host_protocol::JsonType;
using host_protocol::JsonValue;
using host_protocol::Result;

void append_capability(std::string& out, const Capability& capability, const Availability& availability) {
    out += capability.snapshot_head;
    append_bool_member(out, "available", availability.available);
    if (!availability.available) append_text_member(out, "unavailableReason", availability.reason);
    out += '}';
}

void append_capabilities(std::string& out, const Registration& registration, std::uint32_t begin, std::uint32_t end,
                         bool include_unavailable) {
    out += '[';
    for (std::uint32_t i = begin; i < end; ++i) {
        const Availability availability = registration.availability(i);
        if (!availability.available && !include_unavailable) continue;
        if (out.back() != '[') out += ',';
        append_capability(out, registration.contract->capabilities[i], availability);
    }
    out += ']';
}

std::string component_text(const Registration& registration, bool include_unavailable) {
    const Contract& contract = *registration.contract;
    std::string out = "{";
    append_text_member(out, "type", contract.type);
    append_text_member(out, "instanceId", registration.instance_id);
    append_text_member(out, "registrationId", registration.id);
    append_text_member(out, "description", contract.description);
    if (!registration.parent.empty()) append_json_member(out, "parent", registration.parent);
    if (!contract.meta.empty()) append_json_member(out, "meta", contract.meta);
    if (!contract.tags.empty()) append_json_member(out, "tags", contract.tags);
    append_key(out, "observations");
    append_capabilities(out, registration, 0, contract.observation_count, include_unavailable);
    append_key(out, "actions");
    append_capabilities(out, registration, contract.observation_count,
                        static_cast<std::uint32_t>(contract.capabilities.size()), include_unavailable);
    return out + "}";
}

}  // namespace

std::string write_snapshot(const Surface& surface, const std::string& surface_id, const SnapshotRequest& request) {
    std::string head = "{";
    append_text_member(head, "surfaceId", surface_id);
    append_text_member(head, "surfaceVersion", std::to_string(surface.version()));
    append_text_member(head, "capturedAt", request.captured_at);
    if (!request.route.empty()) append_text_member(head, "route", request.route);
    append_key(head, "components");

    const std::vector<const Registration*> list = surface.ordered(request.scope);
    // The frame around the components, the widest `truncated` included: what maxBytes leaves for them.
    const std::size_t frame =
        head.size() + std::string_view("[],\"procedures\":[],\"truncated\":{\"droppedComponents\":4294967295}}").size();
    std::string components = "[";
    std::size_t kept = 0;
    for (const Registration* registration : list) {
        if (kept == request.max_components) break;
        std::string text = component_text(*registration, request.include_unavailable);
        if (frame + components.size() + text.size() > request.max_bytes) break;
        if (kept++ > 0) components += ',';
        components += text;
    }
    std::string out = head + components + "],\"procedures\":[]";
    if (kept < list.size()) out += ",\"truncated\":{\"droppedComponents\":" + std::to_string(list.size() - kept) + "}";
    return out + "}";
}

Result<std::vector<std::string>> read_scope(JsonValue list) {
    std::vector<std::string> scope;
    if (!list) return scope;
    FieldReader fields(list, "scope");
    bool good = list.is(JsonType::array);
    if (good) {
        for (JsonValue element : list.elements()) {
            good = good && element.is(JsonType::string) && !element.string().empty();
            if (good) scope.emplace_back(element.string());
        }
    }
    if (!good) {
        fields.refuse(codes::kInvalidDefinition, "",
                      "must be a list of component-type prefixes, such as [\"invoices\"]");
        return fields.error();
    }
    host_protocol::heap_sort(scope.begin(), scope.end());
    scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
    return scope;
}

Result<SnapshotRequest> read_snapshot_request(JsonValue object) {
    SnapshotRequest request;
    FieldReader fields(object, "snapshot");
    fields.allow({"gates", "scope", "includeUnavailable", "budget", "capturedAt", "route"});
    auto scope = read_scope(object.find("scope"));
    if (!scope) return scope.error();
    request.scope = std::move(*scope);
    request.include_unavailable = fields.flag("includeUnavailable", true);
    request.captured_at = fields.required_text("capturedAt", 64);
    request.route = fields.optional_text("route", "", 4096);
    if (fields.failed()) return fields.error();
    if (const JsonValue budget = object.find("budget")) {
        FieldReader limits(budget, "snapshot budget");
        if (!budget.is(JsonType::object)) {
            limits.refuse(codes::kInvalidDefinition, "", concat({"must be an object, found ", kind_of(budget)}));
            return limits.error();
        }
        limits.allow({"maxComponents", "maxBytes"});
        request.max_components = limits.count("maxComponents", request.max_components);
        request.max_bytes = limits.count("maxBytes", request.max_bytes);
        if (limits.failed()) return limits.error();
    }
    return request;
}

}  // namespace viewcap
