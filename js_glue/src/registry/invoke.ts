// Calls come in: identity and resolution in the module, then the author's part (flow.ts).

import { RuntimeDeadError } from "../errors.js";
import type { CallAnswer, InvocationResult, PlanAnswer } from "../runtime/answers.js";
import { Answer, Step } from "../runtime/table.js";
import { Call, type Envelope } from "./call.js";
import { disposedError, internalFailure, type RegistryCore } from "./core.js";
import { readEnvelope } from "./envelope.js";
import { start } from "./flow.js";
import { chainOf } from "./policy_chain.js";
import { answerAsk } from "./votes.js";

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
    if (answer[0] === Answer.plan) call = adopt(core, new Call(answer[2], envelope), answer);
    else if (answer[0] === Answer.ask) call = new Call(answer[2], envelope);
    if (answer[0] === Answer.ask && call !== undefined) vote(core, call, answer[3]);
    else if (answer[1] !== 0) core.outbox.take();
    if (answer[0] === Answer.result) return Promise.resolve(answer[2]);
    if (answer[0] === Answer.join) return core.calls.get(answer[2])?.promise ?? lost(envelope);
    if (call === undefined) return lost(envelope);
    call.epoch = epoch;
    start(core, call, depth > DEEPEST);
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

function adopt(core: RegistryCore, call: Call, plan: PlanAnswer): Call | undefined {
  const registration = core.registrations.get(plan[3]);
  if (registration === undefined) return undefined;
  call.adopt(plan, registration, chainOf(core, registration, plan[4]));
  core.calls.set(call.inv, call);
  core.gating.push(call);
  return call;
}

/** Policies of discovery say whom the call may mean; only then it has a plan. The same id may come again meanwhile. */
function vote(core: RegistryCore, call: Call, candidates: string): void {
  core.calls.set(call.inv, call);
  let asked = candidates;
  let answer: CallAnswer;
  do {
    const text = answerAsk(core, call.envelope, asked);
    if (call.settled) return;
    answer = core.runtime.advance(core.h, call.inv, core.now(), Step.votes, text);
    // Who is named may be hidden while others, not voted on yet, could be told of.
    if (answer[0] === Answer.ask) asked = answer[3];
  } while (answer[0] === Answer.ask);
  if (answer[0] === Answer.result) core.finish(call, answer[2]);
  const adopted = answer[0] === Answer.plan ? adopt(core, call, answer) : undefined;
  if (adopted === undefined && !call.settled) {
    core.finish(call, internalFailure(call.invocationId, call.envelope.capabilityId));
  }
  if (answer[1] !== 0) core.outbox.take();
}
