// Confirmations: what a person was asked, what the answer was, and that one approval serves one call (spec:
// invocation.md §1, "Confirmation").
//
//     ConfirmationVerdict verdict = store.check(ask, evidence, fresh_id, invocation, now);   // phase 6
//     if (verdict.failure) …                        // asked, or refused
//     store.settle(evidence, invocation, started_at);     // the call was dispatched: the approval is used up
//     store.release(evidence, invocation);                // or it was not: the approval is good for another call
//
// A record is bound to exactly one request: its digest is over surface, registration, capability, consumer, effective
// input and effect. The input's text is kept while a person may look at it. Every expiry is decided by comparing with
// `now` (milliseconds of the registry's clock) at use; expire() only tells it in time.
// Found by id, by digest, by age: no call passes over all records.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "audit/event_log.h"
#include "invocation/failure.h"
#include "viewcap/effects.h"
#include "viewcap/options.h"

namespace viewcap {

/// What a person is asked about.
struct ConfirmationAsk {
    std::string_view consumer_key;
    std::string_view registration_id;
    std::string_view capability_id;
    std::string_view effect;
    std::string_view description;
    std::string_view input;    // the effective input, canonical JSON
    std::string_view summary;  // a policy's; empty: description and input
};

/// No failure: the approval is reserved for the call. approved_at in milliseconds of the registry's clock.
struct ConfirmationVerdict {
    std::optional<Failure> failure;
    double approved_at = -1;
};

class ConfirmationStore {
  public:
    ConfirmationStore(const RegistryOptions& options, Outbox& outbox, EventLog& log)
        : options_(options), outbox_(outbox), log_(log) {}

    /// CONFIRMATION_REQUIRED, CONFIRMATION_INVALID or RATE_LIMITED, or the approval reserved for `by`. `evidence` is
    /// the id that came with the call, empty for none; `fresh_id` names the record when one is made.
    ConfirmationVerdict check(const ConfirmationAsk& ask, std::string_view evidence, std::string_view fresh_id,
                              InvocationHandle by, double now);
    /// The call that holds the approval has ended after its dispatch, at `spent_at`: nobody uses it again.
    void settle(std::string_view id, InvocationHandle by, double spent_at);
    /// The call that holds the approval has ended before its dispatch: another one may use it.
    void release(std::string_view id, InvocationHandle by);

    /// True only for the call that decided; false for an unknown, decided or expired one.
    bool resolve(std::string_view id, bool approved, double now);
    /// registration_id: empty where the call names none. Whether a call with these ids and this evidence carries an
    /// approval that is good now. What was approved in particular is check()'s matter.
    bool carries_approval(std::string_view id, std::string_view consumer_key, std::string_view registration_id,
                          std::string_view capability_id, double now) const;
    /// What waits for a person, oldest first: a JSON array of `{confirmationId, capabilityId, registrationId,
    /// consumerKey, effect, summary, input, requestedAt, expiresAt}`.
    std::string pending(double now);
    /// Ends what is over its time; milliseconds until the next pending one is, rounded up, or -1.
    double expire(double now);
    /// Everything pending expires now.
    void dispose(double now);

    std::size_t pending_count() const { return pending_.size(); }
    /// All that is remembered.
    std::size_t size() const { return by_id_.size(); }

  private:
    enum class State : std::uint8_t { pending, approved, denied, expired, consumed };
    struct Record {
        State state = State::pending;
        InvocationHandle by = 0;  // approved: the call that it is reserved for
        std::uint32_t number = 0;
        double requested_at = 0;
        double expires_at = 0;
        double ended_at = 0;  // when it was decided, expired or consumed
        std::string id;
        std::string digest;
        std::string capability_id;
        std::string registration_id;
        std::string consumer_key;
        std::string effect;
        std::string summary;
        std::string input;  // while pending
    };
    /// By a time, then by age.
    using Timeline = std::map<std::pair<double, std::uint32_t>, Record*>;

    std::string digest_of(const ConfirmationAsk& ask) const;
    Record* find(std::string_view id) const;
    Record* find_digest(std::string_view digest) const;
    ConfirmationVerdict check_evidence(std::string_view evidence, std::string_view digest, InvocationHandle by,
                                       double now);
    ConfirmationVerdict request(const ConfirmationAsk& ask, std::string digest, std::string_view fresh_id, double now);
    /// A pending record is decided, or over its time.
    void end(Record& record, State state, double now);
    /// Whether it is an approval that nobody used in time (one that a call holds was); then it ends.
    bool lapse(Record& record, double now);
    /// Remembers a record that nobody waits for and no call holds. There may be no room: do not use it afterwards.
    void keep(Record& record, State state, double ended_at);
    /// The same request without evidence is answered by this one.
    void lead(Record& record);
    void forget(Record& record);
    static std::string_view outcome_of(State state);
    static ConfirmationNote note_of(const Record& record);
    static ConfirmationVerdict required(const Record& record);

    const RegistryOptions& options_;
    Outbox& outbox_;
    EventLog& log_;
    std::uint32_t next_number_ = 1;
    std::map<std::string_view, std::unique_ptr<Record>> by_id_;
    /// The record that answers for a digest: the youngest, or an approval that came back when the youngest was over.
    std::map<std::string_view, Record*> by_digest_;
    /// By their expiry.
    Timeline pending_;
    /// What may be forgotten, by the time of its end: all others but those that a call holds.
    Timeline resolved_;
};

}  // namespace viewcap
