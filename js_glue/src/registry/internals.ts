// From a public registry object to its state, for the parts of this package that work on a registry.

import { AgentSurfaceDefectError } from "../errors.js";
import type { RegistryCore } from "./core.js";

const cores = new WeakMap<object, RegistryCore>();

export function rememberCore(registry: object, core: RegistryCore): void {
  cores.set(registry, core);
}

export function coreOf(registry: unknown, who: string): RegistryCore {
  const core = knownCore(registry, who);
  core.assertLive();
  return core;
}

/** The same of a registry that may be no more. */
export function knownCore(registry: unknown, who: string): RegistryCore {
  const core = typeof registry === "object" && registry !== null ? cores.get(registry) : undefined;
  if (core === undefined) {
    throw new AgentSurfaceDefectError(
      `${who} needs a registry made by createAgentSurfaceRegistry of this copy of viewcap`,
    );
  }
  return core;
}
