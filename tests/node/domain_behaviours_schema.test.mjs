// Schemas, governance and start-up warnings of a whole plane (spec: domain.md §14, behaviours 14 to 26). What a schema
// alone becomes is in domain_schema.test.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { z } from "zod";
import { answering, domain, plane, procedure, WRITE } from "./support/domain.mjs";

const { createAgentRuntime, createCapabilityRegistry, defineGovernance, registerSchemaConverter, toJsonSchema } =
  domain;

let vendors = 0;
/** A schema of a vendor of its own, so that no test's converter is another's. */
const foreign = (vendor = `vendor-${String(++vendors)}`) => ({
  "~standard": { version: 1, vendor, validate: (value) => ({ value }) },
});
const vendorOf = (schema) => schema["~standard"].vendor;
const taking = (input, surface = "aiSdk", fields = {}) =>
  procedure({ expose: { [surface]: true }, ...fields }, () => 1, { input });

test("14: a field with a default is not required in a descriptor, in Zod, Valibot and literal schemas: the input shape", async () => {
  const literal = { type: "object", properties: { page: { type: "integer" }, q: { type: "string" } }, required: ["q"] };
  const { describe } = plane({
    zod: taking(z.object({ page: z.number().default(1), q: z.string() })),
    valibot: taking(v.object({ page: v.optional(v.number(), 1), q: v.string() })),
    literal: taking(domain.fromJsonSchema(literal)),
    none: procedure({ expose: { aiSdk: true } }),
  });
  const schemas = (await describe("aiSdk")).map(({ inputSchema }) => inputSchema);
  for (const schema of schemas.slice(0, 3)) assert.deepEqual(schema.required, ["q"]);
  assert.equal(schemas[0].properties.page.default, 1);
  assert.deepEqual(schemas[3], { type: "object" });
});

test("15: an unregistered vendor is an error that names it; a value without a vendor is a type error", () => {
  const schema = foreign();
  assert.throws(
    () => toJsonSchema(schema),
    (error) => !(error instanceof TypeError) && error.message.includes(vendorOf(schema)),
  );
  assert.throws(() => toJsonSchema({ "~standard": { version: 1, validate: () => ({}) } }), TypeError);
});

test("16: the result of the converter registered for a vendor is what a listing shows", async () => {
  const schema = foreign();
  registerSchemaConverter(vendorOf(schema), () => ({ type: "object", title: "made by hand" }));
  const [{ inputSchema }] = await plane({ a: taking(schema) }).describe("aiSdk");
  assert.deepEqual(inputSchema, { type: "object", title: "made by hand" });
});

test("17: an unregistered vendor fails the build when it is exposed to a model, and builds on direct, workflow and test", () => {
  for (const surface of ["aiSdk", "mcp"]) {
    assert.throws(
      () => createCapabilityRegistry({ a: taking(foreign("nobody"), surface) }),
      (error) => error.problems.length === 1 && /^"a": .*"nobody"/.test(error.problems[0]),
    );
  }
  for (const surface of ["direct", "workflow", "test"]) {
    assert.deepEqual(createCapabilityRegistry({ a: taking(foreign("nobody"), surface) }).ids(), ["a"]);
  }
  // Of an output no model needs a schema.
  const output = procedure({ expose: { mcp: true } }, () => 1, { output: foreign("nobody") });
  assert.deepEqual(createCapabilityRegistry({ output }).ids(), ["output"]);
});

test("18: building, constructing and listing twice convert a schema once", async () => {
  const schema = foreign();
  let count = 0;
  registerSchemaConverter(vendorOf(schema), () => ({ type: "object", count: ++count }));
  const { describe } = plane({ a: taking(schema), b: taking(schema, "mcp") });
  await describe("aiSdk");
  await describe("aiSdk");
  await describe("mcp");
  assert.equal(count, 1);
});

test("19: a caller cannot change a descriptor's schema, tags or policies: the next listing is clean", async () => {
  const { describe } = plane({ a: taking(z.object({ q: z.string() }), "aiSdk", { tags: ["t"] }) });
  const [first] = await describe("aiSdk");
  assert.throws(() => (first.inputSchema.properties.q.type = "number"), TypeError);
  assert.throws(() => first.inputSchema.required.push("evil"), TypeError);
  assert.throws(() => first.tags.push("evil"), TypeError);
  first.description = "evil";
  const [second] = await describe("aiSdk");
  assert.deepEqual(second.inputSchema.required, ["q"]);
  assert.equal(second.inputSchema.properties.q.type, "string");
  assert.deepEqual([second.tags, second.description], [["t"], "Does it."]);
});

test("20: after a converter is registered again a listing shows its output", async () => {
  const schema = foreign();
  registerSchemaConverter(vendorOf(schema), () => ({ type: "object", title: "old" }));
  const { describe } = plane({ a: taking(schema) });
  assert.equal((await describe("aiSdk"))[0].inputSchema.title, "old");
  registerSchemaConverter(vendorOf(schema), () => ({ type: "object", title: "new" }));
  assert.equal((await describe("aiSdk"))[0].inputSchema.title, "new");
});

test("20: a converter that fails by the time of construction fails it, at the first bad schema", () => {
  const schema = foreign();
  registerSchemaConverter(vendorOf(schema), () => ({ type: "object" }));
  const governance = defineGovernance({ registry: createCapabilityRegistry({ a: taking(schema), b: taking(schema) }) });
  registerSchemaConverter(vendorOf(schema), () => "no schema");
  assert.throws(
    () => createAgentRuntime({ governance }),
    (error) => error.message.includes('"a"') && !error.message.includes('"b"'),
  );
});

