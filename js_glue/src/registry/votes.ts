// What discovery policies say: of everything for a projection or a snapshot, of those that a call could mean, and of the
// one that it means (spec: capabilities.md §5, invocation.md §1 "Hidden is nonexistent").
//
// The most restrictive vote wins. Whatever is no vote hides: a throw, a promise, an answer of another shape. So does a
// vote that is asked for while one is being taken: a policy that looks at the surface sees nothing that is voted on,
// and never starts over.

import type { AttachedPolicy } from "../contract/attach.js";
import type { DiscoveryVerdict, PolicyContext } from "../contract/policy.js";
import type { AgentConsumer } from "../contract/types.js";
import { isThenable, swallow } from "../contract/values.js";
import { toWellFormed } from "../json/value.js";
import type { Call, Envelope } from "./call.js";
import type { RegistryCore } from "./core.js";
import { chainOf, contextOf, formerContext, hostReading, policyContext, type HostReading } from "./policy_chain.js";
import type { Registration } from "./registration.js";

/** One policy's own vote. */
export interface Vote extends DiscoveryVerdict {
  readonly threw?: true;
}

export const EXPOSED: DiscoveryVerdict = Object.freeze({ decision: "expose" });
const HIDDEN: DiscoveryVerdict = Object.freeze({ decision: "hide" });
const THREW: Vote = Object.freeze({ decision: "hide", threw: true });

/** The module clips at 300, and needs to see whether that splits a pair. */
const MOST_REASON = 301;

/** Registries whose policies are voting right now. */
const voting = new WeakSet<RegistryCore>();

/** Never throws. */
export function voteOf(policy: AttachedPolicy, context: PolicyContext): Vote {
  try {
    const answer = policy.vote?.(context);
    if (typeof answer !== "object" || answer === null) return HIDDEN;
    if (isThenable(answer)) {
      swallow(answer);
      return HIDDEN;
    }
    const decision: unknown = Reflect.get(answer, "decision");
    if (decision === "expose") return EXPOSED;
    if (decision !== "disable") return HIDDEN;
    const reason: unknown = Reflect.get(answer, "reason");
    if (typeof reason !== "string" || reason === "") return { decision };
    return { decision, reason: toWellFormed(reason.slice(0, MOST_REASON)) };
  } catch {
    return THREW;
  }
}

/** What two votes come to: hide wins, then the first that disables. */
export function stricter(first: DiscoveryVerdict, second: DiscoveryVerdict): DiscoveryVerdict {
  return first.decision === "expose" || second.decision === "hide" ? second : first;
}

/** What they all come to; after one that hides nobody is asked. */
export function vote(policies: readonly AttachedPolicy[], context: PolicyContext): DiscoveryVerdict {
  let verdict = EXPOSED;
  for (const policy of policies) {
    verdict = stricter(verdict, voteOf(policy, context));
    if (verdict.decision === "hide") break;
  }
  return verdict;
}

/** Runs while no other vote of this registry is taken; undefined when one is. */
export function voteAlone<T>(core: RegistryCore, take: () => T): T | undefined {
  if (voting.has(core)) return undefined;
  voting.add(core);
  try {
    return take();
  } finally {
    voting.delete(core);
  }
}

/** Whether any policy votes on anything now. */
export function hasDiscovery(core: RegistryCore): boolean {
  return core.settings.chain.discovery.length > 0 || core.gates.voting.size > 0;
}

/** How many newcomers are asked about that policies register while they vote; the others are hidden. */
const MOST_NEWCOMERS = 100;

/**
 * A member of a projection's or a snapshot's text, `,"votes":[…]`; "" where nobody votes. Complete: whoever registers
 * while the policies vote is voted on too.
 */
export function votesText(core: RegistryCore, consumer: AgentConsumer, host: HostReading = hostReading(core)): string {
  if (!hasDiscovery(core)) return "";
  return votesMember(core, (registration, index) =>
    vote(chainOf(core, registration, index).discovery, contextOf(core, registration, index, consumer, host)),
  );
}

type Ask = (registration: Registration, index: number) => DiscoveryVerdict;

/** The same with the answers of `ask`, which is asked about every capability that somebody votes on. */
export function votesMember(core: RegistryCore, ask: Ask): string {
  const votes = voteAlone(core, () => everyVote(core, ask)) ?? everyVote(core, () => HIDDEN);
  return `,"votes":[${votes}]`;
}

function everyVote(core: RegistryCore, ask: Ask): string {
  let text = "";
  let left = core.registrations.size + MOST_NEWCOMERS;
  // A map is walked to its end, however it grows on the way.
  for (const registration of core.registrations.values()) {
    if (core.settings.chain.discovery.length === 0 && !core.gates.voting.has(registration)) continue;
    text += votesOn(core, registration, left-- > 0 ? ask : () => HIDDEN);
  }
  return text.slice(1);
}

function votesOn(core: RegistryCore, registration: Registration, ask: Ask): string {
  let text = "";
  for (let index = 0; index < registration.contract.names.length; index++) {
    if (chainOf(core, registration, index).discovery.length === 0) continue;
    const { decision, reason } = ask(registration, index);
    if (decision === "expose") continue;
    const said = reason === undefined ? "" : `,${JSON.stringify(reason)}`;
    text += `,[${String(registration.reg)},${String(index)},${decision === "hide" ? "2" : `1${said}`}]`;
  }
  return text;
}

/** Whom a call cannot mean, as the text of the step `votes`; `candidates` is `[[reg, capability], …]`. */
export function answerAsk(core: RegistryCore, { consumer, capabilityId }: Envelope, candidates: string): string {
  const host = hostReading(core);
  const asked: unknown = JSON.parse(candidates);
  const all = Array.isArray(asked) ? asked.filter(isCandidate) : [];
  const hidden = voteAlone(core, () => all.filter(([reg, index]) => isHidden(core, reg, index, consumer, host))) ?? all;
  const gone = voteAlone(core, () => isGoneHidden(core, capabilityId, consumer, host)) ?? true;
  return `{"hidden":[${hidden.map(([reg]) => reg).join()}],"gone":${String(gone)}}`;
}

function isCandidate(value: unknown): value is readonly [reg: number, index: number] {
  return Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "number";
}

function isHidden(core: RegistryCore, reg: number, index: number, consumer: AgentConsumer, host: HostReading): boolean {
  const registration = core.registrations.get(reg);
  if (registration === undefined) return true;
  const { pure } = chainOf(core, registration, index);
  if (pure.length === 0) return false;
  return vote(pure, contextOf(core, registration, index, consumer, host)).decision === "hide";
}

/** A tombstone answers unless the registry's own policies hide it. */
function isGoneHidden(core: RegistryCore, capabilityId: string, consumer: AgentConsumer, host: HostReading): boolean {
  const { discovery } = core.settings.chain;
  if (discovery.length === 0) return false;
  const context = formerContext(core, capabilityId, consumer, host);
  return context === undefined || vote(discovery, context).decision === "hide";
}

/** The first word of phase 4, and again directly before the handler. */
export function voteOnCall(core: RegistryCore, call: Call): DiscoveryVerdict {
  const { pure } = call.chain;
  if (pure.length === 0) return EXPOSED;
  const context = policyContext(core, call);
  return voteAlone(core, () => vote(pure, context)) ?? HIDDEN;
}
