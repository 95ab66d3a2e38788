#include "invocation/invocation_state.h"

namespace viewcap {
namespace {

using S = InvocationState;
using O = InvocationOutcome;

// Rows: states. Columns: inputs in the order of InvocationInput. An input that makes no sense in a state stays in it.
constexpr InvocationStep kTable[kInvocationStates][kInvocationInputs] = {
    // asking: whose owner may unmount is not known yet
    {{S::gating, O::go_on},
     {S::asking, O::none},
     {S::asking, O::none},
     {S::asking, O::none},
     {S::settled, O::refused},
     {S::asking, O::none},
     {S::asking, O::none},
     {S::asking, O::none},
     {S::asking, O::none},
     {S::asking, O::none},
     {S::settled, O::cancelled},
     {S::asking, O::none},
     {S::settled, O::disposed}},
    // gating
    {{S::gating, O::none},
     {S::running, O::run},
     {S::queued, O::none},
     {S::settled, O::queue_full},
     {S::settled, O::refused},
     {S::gating, O::none},
     {S::gating, O::none},
     {S::gating, O::none},
     {S::settled, O::failed},
     {S::gating, O::none},
     {S::settled, O::cancelled},
     {S::settled, O::unmounted_queued},
     {S::settled, O::disposed}},
    // queued
    {{S::queued, O::none},
     {S::queued, O::none},
     {S::queued, O::none},
     {S::queued, O::none},
     {S::settled, O::refused},
     {S::queued, O::none},
     {S::gating, O::none},
     {S::queued, O::none},
     {S::queued, O::none},
     {S::queued, O::none},
     {S::settled, O::cancelled},
     {S::settled, O::unmounted_queued},
     {S::settled, O::disposed}},
    // running
    {{S::running, O::none},
     {S::running, O::run},
     {S::running, O::none},
     {S::running, O::none},
     {S::settled, O::refused},
     {S::gating, O::none},
     {S::running, O::none},
     {S::settled, O::done},
     {S::settled, O::failed},
     {S::settled, O::timed_out},
     {S::settled, O::cancelled},
     {S::settled, O::unmounted_mid_flight},
     {S::settled, O::disposed}},
    // settled
    {{S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none},
     {S::settled, O::none}},
};

}  // namespace

InvocationStep next_invocation_step(InvocationState state, InvocationInput input, bool navigation) {
    if (navigation && state == S::running && input == InvocationInput::unmount) return {S::running, O::abort_only};
    return kTable[static_cast<int>(state)][static_cast<int>(input)];
}

}  // namespace viewcap
