// The page's registry, and the bridge to the server's operations.
import {
  createAgentSurfaceRegistry,
  createCapabilityAuthority,
  createProcedureBridge,
  type AgentSurfaceRegistry,
} from "viewcap";
import manifest from "./contract.json";
import { procedureManifest } from "./contracts.js";
import { operations } from "./operations.js";

const bridge = createProcedureBridge({ client: operations, manifest: procedureManifest });
export const { refs } = bridge;
export const consumer = { id: "assistant", kind: "embedded" } as const;

export function createRegistry(): AgentSurfaceRegistry {
  // In production nothing registers but what was compiled, and reviewed, before.
  const authority = createCapabilityAuthority(manifest);
  const registry = createAgentSurfaceRegistry({ environment: "production", authority, route: () => location.pathname });
  registry.setProcedureExecutor(bridge.executor);
  return registry;
}
