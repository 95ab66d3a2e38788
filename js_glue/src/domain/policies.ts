// Policies: answers to "may this actor reach this capability now?", composed before they run (spec: domain.md §4).
//
//     const ownersOnly = definePolicy("owners-only", ({ actor }) => (isOwner(actor) ? allow() : deny("NOT_OWNER")));
//     const governance = defineGovernance({ registry, policies: [composePolicies(ownersOnly, officeHours)] });
//
// A composite is expanded wherever the runtime or a manifest looks: only its members are named.

import { POLICY_PHASES } from "../generated/domain_vocabulary.js";
import { isObject, member } from "../contract/values.js";
import type {
  AgentPolicy,
  CapabilityRegistryLike,
  Governance,
  PolicyDecision,
  PolicyPhase,
  PolicyRequest,
} from "./types.js";

// Known by mark and not by class: composites of another copy of the package are expanded, too.
const MEMBERS = Symbol.for("viewcap.policyMembers");
const MAX_DEPTH = 32;
const MAX_POLICIES = 10_000;
/** Strongest first (spec §4.5). */
const STRENGTH = ["deny", "hide", "require-approval"] as const;

type Decision<Type extends PolicyDecision["type"]> = Extract<PolicyDecision, { type: Type }>;

export function allow(metadata?: unknown): Decision<"allow"> {
  return Object.freeze({ type: "allow", ...(metadata === undefined ? {} : { metadata }) });
}

/** `message` leaves the server; `code` is for the application. */
export function deny(code?: string, message?: string): Decision<"deny"> {
  return Object.freeze({
    type: "deny",
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  });
}

/** As if there were no such capability; in discovery it is left out of the listing. */
export function hide(): Decision<"hide"> {
  return Object.freeze({ type: "hide" });
}

/** TypeError for an empty reason; inside a policy that denies. */
export function requireApproval(demand: Omit<Decision<"require-approval">, "type">): Decision<"require-approval"> {
  const reason = member(demand, "reason");
  if (typeof reason !== "string" || reason.trim() === "") {
    throw new TypeError("requireApproval: the reason must be a string that is not blank");
  }
  return Object.freeze({ ...demand, type: "require-approval" });
}

/** TypeError for an empty name, for no function, and for phases that are no non-empty array of known phases. */
export function definePolicy(
  name: string,
  evaluate: AgentPolicy["evaluate"],
  options: { readonly phases?: readonly PolicyPhase[] } = {},
): AgentPolicy {
  if (typeof name !== "string" || name === "") throw new TypeError("definePolicy: the name must be a non-empty string");
  const where = `definePolicy(${JSON.stringify(name)})`;
  if (typeof evaluate !== "function") throw new TypeError(`${where}: evaluate must be a function`);
  if (!isObject(options)) throw new TypeError(`${where}: the options must be an object`);
  const given: unknown = options.phases;
  const phases = given === undefined ? (["invocation"] as const) : phasesOf(given);
  // A policy that no phase ever asks would look like protection.
  if (phases === undefined || phases.length === 0) throw new TypeError(`${where}: ${PHASES_RULE}`);
  return Object.freeze({ name, phases: Object.freeze([...new Set(phases)]), evaluate });
}

const PHASES_RULE = `phases must be an array of ${POLICY_PHASES.map((phase) => `"${phase}"`).join(", ")}`;

function phasesOf(value: unknown): readonly PolicyPhase[] | undefined {
  return Array.isArray(value) && value.every(isPhase) ? value : undefined;
}

function isPhase(value: unknown): value is PolicyPhase {
  return POLICY_PHASES.some((phase) => phase === value);
}

/**
 * One policy of several; nested composites are flattened. Evaluated on its own (outside a runtime) it asks every member
 * of the phase and gives the first decision of the strongest kind; what a member throws comes through.
 */
export function composePolicies(...policies: readonly AgentPolicy[]): AgentPolicy {
  policies.forEach((policy, at) => checkPolicy(policy, `composePolicies: policy ${at}`));
  const members = Object.freeze(flattenPolicies(policies));
  const composite = {
    name: `composed(${members.map((policy) => policy.name).join(",")})`,
    phases: Object.freeze([...new Set(members.flatMap((policy) => policy.phases))]),
    evaluate: (request: PolicyRequest): Promise<PolicyDecision> => strongestOf(members, request),
  };
  Object.defineProperty(composite, MEMBERS, { value: members });
  return Object.freeze(composite);
}

