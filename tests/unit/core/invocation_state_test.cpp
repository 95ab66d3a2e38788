// The whole product of states, inputs and navigation against the rules of the specification, written as rules here and
// as a table in the core.
#include "invocation/invocation_state.h"

#include <catch2/catch.hpp>
#include <initializer_list>

namespace {

using Input = viewcap::InvocationInput;
using Outcome = viewcap::InvocationOutcome;
using State = viewcap::InvocationState;
using Step = viewcap::InvocationStep;

constexpr State kStates[] = {State::asking, State::gating, State::queued, State::running, State::settled};
constexpr Input kInputs[] = {Input::resolve, Input::admit,   Input::wait,   Input::overflow, Input::refuse,
                             Input::hold,    Input::promote, Input::finish, Input::fail,     Input::expire,
                             Input::cancel,  Input::unmount, Input::dispose};

bool is_one_of(State state, std::initializer_list<State> list) {
    for (State one : list)
        if (one == state) return true;
    return false;
}

/// What ends a call from outside, in any state before settlement.
Step ended_from_outside(State state, Input input, bool navigation) {
    if (input == Input::cancel) return {State::settled, Outcome::cancelled};
    if (input == Input::dispose) return {State::settled, Outcome::disposed};
    if (input == Input::refuse) return {State::settled, Outcome::refused};
    // Whom it means is not known yet, so nobody's unmount ends it.
    if (state == State::asking) return {State::asking, Outcome::none};
    if (state != State::running) return {State::settled, Outcome::unmounted_queued};
    if (navigation) return {State::running, Outcome::abort_only};
    return {State::settled, Outcome::unmounted_mid_flight};
}

/// What a call waits for or works on: only the state that waits for it moves.
Step moved_on(State state, Input input) {
    const bool gating = state == State::gating;
    const bool running = state == State::running;
    if (input == Input::resolve && state == State::asking) return {State::gating, Outcome::go_on};
    if (input == Input::admit && (gating || running)) return {State::running, Outcome::run};
    if (input == Input::wait && gating) return {State::queued, Outcome::none};
    if (input == Input::overflow && gating) return {State::settled, Outcome::queue_full};
    if (input == Input::hold && running) return {State::gating, Outcome::none};
    if (input == Input::promote && state == State::queued) return {State::gating, Outcome::none};
    if (input == Input::finish && running) return {State::settled, Outcome::done};
    if (input == Input::fail && (gating || running)) return {State::settled, Outcome::failed};
    if (input == Input::expire && running) return {State::settled, Outcome::timed_out};
    return {state, Outcome::none};
}

Step expected(State state, Input input, bool navigation) {
    if (state == State::settled) return {State::settled, Outcome::none};
    if (input == Input::refuse || input == Input::cancel || input == Input::unmount || input == Input::dispose)
        return ended_from_outside(state, input, navigation);
    return moved_on(state, input);
}

TEST_CASE("every input does in every state what the rules of the pipeline say, navigation or not", "[core]") {
    int steps = 0;
    for (State state : kStates)
        for (Input input : kInputs)
            for (bool navigation : {false, true}) {
                INFO("state " << static_cast<int>(state) << ", input " << static_cast<int>(input) << ", navigation "
                              << navigation);
                const Step step = viewcap::next_invocation_step(state, input, navigation);
                const Step rule = expected(state, input, navigation);
                CHECK(step.state == rule.state);
                CHECK(step.outcome == rule.outcome);
                ++steps;
            }
    CHECK(steps == viewcap::kInvocationStates * viewcap::kInvocationInputs * 2);
}

TEST_CASE("a settled call absorbs every input without an outcome", "[core]") {
    for (Input input : kInputs)
        for (bool navigation : {false, true}) {
            const Step step = viewcap::next_invocation_step(State::settled, input, navigation);
            CHECK(step.state == State::settled);
            CHECK(step.outcome == Outcome::none);
        }
}

TEST_CASE("a step that settles has an outcome that answers, and no other step has one", "[core]") {
    for (State state : kStates)
        for (Input input : kInputs)
            for (bool navigation : {false, true}) {
                const Step step = viewcap::next_invocation_step(state, input, navigation);
                if (state == State::settled) continue;
                const bool answers = step.outcome != Outcome::none && step.outcome != Outcome::run &&
                                     step.outcome != Outcome::go_on && step.outcome != Outcome::abort_only;
                CHECK((step.state == State::settled) == answers);
            }
}

TEST_CASE("navigation matters for the unmount of a running call and for nothing else", "[core]") {
    for (State state : kStates)
        for (Input input : kInputs) {
            const Step plain = viewcap::next_invocation_step(state, input, false);
            const Step navigating = viewcap::next_invocation_step(state, input, true);
            const bool same = plain.state == navigating.state && plain.outcome == navigating.outcome;
            CHECK(same == !(state == State::running && input == Input::unmount));
        }
}

TEST_CASE("no input takes a call from its queue to its handler without its gates in between", "[core]") {
    for (Input input : kInputs) {
        const State after = viewcap::next_invocation_step(State::queued, input, false).state;
        CHECK(is_one_of(after, {State::queued, State::gating, State::settled}));
    }
}

}  // namespace
