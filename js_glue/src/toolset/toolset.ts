// The live surface as tools for a loop in the page (spec: capabilities.md §7, "Toolset").
//
//     const toolset = createAgentToolset(registry, { consumer, topology: "embedded" });
//     const tools = toolset.tools();                       // the same array until something changed
//     const result = await tools[0].execute({ page: 3 });   // an invocation's result
//     toolset.subscribe(() => …);                           // the tools, or only what is available, changed
//     toolset.dispose();
//
// It holds no state of the surface: every look is a projection, and a call carries the registration that was shown.

import { coreOf } from "../registry/internals.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { InvocationResult } from "../runtime/answers.js";
import { projectStep, type StepProjection, type WireDescriptor, type WireState } from "../protocol/project_step.js";
import type { WireTarget } from "../protocol/names.js";
import { invokeAndWait } from "./confirmed.js";
import { metaTools } from "./meta.js";
import { readToolsetOptions, type ToolsetOptions, type ToolsetSettings } from "./options.js";
import type { AgentTool, DirectTool, ToolCallOptions } from "./tool.js";

export interface AgentToolset {
  /** The same array as long as nothing of it has changed. */
  tools(): readonly AgentTool[];
  /** The volatile half: availability and notes. */
  state(): readonly WireState[];
  /** What the names of the tools stand for; empty in meta mode, whose three names stand for no capability. */
  wireNameMap(): ReadonlyMap<string, WireTarget>;
  /** Called in the microtask after the tools, or only what is available, changed. Returns the end of it. */
  subscribe(listener: () => void): () => void;
  /** Ends subscriptions and waits for confirmations. */
  dispose(): void;
}

/** INVALID_DEFINITION for options that cannot be; one of topology and confirmations is required. */
export function createAgentToolset(registry: AgentSurfaceRegistry, options: ToolsetOptions): AgentToolset {
  coreOf(registry, "createAgentToolset");
  const toolset = new Toolset(registry, readToolsetOptions(options));
  return Object.freeze({
    tools: () => toolset.tools(),
    state: () => toolset.state(),
    wireNameMap: () => toolset.wireNameMap(),
    subscribe: (listener: () => void) => toolset.subscribe(listener),
    dispose: () => toolset.dispose(),
  });
}

const NO_NAMES: ReadonlyMap<string, WireTarget> = new Map();

class Toolset {
  readonly #registry: AgentSurfaceRegistry;
  readonly #settings: ToolsetSettings;
  readonly #closed = new AbortController();
  readonly #listeners = new Set<() => void>();
  #unsubscribe: (() => void) | undefined;
  #scheduled = false;
  #seen: StepProjection | undefined;
  #tools: { readonly of: StepProjection; readonly list: readonly AgentTool[] } | undefined;
  readonly #meta: readonly AgentTool[] | undefined;

  constructor(registry: AgentSurfaceRegistry, settings: ToolsetSettings) {
    this.#registry = registry;
    this.#settings = settings;
    const invoke: Invoke = (request, call) => this.#invoke(request, call);
    this.#meta = settings.meta ? metaTools(registry, settings, invoke) : undefined;
  }

  tools(): readonly AgentTool[] {
    if (this.#meta !== undefined) return this.#meta;
    const projection = this.#project();
    const known = this.#tools;
    if (known !== undefined && isSame(known.of, projection)) return known.list;
    const list = Object.freeze(projection.descriptors.map((descriptor) => this.#direct(descriptor, projection)));
    this.#tools = { of: projection, list };
    return list;
  }

  state(): readonly WireState[] {
    return this.#project().state;
  }

  wireNameMap(): ReadonlyMap<string, WireTarget> {
    return this.#settings.meta ? NO_NAMES : this.#project().wireNames;
  }

  subscribe(listener: () => void): () => void {
    if (this.#closed.signal.aborted) return () => undefined;
    const own = (): void => listener();
    this.#listeners.add(own);
    if (this.#unsubscribe === undefined) {
      this.#seen = this.#project();
      this.#unsubscribe = this.#registry.subscribe(({ type }) => {
        if (type === "surface-changed" || type === "availability-changed") this.#schedule();
      });
    }
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#stop();
    };
  }

  dispose(): void {
    this.#closed.abort();
    this.#listeners.clear();
    this.#stop();
  }

  #stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#seen = undefined;
  }

  #project(): StepProjection {
    const { consumer, scope } = this.#settings;
    return projectStep(this.#registry, { consumer, scope });
  }

  #direct(descriptor: WireDescriptor, projection: StepProjection): DirectTool {
    const { wireName, canonicalId } = descriptor;
    const target = projection.wireNames.get(wireName);
    const { surfaceVersion } = projection;
    const registrationId = target?.registrationId;
    return Object.freeze({
      ...descriptor,
      execute: (input?: unknown, options: ToolCallOptions = {}) =>
        this.#invoke({ capabilityId: canonicalId, registrationId, surfaceVersion, input }, options),
    });
  }

  #invoke(request: CapabilityRequest, options: ToolCallOptions): Promise<InvocationResult> {
    const { consumer, waits } = this.#settings;
    const { invocationId, confirmationId, signal, timeoutMs } = options;
    const whole = { ...request, invocationId, confirmationId };
    const how = { consumer, signal, timeoutMs };
    if (!waits || confirmationId !== undefined) return this.#registry.invoke(whole, how);
    return invokeAndWait(this.#registry, whole, how, this.#closed.signal);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (this.#unsubscribe !== undefined) this.#look();
    });
  }

  /** Somebody else's change, or one that this consumer must not hear of, is no news. */
  #look(): void {
    const before = this.#seen;
    let now: StepProjection;
    try {
      now = this.#project();
    } catch {
      return this.#stop(); // the registry is gone
    }
    if (before !== undefined && isSame(before, now)) return;
    this.#seen = now;
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        console.warn("viewcap: a listener of a toolset threw", error);
      }
    }
  }
}

export interface CapabilityRequest {
  readonly capabilityId: string;
  readonly registrationId?: string | undefined;
  readonly instanceId?: string | undefined;
  readonly surfaceVersion?: string | undefined;
  readonly input?: unknown;
}
export type Invoke = (request: CapabilityRequest, options: ToolCallOptions) => Promise<InvocationResult>;

/**
 * Whether they offer the same. The notes are in the volatile half only, so both halves are compared; and the same bytes
 * may stand for other registrations: an instance that was mounted anew.
 */
function isSame(one: StepProjection, other: StepProjection): boolean {
  if (!equal(one.bytes, other.bytes) || !equal(one.stateBytes, other.stateBytes)) return false;
  if (one.wireNames === other.wireNames) return true;
  if (one.wireNames.size !== other.wireNames.size) return false;
  for (const [name, { registrationId }] of one.wireNames) {
    if (other.wireNames.get(name)?.registrationId !== registrationId) return false;
  }
  return true;
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
