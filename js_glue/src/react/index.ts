"use client";
// viewcap/react: what a mounted component can do, for exactly as long as it is mounted.
//
//     <AgentSurfaceProvider registry={registry}>…</AgentSurfaceProvider>      // undefined until the module is there
//
//     useAgentComponent(contract, { instanceId, observations: { rows: { read: () => rows } }, actions: { … } });
//     useAgentProcedure(contract, ref, { bind: () => ({ invoiceId }) });
//     const { pending, resolve } = useConfirmations();
//
// Nothing but effects touches the registry: rendering, on a server too, needs neither the module nor a registry. An
// author's mistake is thrown in the effect, or in the next render where the registration came later, so that the
// nearest error boundary shows it. Spec: js-api.md; lifetime and availability: capabilities.md §4, §5.

export { AgentSurfaceProvider, useAgentSurface, type AgentSurfaceProviderProps } from "./surface.js";
export { useAgentComponent, type AgentComponentRef, type BindableContract, type BindingOf } from "./component.js";
export { useAgentProcedure, type ComponentPlace, type ProcedureBinding } from "./procedure.js";
export { useConfirmations, type Confirmations } from "./confirmations.js";
export type { ConfirmationDecision, PendingConfirmation } from "../registry/confirmations.js";
