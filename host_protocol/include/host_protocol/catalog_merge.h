// The catalog of one actor for one step: what the page declares and what the server offers, merged
// (spec: host-protocol.md, "Catalog composition").
//
//     CatalogRequest request{step, domain_tools, admitted, scope_floor};
//     Admitted<Catalog> composed = compose_catalog(request);
//     for (const CatalogReport& report : composed.reports) …          // no silent reduction
//
// Pure; never cached across users. Each declaration meets five rules in order, and the first that matches withholds it:
// 1 a malformed or contradicting identity, 2 an operation that the server has itself (version 1: the whole step is
// refused), 3 a wire name that is taken in the catalog so far, 4 a domain id that is not admitted, 5 a view id outside
// the scope. One capability may be offered by several instances under several names; no name is offered twice, and no
// id by both page and server.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/refusal.h"
#include "host_protocol/step_request.h"

namespace host_protocol {

struct DomainTool {
    std::string_view wire_name;
    std::string_view canonical_id;
    std::string_view description;   // JSON text of the string
    std::string_view input_schema;  // JSON text of the object
    bool requires_approval = false;
    std::string_view side_effect{};  // empty: none was declared, which counts as a write
};

struct CatalogRequest {
    const StepRequest& step;
    std::vector<DomainTool> domain_tools;
    std::vector<std::string_view> admitted;     // domain ids that the frontend's manifest lets a page reference
    std::vector<std::string_view> scope_floor;  // empty: unscoped
    ProtocolLimits limits{};
};

struct CatalogReport {
    std::string_view event_type;  // catalog_events
    std::string wire_name;
    std::string canonical_id;
    std::string message;
};

enum class Executor : std::uint8_t { server, browser };

/// What a call of that name is. Views into the request.
struct CatalogTool {
    std::string_view wire_name;
    std::string_view canonical_id;
    Executor executor;
};

struct Catalog {
    std::vector<CatalogTool> tools;  // as the model is offered them: domain, then frontend (or the meta tools)
    std::string tool_block;          // JSON array, the stable half only: byte-identical for the same mounts
    std::string domain_tools;        // JSON array, what a step-start frame carries
    std::string state_block;         // empty: no message
    std::vector<std::string> scope;
    std::vector<std::string> scope_rejected;
    std::vector<CatalogReport> reports;
};

/// CATALOG_TOO_LARGE names plane, count and limit; CATALOG_COLLISION in version 1 only.
Admitted<Catalog> compose_catalog(const CatalogRequest& request);

/// Who a call is about, for the audit: in meta mode the capabilityId of its input, else the id of its name.
std::string_view call_identity(std::string_view wire_name, std::string_view canonical_id, JsonValue input);

/// One inspector frame of a report.
std::string report_frame(const CatalogReport& report);

/// `{"step":{…},"domainTools":[…],"admitted":[…],"scopeFloor"?:[…],"limits"?:{…}}` in;
/// `{"ok":true,"tools":[…],"stateBlock"?:"…","domainTools":[…],"scope":[…],"scopeRejected":[…],"reports":[…]}` or
/// refusal_json out. INVALID_DEFINITION for arguments of other types.
Result<std::string> compose_catalog_text(std::string_view arguments);

}  // namespace host_protocol
