// What the core asks the outside to do: answers of calls, and the outbox of effects (design: the core is sans-I/O).
//
// An Answer is what one call of the pipeline came to. The outbox collects what must happen besides: promises of other
// invocations to settle, signals to abort, queued calls whose turn has come, events, audit records. It is JSON text, in
// the order in which things happened; wasm/bindings/README.md lists the items.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace viewcap {

using RegistrationHandle = std::uint32_t;
using InvocationHandle = std::uint32_t;

enum class AnswerKind : std::uint8_t {
    result = 0,
    join = 1,
    plan = 2,
    go = 3,
    wait = 4,
    ignored = 5,
    done = 6,
    ask = 7,
    pass = 8
};

struct Answer {
    AnswerKind kind = AnswerKind::ignored;
    /// result: the whole invocation result as JSON text.
    std::string result;
    /// ask: who could be meant. pass: the effective input, where there is one. JSON text.
    std::string text;
    /// join, plan, ask: which invocation.
    InvocationHandle invocation = 0;
    /// plan only.
    RegistrationHandle registration = 0;
    std::uint32_t capability = 0;
    bool admit_later = false;
    bool input_refused = false;
    bool needs_confirmation = false;
    std::uint32_t timeout_ms = 0;
    std::string_view invocation_id;
    std::string_view registration_id;
    /// pass: when the confirmation was approved, in milliseconds of the registry's clock; -1: there is none.
    double approved_at = -1;
    /// done: the version at settlement, and whether it moved since the call began.
    std::uint64_t surface_version = 0;
    bool surface_changed = false;

    static Answer settled(std::string text) {
        Answer answer;
        answer.kind = AnswerKind::result;
        answer.result = std::move(text);
        return answer;
    }
    static Answer of(AnswerKind kind) {
        Answer answer;
        answer.kind = kind;
        return answer;
    }
};

class Outbox {
  public:
    bool empty() const { return items_.empty(); }
    void settle(InvocationHandle invocation, std::string_view result);
    void abort(InvocationHandle invocation);
    void dispatch(InvocationHandle invocation);
    /// outcome: "requested", "approved", "denied" or "expired". Told whoever listens: somebody may wait for it.
    void confirmation(std::string_view id, std::string_view outcome);
    /// A reference that ended with its owner.
    void gone(RegistrationHandle registration);
    void event(std::string_view event);
    /// The surface moved; the listener's side makes one delivery of many.
    void changed(std::uint64_t version);
    void audit(std::string_view record);
    /// The items as one JSON array; empties the outbox.
    std::string take();

  private:
    std::string& open_item();
    std::string items_;
};

}  // namespace viewcap