async function strongestOf(members: readonly AgentPolicy[], request: PolicyRequest): Promise<PolicyDecision> {
  const decisions: PolicyDecision[] = [];
  for (const policy of members) {
    if (!policy.phases.includes(request.phase)) continue;
    const decision = await policy.evaluate(request);
    // What is no decision must not count as a consent.
    if (!isDecision(decision)) throw new TypeError(`policy ${JSON.stringify(policy.name)} answered no decision`);
    decisions.push(decision);
  }
  for (const type of STRENGTH) {
    const found = decisions.find((decision) => decision.type === type);
    if (found !== undefined) return found;
  }
  return allow();
}

function isDecision(value: unknown): boolean {
  const type = member(value, "type");
  return type === "allow" || STRENGTH.some((strong) => strong === type);
}

/** Composites replaced by their members, recursively. TypeError for a cycle and for more than 10,000 policies. */
export function flattenPolicies(policies: readonly AgentPolicy[]): AgentPolicy[] {
  return expandPolicies(policies).map(({ policy }) => policy);
}

export interface Expanded<Item> {
  readonly policy: Item;
  /** It stands in the place of a composite that it is a member of. */
  readonly isMember: boolean;
}

/** The same for a list whose items nobody has looked at yet. */
export function expandPolicies<Item>(policies: readonly Item[]): Expanded<Item>[] {
  const out: Expanded<Item>[] = [];
  const open = new Set<unknown>();
  const visit = (list: readonly Item[], isMember: boolean): void => {
    for (const policy of list) {
      const members = membersOf(policy);
      if (members === undefined) {
        out.push({ policy, isMember });
        if (out.length > MAX_POLICIES) throw new TypeError(`policies: more than ${MAX_POLICIES} in one list`);
        continue;
      }
      if (open.has(policy) || open.size >= MAX_DEPTH) {
        throw new TypeError("policies: a composite must not hold itself, nor be nested more than 32 deep");
      }
      open.add(policy);
      visit(members, true);
      open.delete(policy);
    }
  };
  visit(policies, false);
  return out;
}

function membersOf<Item>(policy: Item): readonly Item[] | undefined {
  const members: unknown = member(policy, MEMBERS);
  return isList<Item>(members) ? members : undefined;
}

function isList<Item>(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}

/** What is wrong with a policy that may be hand-made is a TypeError (decision 11). */
export function checkPolicy(policy: unknown, where: string): asserts policy is AgentPolicy {
  if (!isObject(policy)) throw new TypeError(`${where} must be a policy, which is an object`);
  const name = member(policy, "name");
  if (typeof name !== "string" || name === "") throw new TypeError(`${where}: name must be a non-empty string`);
  const which = `${where} (${JSON.stringify(name)})`;
  if (typeof member(policy, "evaluate") !== "function") throw new TypeError(`${which}: evaluate must be a function`);
  if (phasesOf(member(policy, "phases")) === undefined) throw new TypeError(`${which}: ${PHASES_RULE}`);
}

/**
 * What a runtime is made of. Pure and frozen: safe at module scope, and runtimes may share one. TypeError without a
 * config, without a registry that looks up, or for policies that are no array of policies.
 */
export function defineGovernance<Registry extends CapabilityRegistryLike>(config: {
  readonly registry: Registry;
  readonly policies?: readonly AgentPolicy[];
}): Governance & { readonly registry: Registry } {
  if (!isObject(config)) throw new TypeError("defineGovernance: needs { registry, policies? }");
  const { registry } = config;
  if (typeof member(registry, "get") !== "function") {
    throw new TypeError("defineGovernance: registry must be a capability registry, which looks up by get(id)");
  }
  const given: unknown = config.policies ?? [];
  if (config.policies === null || !isList<unknown>(given)) {
    throw new TypeError("defineGovernance: policies must be an array");
  }
  const policies = Object.freeze(
    Array.from(given, (policy, at) => {
      checkPolicy(policy, `defineGovernance: policies[${at}]`);
      return frozenPolicy(policy);
    }),
  );
  const manifest = flattenPolicies(policies).map(({ name, phases }) =>
    Object.freeze({ name, phases: Object.freeze([...phases]) }),
  );
  return Object.freeze({ registry, policies, manifest: Object.freeze(manifest) });
}

/** A hand-made policy as it is now: what the manifest says must stay what runs. */
function frozenPolicy(policy: AgentPolicy): AgentPolicy {
  if (Object.isFrozen(policy) && Object.isFrozen(policy.phases)) return policy;
  const { name, phases, evaluate } = policy;
  const copy = {
    name,
    phases: Object.freeze([...phases]),
    evaluate: (request: PolicyRequest) => evaluate.call(policy, request),
  };
  const members = membersOf(policy);
  if (members !== undefined) Object.defineProperty(copy, MEMBERS, { value: Object.freeze([...members]) });
  return Object.freeze(copy);
}
