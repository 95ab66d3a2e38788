// useConfirmations: what waits for a person, for the dialog that asks.

import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { ConfirmationDecision, PendingConfirmation } from "../registry/confirmations.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import { isLive } from "./seats.js";
import { useAgentSurface } from "./surface.js";

export interface Confirmations {
  /** Oldest first; the same array until something changed. */
  readonly pending: readonly PendingConfirmation[];
  /** True only for the call that decided. */
  readonly resolve: (confirmationId: string, decision: ConfirmationDecision) => boolean;
}

const NOTHING: readonly PendingConfirmation[] = Object.freeze([]);
const nothing = (): readonly PendingConfirmation[] => NOTHING;
const noEnd = (): void => undefined;

function subscribeTo(registry: AgentSurfaceRegistry | undefined, listener: () => void): () => void {
  return registry !== undefined && isLive(registry) ? registry.confirmations.subscribe(listener) : noEnd;
}

/** Renders again when the list changed. On a server, and until there is a registry, nothing waits. */
export function useConfirmations(): Confirmations {
  const registry = useAgentSurface();
  const subscribe = useCallback((listener: () => void) => subscribeTo(registry, listener), [registry]);
  const read = useCallback(() => registry?.confirmations.pending() ?? NOTHING, [registry]);
  const pending = useSyncExternalStore(subscribe, read, nothing);
  const resolve = useCallback(
    (confirmationId: string, decision: ConfirmationDecision) =>
      registry?.confirmations.resolve(confirmationId, decision) ?? false,
    [registry],
  );
  return useMemo(() => ({ pending, resolve }), [pending, resolve]);
}
