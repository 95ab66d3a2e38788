// Which calls wait for each other: lanes of actions as a contract chooses, and the pool of observations.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestSurface, expectError, expectOk } from "viewcap/testing";
import { deferred, ready, schema, viewcap } from "./support.mjs";

await ready;

/** Two instances of a component with the actions `a` and `b`, and an observation; handlers run until they are released. */
function desk(concurrency, limits = {}) {
  const surface = createTestSurface({ limits });
  const running = [];
  const action = { description: "d", input: schema({}), effect: "local-state", ...(concurrency && { concurrency }) };
  const contract = viewcap.defineAgentComponentContract({
    type: "desk",
    description: "A desk.",
    observations: { look: { description: "d", output: schema({}) } },
    actions: { a: action, b: action },
  });
  const run = (name) => {
    const gate = deferred();
    running.push({ name, finish: () => gate.resolve() });
    return gate.promise;
  };
  for (const instanceId of ["left", "right"]) {
    surface.registry.register(
      contract.bind({
        instanceId,
        observations: { look: { read: ({ consumer }) => run(consumer.id) } },
        actions: { a: { execute: () => run(`${instanceId} a`) }, b: { execute: () => run(`${instanceId} b`) } },
      }),
    );
  }
  const call = (instanceId, name, more = {}) =>
    surface.call(`view:desk.${name}`, name === "look" ? undefined : {}, { instanceId, ...more });
  const names = async () => (await surface.flush(), running.map(({ name }) => name));
  const finish = (index) => running.splice(index, 1)[0].finish();
  return { ...surface, call, names, finish };
}

for (const [concurrency, expected] of [
  [undefined, ["left a", "right a"]],
  [{ mode: "instance" }, ["left a", "right a"]],
  [{ mode: "capability" }, ["left a", "left b", "right a"]],
  [{ mode: "key", key: "k" }, ["left a"]],
  [{ mode: "parallel", max: 2 }, ["left a", "left a", "left b", "right a"]],
]) {
  test(`${JSON.stringify(concurrency) ?? "without a choice"}: ${expected.join(", ")} run at the same time`, async () => {
    const { call, names, dispose } = desk(concurrency);
    const calls = [call("left", "a"), call("left", "a"), call("left", "b"), call("right", "a")];
    assert.deepEqual((await names()).sort(), expected);
    dispose();
    await Promise.all(calls);
  });
}

test("a lane is first in first out, holds as many waiting as it is deep, and the next is RATE_LIMITED", async () => {
  const { call, names, finish, dispose } = desk({ mode: "capability", queueDepth: 1 });
  const first = call("left", "a");
  const second = call("left", "a");
  const { retry, details } = expectError(await call("left", "a"), "RATE_LIMITED", "queue-full");
  assert.deepEqual([retry, details.retryAfterMs], ["after-delay", 250]);
  assert.equal((await names()).length, 1);
  finish(0);
  expectOk(await first);
  assert.equal((await names()).length, 1);
  finish(0);
  expectOk(await second);
  dispose();
});

for (const [what, concurrency] of [
  ["a mode that there is not", { mode: "sometimes" }],
  ["parallel without a number", { mode: "parallel" }],
  ["parallel with none", { mode: "parallel", max: 0 }],
  ["a key without a name", { mode: "key" }],
  ["a depth below zero", { mode: "capability", queueDepth: -1 }],
]) {
  test(`${what} is INVALID_DEFINITION`, () => {
    assert.throws(() => desk(concurrency), { code: "INVALID_DEFINITION" });
  });
}

test("observations: so many run per consumer and in all, so many wait, and no consumer starves another", async () => {
  const limits = {
    maxConcurrentObservationsPerConsumer: 2,
    maxConcurrentObservationsTotal: 3,
    maxQueuedObservationsPerConsumer: 1,
  };
  const { call, names, finish, dispose } = desk(undefined, limits);
  const look = (id) => call("left", "look", { consumer: { id, kind: "test" } });
  const calls = ["one", "one", "one", "two", "two", "three"].map(look);
  assert.deepEqual(await names(), ["one", "one", "two"]);
  expectError(await look("one"), "RATE_LIMITED", "queue-full");
  finish(0);
  assert.deepEqual((await names()).length, 3);
  finish(0);
  finish(0);
  const after = await names();
  assert.deepEqual([...new Set(after)].sort(), ["one", "three", "two"]);
  dispose();
  await Promise.all(calls);
});

test("what waits has its time in line in the audit, apart from its execution", async () => {
  const sink = viewcap.memoryAuditSink();
  const surface = createTestSurface({ audit: sink });
  const gates = [deferred(), deferred()];
  let next = 0;
  surface.registry.register({
    type: "desk",
    description: "d",
    actions: {
      a: { description: "d", input: schema({}), effect: "local-state", execute: () => gates[next++].promise },
    },
  });
  const calls = [surface.call("a", {}), surface.call("a", {}, { invocationId: "second" })];
  await surface.flush();
  await surface.clock.advance(300);
  gates[0].resolve();
  await surface.flush();
  await surface.clock.advance(70);
  gates[1].resolve();
  await Promise.all(calls);
  const { queueWaitMs, executionMs, durationMs } = sink.events.find(
    ({ type, invocationId }) => type === "invocation-settled" && invocationId === "second",
  );
  assert.deepEqual([queueWaitMs, executionMs, durationMs], [300, 70, 370]);
  surface.dispose();
});
