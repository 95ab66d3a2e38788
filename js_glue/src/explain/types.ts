// The shapes of an explanation.

import type { DiscoveryDecision } from "../contract/policy.js";
import type { AgentConsumer } from "../contract/types.js";
import type { Effect } from "../generated/vocabulary.js";
import type { PolicyLevel } from "../registry/policy_chain.js";

export interface ExplainContext {
  /** Default: the anonymous one. */
  readonly consumer?: AgentConsumer | undefined;
}

export interface SurfaceExplanation {
  readonly surfaceId: string;
  readonly surfaceVersion: string;
  readonly consumer: AgentConsumer;
  /** In the order of registration, and of the contract. */
  readonly capabilities: readonly ExplainedCapability[];
}

export interface ExplainedCapability extends Outcome {
  readonly capabilityId: string;
  readonly registrationId: string;
  /** The owner's, of a reference to a procedure. */
  readonly componentType?: string;
  readonly instanceId?: string;
  readonly kind: "observation" | "action" | "procedure";
  readonly effect: Effect;
  /** All that hold, in the order in which they count; the first gives the reason. */
  readonly causes: readonly UnavailableCause[];
  /** Of every policy that votes on discovery, in their order. */
  readonly votes: readonly ExplainedVote[];
}

export interface Outcome {
  readonly outcome: "available" | "unavailable" | "hidden";
  /** What the agent is told when it is unavailable. */
  readonly reason?: string;
}

export interface UnavailableCause {
  readonly by: "component-disabled" | "override" | "when" | "policy" | "binding";
  readonly reason?: string;
  /** The name of the policy. */
  readonly policy?: string;
}

export interface ExplainedVote {
  /** The policy's name. */
  readonly policy: string;
  readonly level: PolicyLevel;
  readonly decision: DiscoveryDecision;
  readonly reason?: string;
  /** It threw, and so hides. */
  readonly threw?: true;
}
