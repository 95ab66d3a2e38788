// viewcap/explain: why a capability is, or is not, what an agent sees.
//
//     for (const one of explainSurface(registry, { consumer }).capabilities) console.log(one.capabilityId, one.causes);
//
// For developers: it lists hidden capabilities too, so nothing that serves an agent may import it. It asks the policies
// as a snapshot does and has the module compose what they say, so the outcome is what `snapshot()` shows at that moment.
// Scope and budget, which only shape a list, are left out of account (spec: capabilities.md §6).

import { invalidDefinition } from "../errors.js";
import { consumerOf } from "../registry/consumer.js";
import { coreOf } from "../registry/internals.js";
import { contextOf, hostReading } from "../registry/policy_chain.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import { snapshotOf } from "../registry/snapshot.js";
import { causesOf, outcomeKey, outcomesOf, PROCEDURE } from "./outcome.js";
import type { ExplainContext, ExplainedCapability, Outcome, SurfaceExplanation } from "./types.js";
import { takeVotes, type Ballot } from "./votes.js";

export type {
  ExplainContext,
  ExplainedCapability,
  ExplainedVote,
  Outcome,
  SurfaceExplanation,
  UnavailableCause,
} from "./types.js";

const HIDDEN: Outcome = Object.freeze({ outcome: "hidden" });

/** Every capability that is mounted. Synchronous; throws INVALID_DEFINITION for a consumer that is none. */
export function explainSurface(registry: AgentSurfaceRegistry, context: ExplainContext = {}): SurfaceExplanation {
  const core = coreOf(registry, "explainSurface");
  if (typeof context !== "object" || context === null) throw invalidDefinition("explainSurface takes { consumer? }");
  const consumer = consumerOf(context.consumer, "explainSurface");
  const ballot: Ballot = new Map();
  const snapshot = snapshotOf(core, () => takeVotes(core, consumer, ballot));
  const outcomes = outcomesOf(snapshot);
  const capabilities: ExplainedCapability[] = [];
  const host = hostReading(core);
  for (const registration of core.registrations.values()) {
    for (const [index, name] of registration.contract.names.entries()) {
      const votes = ballot.get(registration)?.[index] ?? [];
      const told = contextOf(core, registration, index, consumer, host);
      const { capabilityId, componentType, instanceId, kind, effect } = told;
      const { registrationId } = registration;
      const key = outcomeKey(registrationId, kind === "procedure" ? PROCEDURE : name);
      const outcome = outcomes.get(key) ?? HIDDEN;
      const causes = causesOf(registration, index, votes, outcome);
      const component = componentType === undefined || instanceId === undefined ? {} : { componentType, instanceId };
      const one = { capabilityId, registrationId, ...component, kind, effect, ...outcome, causes, votes };
      capabilities.push(Object.freeze(one));
    }
  }
  const { surfaceId, surfaceVersion } = snapshot;
  return Object.freeze({ surfaceId, surfaceVersion, consumer, capabilities: Object.freeze(capabilities) });
}
