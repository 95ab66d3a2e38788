// The calls that a step ended at: carried out one after the other in the model's order, each absorbed by the page before
// the next one looks at it. A person is waited for here, between two requests.

import type { AgentConsumer } from "../contract/types.js";
import { notExecuted } from "../protocol/not_executed.js";
import type { StepProjection } from "../protocol/project_step.js";
import type { PendingToolCall, WireModelMessage } from "../protocol/types.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { StepCalls } from "./calls.js";
import { dispatch, type DispatchedCall } from "./dispatch.js";
import { invocationIdOf } from "./invocation_id.js";
import { identityOf, type CallIdentity } from "./meta.js";
import { settleSurface } from "./settle.js";

export interface BrowserWork {
  readonly registry: AgentSurfaceRegistry;
  readonly consumer: AgentConsumer;
  readonly conversationId: string;
  readonly turnId: string;
  /** What the model was shown: the names mean what they meant there. */
  readonly projection: StepProjection;
  readonly scope: readonly string[];
  readonly meta: boolean;
  readonly until: (() => boolean) | undefined;
  readonly calls: StepCalls;
  readonly signal: AbortSignal;
  person<T>(decision: Promise<T>): Promise<T>;
  goesOn(): boolean;
  settled(call: CallIdentity, ok: boolean, value: unknown): void;
  /** A navigation of the model's went well, and the page has absorbed it. */
  navigated(): void;
}

/** The results of all of them, whatever happens: those that will not run are answered TOOL_NOT_EXECUTED. */
export async function carryOut(pending: readonly PendingToolCall[], work: BrowserWork): Promise<WireModelMessage> {
  const content = [];
  for (const call of pending) {
    const { toolCallId, wireName: toolName } = call;
    const value = await answerOf(call, work);
    content.push({ type: "tool-result" as const, toolCallId, toolName, output: { type: "json" as const, value } });
  }
  return { role: "tool", content };
}

async function answerOf(pending: PendingToolCall, work: BrowserWork): Promise<unknown> {
  const call = { ...pending, executor: "browser" } as const;
  const identity = identityOf(call.wireName, canonicalIdOf(call, work.projection), call.input);
  const outcome = work.goesOn() ? await run(call, work) : undefined;
  if (outcome === undefined) {
    const value = notExecuted();
    if (work.calls.open(call.toolCallId) !== undefined) work.calls.answer(call, false, value);
    return value;
  }
  work.calls.answer(call, outcome.ok, outcome.value);
  await absorb(call, identity, outcome.ok, work);
  work.settled(identity, outcome.ok, outcome.value);
  return outcome.value;
}

/** The map's word counts, not the server's. */
function canonicalIdOf({ wireName, canonicalId }: PendingToolCall, { wireNames }: StepProjection): string {
  return wireNames.get(wireName)?.canonicalId ?? canonicalId;
}

/** Undefined for a call that ended while it waited for a person: it never ran. */
async function run(
  call: PendingToolCall & { readonly executor: "browser" },
  work: BrowserWork,
): Promise<DispatchedCall | undefined> {
  const { registry, projection, consumer, scope, meta, signal, conversationId, turnId } = work;
  work.calls.announce(call);
  let unanswered = false;
  const person = async <T>(decision: Promise<T>): Promise<T> => {
    unanswered = true;
    const decided = await work.person(decision);
    unanswered = false;
    return decided;
  };
  const invocationId = invocationIdOf(conversationId, turnId, call.toolCallId);
  const host = { scope, meta, person };
  const outcome = await dispatch(registry, projection, call, { consumer, signal, invocationId }, host);
  return unanswered ? undefined : outcome;
}

/** What was only read has moved nothing; a name that means nothing was not carried out. */
async function absorb(
  call: PendingToolCall,
  { canonicalId }: CallIdentity,
  ok: boolean,
  work: BrowserWork,
): Promise<void> {
  const { registry, projection, until, signal, meta } = work;
  if (!meta && !projection.wireNames.has(call.wireName)) return;
  const effect = effectOf(projection, canonicalId);
  if (effect === "read" || call.wireName === "surface_discover" || call.wireName === "surface_read") return;
  await settleSurface(registry, { until, signal });
  if (ok && effect === "navigation") work.navigated();
}

function effectOf({ descriptors }: StepProjection, canonicalId: string): string | undefined {
  return descriptors.find((descriptor) => descriptor.canonicalId === canonicalId)?.effect;
}
