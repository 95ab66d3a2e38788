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

/** No promise where no policy needs one. `clock` is monotonic. */
export function runBatch(
  policies: readonly AgentPolicy[],
  request: PolicyRequest,
  timeoutMs: number,
  clock: () => number,
): string | Promise<string> {
  const end = clock() + timeoutMs;
  const outcomes: string[] = [];
  for (let at = 0; at < policies.length; at++) {
    const outcome = one(policies[at], request, end, clock);
    if (typeof outcome !== "string") return rest(policies, at, outcome, outcomes, { request, end, clock });
    outcomes.push(outcome);
    if (outcome === LATE || outcome === NO_TIME) break;
  }
  return report(outcomes);
}

interface Batch {
  readonly request: PolicyRequest;
  readonly end: number;
  readonly clock: () => number;
}

async function rest(
  policies: readonly AgentPolicy[],
  from: number,
  pending: Promise<string>,
  outcomes: string[],
  { request, end, clock }: Batch,
): Promise<string> {
  let outcome = await pending;
  for (let at = from; ;) {
    outcomes.push(outcome);
    if (outcome === LATE || outcome === NO_TIME || ++at >= policies.length) return report(outcomes);
    outcome = await one(policies[at], request, end, clock);
  }
}

function one(
  policy: AgentPolicy | undefined,
  request: PolicyRequest,
  end: number,
  clock: () => number,
): string | Promise<string> {
  const left = end - clock();
  if (left <= 0 || policy === undefined) return NO_TIME;
  try {
    const decision: unknown = policy.evaluate(request);
    if (isThenable(decision)) return awaited(decision, left);
    // One that blocked for too long has not answered in time either.
    return clock() > end ? LATE : outcomeOf(decision);
  } catch {
    return THREW;
  }
}

function awaited(decision: PromiseLike<unknown>, left: number): Promise<string> {
  return new Promise((resolve) => {
    const timer = new LongTimer(left, () => resolve(LATE));
    Promise.resolve(decision).then(
      (answer) => {
        timer.cancel();
        resolve(outcomeOf(answer));
      },
      () => {
        timer.cancel();
        resolve(THREW);
      },
    );
  });
}

function outcomeOf(decision: unknown): string {
  try {
    if (isObject(decision) && Reflect.get(decision, "type") === "allow") return ALLOWED;
    // A bare word could pass for one of the reports above.
    return isObject(decision) ? valueFacts(decision) : THREW;
  } catch {
    return THREW;
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
