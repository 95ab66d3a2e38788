// The workload as viewcap's contracts, bindings and registries.

import * as viewcap from "viewcap";
import { behaviour } from "./workload.mjs";

/** The variant that a page loads. */
export const loadLean = () => viewcap.loadRuntime({ variant: "lean" });

/** Turns plain contracts into viewcap's. */
export function define(contract) {
  const { fromJsonSchema, observationContract, actionContract, defineAgentComponentContract } = viewcap;
  const observations = {};
  const actions = {};
  for (const [name, { description, output }] of Object.entries(contract.observations)) {
    observations[name] = observationContract({ description, output: fromJsonSchema(output) });
  }
  for (const [name, { description, input, effect }] of Object.entries(contract.actions)) {
    actions[name] = actionContract({ description, input: fromJsonSchema(input), effect });
  }
  return defineAgentComponentContract({
    type: contract.type,
    description: contract.description,
    observations,
    actions,
  });
}

export const makeRegistry = (options = {}) => viewcap.createAgentSurfaceRegistry({ environment: "test", ...options });

/** Mounts `count` components over the given plain contracts, round robin; the first round has the default instance. */
export function mountMany(registry, plain, count, options) {
  const defined = plain.map(define);
  const handles = [];
  for (let index = 0; index < count; index++) {
    const which = index % plain.length;
    const round = Math.floor(index / plain.length);
    const instance = round === 0 ? {} : { instanceId: `copy-${round}` };
    handles.push(registry.register(defined[which].bind({ ...instance, ...behaviour(plain[which], options) })));
  }
  return handles;
}
