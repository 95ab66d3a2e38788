// The author's part of a call: gates, policies, binding, confirmation and precondition, in the order of the phases,
// between the plan and the handler (spec: invocation.md §1).
//
// Everything up to and including the call of the handler is synchronous where nothing has to wait. After every callback
// of the author the call may have been settled already (it unmounted its component, disposed the registry), so each
// step looks first. A call that waited is asked everything again directly before its handler runs.

import type { Entry } from "../contract/intern.js";
import { isThenable, swallow } from "../contract/values.js";
import { freshConfirmationId } from "../ids.js";
import { Answer, Outcome, Step } from "../runtime/table.js";
import type { Call, CallContext } from "./call.js";
import type { RegistryCore } from "./core.js";
import { execute, settle } from "./execute.js";
import { aroundInvoke, authorize } from "./onion.js";
import { firedRule, invokeContext, policyContext } from "./policy_chain.js";
import { boundText } from "./procedures.js";
import { closedReason } from "./registration.js";
import { preconditionText, surfaceErrorText } from "./thrown.js";
import { validateStandard } from "./validate.js";
import { voteOnCall } from "./votes.js";

/** Phases 3 to 8: may leave the call settled, waiting, or running. */
export function start(core: RegistryCore, call: Call, tooDeep: boolean): void {
  if (call.settled) return;
  const { entry } = call;
  if (entry === undefined) return recheck(core, call);
  if (tooDeep) return refuse(core, call, Step.threw, "");
  if (!gateOpen(core, call, entry) || !votedIn(core, call)) return;
  if (call.chain.authorize.length === 0) return effectiveInput(core, call, entry);
  authorize(core, call, policyContext(core, call), () => effectiveInput(core, call, entry));
}

/** Phase 5. */
function effectiveInput(core: RegistryCore, call: Call, entry: Entry): void {
  if (call.settled) return;
  if (call.refused) return refuse(core, call, Step.inputVerdict, "");
  const standard = call.registration.contract.standards[call.index];
  if (standard === undefined) return boundInput(core, call, entry);
  validateStandard(core, call, standard, (waited) => {
    if (!waited) return boundInput(core, call, entry);
    call.waited = true;
    throughGates(core, call, () => boundInput(core, call, entry));
  });
}

function boundInput(core: RegistryCore, call: Call, entry: Entry): void {
  if (!bindingHolds(core, call, entry)) return;
  if (call.chain.invoke.length === 0) return confirmed(core, call, entry);
  aroundInvoke(core, call, invokeContext(core, call), () => confirmed(core, call, entry));
}

/** Phase 6: whether a person has to agree, and has. */
function confirmed(core: RegistryCore, call: Call, entry: Entry): void {
  if (call.settled) return;
  const rule = call.chain.confirmations.length === 0 ? undefined : firedRule(core, call);
  if (call.settled) return;
  if (rule !== undefined || call.needsConfirmation) {
    const summary = rule?.summary === undefined ? "" : `,"summary":${JSON.stringify(rule.summary)}`;
    const fired = rule === undefined ? "false" : "true";
    const text = `{"input":${call.inputText},"freshId":"${freshConfirmationId()}","fired":${fired}${summary}}`;
    const approvedAt = passes(core, call, Step.confirm, text);
    if (approvedAt === undefined) return;
    call.confirmation = Object.freeze({ id: call.envelope.confirmationId, approvedAt });
  }
  admit(core, call, entry);
}

/** Phases 7 and 8. */
function admit(core: RegistryCore, call: Call, entry: Entry): void {
  const context = preconditionHolds(core, call, entry);
  if (context === undefined) return;
  if (call.waited) return resume(core, call);
  const moved = core.epoch !== call.epoch;
  if (moved) return recheck(core, call, context);
  if (call.admitLater) return answer(core, call, Step.admit, context);
  launch(core, call, context);
}

/** Directly before the handler of a call that waited: everything that may have changed meanwhile is asked again. */
export function resume(core: RegistryCore, call: Call): void {
  if (call.settled) return;
  const { entry } = call;
  if (entry === undefined) return recheck(core, call);
  call.forgetHost();
  throughGates(core, call, () => {
    if (!votedIn(core, call) || !gateOpen(core, call, entry) || !bindingHolds(core, call, entry)) return;
    const context = preconditionHolds(core, call, entry);
    if (context !== undefined) recheck(core, call, context);
  });
}

export function throughGates(core: RegistryCore, call: Call, run: () => void): void {
  core.gating.push(call);
  try {
    run();
  } finally {
    core.leaveGates(call);
  }
}

/** Policies of discovery only have the first word of phase 4: what they hide does not exist. */
function votedIn(core: RegistryCore, call: Call): boolean {
  if (call.chain.pure.length === 0) return true;
  const { decision, reason } = voteOnCall(core, call);
  if (call.settled) return false;
  if (decision === "expose") return true;
  if (decision === "hide") refuse(core, call, Step.policyHid, "");
  else refuse(core, call, Step.gateClosed, reason ?? "");
  return false;
}

