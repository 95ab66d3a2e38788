// What every test of the glue starts from: the live module, a small component, a clock that moves when told.

import * as viewcap from "viewcap";

export { viewcap };

const { VIEWCAP_VARIANT: variant } = process.env;

/** Node's default module, or the one that VIEWCAP_VARIANT names: the rules are the same in both. */
export const ready = viewcap.loadRuntime(variant === undefined ? {} : { variant });

export const OPEN_OBJECT = { type: "object" };
export const FILTERS = {
  type: "object",
  properties: { status: { enum: ["open", "paid"] }, page: { type: "integer", minimum: 1 } },
  required: ["status"],
  additionalProperties: false,
};

export const schema = (literal) => viewcap.fromJsonSchema(literal);

/** One component with an observation `rows` and an action `set`; the fields given replace those of the action. */
export function tableContract(action = {}, component = {}) {
  return viewcap.defineAgentComponentContract({
    type: "invoices",
    description: "The invoices table.",
    observations: { rows: { description: "The rows shown.", output: schema({}) } },
    actions: { set: { description: "Sets filters.", input: schema(OPEN_OBJECT), effect: "local-state", ...action } },
    ...component,
  });
}

/** A binding of `tableContract`; the fields given replace those of the action. */
export function tableBinding(action = {}, fields = {}) {
  return {
    observations: { rows: { read: () => [] } },
    actions: { set: { execute: () => undefined, ...action } },
    ...fields,
  };
}

export const makeRegistry = (options = {}) => viewcap.createAgentSurfaceRegistry({ environment: "test", ...options });

/** A registry with the table mounted once. */
export function mounted(action = {}, { contract = {}, options = {}, fields = {} } = {}) {
  const registry = makeRegistry(options);
  const handle = registry.register(tableContract(contract).bind(tableBinding(action, fields)));
  const set = (request = {}, given = undefined) =>
    registry.invoke({ capabilityId: "view:invoices.set", ...request }, given);
  const rows = (request = {}, given = undefined) =>
    registry.invoke({ capabilityId: "view:invoices.rows", ...request }, given);
  return { registry, handle, set, rows };
}

/** Lets microtasks and the reactions of promises run. */
export async function settled() {
  for (let turn = 0; turn < 20; turn++) await null;
}

/** A promise with its handles outside. */
export function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

export function fakeClock(start = 1_000_000) {
  let time = start;
  let next = 1;
  const timers = new Map();
  return {
    now: () => time,
    setTimeout: (run, ms) => {
      timers.set(next, { run, at: time + ms });
      return next++;
    },
    clearTimeout: (handle) => void timers.delete(handle),
    get armed() {
      return timers.size;
    },
    /** Moves the time, also backwards; runs what is due. */
    async advance(ms) {
      time += ms;
      for (const [handle, timer] of [...timers].sort((a, b) => a[1].at - b[1].at)) {
        if (timer.at > time || !timers.delete(handle)) continue;
        timer.run();
        await settled();
      }
      await settled();
    },
  };
}

/** `{code, …details}` of an error result, for one-line comparisons. */
export function failure(result) {
  if (result.status !== "error") return { status: result.status };
  return { code: result.error.code, ...result.error.details };
}
