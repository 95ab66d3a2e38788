// The capability registry: built from a walk over nested procedures, or refused with every problem at once (spec:
// domain.md §§2, 3).
//
//     RegistryBuild build(walk);                                  // what the glue found, node by node
//     for (auto at : build.to_convert()) …                        // the glue converts these input schemas
//     build.conversion_failed(at, "unknown vendor …");            // for each that could not be
//     auto registry = build.finish();                             // shared and immutable, or one aggregate Error
//
// Order is that of the walk, also for keys that look like integers (decision 10).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "domain/capability.h"
#include "host_protocol/json_text.h"
#include "host_protocol/result.h"

namespace domain {

class CapabilityRegistry;
using SharedRegistry = std::shared_ptr<const CapabilityRegistry>;

class CapabilityRegistry {
  public:
    struct Parts {
        std::vector<std::shared_ptr<const Capability>> capabilities;  // in walk order
        std::vector<std::string> excluded;                            // ids of procedures without meta.agent
    };
    explicit CapabilityRegistry(Parts parts);

    std::size_t size() const { return parts_.capabilities.size(); }
    const Capability& at(std::uint32_t index) const { return *parts_.capabilities[index]; }
    /// Exact match only; -1: there is none.
    std::int64_t find(std::string_view id) const;
    const std::vector<std::string>& excluded() const { return parts_.excluded; }

    /// `query`: value facts of a CapabilityQuery `{surface?, tags?, sideEffect?, risk?}`. Keys combine with AND, inside
    /// a key it is any of; an absent key does not constrain, an empty array matches nothing. A key's value may be one
    /// word or an array of words. INVALID_DEFINITION for anything else; an unknown word matches nothing.
    host_protocol::Result<SharedRegistry> filter(host_protocol::JsonValue query) const;
    /// Those at the given positions, order kept; out of range is ignored.
    SharedRegistry keep(const std::vector<std::uint32_t>& positions) const;
    /// `{"capabilities":[id…],"excluded":[{"path":id,"reason":"no-agent-meta"}…],"unexposed":[id…]}`
    std::string inspect() const;
    /// For each capability its position in the registry that this one was filtered from; in a built one, its own.
    const std::vector<std::uint32_t>& origins() const { return origins_; }

  private:
    CapabilityRegistry(Parts parts, std::vector<std::uint32_t> origins);

    Parts parts_;
    std::vector<std::uint32_t> origins_;
    std::vector<std::uint32_t> by_id_;  // positions sorted by id
};

/// Replaces every "." by "_" (spec §3).
std::string default_tool_name(std::string_view id);
/// `[A-Za-z0-9_-]`, 1 to 64 characters (decision 15).
bool is_tool_name(std::string_view name);

/// `walk`: `{"nodes":[node…]}` in walk order, each `{"path":[segment…],"kind":…}` with kind
///   "procedure"               with "meta" (value facts; absent: no meta.agent), "input" and "output" ("none",
///                             "schema", "stream")
///   "segment"                 the last segment is empty or holds "."; the subtree was not walked (problem 28)
///   "lazy" "contract" "leaf"  problems 29, 31, 32; a leaf carries "found" (value facts)
///
/// In meta.policies each item is `{name, evaluate, phases?}`; a composite has been expanded by the glue, its members
/// stand in its place with `"composite": true`.
class RegistryBuild {
  public:
    explicit RegistryBuild(host_protocol::JsonValue walk);
    ~RegistryBuild();
    RegistryBuild(RegistryBuild&&) noexcept;

    /// Those whose input schema must become JSON Schema: exposed on aiSdk or mcp and with one (problem 34). Positions
    /// among the procedures with meta.agent, in walk order, which are those of the registry once it is built.
    const std::vector<std::uint32_t>& to_convert() const;
    void conversion_failed(std::uint32_t capability, std::string_view message);
    /// Error.message: the count and one bullet a problem, in discovery order: walk, collisions and illegal tool names
    /// (aiSdk, then mcp), schemas. Code INVALID_DEFINITION.
    host_protocol::Result<SharedRegistry> finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace domain
