// Audit events as JSON text, in the order in which things happened (spec: domain.md §10). SI-10: ids, hashes, classes
// and durations; never a payload.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/capability.h"
#include "domain/failure.h"
#include "host_protocol/json_text.h"

namespace domain {

/// Who is named by an event. A malformed actor is `unknown` unless its id is text, and anonymous.
struct ActorFacts {
    std::string id = "unknown";
    std::string_view kind = actor_kinds::kAnonymous;
    bool is_well_formed = false;  // an object, a non-empty string as id, one of the four kinds
};
/// `facts`: value facts of whatever was given as actor.
ActorFacts read_actor(host_protocol::JsonValue facts);

/// Stances in the order of kStances.
enum class Stance : std::uint8_t { allow, deny, hide, require_approval, error };
struct PolicyRecord {
    std::string_view policy;  // lives as long as the runtime
    Stance stance;
};

/// What every event of one call carries; empty texts are left out.
struct Envelope {
    std::string_view surface;
    const ActorFacts* actor = nullptr;
    std::string_view execution_id, capability_id, correlation_id, input_hash;
};

struct ApprovalNote {
    std::string_view id;
    std::string reasons, types;  // JSON arrays
    double expires_at = 0;
};

/// Collects events for the glue to deliver. Not listening, it writes nothing.
class AuditLog {
  public:
    void listen(bool wanted) { wanted_ = wanted; }
    bool wanted() const { return wanted_; }
    bool empty() const { return items_.empty(); }
    /// The events as one JSON array; empties the log.
    std::string take();

    /// capability: null when the id does not resolve.
    void requested(const Envelope& call, const Capability* capability, double now);
    void denied(const Envelope& call, std::string_view reason, std::string_view public_code,
                const std::vector<PolicyRecord>& policies, double now);
    void approval_requested(const Envelope& call, const ApprovalNote& approval, double now);
    /// `approver` is the envelope's actor too (decision 8).
    void decided(bool approved, const Envelope& call, std::string_view approval_id, std::string_view comment,
                 double now);
    void started(const Envelope& call, std::string_view approval_id, double now);
    void retried(const Envelope& call, double attempt, std::string_view previous_code, double now);
    void completed(const Envelope& call, double duration_ms, double attempts, double now);
    void failed(const Envelope& call, const Failure& failure, double attempts, bool executed,
                const std::vector<PolicyRecord>& policies, double now);
    void cancelled(const Envelope& call, std::string_view code, double duration_ms, double now);
    /// ids: of the listing, in its order. The digest is over the sorted list.
    void discovered(std::string_view surface, const ActorFacts& actor, const std::vector<std::string_view>& ids,
                    bool verbose, double now);

  private:
    void write(std::string_view type, const Envelope& call, double now, std::string_view data);
    bool wanted_ = false;
    std::string items_;
};

}  // namespace domain
