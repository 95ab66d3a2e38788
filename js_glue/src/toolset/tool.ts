// What a toolset gives to a loop.

import type { ConfirmationLevel, Plane } from "../generated/vocabulary.js";
import type { SurfaceSnapshot } from "../registry/snapshot.js";
import type { InvocationResult } from "../runtime/answers.js";
import type { JsonSchema } from "../schema/schema.js";

export interface ToolCallOptions {
  readonly invocationId?: string | undefined;
  readonly confirmationId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

interface ToolFields<Answer> {
  readonly wireName: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Resolves with whatever an agent may meet; rejects only for misuse of the registry. */
  readonly execute: (input?: unknown, options?: ToolCallOptions) => Promise<Answer>;
}

/** One capability. Everything but the availability is the stable half. */
export interface DirectTool extends ToolFields<InvocationResult> {
  readonly canonicalId: string;
  readonly plane: Plane;
  readonly effect: string;
  readonly confirmation: ConfirmationLevel;
  readonly available: boolean;
  readonly unavailableReason?: string;
}

/** What `surface_discover` answers. */
export type Discovery = SurfaceSnapshot & { readonly scopeRejected?: { readonly prefixes: readonly string[] } };

/** One of the three constant tools. */
export type MetaTool = ToolFields<InvocationResult | Discovery>;

export type AgentTool = DirectTool | MetaTool;
