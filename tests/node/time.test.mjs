// What ends a call from outside, and what waits: timeouts, cancellation, unmounting, the action queue.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  deferred,
  failure,
  fakeClock,
  makeRegistry,
  mounted,
  ready,
  settled,
  tableBinding,
  tableContract,
  viewcap,
} from "./support.mjs";

await ready;

const never = () => new Promise(() => undefined);

test("a handler that never settles is TIMEOUT at its time, and its signal aborts", async () => {
  const clock = fakeClock();
  let signal;
  const { set } = mounted({ execute: (_, ctx) => ((signal = ctx.signal), never()) }, { options: { clock } });
  const result = set();
  await clock.advance(9_999);
  assert.equal(signal.aborted, false);
  await clock.advance(1);
  assert.deepEqual(failure(await result), { code: "TIMEOUT", timeoutMs: 10_000, idempotent: false });
  assert.equal((await result).error.retry, "no");
  assert.equal(signal.aborted, true);
});

test("an idempotent action's timeout may be retried; observations have their own time", async () => {
  const clock = fakeClock();
  const { set, registry } = mounted({ execute: never }, { contract: { idempotent: true }, options: { clock } });
  const action = set();
  await clock.advance(10_000);
  assert.equal((await action).error.retry, "yes");
  registry.dispose();
  const other = makeRegistry({ clock });
  other.register(tableContract().bind({ ...tableBinding(), observations: { rows: { read: never } } }));
  const read = other.invoke({ capabilityId: "view:invoices.rows" });
  await clock.advance(5_000);
  assert.equal(failure(await read).timeoutMs, 5_000);
});

test("timeoutMs per call overrides that of the capability, which overrides the limit", async () => {
  const clock = fakeClock();
  const { set } = mounted({ execute: never }, { contract: { timeoutMs: 300 }, options: { clock } });
  const results = [set({}, { timeoutMs: 100 }), set()];
  await clock.advance(100);
  assert.equal(failure(await results[0]).timeoutMs, 100);
  await clock.advance(300);
  assert.equal(failure(await results[1]).timeoutMs, 300);
});

test("one timer is armed for many calls, and none for a call that settles at once", async () => {
  const clock = fakeClock();
  const { rows, registry } = mounted({}, { options: { clock } });
  await rows();
  assert.equal(clock.armed, 0);
  registry.dispose();
  const other = makeRegistry({ clock });
  other.register(tableContract().bind({ ...tableBinding(), observations: { rows: { read: never } } }));
  for (let turn = 0; turn < 5; turn++) other.invoke({ capabilityId: "view:invoices.rows" });
  assert.equal(clock.armed, 1);
  other.dispose();
  assert.equal(clock.armed, 0);
});

test("a handler's settlement after the timeout is recorded as late and changes nothing", async () => {
  const clock = fakeClock();
  const late = deferred();
  const records = [];
  const options = { clock, audit: { record: (event) => records.push(event.type) } };
  const { set } = mounted({ execute: () => late.promise }, { options });
  const result = set({ invocationId: "call-1" });
  await clock.advance(10_000);
  assert.equal(failure(await result).code, "TIMEOUT");
  late.resolve("late");
  await settled();
  assert.ok(records.includes("late-settlement"), records.join());
  assert.equal(failure(await set({ invocationId: "call-1" })).code, "TIMEOUT");
});

test("a clock that goes back never un-expires, and one that throws or gives nonsense breaks no call", async () => {
  const clock = fakeClock();
  const { set } = mounted({ execute: never }, { options: { clock } });
  const result = set();
  await clock.advance(10_000);
  await clock.advance(-60_000);
  assert.equal(failure(await result).code, "TIMEOUT");
  for (const now of [
    () => NaN,
    () => "x",
    () => {
      throw new Error("no");
    },
  ]) {
    assert.equal((await mounted({}, { options: { now } }).set()).status, "ok");
  }
});

