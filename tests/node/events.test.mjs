// Events, audit and drift: after the mutation, in mutation order, and harmless to everybody.

import assert from "node:assert/strict";
import { test } from "node:test";
import { projectStep } from "viewcap/protocol";
import { fakeClock, makeRegistry, mounted, ready, settled, tableBinding, tableContract } from "./support.mjs";

await ready;

const consumer = { id: "agent", kind: "test" };
const definition = (fields = {}, action = {}) => tableContract().bind(tableBinding(action, fields));

function listening(registry) {
  const events = [];
  registry.subscribe((event) => events.push(event));
  return events;
}

test("mounting and unmounting tell the registration, the type and the instance, at once", () => {
  const registry = makeRegistry();
  const events = listening(registry);
  const handle = registry.register(definition({ instanceId: "main" }));
  handle.unregister();
  const subject = { registrationId: handle.registrationId, componentType: "invoices", instanceId: "main" };
  assert.deepEqual(events, [
    { type: "component-registered", ...subject },
    { type: "component-unregistered", ...subject },
  ]);
});

test("a rejection tells whether a duplicate or the guard was the reason", () => {
  const registry = makeRegistry({ onRegister: ({ instanceId }) => instanceId !== "guarded" });
  registry.register(definition());
  const events = listening(registry);
  registry.register(definition());
  registry.register(definition({ instanceId: "guarded" }));
  assert.deepEqual(
    events.map(({ type, instanceId, reason }) => [type, instanceId, reason]),
    [
      ["component-rejected", "default", "duplicate"],
      ["component-rejected", "guarded", "guard"],
    ],
  );
});

test("surface-changed comes once per microtask with the last version", async () => {
  const registry = makeRegistry();
  const events = listening(registry);
  const handle = registry.register(definition());
  handle.invalidate();
  assert.ok(!events.some((event) => event.type === "surface-changed"));
  await settled();
  handle.invalidate();
  await settled();
  assert.deepEqual(
    events.filter((event) => event.type === "surface-changed").map((event) => event.surfaceVersion),
    ["2", "3"],
  );
});

test("started and settled come once for each call that is not a join or a replay; a conflict has both", async () => {
  const clock = fakeClock();
  const { registry, set } = mounted({ execute: async () => clock.advance(7) }, { options: { clock } });
  const events = listening(registry);
  const calls = [set({ invocationId: "a" }, { consumer }), set({ invocationId: "a" }, { consumer })];
  await Promise.all(calls);
  await set({ invocationId: "a" }, { consumer });
  await set({ invocationId: "a", input: { other: 1 } }, { consumer });
  const own = events.filter((event) => event.type.startsWith("invocation"));
  assert.deepEqual(
    own.map(({ type, status, code }) => [type, status, code]),
    [
      ["invocation-started", undefined, undefined],
      ["invocation-settled", "ok", undefined],
      ["invocation-started", undefined, undefined],
      ["invocation-settled", "error", "INVOCATION_CONFLICT"],
    ],
  );
  assert.deepEqual(own[0], {
    type: "invocation-started",
    invocationId: "a",
    capabilityId: "view:invoices.set",
    consumerId: "agent",
  });
  assert.equal(own[1].durationMs, 7);
});

test("a listener that throws or rejects harms no other, and no call", async () => {
  const registry = makeRegistry();
  const warn = console.warn;
  console.warn = () => undefined;
  try {
    registry.subscribe(() => {
      throw new Error("no");
    });
    registry.subscribe(async () => {
      throw new Error("no");
    });
    const events = listening(registry);
    assert.equal(registry.register(definition()).status, "registered");
    assert.equal((await registry.invoke({ capabilityId: "view:invoices.set" })).status, "ok");
    await settled();
    assert.equal(events.length, 4);
  } finally {
    console.warn = warn;
  }
});

