// A registry on a clock of its own, with the calls that a test makes of it.
//
//     await loadRuntime();
//     const surface = createTestSurface();
//     surface.registry.register(contract.bind({ … }));
//     expectOk(await surface.call("setFilters", { status: "open" }));
//     surface.dispose();

import type { AgentConsumer } from "../contract/types.js";
import { projectStep, type StepProjection } from "../protocol/project_step.js";
import type { InvocationRequest, InvokeOptions } from "../registry/envelope.js";
import type { RegistryOptions } from "../registry/options.js";
import { createAgentSurfaceRegistry, type AgentSurfaceRegistry } from "../registry/registry.js";
import type { InvocationResult } from "../runtime/answers.js";
import { liveRuntime } from "../runtime/load.js";
import { createTestClock, type TestClock } from "./clock.js";
import { flush } from "./flush.js";

/** Those of a registry. `environment` is "test" unless an authority or an environment is given. */
export interface TestSurfaceOptions extends Omit<RegistryOptions, "clock"> {
  readonly clock?: TestClock | undefined;
  /** Of the projections and, unless a call says otherwise, of the calls. */
  readonly consumer?: AgentConsumer | undefined;
  /** Of the projections. */
  readonly scope?: readonly string[] | undefined;
}

export interface TestCallOptions extends Omit<InvocationRequest, "capabilityId" | "input">, InvokeOptions {}

export interface TestSurface {
  readonly registry: AgentSurfaceRegistry;
  readonly clock: TestClock;
  project(): StepProjection;
  /**
   * Calls by a wire name of the current projection, with the registration id and the version that a dispatched call
   * carries; by canonical id; or by the mere name of a capability where only one of the projection has it.
   */
  call(nameOrId: string, input?: unknown, options?: TestCallOptions): Promise<InvocationResult>;
  /** Lets microtasks settle; the clock stands still. */
  flush(): Promise<void>;
  dispose(): void;
}

const CONSUMER: AgentConsumer = Object.freeze({ id: "test", kind: "test" });

/** Needs the module. */
export function createTestSurface(options: TestSurfaceOptions = {}): TestSurface {
  liveRuntime("createTestSurface");
  const { consumer = CONSUMER, scope, clock = createTestClock(), ...rest } = options;
  const environment = rest.authority === undefined ? { environment: "test" as const } : {};
  const registry = createAgentSurfaceRegistry({ ...environment, ...rest, clock });
  const project = (): StepProjection => projectStep(registry, { consumer, scope });
  const call: TestSurface["call"] = async (nameOrId, input, told = {}) => {
    const { consumer: caller = consumer, signal, timeoutMs, ...request } = told;
    const target = nameOrId.includes(":") ? { capabilityId: nameOrId } : addressed(project(), nameOrId);
    return registry.invoke({ ...target, input, ...request }, { consumer: caller, signal, timeoutMs });
  };
  return Object.freeze({ registry, clock, project, call, flush, dispose: () => registry.dispose() });
}

function addressed(projection: StepProjection, name: string): InvocationRequest {
  const { wireNames, surfaceVersion } = projection;
  const target = wireNames.get(name);
  if (target !== undefined) {
    return { capabilityId: target.canonicalId, registrationId: target.registrationId, surfaceVersion };
  }
  const ids = new Set<string>();
  for (const { canonicalId } of wireNames.values()) {
    if (canonicalId.slice(canonicalId.lastIndexOf(".") + 1) === name) ids.add(canonicalId);
  }
  const [capabilityId, second] = ids;
  if (capabilityId !== undefined && second === undefined) return { capabilityId };
  if (second !== undefined) throw new Error(`"${name}" may be ${[...ids].join(" or ")}: say which`);
  throw new Error(`the projection has no "${name}"; it has ${[...wireNames.keys()].join(", ") || "nothing"}`);
}
