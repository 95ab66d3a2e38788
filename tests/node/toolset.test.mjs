// Toolsets: the projection for a loop in the page, direct or as three constant tools.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestSurface, expectError, expectOk } from "viewcap/testing";
import { ready, schema, settled, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const consumer = { id: "loop", kind: "embedded" };

/** The table mounted once, and a toolset on it. */
function withToolset(options = {}, { action = {}, contract = {}, registry: given = {} } = {}) {
  const { registry, clock } = createTestSurface(given);
  const definition = tableContract(contract).bind(tableBinding(action));
  const handle = registry.register(definition);
  const toolset = viewcap.createAgentToolset(registry, { consumer, topology: "embedded", ...options });
  const tool = (name) => toolset.tools().find(({ wireName }) => wireName === name);
  return { registry, clock, handle, definition, toolset, tool };
}

test("where the loop runs has to be said: topology, or confirmations, which wins", async () => {
  const { registry } = createTestSurface();
  for (const options of [{}, { topology: "moon" }, { confirmations: "later" }, { topology: "remote", colour: 1 }]) {
    assert.throws(() => viewcap.createAgentToolset(registry, { consumer, ...options }), { code: "INVALID_DEFINITION" });
  }
  assert.throws(() => viewcap.createAgentToolset(registry, { topology: "remote" }), { code: "INVALID_DEFINITION" });
  const { tool } = withToolset(
    { topology: "embedded", confirmations: "two-phase" },
    { contract: { confirmation: "required" } },
  );
  expectError(await tool("view_invoices__set").execute({}), "CONFIRMATION_REQUIRED");
});

test("direct: one tool per capability, which calls the registration that was shown", async () => {
  const { tool, toolset, handle, registry, definition } = withToolset({}, { action: { execute: (input) => input } });
  const shown = tool("view_invoices__set");
  assert.deepEqual(Object.keys(shown).sort(), [
    "available",
    "canonicalId",
    "confirmation",
    "description",
    "effect",
    "execute",
    "inputSchema",
    "plane",
    "wireName",
  ]);
  assert.deepEqual(expectOk(await shown.execute({ a: 1 })), { a: 1 });
  assert.equal(toolset.wireNameMap().get("view_invoices__set").registrationId, handle.registrationId);
  handle.unregister();
  registry.register(definition);
  expectError(await shown.execute({ a: 1 }), "STALE_CAPABILITY", "registration-replaced");
  expectOk(await tool("view_invoices__set").execute({ a: 1 }));
});

test("the array of tools is the same until something changed; availability and notes are the volatile half", () => {
  let open = true;
  const { toolset } = withToolset({}, { action: { when: () => open } });
  const first = toolset.tools();
  assert.equal(toolset.tools(), first);
  assert.deepEqual(toolset.state(), []);
  open = false;
  const second = toolset.tools();
  assert.notEqual(second, first);
  assert.deepEqual(toolset.state(), [
    { wireName: "view_invoices__set", available: false, unavailableReason: "unavailable" },
  ]);
  const stable = (tools) => tools.map(({ available: _, unavailableReason: __, execute: ___, ...rest }) => rest);
  assert.deepEqual(stable(second), stable(first));
});

test("the scope is a floor: tools outside of it are not offered", () => {
  assert.deepEqual(withToolset({ scope: ["customers"] }).toolset.tools(), []);
  assert.equal(withToolset({ scope: ["invoices"] }).toolset.tools().length, 2);
});

test("subscribers hear of changed tools and of state alone, once per microtask, and of nothing that is hidden from them", async () => {
  const hidden = {
    name: "p",
    onDiscovery: ({ consumer: { id } }) => ({ decision: id === "loop" ? "hide" : "expose" }),
  };
  for (const [policies, expected] of [
    [[], 2],
    [[hidden], 0],
  ]) {
    const { toolset, registry, handle } = withToolset({}, { registry: { policies } });
    let heard = 0;
    const end = toolset.subscribe(() => heard++);
    handle.update({ availability: { set: { available: false, reason: "busy" } } });
    handle.update({ availability: { set: { available: false, reason: "still busy" } } });
    await settled();
    registry.register(tableContract({}, { type: "customers" }).bind(tableBinding()));
    await settled();
    handle.invalidate();
    await settled();
    assert.equal(heard, expected);
    end();
    handle.unregister();
    await settled();
    assert.equal(heard, expected);
  }
});

test("waiting: the call goes on under its own invocation id once a person has agreed", async () => {
  const seen = [];
  const { tool, registry } = withToolset(
    {},
    {
      contract: { confirmation: "required" },
      action: { execute: (_, { invocationId, confirmation }) => void seen.push([invocationId, confirmation.id]) },
    },
  );
  const running = tool("view_invoices__set").execute({}, { invocationId: "mine" });
  await settled();
  const [{ confirmationId }] = registry.confirmations.pending();
  registry.confirmations.resolve(confirmationId, { approved: true });
  expectOk(await running);
  assert.deepEqual(seen, [["mine", confirmationId]]);
});

test("waiting: a denial, an expiry, a cancel and the toolset's end each end the wait", async () => {
  const contract = { confirmation: "required" };
  for (const [how, end, code] of [
    ["deny", ({ registry, id }) => registry.confirmations.resolve(id, { approved: false }), "CONFIRMATION_INVALID"],
    ["expire", ({ clock }) => clock.advance(120_000), "CONFIRMATION_INVALID"],
    ["cancel", ({ controller }) => controller.abort(), "CANCELLED"],
    ["dispose", ({ toolset }) => toolset.dispose(), "CONFIRMATION_REQUIRED"],
  ]) {
    const surface = withToolset({}, { contract, action: { execute: () => assert.fail("it ran") } });
    const controller = new AbortController();
    const running = surface.tool("view_invoices__set").execute({}, { signal: controller.signal });
    await settled();
    const [{ confirmationId: id }] = surface.registry.confirmations.pending();
    await end({ ...surface, controller, id });
    assert.equal((await running).error.code, code, how);
  }
});

test("a registry that is disposed ends the wait with the question that was asked", async () => {
  const { tool, registry } = withToolset({}, { contract: { confirmation: "required" } });
  const running = tool("view_invoices__set").execute({});
  await settled();
  registry.dispose();
  expectError(await running, "CONFIRMATION_REQUIRED");
});

// meta mode

const meta = (options = {}, more = {}) => {
  const surface = withToolset({ mode: "meta", ...options }, more);
  const [discover, read, act] = surface.toolset.tools();
  return { ...surface, discover, read, act };
};

test("meta: three tools that never change, and a budget that is theirs alone", () => {
  const { toolset, handle } = meta();
  const tools = toolset.tools();
  assert.deepEqual(
    tools.map(({ wireName }) => wireName),
    ["surface_discover", "surface_read", "surface_act"],
  );
  handle.unregister();
  assert.equal(toolset.tools(), tools);
  assert.equal(toolset.wireNameMap().size, 0);
  assert.throws(() => withToolset({ budget: { maxComponents: 1 } }), { code: "INVALID_DEFINITION" });
});

test("surface_discover answers the snapshot within the floor, and says which prefixes it refused", async () => {
  const { discover, registry } = meta({ scope: ["invoices"] });
  registry.register(tableContract({}, { type: "customers" }).bind(tableBinding()));
  const types = async (input) => (await discover.execute(input)).components.map(({ type }) => type);
  assert.deepEqual(await types({}), ["invoices"]);
  const narrowed = await discover.execute({ scope: ["customers", "invoices.pending"] });
  assert.deepEqual(narrowed.components, []);
  assert.deepEqual(narrowed.scopeRejected, { prefixes: ["customers"] });
  assert.deepEqual(await types({ scope: ["customers"] }), ["invoices"]);
  const bounded = meta({ budget: { maxComponents: 1 } });
  bounded.registry.register(tableContract({}, { type: "customers" }).bind(tableBinding()));
  assert.deepEqual((await bounded.discover.execute({})).truncated, { droppedComponents: 1 });
});

test("surface_read reads observations and acts on nothing", async () => {
  const { read } = meta({}, { action: { execute: () => assert.fail("it ran") } });
  assert.deepEqual(expectOk(await read.execute({ capabilityId: "view:invoices.rows" })), []);
  expectError(await read.execute({ capabilityId: "view:invoices.set" }), "INVALID_INPUT");
  expectError(await read.execute({ capabilityId: "view:invoices.nothing" }), "CAPABILITY_NOT_FOUND");
});

test("surface_act acts, and an input that came as a string of JSON is repaired where an object is wanted", async () => {
  const { act } = meta({}, { action: { execute: (input) => input } });
  const capabilityId = "view:invoices.set";
  assert.deepEqual(expectOk(await act.execute({ capabilityId, input: { a: 1 } })), { a: 1 });
  assert.deepEqual(expectOk(await act.execute({ capabilityId, input: '{"a":1}' })), { a: 1 });
  const result = await act.execute({ capabilityId, input: {}, invocationId: "mine", surfaceVersion: "0" });
  assert.equal(result.invocationId, "mine");
  expectError(await act.execute({ capabilityId, input: "[1]" }), "INVALID_INPUT");
  const texts = meta({}, { contract: { input: schema({ type: "string" }) }, action: { execute: (input) => input } });
  assert.equal(expectOk(await texts.act.execute({ capabilityId, input: '{"a":1}' })), '{"a":1}');
});

test("an envelope that does not fit is INVALID_INPUT before the registry is asked", async () => {
  const { discover, read, act, registry } = meta();
  const events = [];
  registry.subscribe(({ type }) => events.push(type));
  for (const [tool, envelope] of [
    [discover, { scopes: [] }],
    [discover, { scope: "invoices" }],
    [discover, 7],
    [read, {}],
    [read, { capabilityId: 7 }],
    [read, { capabilityId: "view:invoices.rows", input: {} }],
    [act, { capabilityId: "view:invoices.set", input: {}, registrationId: "reg_x" }],
    [act, null],
  ]) {
    const { details } = expectError(await tool.execute(envelope), "INVALID_INPUT");
    assert.equal(typeof details.issues[0].path, "string");
  }
  assert.deepEqual(events, []);
});
