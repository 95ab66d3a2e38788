// The five rules. Names and ids of the server come first: a page never displaces them.
#include "host_protocol/catalog_merge.h"

#include <algorithm>
#include <set>

#include "catalog_text.h"
#include "host_protocol/heap_sort.h"
#include "host_protocol/ids.h"
#include "host_protocol/json_out.h"
#include "host_protocol/scope.h"
#include "host_protocol/state_block.h"
#include "host_protocol/vocabulary.h"
#include "host_protocol/wire_names.h"
#include "shape.h"

namespace host_protocol {
namespace {

bool is_wire_name(std::string_view name) {
    if (name.empty() || name.size() > bounds::kMaxWireNameUnits) return false;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_') return false;
    }
    return true;
}

bool is_meta_name(std::string_view name) {
    for (const MetaTool& tool : kMetaTools)
        if (tool.wire_name == name) return true;
    return false;
}

/// Rule 1: what is wrong with the identity, or nothing.
std::string_view identity_fault(const StepTool& tool) {
    const std::optional<CapabilityId> id = parse_capability_id(tool.canonical_id);
    if (!id) return "its id is malformed";
    if (!is_wire_name(tool.wire_name)) return "its wire name is malformed";
    if (is_meta_name(tool.wire_name)) return "its wire name is reserved";
    const bool view = id->plane == Plane::view;
    if (tool.plane != (view ? planes::kView : planes::kDomain)) return "its plane contradicts its id";
    const std::string_view prefix = view ? "view_" : "domain_";
    if (tool.wire_name.substr(0, prefix.size()) != prefix) return "its wire name lacks the prefix of its plane";
    return {};
}

using Names = std::set<std::string_view>;

class Merge {
  public:
    explicit Merge(const CatalogRequest& request)
        : request_(request),
          step_(request.step),
          meta_(request.step.catalog_mode == catalog_modes::kMeta),
          admitted_(request.admitted.begin(), request.admitted.end()) {}

    Admitted<Catalog> run() {
        static const std::vector<std::string_view> kNoRequest;
        resolved_ = resolve_scope(request_.scope_floor, step_.requested_scope ? *step_.requested_scope : kNoRequest);
        catalog_.scope.assign(resolved_.scope.begin(), resolved_.scope.end());
        catalog_.scope_rejected.assign(resolved_.rejected.begin(), resolved_.rejected.end());
        const ProtocolLimits& limits = request_.limits;
        if (!within("frontend", step_.tools.size(), limits.max_frontend_tools) ||
            !within("domain", request_.domain_tools.size(), limits.max_domain_tools))
            return *refusal_;
        take_domain();
        if (!take_frontend()) return *refusal_;
        if (!within("total", catalog_.tools.size(), limits.max_total_tools)) return *refusal_;
        report_truncation();
        write();
        return std::move(catalog_);
    }

  private:
    bool within(std::string_view plane, std::size_t count, std::uint32_t limit) {
        if (count <= limit) return true;
        refusal_ = refuse(host_codes::kCatalogTooLarge,
                          concat({"Found ", shape::decimal(static_cast<double>(count)), " tools (", plane,
                                  "); at most ", shape::decimal(limit), " are allowed."}));
        return false;
    }

    void report(std::string_view event, std::string_view name, std::string_view id, std::string_view why) {
        catalog_.reports.push_back({event, std::string(name), std::string(id), concat({"Not offered: ", why, "."})});
    }

    void take_domain() {
        for (const DomainTool& tool : request_.domain_tools) {
            const std::optional<CapabilityId> id = parse_capability_id(tool.canonical_id);
            if (!id || id->plane != Plane::domain || encode_wire_name(tool.canonical_id) != tool.wire_name) {
                report(catalog_events::kCatalogUndecodable, tool.wire_name, tool.canonical_id,
                       "its name cannot be mapped to its id");
            } else if (!names_.insert(tool.wire_name).second) {
                report(catalog_events::kCatalogCollision, tool.wire_name, tool.canonical_id,
                       "the server lists this operation twice");
            } else {
                server_ids_.insert(tool.canonical_id);
                domain_.push_back(&tool);
                catalog_.tools.push_back({tool.wire_name, tool.canonical_id, Executor::server});
            }
        }
    }

