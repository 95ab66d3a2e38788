// One tool call of the model, carried out against the live surface (spec: host-protocol.md, "The turn loop").
//
// The name means what it meant in the projection that the model was shown: the call carries that registration, so that
// a remount in between is STALE_CAPABILITY and never a call into the wrong component.

import type { AgentConsumer } from "../contract/types.js";
import { invalidDefinition, type AgentCapabilityErrorCode, type Retry } from "../errors.js";
import { freshInvocationId } from "../ids.js";
import { isObject } from "../contract/values.js";
import type { StepProjection } from "../protocol/project_step.js";
import { knownCore } from "../registry/internals.js";
import type { InvocationRequest } from "../registry/envelope.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { ErrorResult, InvocationResult } from "../runtime/answers.js";
import { invokeAndWait } from "../toolset/confirmed.js";
import type { ConfirmationMode } from "../toolset/options.js";
import type { Discovery } from "../toolset/tool.js";
import { metaToolNamed, type MetaCall } from "./meta.js";
import { fitsHistory } from "./values.js";

export interface ToolCall {
  readonly toolCallId: string;
  readonly wireName: string;
  readonly input: unknown;
}

export interface DispatchOptions {
  readonly consumer: AgentConsumer;
  readonly signal?: AbortSignal | undefined;
  /** Default: a fresh one. Under one id a call runs once, however often it is delivered. */
  readonly invocationId?: string | undefined;
  /** wait (default): a call that needs a person waits for one. two-phase: it answers CONFIRMATION_REQUIRED. */
  readonly confirmations?: ConfirmationMode | undefined;
}

export interface DispatchedCall {
  readonly ok: boolean;
  /** For the model: the output, `{ done: true }` where there is none, `{ error }` for a failure. */
  readonly value: unknown;
  readonly result: InvocationResult | Discovery;
}

/** What the turn knows beside the options of a call. */
export interface DispatchHost {
  /** What surface_discover may speak of. */
  readonly scope: readonly string[];
  /** Whether the three tools of meta mode are offered. */
  readonly meta: boolean;
  /** Stands around each wait for a person. */
  person<T>(decision: Promise<T>): Promise<T>;
}

const ALONE: DispatchHost = { scope: [], meta: true, person: (decision) => decision };

/** Resolves with whatever the call comes to; rejects only for a registry or options that are none. */
export async function dispatchToolCall(
  registry: AgentSurfaceRegistry,
  projection: StepProjection,
  call: ToolCall,
  options: DispatchOptions,
): Promise<DispatchedCall> {
  knownCore(registry, "dispatchToolCall");
  if (!isObject(options) || !isObject(options.consumer)) {
    throw invalidDefinition("dispatchToolCall: options.consumer is missing; { id, kind } says for whom the call is");
  }
  return dispatch(registry, projection, call, options, ALONE);
}

export async function dispatch(
  registry: AgentSurfaceRegistry,
  projection: StepProjection,
  call: ToolCall,
  options: DispatchOptions,
  host: DispatchHost,
): Promise<DispatchedCall> {
  const { invocationId = freshInvocationId() } = options;
  const invoke = (request: InvocationRequest): Promise<InvocationResult> =>
    invoked(registry, { ...request, invocationId }, options, host);
  const target = projection.wireNames.get(call.wireName);
  if (target !== undefined) {
    const { canonicalId: capabilityId, registrationId } = target;
    const { surfaceVersion } = projection;
    return dispatched(await invoke({ capabilityId, registrationId, surfaceVersion, input: call.input }));
  }
  const tool = host.meta ? metaToolNamed(call.wireName) : undefined;
  if (tool === undefined) return dispatched(notInMap(invocationId));
  const meta: MetaCall = { registry, projection, consumer: options.consumer, scope: host.scope, invoke };
  try {
    return dispatched(await tool(meta, call.input));
  } catch {
    return dispatched(broken(registry, { capabilityId: "", invocationId }));
  }
}

/** Never rejects: an author's broken contract must not end the turn. */
async function invoked(
  registry: AgentSurfaceRegistry,
  request: InvocationRequest,
  { consumer, signal, confirmations = "wait" }: DispatchOptions,
  host: DispatchHost,
): Promise<InvocationResult> {
  try {
    if (confirmations !== "wait") return await registry.invoke(request, { consumer, signal });
    return await invokeAndWait(personal(registry, host), request, { consumer, signal }, NEVER.signal);
  } catch {
    return broken(registry, request);
  }
}

const NEVER = /* @__PURE__ */ new AbortController();

/** The same registry; whoever waits for a person there is known to do so. */
function personal(registry: AgentSurfaceRegistry, host: DispatchHost): AgentSurfaceRegistry {
  const { confirmations } = registry;
  const waitFor: typeof confirmations.waitFor = (id, options) => host.person(confirmations.waitFor(id, options));
  return { ...registry, confirmations: { ...confirmations, waitFor } };
}

function dispatched(result: InvocationResult | Discovery): DispatchedCall {
  if (!("status" in result)) return { ok: true, value: result, result };
  if (result.status === "error") return { ok: false, value: { error: result.error }, result };
  const { output } = result;
  if (output === undefined) return { ok: true, value: { done: true }, result };
  return fitsHistory(output) ? { ok: true, value: output, result } : dispatched(tooDeep(result));
}

function failed(
  { invocationId = "", capabilityId }: InvocationRequest,
  surfaceVersion: string,
  error: { readonly code: AgentCapabilityErrorCode; readonly message: string; readonly retry: Retry },
  reason?: string,
): ErrorResult {
  const told = reason === undefined ? error : { ...error, details: { reason } };
  return { status: "error", invocationId, capabilityId, error: told, surfaceVersion };
}

function notInMap(invocationId: string): ErrorResult {
  return failed({ invocationId, capabilityId: "" }, "0", {
    code: "CAPABILITY_NOT_FOUND",
    message: "The page does not offer this tool now. The next step lists what it offers.",
    retry: "after-refresh",
  });
}

/** The registry rejected: its output was no JSON value, or it was disposed of. */
function broken(registry: AgentSurfaceRegistry, request: InvocationRequest): ErrorResult {
  const { gone } = knownCore(registry, "dispatchToolCall");
  const error = {
    code: "EXECUTION_FAILED",
    message: "The capability failed; what it did is unknown.",
    retry: "no",
  } as const;
  return failed(request, gone ? "0" : registry.getVersion(), error, gone ? "internal" : "output-invalid");
}

function tooDeep({ invocationId, capabilityId, surfaceVersion }: InvocationResult): ErrorResult {
  const error = {
    code: "EXECUTION_FAILED",
    message: "The capability ran, but its output is nested deeper than a message may be.",
    retry: "no",
  } as const;
  return failed({ invocationId, capabilityId }, surfaceVersion, error, "output-too-large");
}
