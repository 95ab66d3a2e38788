// projectStep and snapshot: what an agent sees.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PROTOCOL_VERSION, projectStep } from "viewcap/protocol";
import { failure, FILTERS, makeRegistry, mounted, ready, schema, tableBinding, tableContract } from "./support.mjs";

await ready;

const consumer = { id: "agent", kind: "test" };
const step = (registry, options = {}) => projectStep(registry, { consumer, ...options });

test("the protocol's version is 2", () => assert.equal(PROTOCOL_VERSION, 2));

test("a descriptor says name, id, prefix, schema, effect, confirmation and availability, and nothing else", () => {
  const { registry } = mounted(
    { when: () => false, unavailableReason: "Not now." },
    { contract: { input: schema(FILTERS), effect: "navigation" } },
  );
  assert.deepEqual(step(registry).descriptors, [
    {
      wireName: "view_invoices__rows",
      canonicalId: "view:invoices.rows",
      plane: "view",
      description: "[view · read] The rows shown.",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      effect: "read",
      confirmation: "never",
      available: true,
    },
    {
      wireName: "view_invoices__set",
      canonicalId: "view:invoices.set",
      plane: "view",
      description: "[view · navigation] Sets filters.",
      inputSchema: FILTERS,
      effect: "navigation",
      confirmation: "never",
      available: false,
      unavailableReason: "Not now.",
    },
  ]);
  assert.deepEqual(step(registry).state, [
    { wireName: "view_invoices__set", available: false, unavailableReason: "Not now." },
  ]);
});

test("the bytes are UTF-8 JSON of the same array, and a copy that later calls do not touch", () => {
  const { registry, handle } = mounted({}, { contract: { description: "Grüße, 😀." } });
  const projection = step(registry);
  const before = new TextDecoder().decode(projection.bytes);
  assert.deepEqual(JSON.parse(before), projection.descriptors);
  assert.ok(before.includes("Grüße, 😀."));
  handle.update({ enabled: false });
  for (let n = 0; n < 200; n++) registry.register(tableContract().bind(tableBinding({}, { instanceId: `n${n}` })));
  step(registry);
  assert.equal(new TextDecoder().decode(projection.bytes), before);
  projection.bytes.fill(0);
  assert.equal(step(registry).descriptors.length, 402);
});

test("a projection while nothing changes has equal bytes, parses once and keeps its map of names", () => {
  const { registry } = mounted();
  const [first, second] = [step(registry), step(registry)];
  assert.deepEqual(first.bytes, second.bytes);
  assert.equal(first.descriptors, first.descriptors);
  assert.equal(first.wireNames, second.wireNames);
});

test("only availability moves when only availability changed: the names stay the same map", () => {
  let open = true;
  const { registry } = mounted({ when: () => open });
  const before = step(registry);
  open = false;
  const after = step(registry);
  assert.equal(before.wireNames, after.wireNames);
  assert.equal(before.surfaceVersion, after.surfaceVersion);
  const stable = ({ descriptors }) => descriptors.map(({ available, unavailableReason, ...rest }) => rest);
  assert.deepEqual(stable(before), stable(after));
  assert.deepEqual(
    [before, after].map(({ descriptors }) => descriptors[1].available),
    [true, false],
  );
});

test("the map of names is a map that nobody can change, and an earlier projection keeps its own", () => {
  const { registry, handle } = mounted();
  const before = step(registry);
  assert.equal(typeof before.wireNames.set, "undefined");
  assert.ok(Object.isFrozen(before.wireNames.get("view_invoices__set")));
  assert.deepEqual([...before.wireNames.keys()], ["view_invoices__rows", "view_invoices__set"]);
  handle.unregister();
  assert.equal(step(registry).wireNames.size, 0);
  assert.equal(before.wireNames.size, 2);
  assert.equal(before.wireNames.get("view_invoices__set").registrationId, handle.registrationId);
});