    bool take_frontend() {
        for (const StepTool& tool : step_.tools) {
            std::string_view event;
            const std::string why = objection(tool, event);
            if (event == catalog_events::kCatalogCollision && step_.protocol_version == 1) {
                refusal_ = refuse(host_codes::kCatalogCollision, concat({"Operation '", tool.canonical_id,
                                                                         "' is declared by the page and offered by "
                                                                         "the server; version 1 allows one path."}));
                return false;
            }
            if (!event.empty()) {
                report(event, tool.wire_name, tool.canonical_id, why);
                continue;
            }
            names_.insert(tool.wire_name);
            frontend_.push_back(&tool);
            if (!meta_) catalog_.tools.push_back({tool.wire_name, tool.canonical_id, Executor::browser});
        }
        if (meta_)
            for (const MetaTool& tool : kMetaTools)
                catalog_.tools.push_back({tool.wire_name, tool.wire_name, Executor::browser});
        return true;
    }

    /// The first rule that matches; `event` stays empty when none does.
    std::string objection(const StepTool& tool, std::string_view& event) const {
        if (const std::string_view fault = identity_fault(tool); !fault.empty()) {
            event = catalog_events::kCatalogNameConflict;
            return std::string(fault);
        }
        if (server_ids_.count(tool.canonical_id) != 0) {
            event = catalog_events::kCatalogCollision;
            return "the server offers this operation itself";
        }
        if (names_.count(tool.wire_name) != 0) {
            event = catalog_events::kCatalogNameConflict;
            return "its wire name is taken";
        }
        const CapabilityId id = *parse_capability_id(tool.canonical_id);
        if (id.plane == Plane::domain && admitted_.count(tool.canonical_id) == 0) {
            event = catalog_events::kCatalogNotAdmitted;
            return "no page may reference this operation";
        }
        if (id.plane == Plane::view && !in_scope(id.component_type, resolved_.scope)) {
            event = catalog_events::kCatalogOutOfScope;
            return "it lies outside the scope of this step";
        }
        return {};
    }

    void report_truncation() {
        if (!step_.truncated || step_.truncated->dropped <= 0) return;
        report(catalog_events::kCatalogTruncated, {}, {},
               concat({"the page left out ", shape::decimal(step_.truncated->dropped), " capabilities (",
                       step_.truncated->reason, ")"}));
    }

    void write() {
        catalog_.domain_tools = domain_tools_json(domain_);
        catalog_.tool_block = tool_block_json(domain_, frontend_, meta_);
        // In meta mode the names are none that the model knows; surface_discover tells the state.
        if (!meta_) catalog_.state_block = render_state_block(state(), offered());
    }

    std::vector<std::string_view> offered() const {
        std::vector<std::string_view> names;
        for (const StepTool* tool : frontend_) names.push_back(tool->wire_name);
        heap_sort(names.begin(), names.end());
        return names;
    }

    /// What the page says, and for a declaration that it says nothing of, what the declaration says itself.
    std::vector<StepState> state() const {
        std::vector<StepState> all = step_.state;
        Names said;
        for (const StepState& entry : all) said.insert(entry.wire_name);
        for (const StepTool* tool : frontend_)
            if (!tool->available && said.count(tool->wire_name) == 0)
                all.push_back({tool->wire_name, false, tool->unavailable_reason, {}});
        return all;
    }

    const CatalogRequest& request_;
    const StepRequest& step_;
    const bool meta_;
    const Names admitted_;
    Names names_;
    Names server_ids_;
    std::vector<const DomainTool*> domain_;
    std::vector<const StepTool*> frontend_;
    ResolvedScope resolved_;
    Catalog catalog_;
    std::optional<Refusal> refusal_;
};

}  // namespace

Admitted<Catalog> compose_catalog(const CatalogRequest& request) { return Merge(request).run(); }

std::string_view call_identity(std::string_view wire_name, std::string_view canonical_id, JsonValue input) {
    if (!is_meta_name(wire_name)) return canonical_id;
    return text_or(input.find("capabilityId"), canonical_id);
}

}  // namespace host_protocol
