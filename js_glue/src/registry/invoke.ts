// The author's part of an invocation: gates, precondition and handler, in the order of the pipeline, between two
// crossings of the boundary (spec: invocation.md §1).
//
// Everything up to and including the call of the handler is synchronous where nothing has to wait. After every callback
// of the author the call may have been settled already (it unmounted its component, disposed the registry), so each
// step looks first.

import type { Entry } from "../contract/intern.js";
import { RuntimeDeadError } from "../errors.js";
import type { InvocationResult, PlanAnswer } from "../runtime/answers.js";
import { Answer, Outcome, Step } from "../runtime/table.js";
import { Call, CallContext, readHost, type Envelope } from "./call.js";
import { disposedError, internalFailure, type RegistryCore } from "./core.js";
import { readEnvelope } from "./envelope.js";
import { execute, settle } from "./execute.js";
import { closedReason, isThenable, swallow } from "./registration.js";
import { preconditionText, surfaceErrorText } from "./thrown.js";
import { validateStandard } from "./validate.js";

/** Calls inside calls inside calls: an author's endless recursion must not exhaust the module's stack. */
const DEEPEST = 32;
let depth = 0;

export function invoke(
  core: RegistryCore,
  owner: object,
  request: unknown,
  options: unknown,
): Promise<InvocationResult> {
  if (core.disposed) return Promise.reject(disposedError());
  if (core.runtime.dead) return Promise.reject(new RuntimeDeadError());
  const envelope = readEnvelope(core.settings, request, options, core.running);
  let call: Call | undefined;
  depth++;
  try {
    core.enter();
    const epoch = core.epoch;
    const answer = core.runtime.begin(core.h, core.now(), envelope.text);
    if (answer[0] === Answer.plan) call = adopt(core, answer, envelope);
    if (answer[1] !== 0) core.outbox.take();
    if (answer[0] === Answer.result) return Promise.resolve(answer[2]);
    if (answer[0] === Answer.join) return core.calls.get(answer[2])?.promise ?? lost(envelope);
    if (call === undefined) return lost(envelope);
    prepare(core, call, epoch);
    if (!call.settled) {
      core.hold(call);
      call.owner = owner;
    }
    return call.promise;
  } catch (error) {
    // The module failed under this call; the others in flight have heard of it.
    if (!(error instanceof RuntimeDeadError)) throw error;
    if (call === undefined) return lost(envelope);
    core.finish(call, internalFailure(call.invocationId, envelope.capabilityId));
    return call.promise;
  } finally {
    depth--;
    if (call !== undefined) core.leaveGates(call);
  }
}

function lost(envelope: Envelope): Promise<InvocationResult> {
  return Promise.resolve(internalFailure(envelope.invocationId, envelope.capabilityId));
}

function adopt(core: RegistryCore, plan: PlanAnswer, envelope: Envelope): Call | undefined {
  const registration = core.registrations.get(plan[3]);
  if (registration === undefined) return undefined;
  const call = new Call(plan, registration, envelope);
  core.calls.set(call.inv, call);
  core.gating.push(call);
  return call;
}

/** Phases 3 to 8: may leave the call settled, waiting, or running. */
function prepare(core: RegistryCore, call: Call, epoch: number): void {
  if (call.settled) return;
  const entry = call.registration.entries?.[call.index];
  if (entry === undefined) return recheck(core, call);
  if (depth > DEEPEST) return answer(core, call, Step.threw, "");
  if (!gateOpen(core, call, entry)) return;
  if (call.refused) return answer(core, call, Step.inputVerdict, "");
  const standard = call.registration.contract.standards[call.index];
  if (standard === undefined) return admit(core, call, entry, epoch, false);
  validateStandard(core, call, standard, (waited) => {
    if (!waited) return admit(core, call, entry, epoch, false);
    throughGates(core, call, () => {
      if (gateOpen(core, call, entry)) admit(core, call, entry, epoch, true);
    });
  });
}

