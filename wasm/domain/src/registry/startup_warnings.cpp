// W1 to W3: what a runtime says at its start of gates whose records a restart loses, and of writes that nobody records
// (spec: domain.md §5).
#include "domain/runtime_options.h"
#include "host_protocol/json_out.h"
#include "metadata/field.h"

namespace domain {

using host_protocol::concat;

namespace {

constexpr std::size_t kNamed = 3;

/// `"a", "b", "c" +2 more`; empty when none matches.
template <class Matches>
std::string some_ids(const CapabilityRegistry& registry, Matches matches) {
    std::string out;
    std::size_t count = 0;
    for (std::uint32_t at = 0; at < registry.size(); ++at) {
        if (!matches(registry.at(at)) || ++count > kNamed) continue;
        out += concat({out.empty() ? "" : ", ", quoted(registry.at(at).id)});
    }
    if (count > kNamed) out += concat({" +", std::to_string(count - kNamed), " more"});
    return out;
}

bool needs_approval(const Capability& capability) { return capability.approval_required; }
bool lets_models_write(const Capability& capability) {
    return is_write_like(capability.side_effect) && (capability.exposed & kModelSurfaces) != 0;
}

}  // namespace

std::vector<std::string> startup_warnings(const CapabilityRegistry& registry, const RuntimeOptions& options) {
    std::vector<std::string> warnings;
    const std::string gated = some_ids(registry, needs_approval);
    const std::string writes = some_ids(registry, lets_models_write);
    constexpr std::string_view kAdvice =
        ". Approvals are kept in memory and are lost when the process ends: name approvals.coordinator or "
        "approvals.handler.";
    if (!options.has_coordinator && !options.has_handler) {
        if (!gated.empty())
            warnings.push_back(concat({"viewcap: approval is required for ", gated, kAdvice}));
        else if (!options.policies.empty() && !writes.empty())
            warnings.push_back(concat({"viewcap: policies may ask for approval of ", writes, kAdvice}));
    }
    if (!options.has_sinks && !writes.empty())
        warnings.push_back(
            concat({"viewcap: models reach ", writes, ", which write, and no audit sink records it: name audit."}));
    return warnings;
}

}  // namespace domain
