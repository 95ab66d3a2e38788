// What viewcap/testing gives a test: a surface on a clock of its own, calls by name, expectations.

import assert from "node:assert/strict";
import { test } from "node:test";
import { projectStep } from "viewcap/protocol";
import { createTestClock, createTestSurface, expectError, expectOk } from "viewcap/testing";
import { ready, tableBinding, tableContract, viewcap } from "./support.mjs";

test("a surface asks for the module; a clock and expectations do not need it", async () => {
  if (!viewcap.isRuntimeLoaded()) assert.throws(() => createTestSurface(), { name: "RuntimeNotLoadedError" });
  assert.equal(createTestClock(5).now(), 5);
  await ready;
  createTestSurface().dispose();
});

function mountedSurface(action = {}, options = {}) {
  const surface = createTestSurface(options);
  const handle = surface.registry.register(tableContract().bind(tableBinding(action)));
  return { ...surface, handle };
}

test("its registry is one of viewcap's own: the package's other entries accept it", async () => {
  await ready;
  const { registry, project, dispose } = mountedSurface();
  const step = projectStep(registry, { consumer: { id: "test", kind: "test" } });
  assert.deepEqual(project().descriptors, step.descriptors);
  assert.equal(registry.surfaceId.length > 0, true);
  dispose();
  dispose();
  assert.throws(() => project(), { name: "AgentSurfaceDefectError" });
});

test("a call by wire name carries registration id and version, as a dispatched call does", async () => {
  await ready;
  const told = [];
  const surface = mountedSurface({ execute: (input, ctx) => (told.push(ctx.registrationId), input) });
  const [wireName] = [...surface.project().wireNames.keys()].filter((name) => name.includes("set"));
  assert.deepEqual(expectOk(await surface.call(wireName, { a: 1 })), { a: 1 });
  assert.deepEqual(told, [surface.handle.registrationId]);
  const { surfaceVersion } = surface.project();
  surface.handle.unregister();
  surface.registry.register(tableContract().bind(tableBinding()));
  const stale = await surface.call("set", {}, { registrationId: surface.handle.registrationId, surfaceVersion });
  expectError(stale, "STALE_CAPABILITY");
  surface.dispose();
});

test("a call by canonical id carries nothing but that, whatever the projection has", async () => {
  await ready;
  const surface = createTestSurface();
  expectError(await surface.call("view:invoices.set"), "CAPABILITY_NOT_FOUND");
  surface.registry.register(tableContract().bind(tableBinding({ execute: () => "done" })));
  assert.equal(expectOk(await surface.call("view:invoices.set")), "done");
  surface.dispose();
});

test("a mere name is enough while one capability has it; else the call says what there is", async () => {
  await ready;
  const surface = mountedSurface({ execute: () => "done" });
  assert.equal(expectOk(await surface.call("set")), "done");
  await assert.rejects(surface.call("sett"), /has no "sett"; it has .*invoices/);
  surface.registry.register(tableContract({}, { type: "orders" }).bind(tableBinding()));
  await assert.rejects(surface.call("set"), /view:invoices\.set or view:orders\.set: say which/);
  surface.dispose();
  await assert.rejects(createTestSurface().call("set"), /it has nothing/);
});

test("the consumer is a test's unless the surface or the call says otherwise", async () => {
  await ready;
  const told = [];
  const action = { execute: (_, ctx) => void told.push(ctx.consumer) };
  const own = { id: "ann", kind: "embedded" };
  await mountedSurface(action).call("set");
  const surface = mountedSurface(action, { consumer: own });
  await surface.call("set");
  await surface.call("set", {}, { consumer: { id: "bob", kind: "other" } });
  assert.deepEqual(told, [{ id: "test", kind: "test" }, own, { id: "bob", kind: "other" }]);
});

test("a scope narrows the projection and the names that a call may use, never canonical ids", async () => {
  await ready;
  const surface = mountedSurface({}, { scope: ["orders"] });
  assert.deepEqual(surface.project().descriptors, []);
  await assert.rejects(surface.call("set"), /it has nothing/);
  expectOk(await surface.call("view:invoices.set"));
});

test("invocationId, signal and timeoutMs of a call reach the registry", async () => {
  await ready;
  const surface = mountedSurface({ execute: () => new Promise(() => undefined) });
  const controller = new AbortController();
  const cancelled = surface.call("set", {}, { invocationId: "a", signal: controller.signal });
  controller.abort();
  assert.equal((await cancelled).invocationId, "a");
  expectError(await cancelled, "CANCELLED");
  const late = surface.call("set", {}, { timeoutMs: 70 });
  await surface.clock.advance(70);
  assert.equal(expectError(await late, "TIMEOUT").details.timeoutMs, 70);
});

test("the options are those of a registry; the clock may be one that the test already has", async () => {
  await ready;
  assert.throws(() => createTestSurface({ envronment: "test" }), { code: "INVALID_DEFINITION" });
  const clock = createTestClock(1_000);
  assert.equal(createTestSurface({ clock }).clock, clock);
});

test("expectOk and expectError give what was expected, and print the result where it is another", async () => {
  const fields = { invocationId: "i", capabilityId: "view:a.b", surfaceVersion: "1" };
  const ok = { status: "ok", ...fields, output: [1] };
  const error = { code: "EXECUTION_FAILED", message: "No.", retry: "no", details: { reason: "threw" } };
  const failed = { status: "error", ...fields, error };
  assert.deepEqual(expectOk(ok), [1]);
  assert.equal(expectError(failed, "EXECUTION_FAILED"), error);
  assert.equal(expectError(failed, "EXECUTION_FAILED", "threw"), error);
  assert.throws(() => expectOk(failed), /expected ok, found \{[^]*"reason": "threw"/);
  assert.throws(() => expectError(ok, "TIMEOUT"), /expected TIMEOUT, found \{[^]*"output"/);
  assert.throws(() => expectError(failed, "TIMEOUT"), /expected TIMEOUT/);
  assert.throws(() => expectError(failed, "EXECUTION_FAILED", "internal"), /with the reason "internal"/);
  assert.throws(() => expectOk(Promise.resolve(ok)), /await the call first/);
  assert.throws(() => expectOk(undefined), /found undefined/);
});
