import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import {
  deferred,
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

const { audit, consoleAuditSink, memoryAuditSink } = viewcap;
const types = (sink) => sink.events.map(({ type }) => type);
const of = (sink, type) => sink.events.filter((event) => event.type === type);
const SET = "view:invoices.set";

test("a sink of the registry hears of everything, whether it is an option or a policy's, and once when it is both", async () => {
  const sink = memoryAuditSink();
  const second = memoryAuditSink();
  const { registry, handle, set } = mounted(
    {},
    { options: { audit: sink, policies: [audit(sink), audit(second, "metadata")] } },
  );
  await set({ input: {} });
  handle.unregister();
  const all = ["component-registered", "invocation-started", "invocation-settled", "component-unregistered"];
  assert.deepEqual(types(sink), all);
  assert.deepEqual(types(second), all);
  registry.dispose();
});

test("a component's sink hears of its registration only, a capability's of that capability only", async () => {
  const component = memoryAuditSink();
  const own = memoryAuditSink();
  const { registry, handle, rows, set } = mounted(
    { policies: [audit(own)] },
    { fields: { policies: [audit(component)] } },
  );
  registry.register(tableContract({}, { type: "other" }).bind(tableBinding()));
  await registry.invoke({ capabilityId: "view:other.set", input: {} });
  await rows();
  await set({ input: {} });
  handle.unregister();
  assert.ok(component.events.every(({ registrationId }) => registrationId === handle.registrationId));
  assert.deepEqual(types(component), [
    "component-registered",
    "invocation-started",
    "invocation-settled",
    "invocation-started",
    "invocation-settled",
    "component-unregistered",
  ]);
  assert.deepEqual(
    own.events.map(({ type, capabilityId }) => [type, capabilityId]),
    [
      ["invocation-started", SET],
      ["invocation-settled", SET],
    ],
  );
  registry.dispose();
});

test("a contract's sink hears of every instance of it", async () => {
  const sink = memoryAuditSink();
  const registry = makeRegistry();
  const contract = tableContract({}, { policies: [audit(sink)] });
  for (const instanceId of ["a", "b"]) registry.register(contract.bind(tableBinding({}, { instanceId })));
  assert.equal(new Set(of(sink, "component-registered").map(({ registrationId }) => registrationId)).size, 2);
  registry.dispose();
});

test("a component's sink hears of a handler that settles after the unmount, and is forgotten after a hundred more", async () => {
  const sink = memoryAuditSink();
  const slow = deferred();
  const { registry, handle, set } = mounted({ execute: () => slow.promise }, { fields: { policies: [audit(sink)] } });
  const call = set({ input: {} });
  handle.unregister();
  await call;
  slow.resolve();
  await settled();
  assert.equal(types(sink).at(-1), "late-settlement");
  const later = deferred();
  const binding = (execute) => tableBinding({ execute }, { policies: [audit(sink)] });
  const first = registry.register(tableContract().bind(binding(() => later.promise)));
  const lost = registry.invoke({ capabilityId: SET, input: {} });
  first.unregister();
  await lost;
  for (let at = 0; at < 101; at++) registry.register(tableContract().bind(binding(() => undefined))).unregister();
  const heard = sink.events.length;
  later.resolve();
  await settled();
  assert.equal(sink.events.length, heard);
  registry.dispose();
});

test("the level of the capability's policy wins over the component's, the registry's, and the contract's own", async () => {
  const level = async (contract, own, component, registryLevel) => {
    const sink = memoryAuditSink();
    const list = (given) => (given === undefined ? [] : [audit(undefined, given)]);
    const { registry, set } = mounted(
      { policies: list(own), execute: () => 7 },
      {
        contract: { audit: contract },
        fields: { policies: list(component) },
        options: { audit: sink, policies: list(registryLevel) },
      },
    );
    await set({ input: { page: 1 } });
    registry.dispose();
    const [event] = of(sink, "invocation-settled");
    return event === undefined ? "none" : event.payload === undefined ? "metadata" : "full";
  };
  assert.equal(await level(undefined, undefined, undefined, undefined), "metadata");
  assert.equal(await level("full", undefined, undefined, undefined), "full");
  assert.equal(await level("full", undefined, undefined, "none"), "none");
  assert.equal(await level("none", undefined, "metadata", "none"), "metadata");
  assert.equal(await level("none", "full", "metadata", "none"), "full");
});

test("a full record has input and output; redact reshapes a copy for its own sink, and a throw or a promise drops it", async () => {
  const sink = (redact) => {
    const events = [];
    return { events, record: (event) => void events.push(event), ...(redact === undefined ? {} : { redact }) };
  };
  const plain = sink();
  const masked = sink((payload, { type }) => {
    payload.input.pin = "***";
    return { ...payload, type };
  });
  const drops = [
    sink(() => {
      throw new Error("no");
    }),
    sink(async () => ({})),
    sink(() => undefined),
  ];
  const policies = [plain, masked, ...drops].map((one) => audit(one, "full"));
  const { registry, set } = mounted({ execute: () => ({ done: true }), policies });
  await set({ input: { pin: "1234" } });
  const last = ({ events }) => events.at(-1);
  assert.deepEqual(last(plain).payload, { input: { pin: "1234" }, output: { done: true } });
  assert.deepEqual(last(masked).payload, { input: { pin: "***" }, output: { done: true }, type: "invocation-settled" });
  for (const one of drops) assert.ok(!("payload" in last(one)) && last(one).status === "ok");
  registry.dispose();
});

test("without a payload nothing is redacted", async () => {
  const sink = { record: () => undefined, redact: () => assert.fail("there is nothing to redact") };
  const { registry, set } = mounted({ policies: [audit(sink, "metadata")] });
  await set({ input: {} });
  registry.dispose();
});

test("a sink that throws, rejects or meddles with the event harms no other and no call", async () => {
  const heard = [];
  const sinks = [
    { record: () => assert.fail("never mind") },
    { record: () => Promise.reject(new Error("disk full")) },
    { record: (event) => Reflect.set(event, "type", "forged") },
    { record: (event) => void heard.push(event.type) },
  ];
  const policies = sinks.map((sink) => audit(sink));
  const { registry, set } = mounted({}, { options: { policies, environment: "test" } });
  assert.equal((await set({ input: {} })).status, "ok");
  assert.deepEqual(heard, ["component-registered", "invocation-started", "invocation-settled"]);
  registry.dispose();
});

test("a record tells the time in line from the time of the handler", async () => {
  const clock = fakeClock();
  const sink = memoryAuditSink();
  const gates = [deferred(), deferred()];
  let at = 0;
  const { registry, set } = mounted({ execute: () => gates[at++].promise }, { options: { clock, audit: sink } });
  const calls = [set({ input: {} }), set({ input: {} })];
  await clock.advance(30);
  gates[0].resolve();
  await calls[0];
  await clock.advance(12);
  gates[1].resolve();
  await calls[1];
  assert.deepEqual(
    of(sink, "invocation-settled").map(({ queueWaitMs, executionMs, durationMs }) => [
      queueWaitMs,
      executionMs,
      durationMs,
    ]),
    [
      [0, 30, 30],
      [30, 12, 42],
    ],
  );
  registry.dispose();
});

test("memoryAuditSink keeps the last of its capacity, oldest first", async () => {
  const sink = memoryAuditSink({ capacity: 3 });
  for (let at = 0; at < 10; at++) {
    sink.record({ at, type: "x" });
    assert.deepEqual(
      sink.events.map((event) => event.at),
      [at - 2, at - 1, at].filter((one) => one >= 0),
    );
  }
  sink.clear();
  assert.deepEqual(sink.events, []);
  for (const capacity of [0, -1, 1.5, Infinity, "3"]) {
    assert.throws(() => memoryAuditSink({ capacity }), { code: "INVALID_DEFINITION" });
  }
});

test("consoleAuditSink writes to the diagnostic stream, one line per event, and never to stdout", () => {
  const script = `
    import { loadRuntime, createAgentSurfaceRegistry, consoleAuditSink } from "viewcap";
    await loadRuntime();
    const registry = createAgentSurfaceRegistry({ environment: "test", audit: consoleAuditSink() });
    registry.register({ type: "empty", description: "Nothing." });
    registry.dispose();`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: new URL(".", import.meta.url),
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, "");
  assert.match(stderr, /^viewcap audit \{.*"type":"component-registered".*\}$/m);
  assert.equal(typeof consoleAuditSink().record, "function");
});

test("what is no sink is refused", () => {
  for (const sink of [{}, { record: true }, { record: () => undefined, redact: 1 }]) {
    assert.throws(() => makeRegistry({ audit: sink }), { code: "INVALID_DEFINITION" });
    assert.throws(() => audit(sink), { code: "INVALID_DEFINITION" });
  }
});
