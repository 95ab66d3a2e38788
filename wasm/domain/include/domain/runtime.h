// The governed runtime: every invocation, resume and listing of one registry under one set of policies (spec:
// domain.md).
//
//     auto runtime = GovernedRuntime::create(registry, facts);            // or INVALID_DEFINITION: a TypeError
//     Step step = (*runtime)->begin(request, now);                        // what the caller does next
//     while (step.ask != Ask::finished) step = (*runtime)->tell(step.execution, told, text, aborted, now);
//
// Sans-I/O: handlers, policies, schemas, stores and timers are the caller's; each Step asks for one thing, each tell()
// says how it went. An execution ends with exactly one finished step, whatever is told; told anything afterwards, or
// something that nothing asked for, it answers finished with an internal error once and `ignored` from then on.
// `now` is the wall clock in milliseconds, it may run backwards; durations are floored at 0.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "domain/audit.h"
#include "domain/discovery.h"
#include "domain/registry.h"
#include "domain/runtime_options.h"

namespace domain {

using ExecutionHandle = std::uint32_t;

/// What the caller has to do. Step.number and Step.text in brackets.
enum class Ask : std::uint8_t {
    finished,  // text: "" completed; else {"status":"failed"|"cancelled","error":{…}} or {"status":"approval-required"}
    validate_input,    // the input, or on a resume the stored one; the validated value is the input from then on
    hash_input,        // the JSON text of the input as it is now
    run_policies,      // a batch (number: the phase, a position in kPhases); each has the rest of policy_timeout_ms
    decide_inline,     // the handler (text: the approval's own facts, see store_approval)
    store_approval,    // the coordinator (text: {"id","inputHash","reasons","types","requestedAt","expiresAt"};
                       // empty after decide_inline, which had it)
    audit_started,     // await every sink for the last event: strict audit
    execute,           // middleware and handler (number: milliseconds that this attempt has)
    back_off,          // wait (number: milliseconds)
    validate_output,   //
    redact,            //
    consume_approval,  // markConsumed with this execution's id
    may_retry,         // retry.retryOn (text: the error)
    ignored            // nothing: the execution has ended, or there is none
};
inline constexpr int kAskCount = 14;

enum class Told : std::uint8_t {
    valid,       // validate_input, validate_output
    invalid,     // the same; text: issues [{path:[text…],message}…]
    hashed,      // hash_input; text: its JSON text
    unhashable,  // hash_input
    batch,       // run_policies; text: "" when each said exactly allow, else outcomes (policy_batch.h)
    decided,     // decide_inline; text: value facts of the decision
    undecided,   // decide_inline: nothing, so the request is stored
    done,        // store_approval, audit_started, consume_approval, back_off, redact
    refused,     // the same, and decide_inline: it failed or threw
    output,      // execute: it returned
    threw,       // execute; text: facts of the throw (failure.h)
    timed_out,   // execute
    stopped,     // execute, back_off: the caller's token was aborted
    yes,         // may_retry
    no,          // may_retry
    broke        // whatever was asked: an exception that nobody expected
};
inline constexpr int kToldCount = 16;

struct Step {
    Ask ask = Ask::ignored;
    ExecutionHandle execution = 0;
    /// Position of the capability in the registry; -1: none.
    std::int64_t capability = -1;
    double number = 0;
    std::string text;
};

/// What a listing needs next.
struct DiscoveryStep {
    enum class Kind : std::uint8_t { run, wait, finished, over_budget, ignored };
    Kind kind = Kind::ignored;
    std::uint32_t discovery = 0;
    std::uint32_t capability = 0;  // run: whose batch
    double timeout_ms = 0;         // run: what the batch has
    std::vector<Listed> listing;   // finished
};

class GovernedRuntime {
  public:
    /// `facts`: see read_runtime_options.
    static host_protocol::Result<std::unique_ptr<GovernedRuntime>> create(SharedRegistry registry,
                                                                          host_protocol::JsonValue facts);
    ~GovernedRuntime();

    const std::vector<std::string>& warnings() const;
    const CapabilityRegistry& registry() const;
    double policy_timeout_ms() const;
    /// Positions of a batch's policies: those of the runtime from 0, then the capability's own after them.
    std::vector<std::uint32_t> batch_positions(std::uint32_t capability, Phase phase) const;

    /// `[executionId, capabilityId, surface, actor facts, correlationId or null, aborted]`
    Step begin(std::string_view request, double now);
    /// `[executionId, stored record's facts or null, guards {"actor"?, "surface"?} or null, aborted]`
    Step resume(std::string_view request, double now);
    /// `aborted`: the caller's token is aborted by now.
    Step tell(ExecutionHandle execution, Told told, std::string_view text, bool aborted, double now);

    /// `[surface, actor facts, scope facts or null]`; INVALID_DEFINITION: a TypeError. `clock` is monotonic.
    host_protocol::Result<DiscoveryStep> describe(std::string_view request, double clock, double now);
    /// One more candidate to run while there is one.
    DiscoveryStep next_candidate(std::uint32_t discovery, double clock, double now);
    /// `outcomes`: "" or as of Told::batch. Then the next one.
    DiscoveryStep reported(std::uint32_t discovery, std::uint32_t capability, std::string_view outcomes, double clock,
                           double now);

    /// A stored record was decided: `{"approved":bool,"record":facts,"approver":facts,"comment"?}` becomes an event.
    void approval_decided(std::string_view text, double now);

    AuditLog& audit();
    /// Executions and listings that have not ended.
    std::size_t open_count() const;

  private:
    struct Impl;
    explicit GovernedRuntime(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace domain
