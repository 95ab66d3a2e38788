// The page's registry, and the bridge to the server's operations.
import { createAgentSurfaceRegistry, createProcedureBridge, type AgentSurfaceRegistry } from "viewcap";
import { procedureManifest } from "./contracts.js";
import { operations } from "./operations.js";

const bridge = createProcedureBridge({ client: operations, manifest: procedureManifest });
export const { refs } = bridge;
export const consumer = { id: "assistant", kind: "embedded" } as const;

export function createRegistry(): AgentSurfaceRegistry {
  const registry = createAgentSurfaceRegistry({ environment: "development", route: () => location.pathname });
  registry.setProcedureExecutor(bridge.executor);
  return registry;
}
