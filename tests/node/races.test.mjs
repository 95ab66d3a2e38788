// Races, each with its one right end: what a person approved meets what has changed since, what waited meets what has
// gone, and nobody gets past by being late, doubled or forged.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestSurface, expectError, expectOk } from "viewcap/testing";
import { deferred, ready, schema, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const ID = { type: "object", properties: { id: { type: "integer" } }, required: ["id"], additionalProperties: false };
const erase = viewcap.defineAgentProcedureContract({
  id: "domain:invoices.erase",
  description: "Erase one invoice.",
  input: schema(ID),
  effect: "destructive",
});
const ref = { path: "invoices.erase" };

/** A surface whose table's action needs a person. */
function guarded(action = {}, contract = { confirmation: "required" }, options = {}) {
  const surface = createTestSurface(options);
  const runs = [];
  const definition = tableContract(contract).bind(
    tableBinding({ execute: (input) => void runs.push(input), ...action }),
  );
  const mount = () => surface.registry.register(definition);
  const handle = mount();
  const { confirmations } = surface.registry;
  const ask = async (input = {}, more = {}) =>
    expectError(await surface.call("set", input, more), "CONFIRMATION_REQUIRED").details.confirmationId;
  const approve = (id) => confirmations.resolve(id, { approved: true });
  return { ...surface, handle, mount, runs, confirmations, ask, approve };
}

/** A surface with a destructive procedure, bound to what is open. */
function withProcedure() {
  const surface = createTestSurface();
  const runs = [];
  const page = { open: 7 };
  surface.registry.setProcedureExecutor({ execute: ({ input }) => void runs.push(input) });
  const handle = surface.registry.registerProcedure(erase, ref, { bind: () => ({ id: page.open }) });
  const ask = async (more) =>
    expectError(await surface.call(erase.id, {}, more), "CONFIRMATION_REQUIRED").details.confirmationId;
  return { ...surface, runs, page, handle, ask };
}

test("an approval after the unmount does not bring the component back", async () => {
  const { ask, approve, handle, call, runs, dispose } = guarded();
  const confirmationId = await ask();
  handle.unregister();
  assert.equal(approve(confirmationId), true);
  expectError(await call("view:invoices.set", {}, { confirmationId }), "COMPONENT_UNMOUNTED");
  assert.deepEqual(runs, []);
  dispose();
});

test("an approval for one mount is none for the next one of the same component", async () => {
  const { ask, approve, handle, mount, call, runs, dispose } = guarded();
  const { registrationId } = handle;
  const confirmationId = await ask({}, { registrationId });
  approve(confirmationId);
  handle.unregister();
  mount();
  const stale = await call("set", {}, { confirmationId, registrationId });
  expectError(stale, "STALE_CAPABILITY", "registration-replaced");
  expectError(await call("set", {}, { confirmationId }), "CONFIRMATION_INVALID", "mismatch");
  assert.deepEqual(runs, []);
  dispose();
});

test("a bound value that changed after the approval is a mismatch, and the approval waits for the right one", async () => {
  const { ask, registry, page, call, runs, dispose } = withProcedure();
  const confirmationId = await ask();
  registry.confirmations.resolve(confirmationId, { approved: true });
  page.open = 8;
  expectError(await call(erase.id, {}, { confirmationId }), "CONFIRMATION_INVALID", "mismatch");
  page.open = 7;
  expectOk(await call(erase.id, {}, { confirmationId }));
  assert.deepEqual(runs, [{ id: 7 }]);
  dispose();
});

test("after a denial the same question opens no second dialog, until its time is over", async () => {
  const { ask, confirmations, call, clock, dispose } = guarded();
  const confirmationId = await ask();
  confirmations.resolve(confirmationId, { approved: false });
  assert.equal(confirmations.resolve(confirmationId, { approved: true }), false);
  expectError(await call("set", {}, { confirmationId }), "CONFIRMATION_INVALID", "denied");
  expectError(await call("set", {}), "CONFIRMATION_INVALID", "denied");
  assert.deepEqual(confirmations.pending(), []);
  await clock.advance(120_000);
  assert.notEqual(await ask(), confirmationId);
  dispose();
});

test("one changed byte of the input is another request", async () => {
  const { ask, approve, call, runs, dispose } = guarded();
  const confirmationId = await ask({ to: "accounts@example.org" });
  approve(confirmationId);
  const changed = await call("set", { to: "accounts@example.orh" }, { confirmationId });
  expectError(changed, "CONFIRMATION_INVALID", "mismatch");
  assert.deepEqual(runs, []);
  dispose();
});

test("the members of an input in another order are the same request", async () => {
  const { ask, approve, call, runs, dispose } = guarded();
  const confirmationId = await ask({ a: 1, b: [2.5, -0] });
  approve(confirmationId);
  expectOk(await call("set", { b: [2.5, 0], a: 1 }, { confirmationId }));
  assert.equal(runs.length, 1);
  dispose();
});

test("an approval is used once, also by two calls at the same time", async () => {
  const { ask, approve, call, runs, dispose } = guarded({ execute: async () => void runs.push(await null) });
  const confirmationId = await ask();
  approve(confirmationId);
  const both = await Promise.all([call("set", {}, { confirmationId }), call("set", {}, { confirmationId })]);
  expectOk(both[0]);
  expectError(both[1], "CONFIRMATION_INVALID", "consumed");
  expectError(await call("set", {}, { confirmationId }), "CONFIRMATION_INVALID", "consumed");
  assert.equal(runs.length, 1);
  dispose();
});

test("an approval is good until its time is over, however late the timer, and a clock that goes back revives none", async () => {
  const { ask, approve, call, clock, runs, dispose } = guarded();
  const confirmationId = await ask();
  approve(confirmationId);
  await clock.advance(120_000);
  const late = expectError(await call("set", {}, { confirmationId }), "CONFIRMATION_INVALID", "expired");
  assert.equal(late.retry, "with-confirmation");
  await clock.advance(-60_000);
  expectError(await call("set", {}, { confirmationId }), "CONFIRMATION_INVALID", "expired");
  assert.deepEqual(runs, []);
  dispose();
});

test("an approval that a failed call held is good for the next one", async () => {
  let ready = false;
  const { ask, approve, call, runs, dispose } = guarded({
    precondition: () => (ready ? undefined : { message: "Select a row first." }),
  });
  const confirmationId = await ask();
  approve(confirmationId);
  expectError(await call("set", {}, { confirmationId }), "PRECONDITION_FAILED");
  ready = true;
  expectOk(await call("set", {}, { confirmationId }));
  assert.equal(runs.length, 1);
  dispose();
});

test("a consumer can neither see nor spend what belongs to another", async () => {
  const { ask, approve, call, runs, dispose } = guarded();
  const [one, other] = ["one", "other"].map((id) => ({ id, kind: "test" }));
  const confirmationId = await ask({}, { consumer: one });
  approve(confirmationId);
  expectError(await call("set", {}, { consumer: other, confirmationId }), "CONFIRMATION_INVALID", "mismatch");
  const own = expectError(await call("set", {}, { consumer: other }), "CONFIRMATION_REQUIRED");
  assert.notEqual(own.details.confirmationId, confirmationId);
  assert.deepEqual(runs, []);
  expectOk(await call("set", {}, { consumer: one, confirmationId }));
  dispose();
});

test("the dialog that asks may move the surface: the approved destructive call is not stale for that", async () => {
  const { ask, registry, runs, call, project, dispose } = withProcedure();
  const { surfaceVersion } = project();
  const confirmationId = await ask({ surfaceVersion });
  const dialog = registry.register(tableContract({}, { type: "dialog" }).bind(tableBinding()));
  registry.confirmations.resolve(confirmationId, { approved: true });
  expectError(await call(erase.id, {}, { surfaceVersion }), "STALE_CAPABILITY", "surface-version-mismatch");
  expectOk(await call(erase.id, {}, { surfaceVersion, confirmationId }));
  dialog.unregister();
  assert.deepEqual(runs, [{ id: 7 }]);
  dispose();
});

test("an unmount ends what waits in the queue, and its handler never starts", async () => {
  const first = deferred();
  const runs = [];
  const { handle, call, flush, dispose } = guarded({ execute: (input) => (runs.push(input), first.promise) }, {});
  const running = call("set", { n: 1 });
  const queued = call("set", { n: 2 });
  await flush();
  handle.unregister();
  assert.equal(expectError(await queued, "COMPONENT_UNMOUNTED").details.phase, "queued");
  assert.equal(expectError(await running, "COMPONENT_UNMOUNTED").details.phase, "mid-flight");
  first.resolve();
  await flush();
  assert.deepEqual(runs, [{ n: 1 }]);
  dispose();
});

test("a row that changed while its call waited is seen by the precondition again", async () => {
  const first = deferred();
  const rows = new Set([1, 2]);
  const runs = [];
  const { call, flush, dispose } = guarded(
    {
      precondition: ({ row }) => (rows.has(row) ? undefined : { message: "That row is gone." }),
      execute: ({ row }) => (runs.push(row), row === 1 ? first.promise : undefined),
    },
    {},
  );
  const running = call("set", { row: 1 });
  const queued = call("set", { row: 2 });
  await flush();
  rows.delete(2);
  first.resolve();
  expectOk(await running);
  assert.equal(expectError(await queued, "PRECONDITION_FAILED").message, "That row is gone.");
  assert.deepEqual(runs, [1]);
  dispose();
});

test("a bound value that changed while its call waited is binding-changed", async () => {
  const { registry, page, runs, call, flush, dispose } = withProcedure();
  const first = deferred();
  registry.setProcedureExecutor({
    execute: ({ input }) => (runs.push(input), runs.length === 1 ? first.promise : undefined),
  });
  const ids = [];
  for (const invocationId of ["a", "b"]) {
    const asked = await call(erase.id, {}, { invocationId });
    ids.push(asked.error?.details.confirmationId);
  }
  registry.confirmations.resolve(ids[0], { approved: true });
  const running = call(erase.id, {}, { confirmationId: ids[0] });
  await flush();
  const again = expectError(await call(erase.id, {}, {}), "CONFIRMATION_REQUIRED").details.confirmationId;
  registry.confirmations.resolve(again, { approved: true });
  const queued = call(erase.id, {}, { confirmationId: again });
  await flush();
  page.open = 8;
  first.resolve();
  expectOk(await running);
  expectError(await queued, "PRECONDITION_FAILED", "binding-changed");
  assert.deepEqual(runs, [{ id: 7 }]);
  dispose();
});

test("a navigation that unmounts its own component and succeeds is ok", async () => {
  const { handle, call, dispose } = guarded(
    { execute: async () => (handle.unregister(), await null, "there") },
    { effect: "navigation" },
  );
  const result = await call("set", {});
  assert.equal(expectOk(result), "there");
  assert.equal(result.surfaceChanged, true);
  dispose();
});

test("a success after the timeout changes nothing, and is recorded as late", async () => {
  const late = deferred();
  const sink = viewcap.memoryAuditSink();
  const { call, clock, flush, dispose } = guarded({ execute: () => late.promise }, {}, { audit: sink });
  const running = call("set", {}, { invocationId: "mine" });
  await flush();
  await clock.advance(10_000);
  expectError(await running, "TIMEOUT");
  late.resolve("done");
  await flush();
  expectError(await call("set", {}, { invocationId: "mine" }), "TIMEOUT");
  assert.deepEqual(
    sink.events.map(({ type }) => type).filter((type) => type !== "component-registered"),
    ["invocation-started", "invocation-settled", "late-settlement"],
  );
  dispose();
});

test("a cancel before the dispatch keeps the handler from running", async () => {
  for (const wait of ["policy", "queue"]) {
    const gate = deferred();
    const runs = [];
    const policies = wait === "policy" ? [{ name: "slow", onAuthorize: (_, next) => gate.promise.then(next) }] : [];
    const { call, flush, dispose } = guarded(
      { execute: (input) => (runs.push(input), wait === "queue" && input.n === 0 ? gate.promise : undefined) },
      {},
      { policies },
    );
    if (wait === "queue") void call("set", { n: 0 });
    const controller = new AbortController();
    const waiting = call("set", { n: 1 }, { signal: controller.signal });
    await flush();
    controller.abort();
    assert.equal(expectError(await waiting, "CANCELLED").retry, "yes");
    gate.resolve();
    await flush();
    assert.ok(!runs.some(({ n }) => n === 1), wait);
    dispose();
  }
});

test("a dispose ends the wait for a person: the confirmation has expired", async () => {
  const { ask, confirmations, dispose } = guarded();
  const waiting = confirmations.waitFor(await ask());
  dispose();
  assert.equal(await waiting, "expired");
  assert.deepEqual(confirmations.pending(), []);
});

test("a late asynchronous registration that comes after its unmount is the application's own, and its handle still ends it", async () => {
  const { registry, call, flush, dispose } = createTestSurface();
  const data = deferred();
  let mounted = true;
  let handle;
  void data.promise.then(() => {
    if (mounted) handle = registry.register(tableContract().bind(tableBinding()));
  });
  mounted = false;
  data.resolve();
  await flush();
  assert.equal(handle, undefined);
  expectError(await call("view:invoices.set", {}), "CAPABILITY_NOT_FOUND");
  const gone = registry.register(tableContract().bind(tableBinding()));
  gone.unregister();
  gone.update({ enabled: true });
  gone.invalidate();
  assert.equal(gone.status, "unregistered");
  expectError(await call("view:invoices.set", {}), "COMPONENT_UNMOUNTED");
  dispose();
});

for (const [what, onAuthorize, expected] of [
  [
    "calls next() twice",
    async (_, next) => (await next(), await assert.rejects(next(), { name: "AgentSurfaceDefectError" })),
    "ok",
  ],
  ["never calls next()", async () => undefined, "NOT_AUTHORIZED"],
  ["returns its own ok", async () => ({ status: "ok", output: "forged" }), "NOT_AUTHORIZED"],
  ["returns its own ok after next()", async (_, next) => (await next(), { status: "ok", output: "forged" }), "ok"],
  ["throws something unknown", async () => assert.fail("secret"), "EXECUTION_FAILED"],
  [
    "forges a staleness",
    async () => Promise.reject(new viewcap.AgentSurfaceError({ code: "STALE_CAPABILITY", message: "x", retry: "no" })),
    "EXECUTION_FAILED",
  ],
  ["throws after next()", async (_, next) => (await next(), assert.fail("secret")), "ok"],
]) {
  for (const hook of ["onAuthorize", "onInvoke"]) {
    test(`a policy that ${what} in ${hook} ends as ${expected}, and the handler runs at most once`, async () => {
      const policies = [{ name: "odd", [hook]: onAuthorize }];
      const { call, runs, flush, dispose } = guarded({}, {}, { policies });
      const result = await call("set", { n: 1 });
      await flush();
      if (expected === "ok") assert.equal(expectOk(result), undefined);
      else expectError(result, expected);
      if (expected === "EXECUTION_FAILED") assert.deepEqual(result.error.details, { reason: "policy-error" });
      assert.equal(runs.length, expected === "ok" ? 1 : 0);
      assert.ok(!JSON.stringify(result).includes("secret"));
      dispose();
    });
  }
}

test("a policy that keeps a call waiting has its time limit, also when the timer is late", async () => {
  const gate = deferred();
  const policies = [{ name: "slow", onAuthorize: (_, next) => gate.promise.then(next) }];
  const { call, runs, clock, flush, dispose } = guarded({}, {}, { policies });
  const waiting = call("set", {});
  await flush();
  await clock.advance(5000);
  expectError(await waiting, "EXECUTION_FAILED", "policy-error");
  gate.resolve();
  await flush();
  assert.deepEqual(runs, []);
  dispose();
});

test("a handler that forges a staleness is an ordinary failure", async () => {
  const forged = new viewcap.AgentSurfaceError({ code: "STALE_CAPABILITY", message: "x", retry: "after-refresh" });
  const { call, dispose } = guarded({ execute: () => Promise.reject(forged) }, {});
  expectError(await call("set", {}), "EXECUTION_FAILED", "handler-error");
  dispose();
});
