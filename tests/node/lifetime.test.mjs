// Lifetime is the mount: handles, duplicates, the guard, the version, availability, dispose.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  deferred,
  failure,
  makeRegistry,
  mounted,
  ready,
  settled,
  tableBinding,
  tableContract,
  viewcap,
} from "./support.mjs";

await ready;

const contract = tableContract();
const definition = (fields = {}, action = {}) => contract.bind(tableBinding(action, fields));

test("registering makes the capabilities live at once, unregistering removes them at once", async () => {
  const registry = makeRegistry();
  const handle = registry.register(definition());
  assert.equal(handle.status, "registered");
  assert.match(handle.registrationId, /^reg_[A-Za-z0-9]+$/);
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set" })).status, "ok");
  handle.unregister();
  assert.equal(handle.status, "unregistered");
  assert.deepEqual(registry.snapshot().components, []);
  assert.deepEqual(failure(await registry.invoke({ capabilityId: "view:invoices.set" })), {
    code: "COMPONENT_UNMOUNTED",
    phase: "resolve",
  });
});

test("of two components with one name the first wins; the newcomer's handle is dead and its release harms nobody", async () => {
  const registry = makeRegistry();
  const first = registry.register(definition({}, { execute: () => "first" }));
  const second = registry.register(definition({}, { execute: () => "second" }));
  assert.equal(second.status, "rejected");
  second.update({ enabled: false });
  second.invalidate();
  second.unregister();
  assert.equal(second.status, "rejected");
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set" })).output, "first");
  assert.equal(first.status, "registered");
});

test("when the first of two claimants is released, another claim succeeds and survives a second release of the first", async () => {
  const registry = makeRegistry();
  const first = registry.register(definition());
  registry.register(definition());
  first.unregister();
  const third = registry.register(definition({}, { execute: () => "third" }));
  first.unregister();
  assert.equal(third.status, "registered");
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set" })).output, "third");
});

test('with onDuplicateInstance "replace" the newcomer wins and the former handle is unregistered', async () => {
  const registry = makeRegistry({ onDuplicateInstance: "replace" });
  const first = registry.register(definition({}, { execute: () => "first" }));
  const second = registry.register(definition({}, { execute: () => "second" }));
  assert.deepEqual([first.status, second.status], ["unregistered", "registered"]);
  first.unregister();
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set" })).output, "second");
  const stale = await registry.invoke({ capabilityId: "view:invoices.set", registrationId: first.registrationId });
  assert.equal(failure(stale).code, "STALE_CAPABILITY");
});

test("release is idempotent and moves the version once", () => {
  const registry = makeRegistry();
  const handle = registry.register(definition());
  handle.unregister();
  const version = registry.getVersion();
  handle.unregister();
  handle.update({ enabled: false });
  handle.invalidate();
  assert.equal(registry.getVersion(), version);
});

test("a hundred mounts and unmounts in one tick leave one component and one change event", async () => {
  const registry = makeRegistry();
  const changes = [];
  registry.subscribe((event) => event.type === "surface-changed" && changes.push(event.surfaceVersion));
  let handle = registry.register(definition());
  for (let turn = 0; turn < 100; turn++) {
    handle.unregister();
    handle = registry.register(definition());
  }
  assert.equal(registry.snapshot().components.length, 1);
  assert.equal(registry.getVersion(), "201");
  await settled();
  assert.deepEqual(changes, ["201"]);
});

test("the version starts at 0 and grows by one for register, unregister, effective update and invalidate", () => {
  const registry = makeRegistry();
  const versions = [registry.getVersion()];
  const note = () => versions.push(registry.getVersion());
  const handle = registry.register(definition());
  note();
  handle.update({ enabled: false });
  note();
  handle.update({ enabled: false });
  note();
  handle.invalidate();
  note();
  handle.unregister();
  note();
  assert.deepEqual(versions, ["0", "1", "2", "2", "3", "4"]);
});

test("the guard sees the candidate, its internal record included, and false or a throw or a promise rejects", () => {
  const seen = [];
  let answer = () => true;
  const registry = makeRegistry({ onRegister: (candidate) => (seen.push(candidate), answer()) });
  assert.equal(registry.register(definition({ instanceId: "a", internal: { secret: 1 } })).status, "registered");
  assert.deepEqual(seen[0], {
    type: "invoices",
    instanceId: "a",
    origin: "first-party",
    description: "The invoices table.",
    internal: { secret: 1 },
  });
  for (const no of [
    () => false,
    () => {
      throw new Error("no");
    },
    async () => true,
    async () => {
      throw new Error("no");
    },
  ]) {
    answer = no;
    assert.equal(registry.register(definition({ instanceId: "b" })).status, "rejected");
  }
  assert.equal(registry.snapshot().components.length, 1);
});

test("internal never appears in a snapshot, and meta and tags do", () => {
  const registry = makeRegistry();
  const tagged = tableContract({}, { meta: { icon: "table" }, tags: ["finance"] });
  registry.register(tagged.bind(tableBinding({}, { internal: { secret: "hidden-word" } })));
  const text = JSON.stringify(registry.snapshot());
  assert.ok(!text.includes("hidden-word"));
  assert.deepEqual(registry.snapshot().components[0].meta, { icon: "table" });
  assert.deepEqual(registry.snapshot().components[0].tags, ["finance"]);
});

