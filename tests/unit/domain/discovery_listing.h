// Registries made by hand for listings, and outcomes by their verdict.
#pragma once

#include "domain/discovery.h"
#include "walk_text.h"

namespace domain_test {

/// Letters of a capability: d exposed on direct, m on mcp, p has a discovery policy, i an invocation policy, g a static
/// gate, t the tag "t".
inline domain::SharedRegistry registry_of(const Texts& letters) {
    domain::CapabilityRegistry::Parts parts;
    for (const std::string& of : letters) {
        auto capability = std::make_shared<domain::Capability>();
        capability->id = "c" + std::to_string(parts.capabilities.size());
        for (const char letter : of) {
            if (letter == 'd') capability->exposed |= domain::bit(domain::Surface::direct);
            if (letter == 'm') capability->exposed |= domain::bit(domain::Surface::mcp);
            if (letter == 'p') capability->policies.push_back({"p", domain::bit(domain::Phase::discovery)});
            if (letter == 'i') capability->policies.push_back({"i", domain::bit(domain::Phase::invocation)});
            if (letter == 'g') capability->approval_required = true;
            if (letter == 't') capability->tags = {"t"};
        }
        parts.capabilities.push_back(std::move(capability));
    }
    return std::make_shared<const domain::CapabilityRegistry>(std::move(parts));
}

inline domain::BatchOutcome outcome_of(domain::Verdict verdict) {
    domain::BatchOutcome outcome;
    outcome.verdict = verdict;
    return outcome;
}

/// Positions with blanks after them, "!" behind those that need an approval; "unfinished" where it is.
inline std::string listing_of(const domain::Discovery& discovery) {
    if (!discovery.is_finished()) return "unfinished";
    std::string out;
    for (const domain::Listed& listed : discovery.listing())
        out += std::to_string(listed.capability) + (listed.requires_approval ? "! " : " ");
    return out;
}

}  // namespace domain_test
