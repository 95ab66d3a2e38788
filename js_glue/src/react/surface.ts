// The registry, handed down a tree.

import { createContext, createElement, useContext, type ReactElement, type ReactNode } from "react";
import type { AgentSurfaceRegistry } from "../registry/registry.js";

export interface AgentSurfaceProviderProps {
  /** Absent until the module is loaded; what is below registers as soon as it comes. */
  readonly registry?: AgentSurfaceRegistry | null | undefined;
  readonly children?: ReactNode;
}

const Surface = createContext<AgentSurfaceRegistry | undefined>(undefined);

export function AgentSurfaceProvider({ registry, children }: AgentSurfaceProviderProps): ReactElement {
  return createElement(Surface.Provider, { value: registry ?? undefined }, children);
}

/** The registry of the nearest provider; undefined without one, on a server, and until one is given. */
export function useAgentSurface(): AgentSurfaceRegistry | undefined {
  return useContext(Surface);
}
