// What the module has to know of policies: that there are some, and how much of a call the audit records.

import type { AttachedPolicies, AttachedPolicy } from "../contract/attach.js";
import type { AuditLevel } from "../generated/vocabulary.js";
import type { InternedContract } from "../contract/intern.js";

export interface PolicyFlags {
  /** Some policy has a say in a call: none is admitted before it was asked. */
  readonly policies?: true;
  /** Some policy only votes on discovery: whom it hides does not exist. */
  readonly votes?: true;
  /** Some policy votes on discovery at all. */
  readonly discovery?: true;
}

export function policyFlags(policies: readonly AttachedPolicy[]): PolicyFlags {
  const governs = policies.some(
    ({ vote, onAuthorize, onInvoke, confirmation }) => (vote ?? onAuthorize ?? onInvoke ?? confirmation) !== undefined,
  );
  const discovery = policies.some(({ vote }) => vote !== undefined);
  return {
    ...(governs ? { policies: true } : {}),
    ...(discovery && policies.some(isPure) ? { votes: true } : {}),
    ...(discovery ? { discovery: true } : {}),
  };
}

/** Of discovery only: its vote counts in a call too, where one with `onAuthorize` answers for itself. */
export function isPure(policy: AttachedPolicy): boolean {
  return policy.vote !== undefined && policy.onAuthorize === undefined;
}

/** The level that the last of them asks for. */
export function levelOf(policies: readonly AttachedPolicy[]): AuditLevel | undefined {
  return policies.findLast(({ audit }) => audit?.level !== undefined)?.audit?.level;
}

/** Members of a mount text, "" for a registration without policies; `inherited` are those of a reference's owner. */
export function mountFlags(
  contract: InternedContract,
  { component, own }: AttachedPolicies,
  inherited: readonly AttachedPolicy[] = [],
): string {
  if (component.length === 0 && own.length === 0 && inherited.length === 0) return "";
  let text = "";
  for (const flag of Object.keys(policyFlags([...inherited, ...component, ...own.flat()]))) text += `,"${flag}":true`;
  const levels: Record<string, AuditLevel> = {};
  for (const [index, name] of contract.names.entries()) {
    const level = levelOf(own[index] ?? []) ?? levelOf(component) ?? levelOf(inherited);
    if (level !== undefined) levels[name] = level;
  }
  return Object.keys(levels).length === 0 ? text : `${text},"audit":${JSON.stringify(levels)}`;
}