test("a call through the projection's map never reaches a component that was mounted since", async () => {
  const registry = makeRegistry();
  const contract = tableContract();
  const first = registry.register(contract.bind(tableBinding()));
  const { canonicalId, registrationId } = step(registry).wireNames.get("view_invoices__set");
  first.unregister();
  registry.register(contract.bind(tableBinding({ execute: () => assert.fail("the wrong component ran") })));
  assert.equal(failure(await registry.invoke({ capabilityId: canonicalId, registrationId })).code, "STALE_CAPABILITY");
});

test("instances of one component get qualified names that map to their registrations", () => {
  const registry = makeRegistry();
  const contract = tableContract();
  const handles = ["left", "right"].map((instanceId) =>
    registry.register(contract.bind(tableBinding({}, { instanceId }))),
  );
  const { wireNames } = step(registry);
  assert.equal(wireNames.get("view_invoices__set_at_left").registrationId, handles[0].registrationId);
  assert.equal(wireNames.get("view_invoices__set_at_right").instanceId, "right");
});

test("a scope narrows on segment boundaries; an empty one is everything; one that is not understood throws", () => {
  const registry = makeRegistry();
  for (const type of ["invoices.pending", "invoicesx"])
    registry.register(tableContract({}, { type }).bind(tableBinding()));
  const ids = (scope) => step(registry, { scope }).descriptors.map((one) => one.canonicalId);
  assert.deepEqual(ids(["invoices"]), ["view:invoices.pending.rows", "view:invoices.pending.set"]);
  assert.equal(ids([]).length, 4);
  assert.equal(ids(undefined).length, 4);
  for (const scope of ["invoices", [7], {}]) {
    assert.throws(() => ids(scope), { code: "INVALID_DEFINITION" });
    assert.throws(() => registry.snapshot({ scope }), { code: "INVALID_DEFINITION" });
  }
});

test("projectStep refuses what it does not know: another mode, no registry, a registry of nobody", () => {
  const { registry } = mounted();
  assert.throws(() => step(registry, { mode: "other" }), { code: "INVALID_DEFINITION", message: /other.*meta/ });
  for (const value of [null, {}, { ...registry }])
    assert.throws(() => step(value), { name: "AgentSurfaceDefectError" });
  assert.throws(() => projectStep(registry), { code: "INVALID_DEFINITION" });
});

test("a snapshot is deep-frozen JSON with the specified members, runs no read and changes nothing", () => {
  const registry = makeRegistry({ route: () => "/invoices", now: () => 0 });
  const parent = { type: "app", instanceId: "main" };
  registry.register(
    tableContract().bind({
      ...tableBinding({}, { parent }),
      observations: { rows: { read: () => assert.fail("it ran") } },
    }),
  );
  const snapshot = registry.snapshot({ consumer });
  assert.equal(snapshot.surfaceId, registry.surfaceId);
  assert.equal(snapshot.capturedAt, "1970-01-01T00:00:00.000Z");
  assert.equal(snapshot.route, "/invoices");
  assert.deepEqual(snapshot.components[0].parent, parent);
  assert.deepEqual(snapshot.procedures, []);
  assert.ok(Object.isFrozen(snapshot.components[0].actions[0].inputSchema));
  assert.equal(registry.getVersion(), snapshot.surfaceVersion);
  assert.deepEqual(JSON.parse(JSON.stringify(snapshot)), snapshot);
});

test("components sort by priority, type, instance; a budget drops the last and says how many", () => {
  const registry = makeRegistry();
  const mount = (type, instanceId, priority) =>
    registry.register(tableContract({}, { type, priority }).bind(tableBinding({}, { instanceId })));
  mount("b", "x", 0);
  mount("a", "y", 0);
  mount("c", "x", 5);
  const order = (snapshot) => snapshot.components.map((one) => one.type);
  assert.deepEqual(order(registry.snapshot()), ["c", "a", "b"]);
  const cut = registry.snapshot({ budget: { maxComponents: 2 } });
  assert.deepEqual(order(cut), ["c", "a"]);
  assert.deepEqual(cut.truncated, { droppedComponents: 1 });
});

test("includeUnavailable: false leaves out what is not available", () => {
  const { registry } = mounted({ when: () => false });
  assert.equal(registry.snapshot().components[0].actions.length, 1);
  assert.equal(registry.snapshot({ includeUnavailable: false }).components[0].actions.length, 0);
});
