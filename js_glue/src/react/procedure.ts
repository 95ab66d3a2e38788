// useAgentProcedure: a server operation within reach, for as long as the component that binds it is mounted.

import type { AgentProcedureContract, ProcedureConfig, ProcedureRef } from "../contract/procedure.js";
import type { RegistrationHandle } from "../registry/mount.js";
import { placeKey } from "../registry/registration.js";
import { useDriftCheck } from "./component.js";
import { useCommitEffect, useCommitted, useThrower } from "./hooks.js";
import { delegate, liveGate } from "./live.js";
import { livePolicies, shapeOf } from "./live_policies.js";
import { isLive, seatsOf } from "./seats.js";
import { useAgentSurface } from "./surface.js";

export interface ComponentPlace {
  readonly type: string;
  readonly instanceId?: string;
}

/** A reference's configuration, with its owner as React names it. */
export interface ProcedureBinding<Input = unknown> extends Omit<ProcedureConfig<Input>, "owner"> {
  /** The component that it belongs to, and unregisters with. */
  readonly owner?: RegistrationHandle | ComponentPlace;
}

/**
 * As useAgentComponent: the newest committed closures run. Another contract object, reference, owner or registry, other
 * bound fields or other data register anew. An owner named by type may be mounted by an ancestor, whose effects run
 * later; when it registers anew, so does what it owns.
 */
export function useAgentProcedure<I, O>(
  contract: AgentProcedureContract<I, O>,
  ref: ProcedureRef,
  config: ProcedureBinding<I>,
): void {
  const registry = useAgentSurface();
  const committed = useCommitted(config);
  const fail = useThrower();
  const { owner } = config;
  const key = owner !== undefined && "type" in owner ? placeKey(owner.type, owner.instanceId) : undefined;

  useCommitEffect(() => {
    if (registry === undefined) return undefined;
    const seats = seatsOf(registry);
    let mounted = true;
    let handle: RegistrationHandle | undefined;
    const register = (): void => {
      if (!mounted || handle?.status === "registered" || !isLive(registry)) return;
      handle = registry.registerProcedure(
        contract,
        ref,
        liveConfig(() => committed.current),
      );
    };
    const registerLater = (): void => {
      try {
        register();
      } catch (error) {
        fail(error);
      }
    };
    if (key === undefined || seats.isTaken(key)) register();
    else queueMicrotask(registerLater);
    const end = key === undefined ? undefined : seats.watch(key, registerLater);
    return () => {
      mounted = false;
      end?.();
      handle?.unregister();
    };
  }, [registry, contract, ref, key ?? owner, shapeText(config)]);

  useDriftCheck(registry);
}

const METHODS = ["bind", "describe"] as const;
const DATA = ["boundFields", "overridableFields", "confirmation", "meta", "concurrency"] as const;

/** What of a configuration cannot change without another registration, as one text. */
function shapeText(config: ProcedureBinding): string {
  const present = METHODS.filter((name) => config[name] !== undefined);
  try {
    return JSON.stringify([present, DATA.map((name) => config[name])]) + shapeOf("", config.policies);
  } catch {
    // No JSON: the registry says so.
    return "";
  }
}

/** The registry checks it, as it does every configuration. */
function isConfig<I>(live: object): live is ProcedureConfig<I> {
  return live !== null;
}

function liveConfig<I>(source: () => ProcedureBinding<I>): ProcedureConfig<I> {
  const live: Record<string, unknown> = { ...source() };
  for (const name of METHODS) if (live[name] !== undefined) delegate(live, name, source, undefined);
  liveGate(live, source);
  if (live["policies"] !== undefined) live["policies"] = livePolicies(() => source().policies, live["policies"]);
  return isConfig<I>(live) ? live : {};
}
