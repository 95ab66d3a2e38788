// Policies where they attach: checked, read once, and known by what they have a say in.

import { invalidDefinition } from "../errors.js";
import {
  auditRuleOf,
  confirmationRuleOf,
  type AuditRule,
  type ConfirmationRule,
  type Policy,
  type PolicyContext,
} from "./policy.js";

/** A policy as the registry keeps it: what it was when it attached, whatever its author does to the object later. */
export interface AttachedPolicy extends Omit<Policy, "onDiscovery"> {
  /** `onDiscovery`, whose answer is anybody's guess. */
  readonly vote: ((ctx: PolicyContext) => unknown) | undefined;
  readonly confirmation: ConfirmationRule | undefined;
  readonly audit: AuditRule | undefined;
}

/** The policies of one registration. */
export interface AttachedPolicies {
  /** Those of the contract, then those of the binding. */
  readonly component: readonly AttachedPolicy[];
  /** By capability index; may be shorter than the contract. */
  readonly own: readonly (readonly AttachedPolicy[])[];
}

const NONE: readonly AttachedPolicy[] = Object.freeze([]);
export const UNGOVERNED: AttachedPolicies = Object.freeze({ component: NONE, own: Object.freeze([]) });

const KEYS = ["name", "onDiscovery", "onAuthorize", "onInvoke"];

/** A list of policies, as an author gave it; `place` says where, for the message. Throws INVALID_DEFINITION. */
export function attach(policies: unknown, place: string): readonly AttachedPolicy[] {
  if (policies === undefined) return NONE;
  try {
    if (Array.isArray(policies)) {
      if (policies.length === 0) return NONE;
      const given: readonly unknown[] = policies;
      return Object.freeze(Array.from(given, (policy, at) => attachOne(policy, `${place}: policies[${String(at)}]`)));
    }
  } catch (error) {
    if (error instanceof Error && error.name === "AgentSurfaceDefinitionError") throw error;
    throw invalidDefinition(`${place}: policies could not be read`);
  }
  throw invalidDefinition(`${place}: policies are a list`);
}

/** What a component has of its own; `UNGOVERNED` when that is nothing. */
export function attachedPolicies(
  component: readonly AttachedPolicy[],
  own: readonly (readonly AttachedPolicy[])[] | undefined,
): AttachedPolicies {
  if (component.length === 0 && own === undefined) return UNGOVERNED;
  return { component, own: own ?? UNGOVERNED.own };
}

function attachOne(policy: unknown, place: string): AttachedPolicy {
  if (typeof policy !== "object" || policy === null) throw invalidDefinition(`${place} is no policy: { name, … }`);
  const name: unknown = Reflect.get(policy, "name");
  if (typeof name !== "string" || name === "") throw invalidDefinition(`${place} has no name`);
  for (const key of Object.keys(policy)) {
    if (!KEYS.includes(key)) {
      throw invalidDefinition(`${place} ("${name}"): "${key}" is unknown; allowed are ${KEYS.join(", ")}`);
    }
  }
  const hook = (key: string): ((...told: readonly unknown[]) => unknown) | undefined => {
    const found: unknown = Reflect.get(policy, key);
    if (found === undefined) return undefined;
    if (typeof found !== "function") throw invalidDefinition(`${place} ("${name}"): ${key} must be a function`);
    return (...told) => Reflect.apply(found, policy, told);
  };
  const [vote, onAuthorize, onInvoke] = [hook("onDiscovery"), hook("onAuthorize"), hook("onInvoke")];
  return Object.freeze({
    name,
    vote,
    ...(onAuthorize === undefined ? {} : { onAuthorize }),
    ...(onInvoke === undefined ? {} : { onInvoke }),
    confirmation: confirmationRuleOf(policy),
    audit: auditRuleOf(policy),
  });
}
