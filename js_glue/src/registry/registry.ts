// The public registry: mount, project, invoke, unmount.
//
//     const registry = createAgentSurfaceRegistry({ environment: "test" });
//     const handle = registry.register(contract.bind({ … }));
//     const result = await registry.invoke({ capabilityId: "view:invoices.setFilters", input: { … } });
//     handle.unregister();
//     registry.dispose();
//
// An author's mistake throws AgentSurfaceDefinitionError; a condition of the running page never throws.

import type { AgentProcedureContract, ProcedureConfig, ProcedureRef } from "../contract/procedure.js";
import type { AgentComponentDefinition, AgentConsumer } from "../contract/types.js";
import { invalidDefinition } from "../errors.js";
import type { InvocationResult } from "../runtime/answers.js";
import { liveRuntime } from "../runtime/load.js";
import type { Runtime } from "../runtime/runtime.js";
import type { ConfirmationController } from "./confirmations.js";
import { RegistryCore } from "./core.js";
import type { InvocationRequest, InvokeOptions } from "./envelope.js";
import { rememberCore } from "./internals.js";
import { resume } from "./flow.js";
import { invoke } from "./invoke.js";
import { register, type RegistrationHandle } from "./mount.js";
import { readOptions, type RegistryOptions } from "./options.js";
import { registerProcedure, setExecutor, type ProcedureExecutor } from "./procedures.js";
import type { SurfaceListener } from "./outbox.js";
import { takeSnapshot, type SurfaceSnapshot } from "./snapshot.js";

export interface SnapshotContext {
  readonly consumer?: AgentConsumer | undefined;
  /** Component-type prefixes on segment boundaries; shapes discovery only. */
  readonly scope?: readonly string[] | undefined;
  /** Default true. */
  readonly includeUnavailable?: boolean | undefined;
  readonly budget?: { readonly maxComponents?: number; readonly maxBytes?: number } | undefined;
}

export interface AgentSurfaceRegistry {
  readonly surfaceId: string;
  /** Makes the capabilities live at once. A refused newcomer gets a dead handle. */
  register(definition: AgentComponentDefinition): RegistrationHandle;
  /** A procedure of the server, for as long as it is mounted; one that no bridge made is inert in production. */
  registerProcedure<I, O>(
    contract: AgentProcedureContract<I, O>,
    ref: ProcedureRef,
    config?: ProcedureConfig<I>,
  ): RegistrationHandle;
  /** Who runs procedures; undefined takes it away. */
  setProcedureExecutor(executor: ProcedureExecutor | undefined): void;
  /** Synchronous, deep-frozen, runs no `read()`. */
  snapshot(context?: SnapshotContext): SurfaceSnapshot;
  /** Everything an agent may meet is a result; rejects only for misuse. */
  invoke(request: InvocationRequest, options?: InvokeOptions): Promise<InvocationResult>;
  /** Returns the function that ends the subscription. */
  subscribe(listener: SurfaceListener): () => void;
  /** What waits for a person, and how it is decided. */
  readonly confirmations: ConfirmationController;
  getVersion(): string;
  /** Settles what is in flight as CANCELLED and frees what the registry holds in the module. */
  dispose(): void;
  [Symbol.dispose](): void;
}

interface Abandoned {
  readonly runtime: Runtime;
  readonly h: number;
  readonly core: WeakRef<RegistryCore>;
}
let abandoned: FinalizationRegistry<Abandoned> | undefined;

/** Symbol.dispose where the platform has it; elsewhere the symbol that its polyfills register. */
const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

export function createAgentSurfaceRegistry(options: RegistryOptions = {}): AgentSurfaceRegistry {
  const runtime = liveRuntime("createAgentSurfaceRegistry");
  const settings = readOptions(options);
  const h = Number(runtime.answer(settings.text, (table) => table.createRegistry()));
  const core = new RegistryCore(runtime, h, settings, resume);
  const registry = publicRegistry(core);
  rememberCore(registry, core);
  abandoned ??= new FinalizationRegistry(cleanUp);
  abandoned.register(registry, { runtime, h, core: new WeakRef(core) }, core);
  return registry;
}

function cleanUp({ runtime, h, core }: Abandoned): void {
  const alive = core.deref();
  if (alive !== undefined) alive.dispose();
  else if (!runtime.dead) runtime.call("", (table) => table.dispose(h, 0));
}

function publicRegistry(core: RegistryCore): AgentSurfaceRegistry {
  const dispose = (): void => {
    abandoned?.unregister(core);
    core.dispose();
  };
  const registry: AgentSurfaceRegistry = {
    surfaceId: core.settings.surfaceId,
    register: (definition) => register(core, definition),
    registerProcedure: (contract, ref, config) => registerProcedure(core, contract, ref, config),
    setProcedureExecutor: (executor) => setExecutor(core, executor),
    snapshot: (context) => takeSnapshot(core, context),
    invoke: (request, options) => invoke(core, registry, request, options),
    subscribe: (listener) => subscribe(core, listener),
    confirmations: core.confirmations.controller,
    getVersion: () => {
      core.assertLive();
      return String(core.runtime.call("", (table) => table.version(core.h)));
    },
    dispose,
    [DISPOSE]: dispose,
  };
  return Object.freeze(registry);
}

function subscribe(core: RegistryCore, listener: SurfaceListener): () => void {
  core.assertLive();
  if (typeof listener !== "function") throw invalidDefinition("subscribe needs a function");
  // A listener may subscribe twice: each subscription ends on its own.
  const own: SurfaceListener = (event) => listener(event);
  core.listeners.add(own);
  if (core.listeners.size === 1) core.listen();
  return () => {
    if (!core.listeners.delete(own) || core.listeners.size > 0) return;
    if (!core.gone) core.listen();
  };
}