test("now alone replaces only the reading of time: timers stay the platform's", async () => {
  let time = 0;
  const { set } = mounted({ execute: never }, { contract: { timeoutMs: 20 }, options: { now: () => (time += 1_000) } });
  assert.equal(failure(await set()).code, "TIMEOUT");
});

test("the caller's signal ends a running call as CANCELLED, which may be retried, and aborts the handler's", async () => {
  const controller = new AbortController();
  let signal;
  const { set } = mounted({ execute: (_, ctx) => ((signal = ctx.signal), never()) });
  const result = set({}, { signal: controller.signal });
  controller.abort();
  assert.equal(failure(await result).code, "CANCELLED");
  assert.equal((await result).error.retry, "yes");
  assert.ok(signal.aborted);
});

test("a signal that was aborted before the call never lets the handler be called", async () => {
  const { set } = mounted({ execute: () => assert.fail("it ran") });
  assert.equal(failure(await set({}, { signal: AbortSignal.abort() })).code, "CANCELLED");
});

test("a signal that aborts while the call waits in the queue takes it out of the queue", async () => {
  const first = deferred();
  const runs = [];
  const { set } = mounted({ execute: ({ n }) => (runs.push(n), n === 1 ? first.promise : n) });
  const controller = new AbortController();
  const results = [
    set({ input: { n: 1 } }),
    set({ input: { n: 2 } }, { signal: controller.signal }),
    set({ input: { n: 3 } }),
  ];
  controller.abort();
  assert.equal(failure(await results[1]).code, "CANCELLED");
  first.resolve(1);
  assert.equal((await results[2]).output, 3);
  assert.deepEqual(runs, [1, 3]);
});

test("a call leaves no listener on the caller's signal", async () => {
  let listeners = 0;
  const signal = { aborted: false, addEventListener: () => listeners++, removeEventListener: () => listeners-- };
  const { set } = mounted({ execute: async () => undefined });
  await set({}, { signal });
  assert.equal(listeners, 0);
});

test("unmounting in flight is COMPONENT_UNMOUNTED mid-flight, and aborts the signal", async () => {
  let signal;
  const { set, handle } = mounted({ execute: (_, ctx) => ((signal = ctx.signal), never()) });
  const result = set();
  handle.unregister();
  assert.deepEqual(failure(await result), { code: "COMPONENT_UNMOUNTED", phase: "mid-flight" });
  assert.ok(signal.aborted);
  assert.equal((await result).surfaceChanged, true);
});

test("a navigation action survives the unmounting of its owner: it only loses its signal", async () => {
  const arrived = deferred();
  let signal;
  const action = { execute: (_, ctx) => ((signal = ctx.signal), arrived.promise) };
  const { set, handle } = mounted(action, { contract: { effect: "navigation" } });
  const result = set();
  handle.unregister();
  assert.ok(signal.aborted);
  arrived.resolve("there");
  assert.equal((await result).output, "there");
});

test("a navigation action that rejects after its signal was aborted is CANCELLED", async () => {
  const lost = deferred();
  const { set, handle } = mounted({ execute: () => lost.promise }, { contract: { effect: "navigation" } });
  const result = set();
  handle.unregister();
  lost.reject(new Error("aborted"));
  assert.equal(failure(await result).code, "CANCELLED");
});

test("calls of one instance's actions run one after the other, first in first out", async () => {
  const gates = [deferred(), deferred(), deferred()];
  const started = [];
  const { set } = mounted({ execute: ({ n }) => (started.push(n), gates[n].promise) });
  const results = [0, 1, 2].map((n) => set({ input: { n } }));
  assert.deepEqual(started, [0]);
  for (const [n, gate] of gates.entries()) {
    gate.resolve(n);
    assert.equal((await results[n]).output, n);
    await settled();
  }
  assert.deepEqual(started, [0, 1, 2]);
});