test("21: the manifest of two policies has name and phases in order, no evaluate, and refuses pushes; without any it is []", () => {
  const first = answering("first", domain.allow()).policy;
  const second = answering("second", domain.allow(), ["discovery", "execution"]).policy;
  const { governance, runtime, registry } = plane({ a: procedure() }, { policies: [first, second] });
  assert.deepEqual(governance.manifest, [
    { name: "first", phases: ["invocation"] },
    { name: "second", phases: ["discovery", "execution"] },
  ]);
  assert.throws(() => governance.manifest.push({}), TypeError);
  assert.throws(() => governance.manifest[0].phases.push("execution"), TypeError);
  assert.throws(() => governance.policies.push(second), TypeError);
  assert.equal(runtime.governance, governance);
  assert.equal(runtime.registry, registry);
  assert.deepEqual(plane({ a: procedure() }).governance.manifest, []);
});

test("22: a composite shows as its members in the manifest, and dropping a member shows", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => answering(name, domain.allow()).policy);
  const names = (...policies) => plane({ x: procedure() }, { policies }).governance.manifest.map(({ name }) => name);
  assert.deepEqual(names(domain.composePolicies(a, domain.composePolicies(b, c))), ["a", "b", "c"]);
  assert.deepEqual(names(domain.composePolicies(a, domain.composePolicies(b))), ["a", "b"]);
});

test("23: a registry in governance's place, or a governance without manifest or of another registry, is a type error", () => {
  const registry = createCapabilityRegistry({ a: procedure() });
  const fake = { get: () => undefined, ids: () => [], capabilities: () => [] };
  for (const governance of [
    undefined,
    null,
    registry,
    { registry },
    { registry, manifest: {} },
    { registry: fake, manifest: [], policies: [] },
    { manifest: [], policies: [] },
  ]) {
    assert.throws(() => createAgentRuntime({ governance }), TypeError);
  }
  for (const options of [undefined, null, 5, registry]) assert.throws(() => createAgentRuntime(options), TypeError);
});

/** What a construction says on the console. */
function warningsOf(t, definitions, { policies, ...options } = {}) {
  const warn = t.mock.method(console, "warn", () => undefined);
  const registry = createCapabilityRegistry(definitions);
  createAgentRuntime({ governance: defineGovernance({ registry, ...(policies && { policies }) }), ...options });
  const said = warn.mock.calls.map(({ arguments: [text] }) => text);
  warn.mock.restore();
  return said;
}
const coordinator = domain.createInMemoryApprovalCoordinator();
const sink = () => undefined;
const gated = (fields) => procedure({ approval: { required: true }, ...fields });
const write = (surface) => procedure({ ...WRITE, expose: { [surface]: true } });

test("24: a static gate with the default coordinator warns with the id; a coordinator or handler named is silent", (t) => {
  const warnings = warningsOf(t, { pay: gated(), list: procedure() });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /approval.*"pay"/);
  assert.ok(!warnings[0].includes('"list"'));
  const many = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`g${n}`, gated()]));
  assert.match(warningsOf(t, many)[0], /"g1", "g2", "g3" \+2 more/);
  assert.deepEqual(warningsOf(t, { pay: gated() }, { approvals: { coordinator } }), []);
  assert.deepEqual(warningsOf(t, { pay: gated() }, { approvals: { handler: () => undefined } }), []);
});

test("25: a write on a model surface without a sink warns; a sink named, reads only or direct only is silent", (t) => {
  for (const surface of ["aiSdk", "mcp"]) {
    const warnings = warningsOf(t, { pay: write(surface) });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /"pay".*audit/);
  }
  assert.equal(warningsOf(t, { pay: write("mcp") }, { audit: [] }).length, 1);
  for (const audit of [sink, [sink], { emit: sink }, { sinks: [sink] }]) {
    assert.deepEqual(warningsOf(t, { pay: write("mcp") }, { audit }), []);
  }
  assert.deepEqual(warningsOf(t, { list: procedure({ expose: { mcp: true } }) }), []);
  for (const surface of ["direct", "workflow", "test"]) assert.deepEqual(warningsOf(t, { pay: write(surface) }), []);
});

test("26: a runtime policy, a write that models reach and the default coordinator warn; no policies or only reads are silent", (t) => {
  const policies = [answering("p", domain.allow()).policy];
  const warnings = warningsOf(t, { pay: write("mcp") }, { policies, audit: sink });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /policies.*approval.*"pay"/);
  assert.deepEqual(warningsOf(t, { pay: write("mcp") }, { audit: sink }), []);
  assert.deepEqual(warningsOf(t, { list: procedure({ expose: { mcp: true } }) }, { policies, audit: sink }), []);
  assert.deepEqual(warningsOf(t, { pay: write("mcp") }, { policies, audit: sink, approvals: { coordinator } }), []);
  // The first warning speaks for both.
  const both = { pay: write("mcp"), gate: gated() };
  assert.deepEqual(
    warningsOf(t, both, { policies, audit: sink }).map((text) => /"gate"/.test(text)),
    [true],
  );
});

test("26: constructing does no I/O: neither clock, sinks nor coordinator are asked, and two runtimes share a governance", () => {
  const touched = [];
  const spying = new Proxy(coordinator, {
    get: (target, key) => {
      const found = Reflect.get(target, key);
      return typeof found === "function" ? (...args) => (touched.push(key), found.apply(target, args)) : found;
    },
  });
  const governance = defineGovernance({ registry: createCapabilityRegistry({ pay: gated() }) });
  const options = {
    governance,
    approvals: { coordinator: spying },
    audit: (event) => touched.push(event),
    now: () => touched.push("now"),
  };
  assert.notEqual(createAgentRuntime(options), createAgentRuntime(options));
  assert.deepEqual(touched, []);
});
