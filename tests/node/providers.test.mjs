// Catalogs for providers of models: what each takes, what is rewritten and what is left out, tool by tool.

import assert from "node:assert/strict";
import { test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { lintCatalog, projectStep, toProviderTools } from "viewcap/protocol";
import { mounted, ready, viewcap } from "./support.mjs";

await ready;

const PROFILES = ["openai", "anthropic", "gemini", "bedrock", "mistral", "mcp"];
const OPEN = { type: "object", properties: {} };
const tool = (inputSchema, more = {}) => ({
  wireName: "view_a__b",
  canonicalId: "view:a.b",
  description: "[view · read] B.",
  inputSchema,
  ...more,
});
/** The one tool of a catalog, by the place where each provider has its schema. */
const schemaOf = {
  openai: (one) => one.function.parameters,
  mistral: (one) => one.function.parameters,
  anthropic: (one) => one.input_schema,
  gemini: (one) => one.parameters,
  bedrock: (one) => one.toolSpec.inputSchema.json,
  mcp: (one) => one.inputSchema,
};
const only = (schema, profile) => {
  const { tools, dropped } = toProviderTools([tool(schema)], profile);
  assert.deepEqual(dropped, []);
  return schemaOf[profile](tools[0]);
};
const rules = (schema, profile) => lintCatalog([tool(schema)], profile).issues.map(({ rule }) => rule);

test("each provider gets name, description and schema in its own shape, and no availability", () => {
  const { registry } = mounted({ when: () => false });
  const { descriptors } = projectStep(registry, { consumer: { id: "a", kind: "test" } });
  const shapes = {
    openai: ["type", "function"],
    mistral: ["type", "function"],
    anthropic: ["name", "description", "input_schema"],
    gemini: ["name", "description", "parameters"],
    bedrock: ["toolSpec"],
    mcp: ["name", "description", "inputSchema"],
  };
  for (const profile of PROFILES) {
    const { tools, dropped } = toProviderTools(descriptors, profile);
    assert.deepEqual(dropped, []);
    assert.equal(tools.length, 2);
    for (const one of tools) assert.deepEqual(Object.keys(one), shapes[profile]);
    assert.ok(!/available/.test(JSON.stringify(tools)), profile);
  }
});

test("the root entry has the same two functions", () => {
  assert.equal(viewcap.lintCatalog, lintCatalog);
  assert.equal(viewcap.toProviderTools, toProviderTools);
});

test("an unknown profile is INVALID_DEFINITION and names those that there are", () => {
  for (const run of [lintCatalog, toProviderTools]) {
    assert.throws(() => run([], "cohere"), { code: "INVALID_DEFINITION", message: /openai, anthropic/ });
    assert.throws(() => run([], "toString"), { code: "INVALID_DEFINITION" });
  }
});

test("Gemini: rejected keywords are said otherwise, exactly for integers and wider for other numbers", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      kind: { const: "open" },
      flag: { const: true },
      count: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
      rate: { type: "number", exclusiveMinimum: 0.5 },
      tight: { type: "integer", minimum: 7, exclusiveMinimum: 3 },
    },
    additionalProperties: false,
  };
  assert.deepEqual(only(schema, "gemini"), {
    type: "object",
    properties: {
      kind: { enum: ["open"], type: "string" },
      flag: {},
      count: { type: "integer", minimum: 1, maximum: 9 },
      rate: { type: "number", minimum: 0.5 },
      tight: { type: "integer", minimum: 7 },
    },
  });
  assert.equal(schema.additionalProperties, false);
});

test("Gemini: references are put in place, lists of types become anyOf, and a reference to itself leaves the tool out", () => {
  const id = { type: ["string", "null"] };
  const schema = { type: "object", properties: { a: { $ref: "#/$defs/id", description: "A." } }, $defs: { id } };
  assert.deepEqual(only(schema, "gemini"), {
    type: "object",
    properties: { a: { anyOf: [{ type: "string" }, { type: "null" }], description: "A." } },
  });
  const endless = {
    type: "object",
    properties: { tree: { $ref: "#/$defs/tree" } },
    $defs: { tree: { type: "array", items: { $ref: "#/$defs/tree" } } },
  };
  const { tools, dropped } = toProviderTools([tool(endless), tool(OPEN, { wireName: "view_a__c" })], "gemini");
  assert.equal(tools.length, 1);
  assert.match(dropped[0].reason, /leads back to itself/);
  assert.deepEqual(only(endless, "openai"), endless);
});

