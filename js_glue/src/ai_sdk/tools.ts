// Tools of one request, for one actor (spec: domain.md §13.1).
//
//     const tools = await toAISDKTools(runtime, { actor, context: { tenant }, signal: request.signal });
//     await generateText({ model, tools, stopWhen: stepCountIs(5), prompt });
//
// A tool forwards what the model wrote as it is, never throws, and answers the envelope of its call. The approval flags
// of the AI SDK stay unset: whether a person must decide is the runtime's business. The actor of a set is fixed when it
// is built, so make one per request and share none.

import type { Tool } from "ai";
import {
  envelopeOf,
  nameTools,
  toolDescription,
  toolInputSchema,
  type ToolEnvelope,
  type ToolFilter,
  type ToolNaming,
} from "../domain/tool_shapes.js";
import type { Actor, AgentRuntimeLike, CapabilityDescriptor, CapabilityScope, Context } from "../domain/types.js";
import { rawSchema } from "./schema.js";

export interface AISDKToolsOptions {
  /** From authenticated transport, never from what a model wrote (SI-3). */
  readonly actor: Actor;
  readonly context?: Context;
  readonly scope?: CapabilityScope;
  readonly filter?: ToolFilter;
  readonly toolNaming?: ToolNaming;
  /** Ends every call of the set, together with the signal that the AI SDK gives each. */
  readonly signal?: AbortSignal;
}

export type AISDKTools = Record<string, Tool<unknown, ToolEnvelope>>;

const SURFACE = "aiSdk";

/**
 * Rejects with a TypeError without an actor, as `describe` does for a listing that fails, and with an Error for tool
 * names that clash or that no provider takes.
 */
export async function toAISDKTools(runtime: AgentRuntimeLike, options: AISDKToolsOptions): Promise<AISDKTools> {
  const given: Partial<AISDKToolsOptions> | null | undefined = options;
  if (given?.actor === undefined || given.actor === null) throw new TypeError("toAISDKTools: an actor is needed");
  const { actor, context, scope, filter, toolNaming } = options;
  const descriptors = await runtime.describe(SURFACE, {
    actor,
    ...(context !== undefined && { context }),
    ...(scope !== undefined && { scope }),
  });
  const listed = filter === undefined ? descriptors : descriptors.filter((descriptor) => filter(descriptor));
  const named = nameTools(SURFACE, listed, { registry: runtime.registry, toolNaming });
  // fromEntries: a tool may be called __proto__.
  return Object.fromEntries([...named].map(([name, descriptor]) => [name, toolOf(runtime, descriptor, options)]));
}

function toolOf(
  runtime: AgentRuntimeLike,
  descriptor: CapabilityDescriptor,
  { actor, context, signal }: AISDKToolsOptions,
): Tool<unknown, ToolEnvelope> {
  return {
    description: toolDescription(descriptor),
    inputSchema: rawSchema(toolInputSchema(descriptor)),
    execute: (input, { abortSignal }) =>
      envelopeOf(() => {
        const either = eitherOf(signal, abortSignal);
        return runtime.invoke(descriptor.id, input, {
          actor,
          surface: SURFACE,
          ...(context !== undefined && { context }),
          ...(either !== undefined && { signal: either }),
        });
      }),
  };
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}