function admit(core: RegistryCore, call: Call, entry: Entry, epoch: number, waited: boolean): void {
  const context = preconditionHolds(core, call, entry);
  if (context === undefined) return;
  if (call.admitLater) return answer(core, call, Step.admit, "", context);
  if (waited || core.epoch !== epoch) return recheck(core, call, context);
  launch(core, call, context);
}

/** Its turn in the queue: everything that may have changed meanwhile is asked again. */
export function resume(core: RegistryCore, call: Call): void {
  if (call.settled) return;
  const entry = call.registration.entries?.[call.index];
  if (entry === undefined) return recheck(core, call);
  throughGates(core, call, () => {
    if (!gateOpen(core, call, entry)) return;
    const context = preconditionHolds(core, call, entry);
    if (context !== undefined) recheck(core, call, context);
  });
}

function throughGates(core: RegistryCore, call: Call, run: () => void): void {
  core.gating.push(call);
  try {
    run();
  } finally {
    core.leaveGates(call);
  }
}

function gateOpen(core: RegistryCore, call: Call, entry: Entry): boolean {
  if (core.asking.includes(entry)) {
    answer(core, call, Step.threw, "");
    return false;
  }
  core.asking.push(entry);
  const reason = closedReason(entry);
  core.asking.pop();
  if (call.settled) return false;
  if (reason === undefined) return true;
  answer(core, call, Step.gateClosed, reason);
  return false;
}

/** The context for the handler; undefined when the call was answered. */
function preconditionHolds(core: RegistryCore, call: Call, entry: Entry): CallContext | undefined {
  try {
    const context = new CallContext(call, readHost(core.settings.context));
    if (call.settled) return undefined;
    if (entry.precondition === undefined || !call.isAction) return context;
    const failure = ask(core, entry, () => entry.precondition?.(call.input, context));
    if (call.settled) return undefined;
    if (failure === undefined || failure === null) return context;
    if (isThenable(failure)) swallow(failure);
    failPrecondition(core, call, failure);
  } catch (error) {
    if (call.settled) return undefined;
    if (surfaceErrorText(error) !== "") answer(core, call, Step.threw, surfaceErrorText(error));
    else failPrecondition(core, call, error);
  }
  return undefined;
}

function ask(core: RegistryCore, entry: Entry, question: () => unknown): unknown {
  core.asking.push(entry);
  try {
    return question();
  } finally {
    core.asking.pop();
  }
}

function failPrecondition(core: RegistryCore, call: Call, failure: unknown): void {
  const text = preconditionText(failure);
  if (text === undefined) answer(core, call, Step.threw, "");
  else answer(core, call, Step.precondition, text);
}

/** The last look before the handler, as often as listeners move the surface while it is taken. */
function recheck(core: RegistryCore, call: Call, context?: CallContext): void {
  if (!call.settled) answer(core, call, Step.recheck, "", context);
}

const MOST_RECHECKS = 4;

/** One step of `advance`, and what its answer asks for. */
function answer(core: RegistryCore, call: Call, step: number, text: string, context?: CallContext, tries = 0): void {
  if (core.disposed) return;
  const { inv } = call;
  const epoch = core.epoch;
  const reply = core.runtime.advance(core.h, inv, core.now(), step, text);
  // From a "go" on the module counts it as running again.
  call.heldBack = false;
  if (reply[0] === Answer.go) call.admitLater = false;
  if (reply[0] === Answer.result) core.finish(call, reply[2]);
  if (reply[0] === Answer.wait) wait(core, call);
  if (reply[1] !== 0) core.outbox.take();
  if (reply[0] !== Answer.go || call.settled) return;
  if (context === undefined) return settle(core, call, Outcome.internal, "");
  if (core.epoch !== epoch && tries < MOST_RECHECKS) return answer(core, call, Step.recheck, "", context, tries + 1);
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
  const entry = call.registration.entries?.[call.index];
  if (entry === undefined) return settle(core, call, Outcome.internal, "");
  if (execute(core, call, entry, context)) watch(core, call);
}
