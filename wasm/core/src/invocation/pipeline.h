// The governed pipeline (spec: invocation.md §1).
//
// begin() computes ahead: it answers what phases 1 to 3 decide, validates the input, takes a place when one is free,
// and returns a plan. JavaScript runs the author's gates, policies and bindings in the order of the phases and comes
// back with advance() where one fails, where the core has to decide (who is hidden, what a binding comes to, whether a
// person agreed) or where the call must wait, and with settle() once. A plan that has policies or needs a confirmation
// is admitted by advance(admit) instead of at begin.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "admission/admissions.h"
#include "audit/event_log.h"
#include "confirmation/confirmation_store.h"
#include "invocation/dedupe.h"
#include "invocation/envelope.h"
#include "invocation/invocation.h"
#include "invocation/resolution.h"
#include "invocation/result_text.h"
#include "registration/surface.h"
#include "viewcap/options.h"
#include "viewcap/registry.h"

namespace viewcap {

/// What the steps of a call bring with them.
inline constexpr host_protocol::JsonLimits kPayload{std::size_t{1} << 20, 64};

class Pipeline {
  public:
    Pipeline(const RegistryOptions& options, Surface& surface, Outbox& outbox, EventLog& log);

    Answer begin(std::string_view envelope_text, double now);
    Answer advance(InvocationHandle handle, AdvanceStep step, std::string_view text, double now);
    Answer settle(InvocationHandle handle, SettleOutcome outcome, std::string_view text, double now);

    ConfirmationStore& confirmations() { return confirmations_; }

    /// `registration` has left the surface: ends its calls, or takes the signal of a navigation.
    void unmounted(const Registration& registration, double now);
    void dispose(double now);
    /// Ends what is over its time; milliseconds until the next deadline, or -1.
    double expire(double now);

  private:
    /// Whose handler may still settle after its call has ended.
    struct LateCall {
        InvocationHandle handle;
        std::shared_ptr<Invocation> invocation;
    };

    /// A call whose target discovery policies decide on. Author code votes meanwhile, so it keeps its own text.
    struct Asking {
        std::string envelope;
        DedupeCache::Ticket ticket;
        /// Whom the votes so far hide, and whether this is the second round of them.
        HiddenSet hidden;
        bool again = false;
    };

    Answer answer_at_once(const Envelope& envelope, const DedupeCache::Ticket& ticket, const Failure& failure,
                          double now);
    Answer answer_again(const Envelope& envelope, const DedupeCache::Lookup& seen, double now);
    /// The question to return where a policy of discovery has a say in whom the call means.
    std::optional<Answer> ask(const Envelope& envelope, Asking asking, InvocationHandle handle);
    Answer take_votes(InvocationHandle handle, std::string_view text, double now);
    Answer end_asking(InvocationHandle handle, InvocationInput input, double now);
    /// Phases 2 to 5.
    Answer go_in(const Envelope& envelope, const DedupeCache::Ticket& ticket, InvocationHandle handle,
                 const HiddenSet& hidden, double now);
    Answer admit_to_plan(Invocation& invocation, Registration& registration, const Envelope& envelope, double now);
    std::optional<Failure> check_input(const Capability& capability, const Envelope& envelope);
    Answer refuse(Invocation& invocation, const Failure& failure, double now);
    Answer hold(Invocation& invocation, double now);
    Answer bind(Invocation& invocation, std::string_view text, double now);
    Answer confirm(Invocation& invocation, std::string_view text, double now);
    /// live: the invocation's registration, null once it has unmounted.
    static Place place_of(const Invocation& invocation, Registration* live);
    Answer apply(Invocation& invocation, InvocationInput input, double now, const Failure* failure = nullptr);
    Answer take_step(Invocation& invocation, AdvanceStep step, std::string_view text, double now);
    Answer end(Invocation& invocation, SettleOutcome outcome, std::string_view text, double now);
    Answer admit(Invocation& invocation, double now);
    Answer check_again(Invocation& invocation, double now);
    Answer done(Invocation& invocation, std::string_view output, double now);
    Answer fail(Invocation& invocation, const Failure& failure, double now);
    Answer ignored(InvocationHandle handle, double now);
    std::optional<Failure> check_output(const Capability& capability, std::string_view output);
    Failure thrown(std::string_view text, failures::Thrower thrower);
    /// Everything that ends with a call: dedupe, queue, events, the record itself.
    void close(Invocation& invocation, const Settlement& settlement);
    void remember(const DedupeCache::Ticket& ticket, bool cacheable, StoredResult result, double now);
    /// Puts an answer that nobody waits for into the outbox, and behind it those whose turn it made.
    void deliver(InvocationHandle handle, const Answer& answer);
    void dispatch_promoted();
    ResultHead head_of(const Invocation& invocation) const;
    static CallRecord record_of(const Invocation& invocation);
    Invocation* find(InvocationHandle handle) const;

    const RegistryOptions& options_;
    Surface& surface_;
    Outbox& outbox_;
    EventLog& log_;
    DedupeCache dedupe_;
    Admissions admissions_;
    ConfirmationStore confirmations_;
    host_protocol::JsonReader envelope_reader_;
    host_protocol::JsonReader payload_reader_;
    host_protocol::JsonReader empty_reader_;
    host_protocol::JsonValue empty_object_;
    std::map<InvocationHandle, std::shared_ptr<Invocation>> in_flight_;
    std::map<InvocationHandle, Asking> asking_;
    std::deque<LateCall> late_;
    InvocationHandle next_handle_ = 1;
    /// Whose turn has come; told after the settlement that made it, so that a signal aborts before the next handler
    /// runs.
    std::vector<InvocationHandle> promoted_;
    bool disposing_ = false;
};

}  // namespace viewcap