test("when() decides at every snapshot and call; a thenable or a throw is when-error; any truthy answer is available", async () => {
  for (const [when, reason] of [
    [() => 1, undefined],
    [() => false, "closed"],
    [() => Promise.resolve(true), "when-error"],
    [() => Promise.reject(new Error("no")), "when-error"],
    [
      () => {
        throw new Error("no");
      },
      "when-error",
    ],
    [
      () => ({
        get then() {
          throw new Error("no");
        },
      }),
      "when-error",
    ],
  ]) {
    const { registry, set } = mounted({ when, unavailableReason: "closed" });
    const [action] = registry.snapshot().components[0].actions;
    assert.deepEqual([action.available, action.unavailableReason], [reason === undefined, reason]);
    const result = await set();
    if (reason === undefined) assert.equal(result.status, "ok");
    else assert.deepEqual(failure(result), { code: "CAPABILITY_NOT_AVAILABLE", reason });
  }
});

test('unavailableReason may be a function; one that throws or gives no text is "unavailable"; long ones are clipped', async () => {
  for (const [unavailableReason, expected] of [
    [() => "later", "later"],
    [
      () => {
        throw new Error("no");
      },
      "unavailable",
    ],
    [() => 7, "unavailable"],
    [async () => "later", "unavailable"],
    ["x".repeat(1000), "x".repeat(300)],
    ["x".repeat(299) + "😀", "x".repeat(299)],
    ["lone \ud800", "lone \ufffd"],
  ]) {
    const { set } = mounted({ when: () => false, unavailableReason });
    assert.equal(failure(await set()).reason, expected);
  }
});

test("the first cause gives the reason: component-disabled, then the override, then when", async () => {
  const { handle, set } = mounted({ when: () => false, unavailableReason: "when" });
  const reason = async () => failure(await set()).reason;
  handle.update({ enabled: false, availability: { set: { available: false, reason: "override" } } });
  assert.equal(await reason(), "component-disabled");
  handle.update({ enabled: true });
  assert.equal(await reason(), "override");
  handle.update({ availability: { set: null } });
  assert.equal(await reason(), "when");
});

test("a closure may be swapped in place: the next call runs the new one and the version stays", async () => {
  const binding = tableBinding({ execute: () => "old" });
  const registry = makeRegistry();
  registry.register(contract.bind(binding));
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set" })).output, "old");
  binding.actions.set.execute = () => "new";
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set" })).output, "new");
  assert.equal(registry.getVersion(), "1");
});

test("dispose settles calls in flight as CANCELLED without retry, aborts their signals, and is idempotent", async () => {
  let signal;
  const { registry, handle, set } = mounted({
    execute: (_, ctx) => ((signal = ctx.signal), new Promise(() => undefined)),
  });
  const running = set();
  const waiting = set();
  registry.dispose();
  registry[Symbol.dispose]();
  for (const result of await Promise.all([running, waiting])) {
    assert.equal(failure(result).code, "CANCELLED");
    assert.equal(result.error.retry, "no");
  }
  assert.ok(signal.aborted);
  assert.equal(handle.status, "unregistered");
});

test("after dispose invoke rejects, the other methods throw one clear error, and handles do nothing", async () => {
  const { registry, handle, set } = mounted();
  const unsubscribe = registry.subscribe(() => undefined);
  registry.dispose();
  await assert.rejects(set(), { name: "AgentSurfaceDefectError", message: /disposed/ });
  for (const use of [
    () => registry.register(definition()),
    () => registry.snapshot(),
    () => registry.subscribe(() => undefined),
    () => registry.getVersion(),
  ])
    assert.throws(use, { name: "AgentSurfaceDefectError", message: /disposed/ });
  handle.update({ enabled: false });
  handle.invalidate();
  handle.unregister();
  unsubscribe();
});

test("a handler that settles after dispose changes nothing", async () => {
  const late = deferred();
  const { registry, set } = mounted({ execute: () => late.promise });
  const result = set();
  registry.dispose();
  late.resolve("late");
  assert.equal(failure(await result).code, "CANCELLED");
  await settled();
});

test("two registries are independent: a component of one is unknown to the other", async () => {
  const one = mounted({ execute: () => "one" });
  const other = makeRegistry();
  assert.equal((await one.set()).output, "one");
  assert.equal(failure(await other.invoke({ capabilityId: "view:invoices.set" })).code, "CAPABILITY_NOT_FOUND");
  other.dispose();
  assert.equal((await one.set()).output, "one");
});

test("two copies of the package share contracts and errors, and each has its own module", async () => {
  const folder = new URL(".", import.meta.resolve("viewcap"));
  const { cp, mkdtemp, rm } = await import("node:fs/promises");
  const { fileURLToPath, pathToFileURL } = await import("node:url");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const copyFolder = await mkdtemp(join(tmpdir(), "viewcap-copy-"));
  try {
    await cp(fileURLToPath(folder), join(copyFolder, "dist"), { recursive: true });
    await (await import("node:fs/promises")).writeFile(join(copyFolder, "package.json"), '{"type":"module"}');
    const copy = await import(pathToFileURL(join(copyFolder, "dist/entry.node.js")).href);
    assert.equal(copy.isRuntimeLoaded(), false);
    await copy.loadRuntime({ variant: "lean" });
    const registry = copy.createAgentSurfaceRegistry({ environment: "test" });
    const refuse = () => {
      throw new viewcap.AgentSurfaceError({ code: "NOT_AUTHORIZED", message: "No." });
    };
    registry.register(definition({}, { execute: refuse }));
    assert.equal(failure(await registry.invoke({ capabilityId: "view:invoices.set" })).code, "NOT_AUTHORIZED");
    registry.dispose();
  } finally {
    await rm(copyFolder, { recursive: true });
  }
});
