// One execution: the fifteen stages as a machine that asks for one thing at a time (spec: domain.md §§6, 8).
//
//   validate ─ hash ─ invocation policies ─ gate ─ execution policies ─ gate ─ start ─ attempts ─ output ─ redact ─ end
//      ╰ conceal                              ╰ inline or stored
//   a resume: stored record's checks ─ re-hash ─ validate ─ re-hash ─ consume ─ execution policies ─ …
//
// Each stage is a function that either finishes, or sets what is asked and returns. `tell` finds the stage by what was
// asked: there is no second state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/approval.h"
#include "domain/audit.h"
#include "domain/policy_batch.h"
#include "domain/runtime.h"

namespace domain {

/// What the caller may tell or hand over at once: more than any facts or issues that the glue writes.
inline constexpr host_protocol::JsonLimits kToldLimits{std::size_t{64} << 20, 64};

class Execution {
  public:
    struct Surroundings {
        const CapabilityRegistry& registry;
        const RuntimeOptions& options;
        AuditLog& audit;
    };
    Execution(Surroundings around, ExecutionHandle handle, std::string_view execution_id, double now);

    Step begin(host_protocol::JsonValue request, double now);
    Step resume(host_protocol::JsonValue request, double now);
    Step tell(Told told, std::string_view text, bool aborted, double now);
    bool has_ended() const { return asked_ == Ask::finished; }

  private:
    // What a batch of policies, a hash or a gate is run for.
    enum class Purpose : std::uint8_t { conceal, invocation, execution };
    enum class HashFor : std::uint8_t { audit, gate, stored, validated };

    Step ask(Ask what, double number = 0, std::string text = {});
    Step finish(std::string text);
    Step fail(const Failure& failure, double now);
    Step deny(const Failure& failure, std::string_view reason, double now);
    Step cancel(std::string_view code, double now);
    Step break_down(double now);

    Step look_up(double now);
    Step validate(double now);
    Step input_validated(double now);
    Step input_refused(Failure failure, double now);
    Step conceal(double now);
    Step conceal_or_fail(const BatchOutcome& outcome, double now);
    Step hash(HashFor purpose);
    Step hashed(Told told, std::string_view text, double now);
    Step authenticate(double now);
    Step run_policies(Purpose purpose, double now);
    Step policies_ran(std::string_view text, double now);
    Step invocation_decided(const BatchOutcome& outcome, double now);
    Step execution_decided(const BatchOutcome& outcome, double now);
    std::optional<Failure> refusal_of(const BatchOutcome& outcome, std::string_view& reason) const;
    Step consume(double now);

    Step open_gate(const std::vector<ApprovalDemand>& demands, double now);
    Step request_approval(double now);
    Step decided_inline(Told told, std::string_view text, double now);
    Step stored(Told told, double now);
    Step after_gate(double now);
    ApprovalNote note() const;

    Step start(double now);
    Step execute();
    Step executed(Told told, std::string_view text, double now);
    Step attempt_failed(Failure failure, double now);
    Step retry_or_end(bool allowed, double now);
    Step end_attempts(double now);
    Step check_output(double now);
    Step redact(double now);
    Step complete(double now);

    Envelope envelope() const;
    const Capability& capability() const { return around_.registry.at(static_cast<std::uint32_t>(capability_)); }
    double duration(double now) const { return now > started_at_ ? now - started_at_ : 0; }

    Surroundings around_;
    ExecutionHandle handle_;
    std::string execution_id_, capability_id_, correlation_id_, surface_text_, input_hash_;
    std::optional<Surface> surface_;
    ActorFacts actor_;
    double started_at_;
    std::int64_t capability_ = -1;
    Ask asked_ = Ask::ignored;
    bool aborted_ = false, executed_ = false;

    Purpose purpose_ = Purpose::invocation;
    HashFor hash_for_ = HashFor::audit;
    bool hash_tried_ = false;
    std::optional<Failure> pending_;  // what is failed with unless it is concealed, or unless another attempt is made
    std::vector<PolicyRecord> policies_;

    bool is_resume_ = false;
    std::string stored_hash_;
    std::string approval_id_;  // of the approval that this execution has
    std::optional<MergedApproval> merged_;
    bool gate_is_second_ = false;
    double requested_at_ = 0;
    double attempts_ = 0;
};

}  // namespace domain
