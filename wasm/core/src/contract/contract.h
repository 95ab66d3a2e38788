// A contract as the registry holds it: parsed, checked, its schemas linted, interned once however many instances mount
// it (spec: capabilities.md §3). Everything in it is frozen; behaviour stays in JavaScript.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/concurrency.h"
#include "host_protocol/descriptor.h"
#include "host_protocol/json_text.h"
#include "host_protocol/result.h"
#include "schema/schema.h"
#include "viewcap/options.h"

namespace viewcap {

enum class CapabilityKind : std::uint8_t { observation, action, procedure };
/// In the order of the vocabulary: observations read, actions have the next two, procedures the rest.
enum class Effect : std::uint8_t {
    read,
    local_state,
    navigation,
    server_query,
    server_mutation,
    external_side_effect,
    destructive
};
enum class Confirmation : std::uint8_t { never, optional, required };

std::string_view effect_name(Effect effect);
std::string_view confirmation_name(Confirmation confirmation);

/// A key of a procedure's input that its reference's binding fixes.
struct BoundKey {
    std::string key;
    /// The agent may not give it; else what the agent gives wins.
    bool locked = true;
};

struct Capability {
    CapabilityKind kind = CapabilityKind::observation;
    Effect effect = Effect::read;
    AuditLevel audit = AuditLevel::metadata;
    Confirmation confirmation = Confirmation::never;
    bool idempotent = false;
    bool reversible = true;
    /// JavaScript validates the input (a Standard Schema).
    bool external_input = false;
    std::string name;
    std::string id;
    std::string description;
    std::string meta;  // JSON text; empty: none
    std::string tags;  // JSON text; empty: none
    std::uint32_t timeout_ms = 0;
    Concurrency concurrency;
    /// What is advertised, and what the agent's part of the input is checked against.
    std::optional<host_protocol::Schema> input;
    /// Procedures: what the merged input is checked against; `input` is this one without the locked keys.
    std::optional<host_protocol::Schema> full_input;
    std::vector<BoundKey> bound;
    std::optional<host_protocol::Schema> output;
    host_protocol::DescriptorTemplate descriptor;
    std::string wire_name;
    /// What a snapshot says of it up to the availability: `{"capabilityId":…`.
    std::string snapshot_head;
    /// Procedures: what follows a note, `,"inputSchema":…`, and what follows the availability, `,"boundFields":[…]`.
    std::string snapshot_schemas;
    std::string snapshot_bound;

    std::string_view plane() const;
};

struct Contract {
    /// The component's type, or the whole id of a procedure, which no component type can be.
    std::string type;
    std::string description;
    std::string meta;
    std::string tags;
    std::string origin;
    double priority = 0;
    /// Observations first, then actions, in the author's order.
    std::vector<Capability> capabilities;
    std::uint32_t observation_count = 0;

    /// A procedure: its one capability is itself, named by its path.
    bool is_procedure() const {
        return !capabilities.empty() && capabilities.front().kind == CapabilityKind::procedure;
    }
    /// Index of the capability of that name, or -1.
    std::int32_t index_of(std::string_view name) const;
};

/// Reads and checks one contract. `external` is an array of action names whose input JavaScript validates, or absent.
/// Fails with the codes of capabilities.md §3; the message names component, capability and field.
host_protocol::Result<std::unique_ptr<Contract>> read_contract(host_protocol::JsonValue contract,
                                                               host_protocol::JsonValue external,
                                                               const RegistryOptions& options);

/// Reads one reference's contract, `{procedure, external?, manifest?, bound?, overridable?, unbound?, confirmation?,
/// concurrency?}` (spec: contextual.md). Fails with INVALID_ID, INVALID_DEFINITION, LIMIT_EXCEEDED, UNSUPPORTED_SCHEMA.
host_protocol::Result<std::unique_ptr<Contract>> read_procedure(host_protocol::JsonValue request,
                                                                const RegistryOptions& options);

}  // namespace viewcap
