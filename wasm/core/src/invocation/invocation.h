// One call between begin and settlement.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "contract/contract.h"
#include "invocation/dedupe.h"
#include "invocation/failure.h"
#include "invocation/invocation_state.h"
#include "viewcap/effects.h"

namespace viewcap {

struct Invocation {
    InvocationHandle handle = 0;
    InvocationState state = InvocationState::gating;
    RegistrationHandle registration = 0;
    std::uint32_t capability_index = 0;
    std::shared_ptr<const Contract> contract;
    std::string registration_id;
    std::string invocation_id;
    std::string consumer_key;
    /// Its place in the dedupe cache; none when the input was no JSON value.
    DedupeCache::Ticket ticket;
    /// Asked for from inside a handler that holds the same queue.
    bool on_own_queue = false;
    /// A navigation whose owner unmounted: its signal is gone.
    bool aborted = false;
    AuditLevel audit = AuditLevel::metadata;
    std::uint64_t version_at_begin = 0;
    std::uint32_t timeout_ms = 0;
    double began_at = 0;
    double started_at = -1;  // negative: its handler never started
    /// The answer of phase 5, worked out ahead.
    std::optional<Failure> input_failure;
    /// Kept only for a full audit.
    std::string audit_input;
    /// What a reference's binding came to, canonical; the same again before dispatch, or it does not run.
    std::string effective_input;
    /// The confirmation id that came with the call; empty: none.
    std::string evidence;
    /// The confirmation that is reserved for this call; empty: none.
    std::string confirmation_id;
    /// Since the handler was started, or is about to be without anything in between.
    bool dispatched = false;
    /// Milliseconds in line for a place; negative queued_at: it is not in line.
    double queued_at = -1;
    double queue_wait_ms = 0;

    const Capability& capability() const { return contract->capabilities[capability_index]; }
    bool is_observation() const { return capability().kind == CapabilityKind::observation; }
    bool is_procedure() const { return capability().kind == CapabilityKind::procedure; }
    bool is_navigation() const { return capability().effect == Effect::navigation; }
    double deadline() const { return started_at + timeout_ms; }
};

}  // namespace viewcap
