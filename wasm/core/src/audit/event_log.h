// Events for subscribers and records for the audit sink (spec: invocation.md §3), written into the outbox only when
// somebody listens.
#pragma once

#include <cstdint>
#include <string_view>

#include "contract/contract.h"
#include "registration/registration.h"
#include "viewcap/effects.h"

namespace viewcap {

/// One call, as events and records name it. Times in milliseconds; a negative started_at: the handler never started.
struct CallRecord {
    std::string_view invocation_id;
    std::string_view capability_id;
    std::string_view registration_id;  // empty: unresolved
    std::string_view consumer_id;
    AuditLevel level = AuditLevel::metadata;
    std::string_view input;  // JSON text, kept for a full audit; empty: none
    double began_at = 0;
    double started_at = -1;
    double queue_wait_ms = 0;
};

/// How it ended.
struct Settlement {
    std::string_view code;    // empty: ok
    std::string_view output;  // JSON text; empty: none
    double now = 0;
};

/// One confirmation, as events and records name it.
struct ConfirmationNote {
    std::string_view confirmation_id;
    std::string_view capability_id;
    std::string_view registration_id;
    std::string_view consumer_id;
};

class EventLog {
  public:
    explicit EventLog(Outbox& outbox) : outbox_(outbox) {}

    static constexpr unsigned kEvents = 1;
    static constexpr unsigned kAudit = 2;
    void listen(unsigned mask) { mask_ = mask; }
    bool wants_events() const { return (mask_ & kEvents) != 0; }
    bool wants_audit() const { return (mask_ & kAudit) != 0; }
    bool silent() const { return mask_ == 0; }

    void surface_changed(std::uint64_t version);
    /// Of a reference only the record: it is no component.
    void registered(const Registration& registration, double now);
    void unregistered(const Registration& registration, double now);
    /// reason: "duplicate" or "guard".
    void rejected(const Contract& contract, std::string_view instance_id, std::string_view reason, double now);
    void availability_changed(const Registration& registration, std::uint32_t capability, bool available);
    /// A capability of the view whose name a procedure has.
    void collision_suspected(const Registration& registration, std::uint32_t capability, double now);
    void started(const CallRecord& call);
    void settled(const CallRecord& call, const Settlement& settlement);
    void late_settlement(const CallRecord& call, double now);
    void confirmation_requested(const ConfirmationNote& note, double expires_at, double now);
    /// outcome: "approved", "denied" or "expired".
    void confirmation_resolved(const ConfirmationNote& note, std::string_view outcome, double now);
    /// For the audit only: an approval that nobody used in time, or that a call used.
    void confirmation_lapsed(const ConfirmationNote& note, double at);
    void confirmation_consumed(const ConfirmationNote& note, double at);

  private:
    void confirmation_record(std::string_view type, const ConfirmationNote& note, double at);
    void lifecycle(std::string_view event, std::string_view audit, const Registration& registration, double now);

    Outbox& outbox_;
    unsigned mask_ = 0;
};

}  // namespace viewcap
