// Runs one batch of policies, one after another, and reports what each said (spec: domain.md §4.4). What they come to
// together is the module's business: the report is a text, empty when every one said exactly allow.

import { isObject, isThenable, swallow } from "../contract/values.js";
import { LongTimer } from "./long_timer.js";
import type { AgentPolicy, PolicyRequest } from "./types.js";
import { valueFacts } from "./value_facts.js";

const LATE = '"late"';
const NO_TIME = '"no-time"';
const THREW = '"threw"';
/** Stands for a decision of exactly allow, so that a batch of them needs no text. */
const ALLOWED = "";
const ALLOW_TEXT = '{"type":"allow"}';

/** Whether the batch was stopped because its time was over. */
export function ranOut(report: string): boolean {
  return report.endsWith(`${LATE}]`) || report.endsWith(`${NO_TIME}]`);
}

export interface Batch {
  readonly policies: readonly AgentPolicy[];
  readonly request: PolicyRequest;
  readonly timeoutMs: number;
  /** Monotonic. */
  readonly clock: () => number;
  /** Hears why a policy gave no decision, for the developer alone; the first is the reason of the batch's failure. */
  readonly failed?: (why: unknown) => void;
}

interface Running extends Batch {
  readonly end: number;
}

/** No promise where no policy needs one. */
export function runBatch(batch: Batch): string | Promise<string> {
  const running: Running = { ...batch, end: batch.clock() + batch.timeoutMs };
  const outcomes: string[] = [];
  for (const [at, policy] of batch.policies.entries()) {
    const outcome = one(policy, running);
    if (typeof outcome !== "string") return rest(running, at, outcome, outcomes);
    outcomes.push(outcome);
    if (outcome === LATE || outcome === NO_TIME) break;
  }
  return report(outcomes);
}

async function rest(batch: Running, from: number, pending: Promise<string>, outcomes: string[]): Promise<string> {
  let outcome = await pending;
  for (let at = from; ;) {
    outcomes.push(outcome);
    const next = batch.policies[++at];
    if (outcome === LATE || outcome === NO_TIME || next === undefined) return report(outcomes);
    outcome = await one(next, batch);
  }
}

function one(policy: AgentPolicy, batch: Running): string | Promise<string> {
  const left = batch.end - batch.clock();
  if (left <= 0) return late(policy, batch, NO_TIME);
  try {
    const decision: unknown = policy.evaluate(batch.request);
    if (isThenable(decision)) return awaited(policy, decision, left, batch);
    // One that blocked for too long has not answered in time either.
    return batch.clock() > batch.end ? late(policy, batch, LATE) : outcomeOf(policy, decision, batch);
  } catch (error) {
    return threw(error, batch);
  }
}

function awaited(policy: AgentPolicy, decision: PromiseLike<unknown>, left: number, batch: Running): Promise<string> {
  return new Promise((resolve) => {
    // Timers of the platform may be a millisecond early; who is told to be late has to be.
    const timer = new LongTimer(Math.ceil(left) + 1, () => resolve(late(policy, batch, LATE)));
    Promise.resolve(decision).then(
      (answer) => {
        timer.cancel();
        resolve(outcomeOf(policy, answer, batch));
      },
      (error: unknown) => {
        timer.cancel();
        resolve(threw(error, batch));
      },
    );
  });
}

function outcomeOf(policy: AgentPolicy, decision: unknown, batch: Running): string {
  try {
    if (isObject(decision) && Reflect.get(decision, "type") === "allow") return ALLOWED;
    // A bare word could pass for one of the reports above.
    if (isObject(decision)) return valueFacts(decision);
  } catch (error) {
    return threw(error, batch);
  }
  return threw(
    new TypeError(`policy ${nameOf(policy)} answered no decision, but a value of type ${typeof decision}`),
    batch,
  );
}

function threw(why: unknown, { failed }: Batch): string {
  failed?.(why);
  return THREW;
}

function late(policy: AgentPolicy, { failed, timeoutMs }: Batch, how: string): string {
  failed?.(new Error(`policy ${nameOf(policy)} gave no decision within the ${String(timeoutMs)} ms of its batch`));
  return how;
}

/** Of a capability's own policy the name may be a getter. */
function nameOf(policy: AgentPolicy): string {
  try {
    return valueFacts(policy.name);
  } catch {
    return "without a readable name";
  }
}

function report(outcomes: readonly string[]): string {
  if (outcomes.every((outcome) => outcome === ALLOWED)) return "";
  return `[${outcomes.map((outcome) => (outcome === ALLOWED ? ALLOW_TEXT : outcome)).join(",")}]`;
}

/** A vote that must be given at once: what a promise comes to later is nobody's business. */
export function isVetoed(predicate: () => unknown): boolean {
  try {
    const answer = predicate();
    if (isThenable(answer)) swallow(answer);
    return answer === false;
  } catch {
    return true;
  }
}
