// `meta.agent` of one procedure: the facts that the module checks, and the frozen copy that the registry keeps.
//
// The author's object is read once, into the copy, and the facts are made from the copy: what was checked is what is
// kept (spec: domain.md §2.2; "deeply read-only", §3).

import { isObject, member } from "../contract/values.js";
import { expandPolicies, type Expanded } from "./policies.js";
import { isPlain } from "./records.js";
import type { AgentPolicy, NormalizedAgentMeta } from "./types.js";
import { factRecord, factText, readOr, UNREADABLE, valueFacts } from "./value_facts.js";

export interface ReadAgentMeta {
  /** Value facts; composites among the policies are expanded. */
  readonly text: string;
  /** Frozen, defaults filled in. It is what its type says once the module has accepted the facts. */
  readonly meta: NormalizedAgentMeta;
  /** As the facts number them. */
  readonly policies: readonly AgentPolicy[];
}

const MAX_LEVELS = 6;
const MAX_LENGTH = 10_000;
const NO_POLICIES: readonly Expanded<unknown>[] = [];

/** Undefined: there is no `meta.agent`, so the procedure is no capability. */
export function readAgentMeta(procedureMeta: unknown): ReadAgentMeta | undefined {
  const given = isObject(procedureMeta) ? readOr(procedureMeta, "agent") : undefined;
  if (given === undefined) return undefined;
  const kept = frozenCopy(given, MAX_LEVELS);
  if (!isObject(kept) || Array.isArray(kept)) return { text: valueFacts(kept), meta: normalized({}), policies: [] };
  const policies: unknown = member(kept, "policies");
  if (!Array.isArray(policies)) return { text: valueFacts(kept), meta: normalized(kept), policies: [] };
  const { list, text } = expanded(policies);
  const known = list.flatMap(({ policy }) => (isPolicy(policy) ? [policy] : []));
  return { text: withPolicies(kept, text), meta: normalized(kept), policies: Object.freeze(known) };
}

/** Plain objects and arrays are copied; whatever else, and what lies deeper, is kept as it is. Never throws. */
function frozenCopy(value: unknown, levels: number): unknown {
  if (!isObject(value) || levels === 0) return value;
  try {
    if (Array.isArray(value)) return copyOfArray(value, (item) => frozenCopy(item, levels - 1));
    if (levels < MAX_LEVELS && !isPlain(value)) return value;
    return Object.freeze(
      Object.fromEntries(Object.keys(value).map((key) => [key, copyOfMember(value, key, levels)] as const)),
    );
  } catch {
    return UNREADABLE;
  }
}

function copyOfMember(owner: object, key: string, levels: number): unknown {
  const value = readOr(owner, key);
  // A policy is asked as a method of what the author made.
  const isPolicies = levels === MAX_LEVELS && key === "policies" && Array.isArray(value);
  return isPolicies ? copyOfArray(value, (policy) => policy) : frozenCopy(value, levels - 1);
}

function copyOfArray(list: readonly unknown[], copy: (item: unknown) => unknown): unknown {
  const { length } = list;
  if (length > MAX_LENGTH) return list;
  return Object.freeze(Array.from({ length }, (_, at) => copy(readOr(list, at))));
}

function expanded(policies: readonly unknown[]): { list: readonly Expanded<unknown>[]; text: string } {
  try {
    const list = expandPolicies(policies);
    return { list, text: `[${list.map(policyFacts).join(",")}]` };
  } catch {
    return { list: NO_POLICIES, text: factText("unreadable") };
  }
}

function withPolicies(kept: object, policies: string): string {
  const rest = valueFacts({ ...kept, policies: undefined });
  return `${rest.slice(0, -1)}${rest === "{}" ? "" : ","}"policies":${policies}}`;
}

/** By name, so that a policy that is an instance of a class is one, too. */
function policyFacts({ policy, isMember }: Expanded<unknown>): string {
  if (!isObject(policy) || Array.isArray(policy)) return valueFacts(policy);
  const phases = readOr(policy, "phases");
  return factRecord({
    name: valueFacts(readOr(policy, "name")),
    evaluate: valueFacts(readOr(policy, "evaluate")),
    phases: phases === undefined ? undefined : valueFacts(phases),
    composite: isMember ? "true" : undefined,
  });
}

function normalized(kept: object): NormalizedAgentMeta {
  const meta = Object.freeze({
    ...kept,
    tags: member(kept, "tags") ?? Object.freeze([]),
    policies: member(kept, "policies") ?? Object.freeze([]),
    idempotent: member(kept, "idempotent") ?? false,
  });
  if (!isNormalized(meta)) throw new TypeError("defaults were filled in");
  return meta;
}

/** The module checks the facts of the same copy. */
function isNormalized(meta: object): meta is NormalizedAgentMeta {
  return "idempotent" in meta;
}

function isPolicy(value: unknown): value is AgentPolicy {
  return isObject(value);
}
