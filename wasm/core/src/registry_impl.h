// The parts of a registry, brought together; no rule of its own beyond their order. The facade is in three sources:
// registry.cpp (making, calls), registry_mounting.cpp (what is live), registry_catalog.cpp (what is shown).
#pragma once

#include <algorithm>

#include "audit/event_log.h"
#include "catalog/views.h"
#include "contract/contract_store.h"
#include "host_protocol/vocabulary.h"
#include "invocation/pipeline.h"
#include "json_out.h"
#include "registration/collisions.h"
#include "registration/mounting.h"
#include "registration/surface.h"
#include "viewcap/registry.h"

namespace viewcap {

/// Texts that the JavaScript side makes of an author's values: bounded well above what any limit lets pass.
inline constexpr host_protocol::JsonLimits kDocument{std::size_t{16} << 20, 64};

inline host_protocol::Error unreadable(std::string_view what, const host_protocol::Error& fault) {
    return host_protocol::make_error(host_protocol::definition_codes::kInvalidDefinition,
                                     concat({what, " is not readable: ", fault.message}), fault.path);
}

struct Registry::Impl {
    explicit Impl(RegistryOptions given)
        : options(std::move(given)),
          contracts(options),
          surface(options.limits),
          log(outbox),
          pipeline(options, surface, outbox, log) {}

    /// Time never runs backwards: what has expired stays expired.
    double at(double now) {
        latest = std::max(latest, now);
        return latest;
    }
    void moved() {
        surface.bump();
        log.surface_changed(surface.version());
    }
    /// Ends a registration, its calls, and the references that it owns.
    void remove(Registration& registration, double now);
    void remove_one(Registration& registration, double now);
    /// Whether a component may be mounted beside the procedures that are known.
    host_protocol::Status check_names(const Contract& contract, const std::vector<std::uint32_t>& collisions) const;
    host_protocol::Result<InternedContract> interned(const host_protocol::Result<ContractHandle>& handle) const;
    void note_availability(const Registration& registration, std::uint32_t capability, bool before);
    host_protocol::Status take_gate(host_protocol::JsonValue gate);
    host_protocol::Status take_gates(host_protocol::JsonValue list);
    host_protocol::Status take_notes(host_protocol::JsonValue list);

    RegistryOptions options;
    Outbox outbox;
    ContractStore contracts;
    Surface surface;
    EventLog log;
    Pipeline pipeline;
    Collisions collisions;
    Views views;
    host_protocol::JsonReader reader;
    double latest = 0;
};

}  // namespace viewcap
