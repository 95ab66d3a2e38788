// What a policy is asked (spec: domain.md §4.2). Policies cannot alter the input: each batch sees a frozen copy of it,
// made when a policy first looks.

import { POLICY_PHASES } from "../generated/domain_vocabulary.js";
import { deepFreeze } from "../json/value.js";
import { detach } from "./detach.js";
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
  const base = { phase: POLICY_PHASES[phase], capability: { id, meta }, surface, actor, context };
  const asked = approval === undefined ? base : { ...base, approval };
  if (input === undefined) return Object.freeze(asked);
  let copy: { readonly value: unknown } | undefined;
  return Object.freeze(
    Object.defineProperty({ ...asked, input: undefined }, "input", {
      enumerable: true,
      get: () => (copy ??= { value: deepFreeze(detach(input.value)) }).value,
    }),
  );
}