test("a call over the queue's depth is RATE_LIMITED queue-full, and its place is free again later", async () => {
  const first = deferred();
  const { set } = mounted({ execute: () => first.promise });
  const results = [set(), set(), set()];
  assert.deepEqual(failure(await set()), { code: "RATE_LIMITED", reason: "queue-full", retryAfterMs: 250 });
  first.resolve();
  for (const result of results) assert.equal((await result).status, "ok");
  assert.equal((await set()).status, "ok");
});

test("a call that waited is checked again: when, then precondition, directly before its handler", async () => {
  const first = deferred();
  let open = true;
  let failing;
  const action = {
    when: () => open,
    precondition: () => failing,
    execute: ({ n }) => (n === 1 ? first.promise : assert.fail("it ran")),
  };
  const { set } = mounted(action);
  const results = [set({ input: { n: 1 } }), set({ input: { n: 2 } }), set({ input: { n: 3 } })];
  open = false;
  first.resolve();
  assert.equal(failure(await results[1]).code, "CAPABILITY_NOT_AVAILABLE");
  assert.equal(failure(await results[2]).code, "CAPABILITY_NOT_AVAILABLE");
  open = true;
  const second = deferred();
  const other = mounted({ ...action, execute: ({ n }) => (n === 1 ? second.promise : assert.fail("it ran")) });
  const later = [other.set({ input: { n: 1 } }), other.set({ input: { n: 2 } })];
  failing = { message: "Not any more." };
  second.resolve();
  assert.equal(failure(await later[1]).code, "PRECONDITION_FAILED");
});

test("an owner that unmounts while a call waits never has its handler called: COMPONENT_UNMOUNTED queued", async () => {
  const first = deferred();
  const { set, handle } = mounted({ execute: ({ n }) => (n === 1 ? first.promise : assert.fail("it ran")) });
  const results = [set({ input: { n: 1 } }), set({ input: { n: 2 } })];
  handle.unregister();
  assert.equal(failure(await results[0]).phase, "mid-flight");
  assert.deepEqual(failure(await results[1]), { code: "COMPONENT_UNMOUNTED", phase: "queued" });
  first.resolve();
  await settled();
});

const slow = (wait) =>
  viewcap.fromStandardSchema(
    { "~standard": { version: 1, vendor: "test", validate: async (value) => (await wait, { value }) } },
    { jsonSchema: { type: "object" } },
  );

test("an asynchronous validation that never ends is EXECUTION_FAILED after policyTimeoutMs", async () => {
  const clock = fakeClock();
  const { set } = mounted(
    { execute: () => assert.fail("it ran") },
    { contract: { input: slow(never()) }, options: { clock } },
  );
  const result = set({ input: {} });
  await clock.advance(5_000);
  assert.equal(failure(await result).code, "EXECUTION_FAILED");
});

test("unmounting, cancelling and disposing end an asynchronous validation", async () => {
  const make = () => mounted({ execute: () => assert.fail("it ran") }, { contract: { input: slow(never()) } });
  const unmounted = make();
  const first = unmounted.set({ input: {} });
  unmounted.handle.unregister();
  assert.deepEqual(failure(await first), { code: "COMPONENT_UNMOUNTED", phase: "queued" });
  const cancelled = make();
  const controller = new AbortController();
  const second = cancelled.set({ input: {} }, { signal: controller.signal });
  controller.abort();
  assert.equal(failure(await second).code, "CANCELLED");
  const disposed = make();
  const third = disposed.set({ input: {} });
  disposed.registry.dispose();
  assert.equal(failure(await third).code, "CANCELLED");
});

test("after an asynchronous validation the gate is asked again", async () => {
  const wait = deferred();
  let open = true;
  const { set } = mounted(
    { when: () => open, execute: () => assert.fail("it ran") },
    { contract: { input: slow(wait.promise) } },
  );
  const result = set({ input: {} });
  open = false;
  wait.resolve();
  assert.equal(failure(await result).code, "CAPABILITY_NOT_AVAILABLE");
});

test("a handler runs synchronously within invoke when nothing has to wait", () => {
  let ran = false;
  const { set } = mounted({ execute: () => void (ran = true) });
  set();
  assert.ok(ran);
});
