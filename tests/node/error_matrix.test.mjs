// Every row of the error matrix, produced in a phase that it names, with its retry hint, its detail keys, and kept for
// the same invocation id or not. And the other way round: nothing that is produced here lies outside the matrix.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createTestSurface } from "viewcap/testing";
import { deferred, ready, schema, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const { codes } = JSON.parse(readFileSync(new URL("../vectors/error-matrix.json", import.meta.url), "utf8"));
const error = (code, more = {}) => new viewcap.AgentSurfaceError({ code, message: "m", ...more });
const throws = (code, more) => () => {
  throw error(code, more);
};
const policy = (hook, run) => ({ policies: [{ name: "p", [hook]: run }] });
const erase = viewcap.defineAgentProcedureContract({
  id: "domain:erase",
  description: "Erase.",
  input: schema({
    type: "object",
    properties: { id: { type: "integer" } },
    required: ["id"],
    additionalProperties: false,
  }),
  effect: "destructive",
  confirmation: "optional",
});

/** A surface with the table; the action's behaviour, its contract, the registry's options. */
function surfaceWith(action = {}, contract = {}, options = {}) {
  const surface = createTestSurface(options);
  const mount = (instanceId) =>
    surface.registry.register(tableContract(contract).bind(tableBinding(action, instanceId ? { instanceId } : {})));
  const handle = mount();
  const set = (request = {}, how = {}) => surface.call("view:invoices.set", {}, { ...request, ...how });
  return { ...surface, mount, handle, set };
}
const once = (...args) => surfaceWith(...args).set;
const withProcedure = (config, execute) => {
  const surface = createTestSurface();
  if (execute) surface.registry.setProcedureExecutor({ execute });
  const handle = surface.registry.registerProcedure(erase, { path: "erase" }, config);
  return { ...surface, handle, erase: (input = {}, more) => surface.call("domain:erase", input, more) };
};
/** The same request of the same surface, as often as it is called. */
const on = (surface, call) => (more) => call(surface, more);
const aborted = AbortSignal.abort();

/** By code: phase, and a function that gives `call(invocation) → result`, the same request each time it is called. */
const scenarios = {
  CAPABILITY_NOT_FOUND: [
    [2, () => on(createTestSurface(), (surface, more) => surface.call("view:nothing.here", {}, more))],
    [4, () => once({}, {}, policy("onAuthorize", throws("CAPABILITY_NOT_FOUND")))],
    [6, () => once({}, {}, policy("onInvoke", throws("CAPABILITY_NOT_FOUND")))],
    [8, async () => votedOutWhileWaiting("hide")],
  ],
  CAPABILITY_NOT_AVAILABLE: [
    [3, () => once({ when: () => false })],
    [
      4,
      () =>
        once(
          {},
          {},
          policy("onDiscovery", () => ({ decision: "disable", reason: "closed" })),
        ),
    ],
    [6, () => once({}, {}, policy("onInvoke", throws("CAPABILITY_NOT_AVAILABLE")))],
    [7, () => once({ precondition: throws("CAPABILITY_NOT_AVAILABLE") })],
    [8, async () => votedOutWhileWaiting("disable")],
    [9, () => once({ execute: throws("CAPABILITY_NOT_AVAILABLE") })],
  ],
  AMBIGUOUS_INSTANCE: [[2, () => twoInstances()]],
  COMPONENT_UNMOUNTED: [
    [2, () => unmounted()],
    [4, () => unmountedBy((run) => ({ options: policy("onAuthorize", run) }))],
    [6, () => unmountedBy((run) => ({ options: policy("onInvoke", run) }))],
    [7, () => unmountedBy((run) => ({ action: { precondition: run } }))],
    [9, () => unmountedBy((run) => ({ action: { execute: run } }))],
  ],
  STALE_CAPABILITY: [
    [2, () => on(surfaceWith(), (surface, more) => surface.set({ registrationId: "reg_unknown00000" }, more))],
    [
      2,
      () =>
        on(
          withProcedure({}, () => 1),
          (surface, more) => surface.erase({ id: 1 }, { surfaceVersion: "77", ...more }),
        ),
    ],
  ],
  INVOCATION_CONFLICT: [[1, () => conflicting()]],
  INVALID_INPUT: [
    [1, () => on(surfaceWith(), (surface, more) => surface.set({ instanceId: 7 }, more))],
    [5, () => once({}, { input: schema({ type: "object", required: ["id"] }) })],
    [
      5,
      () =>
        on(
          withProcedure({ bind: () => ({ id: 1 }) }, () => 1),
          (surface, more) => surface.erase({ id: 1 }, more),
        ),
    ],
    [9, () => on(withProcedure({}, throws("INVALID_INPUT")), (surface, more) => surface.erase({ id: 1 }, more))],
  ],
  NOT_AUTHENTICATED: everywhere("NOT_AUTHENTICATED"),
  NOT_AUTHORIZED: [
    ...everywhere("NOT_AUTHORIZED"),
    [
      4,
      () =>
        once(
          {},
          {},
          policy("onAuthorize", async () => undefined),
        ),
    ],
  ],
  PRECONDITION_FAILED: [
    ...everywhere("PRECONDITION_FAILED"),
    [
      5,
      () =>
        on(
          withProcedure({ bind: () => ({ id: "no" }) }, () => 1),
          (surface, more) => surface.erase({}, more),
        ),
    ],
    [7, () => once({ precondition: () => ({ message: "Select a row first.", details: { rows: 0 } }) })],
  ],
  CONFIRMATION_REQUIRED: [
    [6, () => once({}, { confirmation: "required" })],
    [
      9,
      () => on(withProcedure({}, throws("CONFIRMATION_REQUIRED")), (surface, more) => surface.erase({ id: 1 }, more)),
    ],
  ],
  CONFIRMATION_INVALID: [
    [
      6,
      () =>
        on(surfaceWith({}, { confirmation: "required" }), (surface, more) =>
          surface.set({ confirmationId: "cnf_unknown00000" }, more),
        ),
    ],
    [6, () => expiredConfirmation()],
  ],
  RATE_LIMITED: [...everywhere("RATE_LIMITED"), [4, () => rateLimited()], [8, () => fullQueue()]],
  TIMEOUT: [
    [9, () => overTime(false)],
    [9, () => overTime(true)],
  ],
  CANCELLED: [
    [8, () => on(surfaceWith(), (surface, more) => surface.set({}, { signal: aborted, ...more }))],
    [9, () => disposedWhileRunning()],
  ],
  EXECUTION_FAILED: [
    [
      4,
      () =>
        once(
          {},
          {},
          policy("onAuthorize", () => assert.fail("x")),
        ),
    ],
    [
      6,
      () =>
        once(
          {},
          {},
          policy("onInvoke", () => assert.fail("x")),
        ),
    ],
    [7, () => once({ precondition: () => assert.fail("x") })],
    [9, () => once({ execute: () => assert.fail("x") })],
    [9, () => once({ execute: () => Promise.reject(Object.assign(new Error("x"), { transient: true })) })],
    [9, () => on(withProcedure({}), (surface, more) => surface.erase({ id: 1 }, more))],
    [10, () => once({ execute: () => "x" }, { output: schema({ type: "number" }) })],
    [10, () => once({ execute: () => "x".repeat(99) }, {}, { limits: { maxOutputBytes: 9 } })],
  ],
};

function everywhere(code) {
  return [
    [4, () => once({}, {}, policy("onAuthorize", throws(code)))],
    [6, () => once({}, {}, policy("onInvoke", throws(code)))],
    [7, () => once({ precondition: throws(code) })],
    [9, () => once({ execute: throws(code) })],
  ];
}

function twoInstances() {
  const surface = surfaceWith();
  surface.mount("other");
  return surface.set;
}

function unmounted() {
  const { handle, set } = surfaceWith();
  handle.unregister();
  return set;
}

/** The component unmounts in the middle of its own callback. */
function unmountedBy(place) {
  let handle;
  const { action, options } = place(async () => void handle.unregister());
  const surface = surfaceWith(action, {}, options);
  ({ handle } = surface);
  return surface.set;
}

/** A call that waits in the queue while a policy of discovery changes its mind. */
async function votedOutWhileWaiting(decision) {
  let verdict = "expose";
  const gate = deferred();
  const surface = surfaceWith(
    { execute: () => gate.promise },
    {},
    policy("onDiscovery", () => ({ decision: verdict, reason: "closed" })),
  );
  void surface.set();
  return async (more) => {
    const waiting = surface.set({}, more);
    await surface.flush();
    verdict = decision;
    gate.resolve();
    return waiting;
  };
}

function conflicting() {
  const { call } = surfaceWith();
  return async (more) => {
    await call("view:invoices.rows", undefined, more);
    return call("view:invoices.set", {}, more);
  };
}

async function expiredConfirmation() {
  const surface = surfaceWith({}, { confirmation: "required" });
  const { confirmationId } = (await surface.set()).error.details;
  await surface.clock.advance(120_000);
  return (more) => surface.set({ confirmationId }, more);
}

function rateLimited() {
  const { set } = surfaceWith({}, {}, { policies: [viewcap.rateLimit({ limit: 1, windowMs: 1000 })] });
  void set();
  return set;
}

function fullQueue() {
  const { set } = surfaceWith({ execute: () => new Promise(() => undefined) }, {}, { limits: { actionQueueDepth: 0 } });
  void set();
  return set;
}

function overTime(idempotent) {
  const { set, clock, flush } = surfaceWith({ execute: () => new Promise(() => undefined) }, { idempotent });
  return async (more) => {
    const running = set({}, more);
    await flush();
    await clock.advance(10_000);
    return running;
  };
}

function disposedWhileRunning() {
  const { set, flush, dispose } = surfaceWith({ execute: () => new Promise(() => undefined) });
  return async (more) => {
    const running = set({}, more);
    await flush();
    dispose();
    return running;
  };
}

function assertInMatrix(result) {
  assert.equal(result.status, "error");
  const { code, message, retry, details = {} } = result.error;
  const row = codes[code];
  assert.ok(row, `${code} is no code of the matrix`);
  assert.ok(row.retry.includes(retry), `${code} says retry ${retry}, allowed are ${row.retry}`);
  assert.ok(message.length > 0 && message.length <= 300);
  if (!row.details.includes("*")) {
    for (const key of Object.keys(details)) assert.ok(row.details.includes(key), `${code} has the detail ${key}`);
  }
  assert.ok(JSON.stringify(details).length <= 2048 || code === "AMBIGUOUS_INSTANCE");
}

for (const [code, list] of Object.entries(scenarios)) {
  for (const [index, [phase, make]] of list.entries()) {
    test(`${code} comes out of phase ${phase} as the matrix has it (${index + 1})`, async () => {
      assert.ok(codes[code].phases.includes(phase), `the matrix does not have ${code} in phase ${phase}`);
      const call = await make();
      const result = await call({ invocationId: "mine" });
      assert.equal(result.error?.code, code, JSON.stringify(result));
      assertInMatrix(result);
    });
  }
}

test("every row of the matrix is produced, and every scenario is of a row", () => {
  assert.deepEqual(Object.keys(scenarios).sort(), Object.keys(codes).sort());
});

test("a terminal result is kept for its invocation id exactly where the matrix says so, a transient failure excepted", async () => {
  for (const [code, list] of Object.entries(scenarios)) {
    if (["INVOCATION_CONFLICT", "CANCELLED"].includes(code)) continue; // a conflict has no id of its own; see below
    for (const [phase, make] of list) {
      const call = await make();
      const first = await call({ invocationId: "mine" });
      const again = await call({ invocationId: "mine" });
      const transient = first.error.code === "EXECUTION_FAILED" && first.error.retry === "after-delay";
      const malformed = phase === 1;
      if (codes[code].cacheable && !transient && !malformed)
        assert.deepEqual(again, first, `${code} in phase ${phase}`);
    }
  }
});