test("a subscription ends at once, on its own, even from inside a delivery, and twice", () => {
  const registry = makeRegistry();
  const seen = [];
  const same = (event) => seen.push(event.type);
  const first = registry.subscribe(same);
  registry.subscribe(same);
  const second = registry.subscribe(() => third());
  const third = registry.subscribe(() => seen.push("third"));
  registry.register(definition());
  assert.deepEqual(seen, ["component-registered", "component-registered"]);
  first();
  first();
  second();
  registry.register(definition({ instanceId: "b" }));
  assert.equal(seen.length, 3);
  assert.throws(() => registry.subscribe(7), { code: "INVALID_DEFINITION" });
});

test("drift of a when is told in the next microtask after a projection, a snapshot, an invalidate and a settled action", async () => {
  for (const look of [
    ({ registry }) => projectStep(registry, { consumer }),
    ({ registry }) => registry.snapshot(),
    ({ handle }) => handle.invalidate(),
    ({ registry }) => registry.invoke({ capabilityId: "view:other.set" }),
  ]) {
    let open = true;
    const table = mounted({ when: () => open });
    table.registry.register(tableContract({}, { type: "other" }).bind(tableBinding()));
    projectStep(table.registry, { consumer });
    const events = listening(table.registry);
    open = false;
    look(table);
    const drift = () => events.filter((event) => event.type === "availability-changed");
    assert.deepEqual(drift(), []);
    await settled();
    assert.deepEqual(drift(), [
      {
        type: "availability-changed",
        registrationId: table.handle.registrationId,
        capabilityId: "view:invoices.set",
        available: false,
      },
    ]);
    await settled();
    assert.equal(drift().length, 1);
  }
});

test("without a listener no when is asked after a call: invoking stays flat however many are mounted", async () => {
  let asked = 0;
  const registry = makeRegistry();
  for (let n = 0; n < 50; n++) registry.register(definition({ instanceId: `n${n}` }, { when: () => ++asked }));
  await registry.invoke({ capabilityId: "view:invoices.set", instanceId: "n1" });
  await settled();
  assert.equal(asked, 1);
});

test("with a listener many settled calls in one tick look for drift once", async () => {
  let asked = 0;
  const registry = makeRegistry();
  registry.register(definition());
  registry.register(tableContract({}, { type: "other" }).bind(tableBinding({ when: () => ++asked })));
  listening(registry);
  for (let n = 0; n < 10; n++) registry.invoke({ capabilityId: "view:invoices.set" });
  await settled();
  assert.equal(asked, 1);
});

test("the audit sink hears of registrations and calls with their times; a sink that throws is ignored", async () => {
  const records = [];
  const clock = fakeClock();
  const { set, handle } = mounted(
    {},
    { options: { clock, audit: { record: (event) => (records.push(event), assert.fail("ignored")) } } },
  );
  const warn = console.warn;
  console.warn = () => undefined;
  try {
    await set({ invocationId: "a" }, { consumer });
    handle.unregister();
  } finally {
    console.warn = warn;
  }
  assert.equal(records.length, 4);
  assert.ok(records.every((record) => record.at === 1_000_000));
  const call = records.find((record) => record.invocationId === "a" && record.status === "ok");
  assert.equal(call.capabilityId, "view:invoices.set");
  assert.equal(call.consumerId, "agent");
  assert.equal(call.durationMs, 0);
});

test("level none records no invocation, metadata no payload, full input and output", async () => {
  for (const [audit, expected] of [
    ["none", 0],
    ["metadata", 2],
    ["full", 2],
  ]) {
    const records = [];
    const { set } = mounted(
      { execute: () => "out-word" },
      { contract: { audit }, options: { audit: { record: (event) => records.push(event) } } },
    );
    await set({ input: { secret: "in-word" } });
    const own = records.filter((record) => record.invocationId !== undefined);
    assert.equal(own.length, expected);
    const text = JSON.stringify(own);
    assert.equal(text.includes("in-word") && text.includes("out-word"), audit === "full");
  }
});
