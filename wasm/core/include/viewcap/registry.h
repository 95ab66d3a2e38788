// The registry: what is mounted, what an agent is offered, and every call's way through the pipeline.
//
//     auto registry = Registry::create(options, match);
//     auto contract = (*registry)->intern_contract(definition, {});
//     RegistrationHandle table = (*registry)->mount(contract->id, mount_text, now).registration;
//     Answer answer = (*registry)->begin(envelope_text, now);      // a plan: run the gates, then the handler
//     Answer result = (*registry)->settle(answer.invocation, SettleOutcome::output, "{}", now);
//
// Sans-I/O: no clock, no randomness, no timer, no callback. `now` is milliseconds of the registry's clock and never
// runs backwards here. What must happen outside collects in the outbox (effects.h). A facade: the rules live in src/.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host_protocol/json_text.h"
#include "host_protocol/result.h"
#include "viewcap/effects.h"
#include "viewcap/options.h"
#include "viewcap/snapshot.h"

namespace viewcap {

/// Steps of an invocation whose gates run in JavaScript (wasm/bindings/README.md).
enum class AdvanceStep : std::uint8_t {
    unavailable,
    input,
    external_issues,
    precondition,
    thrown,
    admit,
    check_again,
    hold,
    votes,
    bound,
    confirm,
    policy_threw,
    policy_denied,
    policy_hid
};
/// How a handler ended.
enum class SettleOutcome : std::uint8_t {
    no_output,
    output,
    not_json,
    thrown_error,
    thrown_other,
    cancelled,
    internal
};

using ContractHandle = std::uint32_t;

struct InternedContract {
    ContractHandle id = 0;
    /// Names in index order: observations, then actions; of a procedure its path.
    std::vector<std::string> capabilities;
};

struct MountOutcome {
    /// 0: refused as a duplicate or by the guard.
    RegistrationHandle registration = 0;
};

struct ProjectionView {
    std::uint32_t view = 0;
    std::uint32_t generation = 0;
    std::uint64_t version = 0;
    std::string_view descriptors;  // valid until the next call
    std::string_view state;
};

class Registry {
  public:
    /// INVALID_DEFINITION or UNSUPPORTED_SCHEMA for options that cannot be.
    static host_protocol::Result<std::unique_ptr<Registry>> create(host_protocol::JsonValue options,
                                                                   host_protocol::PatternMatch match);
    ~Registry();

    /// 1: events wanted, 2: audit records wanted.
    void listen(unsigned mask);
    /// Capabilities.md §3: INVALID_DEFINITION, INVALID_ID, LIMIT_EXCEEDED, DUPLICATE_CAPABILITY, UNSUPPORTED_SCHEMA,
    /// PLANE_VIOLATION. An equal contract gets the handle it has.
    host_protocol::Result<InternedContract> intern_contract(host_protocol::JsonValue contract,
                                                            host_protocol::JsonValue external);
    /// Contextual.md: a reference's contract, `{procedure, external?, manifest?, bound?, overridable?, unbound?,
    /// confirmation?, concurrency?}`; the same codes.
    host_protocol::Result<InternedContract> intern_procedure(host_protocol::JsonValue request);
    /// `[path, …]`: procedures that the application has, beside those known before.
    void known_paths(std::string_view text);
    /// `{registrationId, instanceId?, parent?, enabled?, guard?, policies?, votes?, discovery?, audit?}`, or of a
    /// procedure `owner?` and `meta?` instead of instance and parent; INVALID_ID, LIMIT_EXCEEDED or INVALID_DEFINITION,
    /// PLANE_VIOLATION for a component that is named like a procedure where the options say so.
    host_protocol::Result<MountOutcome> mount(ContractHandle contract, std::string_view text, double now);
    /// The keys of a reference became known; INVALID_DEFINITION for a contract of another procedure.
    host_protocol::Status rebind(RegistrationHandle registration, ContractHandle contract, double now);
    /// Ends a registration, its calls and the references that it owns; unknown handles are ignored.
    void unmount(RegistrationHandle registration, double now);
    /// `{enabled?, availability?, invalidate?}`; INVALID_DEFINITION for an unknown capability or shape.
    host_protocol::Status update(RegistrationHandle registration, std::string_view text, double now);
    /// `[[registration, capability, open, reason?], …]`: what `when()` says now.
    host_protocol::Status gates(std::string_view text, double now);

    Answer begin(std::string_view envelope, double now);
    Answer advance(InvocationHandle invocation, AdvanceStep step, std::string_view text, double now);
    Answer settle(InvocationHandle invocation, SettleOutcome outcome, std::string_view text, double now);
    /// Ends what is over its time; milliseconds until the next deadline, or -1.
    double expire(double now);

    /// A person's decision, `{id, approved, reason?}`; true only for the call that decided.
    bool resolve_confirmation(std::string_view text, double now);
    /// What waits for a person, as a JSON array.
    std::string confirmations(double now);

    /// `""` or `{gates?, notes?, scope?, consumer?, votes?}`.
    host_protocol::Result<ProjectionView> project(std::string_view text, double now);
    /// Names of a view's last projection as JSON; "{}" for an unknown view.
    std::string wire_names(std::uint32_t view);
    host_protocol::Result<std::string> snapshot(std::string_view text, double now);
    std::uint64_t version() const;

    Outbox& outbox();
    /// Ends every registration and call; nothing is live afterwards.
    void dispose(double now);

  private:
    struct Impl;
    explicit Registry(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace viewcap