test("references that unfold without measure in depth cost their own tool alone: they overflowed the stack", () => {
  const $defs = {};
  for (let at = 0; at < 400; at++) {
    let schema = at < 399 ? { $ref: `#/$defs/d${at + 1}` } : { type: "string" };
    for (let level = 0; level < 100; level++) schema = { items: schema };
    $defs[`d${at}`] = schema;
  }
  const inside = { type: "object", properties: { a: { $ref: "#/$defs/d0" } } };
  const atRoot = { $ref: "#/$defs/root", $defs: { ...$defs, root: inside } };
  const other = tool(OPEN, { wireName: "other", canonicalId: "view:a.other" });
  for (const profile of PROFILES) {
    for (const schema of [{ ...inside, $defs }, atRoot]) {
      const { tools, dropped } = toProviderTools([other, tool(schema)], profile);
      assert.equal(tools.length, 1, profile);
      assert.match(dropped[0].reason, /^depth: .*lies deeper than 32 levels$/);
    }
  }
});

test("Gemini: keywords of additionalItems are said otherwise like all others", () => {
  const items = { type: "array", items: [{ type: "string" }], additionalItems: { const: "x" } };
  const { additionalItems } = only({ type: "object", properties: { a: items } }, "gemini").properties.a;
  assert.deepEqual(additionalItems, { enum: ["x"], type: "string" });
});

test("Anthropic: an optional key outside the alphabet is left out, a required one costs its own tool alone", () => {
  const properties = { größe: { type: "number" }, name: { type: "string" } };
  const closed = { type: "object", properties, required: ["name"], additionalProperties: false };
  assert.deepEqual(only(closed, "anthropic"), {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  });
  const needs = tool({ ...closed, required: ["größe"] }, { wireName: "view_a__c" });
  const { tools, dropped } = toProviderTools([needs, tool(OPEN)], "anthropic");
  assert.equal(tools.length, 1);
  assert.deepEqual(
    dropped.map(({ wireName }) => wireName),
    ["view_a__c"],
  );
  assert.deepEqual(only(closed, "openai"), closed);
});

test("Bedrock: what holds an integer beyond 32 bits is left out", () => {
  const schema = {
    type: "object",
    properties: { at: { type: "integer", minimum: 0, maximum: 4_102_444_800_000, default: 1 } },
  };
  assert.deepEqual(only(schema, "bedrock"), {
    type: "object",
    properties: { at: { type: "integer", minimum: 0, default: 1 } },
  });
  assert.deepEqual(rules(schema, "bedrock"), ["int32"]);
  assert.deepEqual(rules(schema, "mistral"), []);
});

test("a root combinator is taken apart, and a root that can be no object costs its own tool", () => {
  const one = { properties: { a: { type: "string" } }, required: ["a"] };
  const other = { properties: { b: { type: "number" } } };
  for (const profile of PROFILES) {
    assert.deepEqual(only({ type: "object", anyOf: [one, other] }, profile), {
      type: "object",
      properties: { a: {}, b: {} },
    });
    assert.deepEqual(only({ type: "object", allOf: [one, other] }, profile).properties, {
      a: { type: "string" },
      b: { type: "number" },
    });
    assert.equal(only({ properties: { a: {} } }, profile).type, "object");
    assert.deepEqual(rules({ type: "string" }, profile), ["root-object"]);
    assert.equal(toProviderTools([tool({ type: "string" })], profile).tools.length, 0);
  }
});

test("more tools than a request takes: the lowest priority goes first", () => {
  for (const [profile, most] of [
    ["openai", 128],
    ["gemini", 512],
  ]) {
    const many = Array.from({ length: most + 3 }, (_, index) =>
      tool(OPEN, {
        wireName: `view_a__t${index}`,
        canonicalId: `view:a.t${index}`,
        priority: index === 0 ? -1 : index % 2,
      }),
    );
    const { tools, dropped } = toProviderTools(many, profile);
    assert.equal(tools.length, most);
    assert.equal(dropped.length, 3);
    assert.ok(dropped.some(({ wireName }) => wireName === "view_a__t0"));
    for (const { reason } of dropped) assert.match(reason, new RegExp(`${most} are taken`));
    assert.equal(toProviderTools(many, "mcp").tools.length, most + 3);
  }
});

test("the order of the input never changes the result", () => {
  const all = [
    tool(OPEN, { wireName: "view_a__c", canonicalId: "view:a.c", priority: 2 }),
    tool({ type: "string" }, { wireName: "view_a__d", canonicalId: "view:a.d" }),
    tool(OPEN),
    tool({ type: "object", properties: { x: {} } }),
    tool({ type: "object", properties: { x: { const: 1 } } }, { wireName: "view_a__e", canonicalId: "view:a.e" }),
  ];
  for (const profile of PROFILES) {
    const expected = toProviderTools(all, profile);
    for (let turn = 1; turn < all.length; turn++) {
      const turned = [...all.slice(turn), ...all.slice(0, turn)];
      assert.deepEqual(toProviderTools(turned, profile), expected);
      assert.deepEqual(toProviderTools(turned.reverse(), profile), expected);
    }
  }
});

