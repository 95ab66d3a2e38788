// Phases 1 and 2: one execution per call id, and no call into the wrong component.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deferred, failure, fakeClock, makeRegistry, mounted, ready, tableBinding, tableContract } from "./support.mjs";

await ready;

test("the same call id before, during and after the run is one execution and one result", async () => {
  const gate = deferred();
  let runs = 0;
  const { set } = mounted({ execute: () => (runs++, gate.promise) });
  const request = { invocationId: "call-1", input: { a: 1, b: 2 } };
  const first = set(request);
  const joined = set({ invocationId: "call-1", input: { b: 2, a: 1 } });
  assert.equal(first, joined);
  gate.resolve("done");
  await first;
  const replayed = await set(request);
  assert.deepEqual(replayed, await first);
  assert.equal(runs, 1);
});

test("a call that joins itself from inside its own handler gets the same promise", async () => {
  let joined;
  const { set } = mounted({ execute: () => void (joined = set({ invocationId: "call-1" })) });
  const first = set({ invocationId: "call-1" });
  assert.equal((await joined).status, "ok");
  assert.deepEqual(await first, await joined);
});

test("the same id with another request is a conflict, which discloses nothing and disturbs nothing", async () => {
  const gate = deferred();
  const { set } = mounted({ execute: () => gate.promise });
  const first = set({ invocationId: "call-1", input: { secret: "a" } });
  const conflict = await set({ invocationId: "call-1", input: { secret: "b" } });
  assert.deepEqual(failure(conflict), { code: "INVOCATION_CONFLICT", reason: "id-reused-with-different-request" });
  assert.ok(!JSON.stringify(conflict).includes("secret"));
  gate.resolve("done");
  assert.equal((await first).output, "done");
});

test("different consumers may use the same call id", async () => {
  let runs = 0;
  const { set } = mounted({ execute: () => ++runs });
  for (const consumer of [
    { id: "a", kind: "test" },
    { id: "b", kind: "test" },
    { id: "a", kind: "other" },
  ]) {
    await set({ invocationId: "call-1" }, { consumer });
  }
  assert.equal(runs, 3);
});

test("a cached result is forgotten after its time, on the registry's clock", async () => {
  const clock = fakeClock();
  let runs = 0;
  const { set } = mounted({ execute: () => ++runs }, { options: { clock } });
  await set({ invocationId: "call-1" });
  await clock.advance(599_999);
  assert.equal((await set({ invocationId: "call-1" })).output, 1);
  await clock.advance(2);
  assert.equal((await set({ invocationId: "call-1" })).output, 2);
});

test("an input that is no JSON value is never cached or joined", async () => {
  let runs = 0;
  const { set } = mounted({ execute: () => ++runs });
  assert.equal(failure(await set({ invocationId: "call-1", input: { at: new Date(0) } })).code, "INVALID_INPUT");
  assert.equal((await set({ invocationId: "call-1", input: {} })).output, 1);
});

test("a joined or replayed call runs no author code", async () => {
  let asked = 0;
  const { set } = mounted({ when: () => ++asked });
  await set({ invocationId: "call-1" });
  await set({ invocationId: "call-1" });
  assert.equal(asked, 1);
});

test("a defective output rejects every promise that joined the call", async () => {
  const gate = deferred();
  const { set } = mounted({ execute: () => gate.promise });
  const promises = [set({ invocationId: "call-1" }), set({ invocationId: "call-1" })];
  gate.resolve(new Map());
  for (const promise of promises) await assert.rejects(promise, { name: "AgentSurfaceDefectError" });
});

test("a registration id of before a remount is STALE_CAPABILITY and names the live one", async () => {
  const registry = makeRegistry();
  const definition = tableContract().bind(tableBinding());
  const before = registry.register(definition);
  before.unregister();
  const after = registry.register(definition);
  const call = (registrationId) => registry.invoke({ capabilityId: "view:invoices.set", registrationId });
  assert.deepEqual(failure(await call(before.registrationId)), {
    code: "STALE_CAPABILITY",
    reason: "registration-replaced",
    liveRegistrationId: after.registrationId,
  });
  assert.equal(failure(await call("reg_unknown")).reason, "surface-reloaded");
  after.unregister();
  assert.deepEqual(failure(await call(after.registrationId)), { code: "COMPONENT_UNMOUNTED", phase: "resolve" });
});

test("a tombstone answers for five minutes; then the capability is one that never existed", async () => {
  const clock = fakeClock();
  const { set, handle } = mounted({}, { options: { clock } });
  handle.unregister();
  await clock.advance(299_999);
  assert.equal(failure(await set()).code, "COMPONENT_UNMOUNTED");
  await clock.advance(2);
  assert.equal(failure(await set()).code, "CAPABILITY_NOT_FOUND");
});

test("a call that several instances could serve is AMBIGUOUS_INSTANCE, listed by instance id; naming one resolves it", async () => {
  const registry = makeRegistry();
  const contract = tableContract();
  for (const instanceId of ["b", "a"])
    registry.register(contract.bind(tableBinding({ execute: () => instanceId }, { instanceId })));
  const ambiguous = await registry.invoke({ capabilityId: "view:invoices.set" });
  assert.equal(ambiguous.error.code, "AMBIGUOUS_INSTANCE");
  assert.deepEqual(
    ambiguous.error.details.instances.map((one) => one.instanceId),
    ["a", "b"],
  );
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set", instanceId: "b" })).output, "b");
  assert.equal(
    failure(await registry.invoke({ capabilityId: "view:invoices.set", instanceId: "c" })).code,
    "CAPABILITY_NOT_FOUND",
  );
});

test("a surface version that is not current is ignored for a view action", async () => {
  const { set } = mounted({ execute: () => "ran" });
  assert.equal((await set({ surfaceVersion: "999" })).output, "ran");
});

test("surfaceVersion is that of the settlement, and surfaceChanged says that it moved", async () => {
  const { set, handle } = mounted({ execute: ({ move }) => void (move && handle.invalidate()) });
  const still = await set({ input: {} });
  assert.deepEqual([still.surfaceVersion, "surfaceChanged" in still], ["1", false]);
  const moved = await set({ input: { move: true } });
  assert.deepEqual([moved.surfaceVersion, moved.surfaceChanged], ["2", true]);
});
