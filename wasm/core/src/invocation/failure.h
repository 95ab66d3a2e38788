// The errors an agent may meet, one maker each, so that code, retry hint and details always fit the vocabulary's row
// (spec: invocation.md §2). Messages are templates: no author's exception text, no stack, no URL.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/json_text.h"
#include "schema/schema.h"

namespace viewcap {

struct Failure {
    std::string_view code;
    std::string_view retry;
    std::string message;
    std::string details;  // JSON object text; empty: none
};

/// Of what an author says in details.
inline constexpr std::size_t kMaxDetailsBytes = 2048;

namespace failures {

Failure not_found();
Failure not_available(std::string_view reason);
/// `instances` is a JSON array.
Failure ambiguous(std::string_view instances, std::size_t count);
/// phase: "resolve", "queued" or "mid-flight".
Failure unmounted(std::string_view phase);
/// reason: "registration-replaced" or "surface-reloaded".
Failure stale(std::string_view reason, std::string_view live_registration_id);
Failure conflict();
Failure invalid_input(const std::vector<host_protocol::Issue>& issues);
/// `issues` is a JSON array that JavaScript's validation made.
Failure invalid_input_json(std::string_view issues);
/// `payload` is the author's `{message, details?}`.
Failure precondition(host_protocol::JsonValue payload);
Failure own_queue();
Failure queue_full();
Failure timeout(std::uint32_t timeout_ms, bool idempotent);
Failure cancelled(bool may_retry);
Failure output_invalid();
Failure output_too_large(std::size_t found, std::size_t allowed);
/// on_server: of a procedure, reason "transport".
Failure handler_error(bool transient, bool on_server = false);
Failure policy_error();
/// A policy of the page refused.
Failure not_authorized();
/// `keys` is a JSON array of names.
Failure locked_fields(std::string_view keys);
Failure binding_failed();
Failure binding_changed();
/// A person has to approve the call first: a step of the protocol (spec: invocation.md §1, "Confirmation").
/// expires_at in milliseconds of the registry's clock.
Failure confirmation_required(std::string_view id, std::string_view summary, double expires_at,
                              std::string_view effect);
/// reason: "denied", "consumed", "mismatch" or "expired".
Failure confirmation_invalid(std::string_view reason);
/// As many as allowed wait for a person already.
Failure too_many_confirmations();
Failure internal();

enum class Thrower : std::uint8_t { policy, handler, executor };
/// The `{code, message, retry?, details?}` of an AgentSurfaceError out of a policy, a handler or precondition, or the
/// executor of procedures. A code that its place may not carry, like an absent payload, is policy_error or
/// handler_error: nobody forges a staleness.
Failure thrown(host_protocol::JsonValue payload, Thrower thrower);

}  // namespace failures

/// Whether a terminal result of this failure is cached for its invocation id.
bool is_cacheable(const Failure& failure);

}  // namespace viewcap
