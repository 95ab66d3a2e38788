// One capability as it was built: what its metadata says, defaults of the metadata filled in (spec: domain.md §2).
//
// Immutable once built and shared between a registry and the registries filtered from it. Handlers, policies' functions
// and schemas stay in JavaScript; here they are facts: there is one, it is called so, it applies to these phases.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/domain_vocabulary.h"

namespace domain {

/// Positions in kSurfaces.
enum class Surface : std::uint8_t { direct, ai_sdk, mcp, workflow, test };
/// Positions in kSideEffects.
enum class SideEffect : std::uint8_t { none, read, write, destructive, external };
/// Positions in kPhases.
enum class Phase : std::uint8_t { discovery, invocation, execution };

inline constexpr std::uint8_t bit(Surface surface) {
    return static_cast<std::uint8_t>(1u << static_cast<int>(surface));
}
inline constexpr std::uint8_t bit(Phase phase) { return static_cast<std::uint8_t>(1u << static_cast<int>(phase)); }

/// write, destructive, external (spec §1).
inline constexpr bool is_write_like(SideEffect effect) { return effect >= SideEffect::write; }
/// What a model reads: aiSdk and mcp (spec §1).
inline constexpr std::uint8_t kModelSurfaces = bit(Surface::ai_sdk) | bit(Surface::mcp);

/// The surface of that name; none for any other text.
std::optional<Surface> surface_named(std::string_view name);
inline std::string_view name_of(Surface surface) { return kSurfaces[static_cast<std::size_t>(surface)]; }

/// A policy that is no composite: those were expanded before (spec §4.5).
struct Policy {
    std::string name;
    std::uint8_t phases = 0;  // bit(Phase), any number of them

    bool applies_to(Phase phase) const { return (phases & bit(phase)) != 0; }
};

struct Capability {
    std::string id;                 // path joined by "."
    std::vector<std::string> path;  // no segment is empty or holds "."
    std::string description;
    std::vector<std::string> tags;
    std::vector<Policy> policies;
    std::string tool_names[2];  // of aiSdk and of mcp: the override, else the id with "." as "_"
    std::uint8_t exposed = 0;   // bit(Surface), only what is literally true
    SideEffect side_effect = SideEffect::none;
    std::uint8_t risk = 0;  // position in kRisks
    bool idempotent = false;
    bool has_input_schema = false;
    bool has_output_schema = false;
    bool redacts_output = false;
    bool asks_before_retry = false;  // retry.retryOn
    double max_retries = 0;          // retry.maxAttempts: attempts after the first; a whole number
    double backoff_ms = 250;
    std::optional<double> timeout_ms;
    bool approval_required = false;
    std::optional<std::string> approval_type;
    std::optional<double> approval_expires_in_ms;

    bool is_exposed_on(Surface surface) const { return (exposed & bit(surface)) != 0; }
    std::string_view side_effect_name() const { return kSideEffects[static_cast<std::size_t>(side_effect)]; }
    std::string_view risk_name() const { return kRisks[risk]; }
};

}  // namespace domain
