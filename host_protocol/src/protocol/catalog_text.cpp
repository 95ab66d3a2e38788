#include "catalog_text.h"

#include "host_protocol/frame.h"
#include "host_protocol/json_out.h"
#include "host_protocol/vocabulary.h"
#include "text_lists.h"

namespace host_protocol {
namespace {

constexpr JsonLimits kArguments{std::size_t{1} << 30, bounds::kMaxJsonDepth};

void append_identity(std::string& out, std::string_view wire_name, std::string_view canonical_id) {
    out += out.back() == '[' ? "{" : ",{";
    append_text_member(out, "wireName", wire_name);
    append_text_member(out, "canonicalId", canonical_id);
}

void append_place(std::string& out, std::string_view plane, std::string_view executor) {
    append_text_member(out, "plane", plane);
    append_text_member(out, "executor", executor);
}

void append_domain_rest(std::string& out, const DomainTool& tool) {
    append_json_member(out, "description", tool.description);
    append_json_member(out, "inputSchema", tool.input_schema);
    append_bool_member(out, "requiresApproval", tool.requires_approval);
    if (!tool.side_effect.empty()) append_text_member(out, "sideEffect", tool.side_effect);
    out += '}';
}

void append_frontend(std::string& out, const StepTool& tool) {
    append_identity(out, tool.wire_name, tool.canonical_id);
    append_place(out, tool.plane, executors::kBrowser);
    append_json_member(out, "description", tool.description);
    append_json_member(out, "inputSchema", tool.input_schema);
    append_text_member(out, "effect", tool.effect);
    append_text_member(out, "confirmation", tool.confirmation);
    out += '}';
}

void append_meta(std::string& out, const MetaTool& tool) {
    append_identity(out, tool.wire_name, tool.wire_name);
    append_place(out, planes::kView, executors::kBrowser);
    append_text_member(out, "description", tool.description);
    append_json_member(out, "inputSchema", tool.input_schema);
    out += '}';
}

std::vector<DomainTool> read_domain_tools(JsonValue list) {
    std::vector<DomainTool> tools;
    tools.reserve(list.size());
    for (const JsonValue tool : list.elements()) {
        const auto text = [&tool](std::string_view key) { return text_or(tool.find(key), {}); };
        const JsonValue description = tool.find("description");
        const JsonValue schema = tool.find("inputSchema");
        tools.push_back({text("wireName"), text("canonicalId"),
                         description.is(JsonType::string) ? description.raw() : std::string_view("\"\""),
                         schema.is(JsonType::object) ? schema.raw() : std::string_view("{}"),
                         is_true(tool.find("requiresApproval")), text("sideEffect")});
    }
    return tools;
}

void append_reports(std::string& out, const std::vector<CatalogReport>& reports) {
    append_key(out, "reports");
    out += '[';
    for (const CatalogReport& report : reports) {
        out += out.back() == '[' ? "{" : ",{";
        append_text_member(out, "eventType", report.event_type);
        append_text_member(out, "wireName", report.wire_name);
        append_text_member(out, "canonicalId", report.canonical_id);
        append_text_member(out, "message", report.message);
        out += '}';
    }
    out += ']';
}

std::string catalog_json(const Catalog& catalog) {
    std::string out = "{\"ok\":true";
    append_json_member(out, "tools", catalog.tool_block);
    if (!catalog.state_block.empty()) append_text_member(out, "stateBlock", catalog.state_block);
    append_json_member(out, "domainTools", catalog.domain_tools);
    append_texts(out, "scope", catalog.scope);
    append_texts(out, "scopeRejected", catalog.scope_rejected);
    append_reports(out, catalog.reports);
    return out + '}';
}

Error wrong(std::string_view sentence) {
    return make_error(definition_codes::kInvalidDefinition, std::string(sentence), "composeCatalog");
}

}  // namespace

std::string domain_tools_json(const std::vector<const DomainTool*>& tools) {
    std::string out = "[";
    for (const DomainTool* tool : tools) {
        append_identity(out, tool->wire_name, tool->canonical_id);
        append_domain_rest(out, *tool);
    }
    return out + ']';
}

std::string tool_block_json(const std::vector<const DomainTool*>& domain, const std::vector<const StepTool*>& frontend,
                            bool meta) {
    std::string out = "[";
    for (const DomainTool* tool : domain) {
        append_identity(out, tool->wire_name, tool->canonical_id);
        append_place(out, planes::kDomain, executors::kServer);
        append_domain_rest(out, *tool);
    }
    if (meta)
        for (const MetaTool& tool : kMetaTools) append_meta(out, tool);
    else
        for (const StepTool* tool : frontend) append_frontend(out, *tool);
    return out + ']';
}

std::string report_frame(const CatalogReport& report) {
    std::string data = "{";
    append_text_member(data, "wireName", report.wire_name);
    append_text_member(data, "canonicalId", report.canonical_id);
    data += '}';
    return inspector_frame({lanes::kHost, report.event_type, report.message, {}, data});
}

Result<std::string> compose_catalog_text(std::string_view arguments) {
    JsonReader reader;
    const Result<JsonValue> object = reader.read(arguments, kArguments);
    if (!object) return wrong(object.error().message);
    const JsonValue step_value = object->find("step");
    const JsonValue domain = object->find("domainTools");
    if (!step_value.is(JsonType::object)) return wrong("`step` is a decoded step.");
    if (!domain.is(JsonType::array)) return wrong("`domainTools` is an array.");
    const Result<StepRequest> step = read_step(std::string(step_value.raw()));
    if (!step) return step.error();
    const Result<ProtocolLimits> limits = read_protocol_limits(object->find("limits"));
    if (!limits) return limits.error();
    CatalogRequest request{*step, read_domain_tools(domain), {}, {}, *limits};
    if (!read_texts(object->find("admitted"), request.admitted) ||
        !read_texts(object->find("scopeFloor"), request.scope_floor))
        return wrong("`admitted` and `scopeFloor` are arrays of strings.");
    const Admitted<Catalog> composed = compose_catalog(request);
    if (const Refusal* refusal = refusal_of(composed)) return refusal_json(*refusal);
    return catalog_json(std::get<Catalog>(composed));
}

}  // namespace host_protocol
