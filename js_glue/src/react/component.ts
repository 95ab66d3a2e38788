// useAgentComponent: a component's capabilities, for as long as it is mounted.

import { useRef } from "react";
import { bind } from "../contract/define.js";
import type { AgentComponentDefinition, InstanceFields } from "../contract/types.js";
import type { RegistrationHandle } from "../registry/mount.js";
import { placeKey } from "../registry/registration.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import { useCommitEffect, useCommitted, useThrower } from "./hooks.js";
import { liveBinding } from "./live.js";
import { policyShape } from "./live_policies.js";
import { seatsOf, type Seat } from "./seats.js";
import { useAgentSurface } from "./surface.js";

/** What `defineAgentComponentContract` gives. */
export interface BindableContract {
  readonly type: string;
  bind(binding: never): AgentComponentDefinition;
}

/** What the contract's `bind` takes. */
export type BindingOf<C extends BindableContract> = Parameters<C["bind"]>[0] & InstanceFields;

/** The live registration; undefined before the first effect, while another holds the place, and after unmounting. */
export interface AgentComponentRef {
  readonly current: RegistrationHandle | undefined;
}

/**
 * Registers in the commit and unregisters with it. Another contract object, instance id, parent or registry registers
 * anew, and so does a policy that comes or goes; other closures never do: the newest committed ones run. `enabled` is pushed as an update, and what a `when` says
 * is looked at after every commit. Where another component still holds the same type and instance, this one registers as
 * soon as that one leaves.
 */
export function useAgentComponent<C extends BindableContract>(contract: C, binding: BindingOf<C>): AgentComponentRef {
  const registry = useAgentSurface();
  const fields: InstanceFields = binding;
  const committed = useCommitted(fields);
  const fail = useThrower();
  const ref = useRef<RegistrationHandle | undefined>(undefined);
  const told = useRef(true);
  const { instanceId, parent, enabled } = fields;
  const shape = policyShape(fields);

  useCommitEffect(() => {
    if (registry === undefined) return undefined;
    const seats = seatsOf(registry);
    const seat: Seat = {
      key: placeKey(contract.type, instanceId),
      register: () => {
        told.current = committed.current.enabled !== false;
        return registry.register(
          bind(
            contract,
            liveBinding(() => committed.current),
          ),
        );
      },
      onRegistered: (handle) => {
        ref.current = handle;
      },
      onFailed: fail,
    };
    seats.enter(seat);
    return () => {
      ref.current = undefined;
      seats.leave(seat);
    };
  }, [registry, contract, instanceId, parent?.type, parent?.instanceId, shape]);

  useCommitEffect(() => {
    const wanted = enabled !== false;
    if (ref.current === undefined || told.current === wanted) return;
    told.current = wanted;
    ref.current.update({ enabled: wanted });
  }, [enabled]);

  useDriftCheck(registry);
  return ref;
}

/** After every commit: a `when` may answer otherwise with the new props and state. */
export function useDriftCheck(registry: AgentSurfaceRegistry | undefined): void {
  useCommitEffect(() => {
    if (registry !== undefined) seatsOf(registry).core.gates.schedule();
  });
}
