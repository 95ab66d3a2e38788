// Author code that calls back into the registry from wherever it runs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { failure, makeRegistry, mounted, ready, settled, tableBinding, tableContract } from "./support.mjs";
import { projectStep } from "viewcap/protocol";

await ready;

const other = tableContract({}, { type: "other" });
const consumer = { id: "a", kind: "test" };

test("a handler that invokes on its own queue gets a clear result, and there is no deadlock", async () => {
  const { set } = mounted({
    execute: async ({ inner }) => (inner ? "inner" : failure(await set({ input: { inner: true } }))),
  });
  const { output } = await set({ input: {} });
  assert.equal(typeof output.code, "string");
  assert.equal((await set({ input: { inner: true } })).output, "inner");
});

test("a handler may invoke an observation of its own component and an action of another", async () => {
  const { set, rows, registry } = mounted({
    execute: async () => [(await rows()).status, (await registry.invoke({ capabilityId: "view:other.set" })).status],
  });
  registry.register(other.bind(tableBinding()));
  assert.deepEqual((await set()).output, ["ok", "ok"]);
});

test("a handler that unmounts its own component synchronously ends as COMPONENT_UNMOUNTED mid-flight", async () => {
  const { set, handle } = mounted({ execute: () => void handle.unregister() });
  assert.deepEqual(failure(await set()), { code: "COMPONENT_UNMOUNTED", phase: "mid-flight" });
});

test("a handler may mount, unmount and remount others while it runs", async () => {
  const { set, registry } = mounted({
    execute: () => {
      const first = registry.register(other.bind(tableBinding()));
      first.unregister();
      return registry.register(other.bind(tableBinding())).status;
    },
  });
  const result = await set();
  assert.equal(result.output, "registered");
  assert.equal(result.surfaceChanged, true);
});

test("a handler may dispose its registry: its call is CANCELLED", async () => {
  const { set, registry } = mounted({ execute: () => void registry.dispose() });
  assert.equal(failure(await set()).code, "CANCELLED");
});

test("a when that unmounts its component keeps the handler from running", async () => {
  const { set, handle } = mounted({ when: () => (handle.unregister(), true), execute: () => assert.fail("it ran") });
  assert.deepEqual(failure(await set()), { code: "COMPONENT_UNMOUNTED", phase: "queued" });
});

test("a when that disables its component keeps the handler from running", async () => {
  const { set, handle } = mounted({
    when: () => (handle.update({ enabled: false }), true),
    execute: () => assert.fail("it ran"),
  });
  assert.deepEqual(failure(await set()), { code: "CAPABILITY_NOT_AVAILABLE", reason: "component-disabled" });
});

test("a precondition that unmounts its component keeps the handler from running", async () => {
  const { set, handle } = mounted({
    precondition: () => void handle.unregister(),
    execute: () => assert.fail("it ran"),
  });
  assert.deepEqual(failure(await set()), { code: "COMPONENT_UNMOUNTED", phase: "queued" });
});

test("a precondition or when that disposes the registry ends the call as CANCELLED", async () => {
  for (const callback of ["when", "precondition"]) {
    const { set, registry } = mounted({
      [callback]: () => void registry.dispose(),
      execute: () => assert.fail("it ran"),
    });
    assert.equal(failure(await set()).code, "CANCELLED");
  }
});

test("a when that registers another component on every evaluation ends, at a call and at a projection", async () => {
  let count = 0;
  const { set, registry } = mounted({
    when: () => registry.register(other.bind(tableBinding({ when: () => true }, { instanceId: `n${count++}` }))),
  });
  assert.equal((await set()).status, "ok");
  projectStep(registry, { consumer });
  registry.snapshot();
  const { length } = registry.snapshot().components;
  assert.equal(length, 1 + count);
});

test("a when that projects, snapshots or invokes does not recurse without end", async () => {
  const { set, rows, registry } = mounted({
    when: () => {
      projectStep(registry, { consumer });
      registry.snapshot();
      rows();
      set();
      return true;
    },
  });
  assert.equal((await set()).status, "ok");
  assert.equal(registry.snapshot().components.length, 1);
  assert.equal(projectStep(registry, { consumer }).descriptors.length, 2);
});

test("a when or precondition that invokes its own capability gets a clear result, and the outer call goes on", async () => {
  for (const callback of ["when", "precondition"]) {
    const inner = [];
    const action = {
      [callback]: () => (inner.push(set()), callback === "when" ? true : undefined),
      execute: () => "ran",
    };
    const { set } = mounted(action);
    assert.equal((await set()).output, "ran");
    assert.deepEqual(failure(await inner[0]), { code: "EXECUTION_FAILED", reason: "handler-error" });
    assert.equal(inner.length, 1);
  }
});

test("observations that invoke themselves without end are results, and the registry lives on", async () => {
  const registry = makeRegistry();
  const read = () => registry.invoke({ capabilityId: "view:invoices.rows" });
  const when = () => (read(), true);
  registry.register(tableContract().bind({ ...tableBinding(), observations: { rows: { read: () => [], when } } }));
  assert.equal(typeof (await read()).status, "string");
  await settled();
  assert.equal(registry.snapshot().components.length, 1);
});

test("a listener may register, unregister and invoke: what it causes is queued and delivered in order", async () => {
  const { registry, set } = mounted({ execute: () => "ran" });
  const order = [];
  let depth = 0;
  registry.subscribe((event) => {
    assert.equal(depth++, 0, "an event was delivered inside another");
    order.push(event.type + (event.componentType ? `:${event.componentType}` : ""));
    if (event.type === "component-registered" && event.componentType === "other") {
      inner.push(set());
      handle?.unregister();
    }
    depth--;
  });
  const inner = [];
  let handle;
  handle = registry.register(other.bind(tableBinding()));
  assert.deepEqual(order, ["component-registered:other", "invocation-started", "invocation-settled"]);
  assert.equal((await inner[0]).output, "ran");
  handle.unregister();
  await settled();
  assert.equal(order.at(-1), "surface-changed");
  assert.ok(order.includes("component-unregistered:other"));
});

test("a listener that unmounts the component when its call starts keeps the handler from running", async () => {
  const { registry, set, handle } = mounted({ execute: () => assert.fail("it ran") });
  registry.subscribe((event) => event.type === "invocation-started" && handle.unregister());
  assert.deepEqual(failure(await set()), { code: "COMPONENT_UNMOUNTED", phase: "queued" });
});

test("a listener that invokes on every settlement ends at the author's own condition", async () => {
  const { registry, set } = mounted();
  let turns = 0;
  registry.subscribe((event) => event.type === "invocation-settled" && turns++ < 200 && set());
  await set();
  await settled();
  assert.ok(turns >= 200);
});

test("an abort listener of a handler may call into the registry", async () => {
  const { registry, set, handle } = mounted({
    execute: (_, { signal }) => {
      signal.addEventListener("abort", () => registry.register(other.bind(tableBinding())));
      return new Promise(() => undefined);
    },
  });
  const result = set();
  handle.unregister();
  assert.equal(failure(await result).phase, "mid-flight");
  assert.deepEqual(
    registry.snapshot().components.map((one) => one.type),
    ["other"],
  );
});
