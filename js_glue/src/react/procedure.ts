// useAgentProcedure: a server operation within reach, for as long as the component that binds it is mounted.

import { isObject } from "../contract/define.js";
import type { Policy } from "../contract/policy.js";
import type { JsonRecord } from "../contract/types.js";
import { AgentSurfaceDefectError } from "../errors.js";
import type { ConfirmationLevel } from "../generated/vocabulary.js";
import type { RegistrationHandle } from "../registry/mount.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import { useDriftCheck } from "./component.js";
import { useCommitEffect, useCommitted, useThrower } from "./hooks.js";
import { delegate, liveGate } from "./live.js";
import { livePolicies, shapeOf } from "./live_policies.js";
import { isLive, seatKey, seatsOf } from "./seats.js";
import { useAgentSurface } from "./surface.js";

export interface ComponentPlace {
  readonly type: string;
  readonly instanceId?: string;
}

/** What the hook reads of a configuration; spec: contextual.md. */
export interface ProcedureBinding {
  readonly when?: (() => unknown) | undefined;
  readonly unavailableReason?: string | (() => string) | undefined;
  readonly bind?: (() => object) | undefined;
  readonly boundFields?: readonly string[];
  readonly overridableFields?: readonly string[];
  /** The component that it belongs to, and unregisters with. */
  readonly owner?: RegistrationHandle | ComponentPlace;
  readonly confirmation?: ConfirmationLevel;
  readonly describe?: (() => string) | undefined;
  readonly policies?: readonly Policy[];
  readonly meta?: JsonRecord;
  readonly concurrency?: unknown;
}

/** A registry that takes references to procedures. */
interface ProcedureRegistry {
  registerProcedure(contract: object, ref: unknown, config: object): RegistrationHandle;
}

/**
 * As useAgentComponent: the newest committed closures run. Another contract object, reference, owner or registry, other
 * bound fields or other data register anew. An owner named by type may be mounted by an ancestor, whose effects run
 * later; when it registers anew, so does what it owns.
 */
export function useAgentProcedure(contract: object, ref: unknown, config: ProcedureBinding): void {
  const registry = useAgentSurface();
  const committed = useCommitted(config);
  const fail = useThrower();
  const { owner } = config;
  const key = owner !== undefined && "type" in owner ? seatKey(owner.type, owner.instanceId) : undefined;

  useCommitEffect(() => {
    if (registry === undefined) return undefined;
    const seats = seatsOf(registry);
    let mounted = true;
    let handle: RegistrationHandle | undefined;
    const register = (): void => {
      if (!mounted || handle?.status === "registered" || !isLive(registry)) return;
      handle = procedures(registry).registerProcedure(
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

function liveConfig(source: () => ProcedureBinding): object {
  const live: Record<string, unknown> = { ...source() };
  for (const name of METHODS) if (live[name] !== undefined) delegate(live, name, source, undefined);
  liveGate(live, source);
  if (live["policies"] !== undefined) live["policies"] = livePolicies(() => source().policies, live["policies"]);
  return live;
}

function procedures(registry: AgentSurfaceRegistry): ProcedureRegistry {
  if (takesProcedures(registry)) return registry;
  throw new AgentSurfaceDefectError("useAgentProcedure needs a registry with registerProcedure");
}

function takesProcedures(registry: unknown): registry is ProcedureRegistry {
  return isObject(registry) && typeof Reflect.get(registry, "registerProcedure") === "function";
}
