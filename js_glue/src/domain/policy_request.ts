// What a policy is asked (spec: domain.md §4.2). Policies cannot alter what runs: each batch sees frozen copies of the
// input and of the approval, made when a policy first looks.

import { POLICY_PHASES } from "../generated/domain_vocabulary.js";
import { frozenCopy } from "./detach.js";
import type { PhaseNumber } from "./engine.js";
import type { AgentCapability, ApprovalRecord, PolicyRequest } from "./types.js";

type Asking = Pick<PolicyRequest, "surface" | "actor" | "context">;

export function policyRequest(
  phase: PhaseNumber,
  { id, meta }: AgentCapability,
  { surface, actor, context }: Asking,
  input?: { readonly value: unknown },
  approval?: ApprovalRecord,
): PolicyRequest {
  const request = { phase: POLICY_PHASES[phase], capability: { id, meta }, surface, actor, context };
  if (input !== undefined) defineCopy(request, "input", input.value);
  if (approval !== undefined) defineCopy(request, "approval", approval);
  return Object.freeze(request);
}

function defineCopy(request: object, key: string, value: unknown): void {
  let copy: { readonly value: unknown } | undefined;
  Object.defineProperty(request, key, {
    enumerable: true,
    get: () => (copy ??= { value: frozenCopy(value) }).value,
  });
}