test("whatever a descriptor is, it costs nobody but itself", () => {
  let deep = { type: "object" };
  for (let level = 0; level < 10_000; level++) deep = { type: "object", properties: { deep } };
  const cycle = { type: "object" };
  cycle.properties = { cycle };
  const hostile = [
    null,
    7,
    [],
    {},
    tool(undefined),
    tool(null),
    tool(deep),
    tool(cycle),
    tool({
      ...OPEN,
      get properties() {
        throw new Error("x");
      },
    }),
    new Proxy({}, { ownKeys: () => assert.fail("x"), get: () => assert.fail("x") }),
    tool(OPEN, { wireName: "not a name" }),
    tool(OPEN, { wireName: "x".repeat(129) }),
    tool(JSON.parse('{"type":"object","properties":{"__proto__":{"const":1}}}'), { wireName: "view_a__proto" }),
  ];
  for (const profile of PROFILES) {
    const { tools } = toProviderTools([...hostile, tool(OPEN), tool(OPEN)], profile);
    assert.equal(tools.length, 2, profile);
    assert.ok(lintCatalog(hostile, profile).issues.length >= 9);
  }
  assert.deepEqual(toProviderTools(undefined, "openai").tools, []);
  const holes = [tool(OPEN)];
  Object.defineProperty(holes, 1, { get: () => assert.fail("x"), enumerable: true });
  assert.equal(toProviderTools(holes, "openai").tools.length, 1);
  for (const profile of [7n, {}, null]) assert.throws(() => lintCatalog([], profile), { code: "INVALID_DEFINITION" });
});

/** Small random schemas of the portable profile, and instances near them. */
function makeRandom(seed) {
  let state = seed;
  const below = (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % bound;
  };
  const pick = (list) => list[below(list.length)];
  const scalar = () =>
    pick([
      () => ({ type: "string", minLength: below(3) }),
      () => ({ type: "integer", exclusiveMinimum: below(5) - 2, maximum: pick([9, 5_000_000_000]) }),
      () => ({ type: "number", exclusiveMaximum: below(9) }),
      () => ({ const: pick(["x", 1, true, null, [1]]) }),
      () => ({
        enum: pick([
          ["x", "y"],
          [1, 2, 6_000_000_000],
        ]),
      }),
      () => ({ type: ["string", "null"] }),
      () => ({ $ref: "#/$defs/shared" }),
      () => ({ not: { const: pick([1, "x", 6_000_000_000]) } }),
      () => ({ oneOf: [{ const: 1 }, { const: 2 }, { type: "integer", minimum: 6_000_000_000 }] }),
      () => ({
        if: { const: "x" },
        then: { minLength: 1 },
        else: { type: ["number", "null", "boolean", "array", "object"] },
      }),
      () => ({ type: "object", properties: { enum: { $ref: "#/$defs/shared" }, const: { const: 1 } } }),
      () => ({ anyOf: [{ type: "string" }, { type: "integer", exclusiveMinimum: 3 }] }),
    ])();
  const object = (depth) => {
    const properties = {};
    for (const key of ["a", "b", "ü x"])
      if (below(3) > 0) properties[key] = depth > 0 && below(3) === 0 ? object(depth - 1) : scalar();
    return {
      type: "object",
      ...(below(6) === 0 && {
        [pick(["anyOf", "oneOf", "allOf"])]: [{ properties: { a: scalar() } }, { properties: { b: scalar() } }],
      }),
      properties,
      ...(below(2) ? { additionalProperties: false } : {}),
      ...(below(3) === 0 ? { required: ["a"] } : {}),
    };
  };
  const value = (depth) =>
    pick([
      () => "x",
      () => below(12) - 3,
      () => 6_000_000_000,
      () => below(90) / 10,
      () => null,
      () => true,
      () => [1],
      () => (depth > 0 ? instance(depth - 1) : {}),
    ])();
  const instance = (depth) => {
    const made = {};
    for (const key of ["a", "b", "ü x", "more"]) if (below(3) > 0) made[key] = value(depth);
    return made;
  };
  return {
    schema: () => ({ ...object(2), $defs: { shared: { type: "integer", exclusiveMaximum: 4 } } }),
    instance: () => instance(2),
  };
}

test("what is rewritten passes its own lint and accepts all that the original accepts", () => {
  const random = makeRandom(20_261_201);
  const ajv = new Ajv2020({ strict: false, logger: false });
  let accepted = 0;
  for (let round = 0; round < 300; round++) {
    const schema = random.schema();
    const original = ajv.compile(schema);
    const instances = Array.from({ length: 20 }, random.instance).filter((one) => original(one));
    for (const profile of PROFILES) {
      const { tools } = toProviderTools([tool(schema)], profile);
      if (tools.length === 0) continue;
      const rewritten = schemaOf[profile](tools[0]);
      assert.deepEqual(rules(rewritten, profile), [], `${profile}: ${JSON.stringify(rewritten)}`);
      const fits = ajv.compile(rewritten);
      for (const one of instances) {
        assert.ok(fits(one), `${profile} refuses ${JSON.stringify(one)}: ${JSON.stringify(schema)}`);
        accepted++;
      }
    }
    ajv.removeSchema();
  }
  assert.ok(accepted > 500, `only ${accepted} instances were accepted`);
});