function gateOpen(core: RegistryCore, call: Call, entry: Entry): boolean {
  // A call to itself out of its own gate, binding or precondition would never end.
  if (core.asking.includes(entry)) {
    refuse(core, call, Step.threw, "");
    return false;
  }
  if (entry.when === undefined) return true;
  core.asking.push(entry);
  const reason = closedReason(entry);
  core.asking.pop();
  if (call.settled) return false;
  if (reason === undefined) return true;
  refuse(core, call, Step.gateClosed, reason);
  return false;
}

/** The agent's part and what the page binds become one input; true where nothing is bound. */
function bindingHolds(core: RegistryCore, call: Call, entry: Entry): boolean {
  if (call.settled) return false;
  if (entry.bind === undefined) return true;
  const bound = ask(core, entry, () => boundText(entry));
  if (call.settled) return false;
  const text = bound === "" ? "" : `{"input":${call.agentText},"bound":${bound}}`;
  return passes(core, call, Step.bound, text, true) !== undefined;
}

/** The context for the handler; undefined when the call was answered. */
function preconditionHolds(core: RegistryCore, call: Call, entry: Entry): CallContext | undefined {
  try {
    const context = call.context(core);
    if (call.settled) return undefined;
    if (entry.precondition === undefined || !call.isAction) return context;
    const failure = ask(core, entry, () => entry.precondition?.(call.input, context));
    if (call.settled) return undefined;
    if (failure === undefined || failure === null) return context;
    if (isThenable(failure)) swallow(failure);
    failPrecondition(core, call, failure);
  } catch (error) {
    if (call.settled) return undefined;
    const text = surfaceErrorText(error);
    if (text !== "") refuse(core, call, Step.threw, text);
    else failPrecondition(core, call, error);
  }
  return undefined;
}

function ask<T>(core: RegistryCore, entry: Entry, question: () => T): T {
  core.asking.push(entry);
  try {
    return question();
  } finally {
    core.asking.pop();
  }
}

function failPrecondition(core: RegistryCore, call: Call, failure: unknown): void {
  const text = preconditionText(failure);
  if (text === undefined) refuse(core, call, Step.threw, "");
  else refuse(core, call, Step.precondition, text);
}

/** The last look before the handler, as often as listeners move the surface while it is taken. */
function recheck(core: RegistryCore, call: Call, context?: CallContext): void {
  if (!call.settled) answer(core, call, Step.recheck, context);
}

/** A step that ends the call. */
export function refuse(core: RegistryCore, call: Call, step: number, text: string): void {
  if (!call.settled) passes(core, call, step, text);
}

/** A step on which the module decides: its number when the call goes on. With `replaces` the answer is its input. */
function passes(core: RegistryCore, call: Call, step: number, text: string, replaces = false): number | undefined {
  if (core.disposed) return undefined;
  const reply = core.runtime.advance(core.h, call.inv, core.now(), step, text);
  if (reply[0] === Answer.result) core.finish(call, reply[2]);
  else if (replaces && reply[0] === Answer.pass) {
    call.bindInput({ text: core.runtime.left() });
  }
  if (reply[1] !== 0) core.outbox.take();
  return reply[0] === Answer.pass && !call.settled ? reply[2] : undefined;
}

const MOST_RECHECKS = 4;

/** Admission, and what its answer asks for. */
function answer(core: RegistryCore, call: Call, step: number, context?: CallContext, tries = 0): void {
  if (core.disposed) return;
  const epoch = core.epoch;
  const reply = core.runtime.advance(core.h, call.inv, core.now(), step, "");
  // From a "go" on the module counts it as running again.
  call.heldBack = false;
  if (reply[0] === Answer.go) call.admitLater = false;
  if (reply[0] === Answer.result) core.finish(call, reply[2]);
  if (reply[0] === Answer.wait) wait(core, call);
  if (reply[1] !== 0) core.outbox.take();
  if (reply[0] !== Answer.go || call.settled) return;
  if (context === undefined) return settle(core, call, Outcome.internal, "");
  if (core.epoch !== epoch && tries < MOST_RECHECKS) return answer(core, call, Step.recheck, context, tries + 1);
  launch(core, call, context);
}

function wait(core: RegistryCore, call: Call): void {
  core.hold(call);
  watch(core, call);
}

/** Ends the call when the caller's signal does; true when it has already. */
export function watch(core: RegistryCore, call: Call): boolean {
  if (call.envelope.signal?.aborted === true) {
    cancel(core, call);
    return true;
  }
  call.watch(() => cancel(core, call));
  return false;
}

function cancel(core: RegistryCore, call: Call): void {
  core.quietly(() => {
    if (call.settled) return;
    // First, so that a handler whose turn it makes never runs beside one that has not heard.
    call.abort();
    settle(core, call, Outcome.cancelled, "");
  });
}

function launch(core: RegistryCore, call: Call, context: CallContext): void {
  core.leaveGates(call);
  if (call.envelope.signal?.aborted === true) return cancel(core, call);
  const { entry } = call;
  if (entry === undefined) return settle(core, call, Outcome.internal, "");
  if (execute(core, call, entry, context)) watch(core, call);
}
