// What every test of the governed runtime starts from: the real package, two actors, a plane in one call.
//
//     const { runtime, invoke, types } = plane({ read: procedure({}, () => 1) });
//     await invoke("read", {});                 // as alice, on "direct"
//     types();                                  // ["capability.requested", "capability.started", …]

import * as domain from "../../../js_glue/dist/domain/index.js";

export { domain };

export const alice = { id: "alice", kind: "user" };
export const bob = { id: "bob", kind: "user" };

export const GENERIC = "The operation failed.";
export const NOT_FOUND = "No such capability.";

/** Metadata of a harmless read on `direct`; the fields given replace its own. */
export const agent = (fields = {}) => ({
  description: "Does it.",
  expose: { direct: true },
  sideEffect: "read",
  risk: "low",
  ...fields,
});

/** A procedure of the package; `more` is input, output, use. */
export const procedure = (fields = {}, handler = () => "done", more = {}) =>
  domain.defineProcedure({ meta: { agent: agent(fields) }, handler, ...more });

export const WRITE = { sideEffect: "write", risk: "high" };
export const GATED = { ...WRITE, approval: { required: true } };

/**
 * A runtime of these definitions, heard by `events`. Its coordinator is named, so that it starts without warnings; the
 * options given are those of createAgentRuntime and `policies`.
 */
export function plane(definitions, { policies, audit, approvals, now, ...options } = {}) {
  const events = [];
  const registry = domain.createCapabilityRegistry(definitions);
  const governance = domain.defineGovernance({ registry, ...(policies === undefined ? {} : { policies }) });
  const runtime = domain.createAgentRuntime({
    governance,
    approvals: {
      coordinator: domain.createInMemoryApprovalCoordinator(now === undefined ? {} : { now }),
      ...approvals,
    },
    audit: audit?.(events) ?? ((event) => void events.push(event)),
    ...(now === undefined ? {} : { now }),
    ...options,
  });
  return {
    runtime,
    registry,
    governance,
    events,
    invoke: (id, input, more) => runtime.invoke(id, input, { actor: alice, context: {}, ...more }),
    describe: (surface = "direct", more) => runtime.describe(surface, { actor: alice, context: {}, ...more }),
    resume: (id, more) => runtime.resume(id, { context: {}, ...more }),
    approve: (id, more) => runtime.approvals.decide(id, { status: "approved", approver: bob, ...more }),
    types: () => events.map(({ type }) => type.replace(/^capability\./, "")),
    /** The last event of the type. */
    event: (type) => events.findLast((one) => one.type === `capability.${type}`),
  };
}

/** One error for one comparison. */
export const codeOf = (result) => `${result.status} ${result.error?.code}@${result.error?.stage}`;

/** What of a result's error may leave. */
export const outward = (result) => domain.outwardError(result.error);

export const thrownBy = async (run) => {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error("it did not throw");
};

/** A policy that always answers the same, and counts how often. */
export function answering(name, decision, phases = ["invocation"]) {
  const policy = domain.definePolicy(
    name,
    () => {
      counted.calls++;
      return decision;
    },
    { phases },
  );
  const counted = { policy, calls: 0 };
  return counted;
}

export const never = () => new Promise(() => undefined);
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A clock that is read as told. */
export function handClock(start = 1_700_000_000_000) {
  const clock = { time: start, now: () => clock.time };
  return clock;
}
