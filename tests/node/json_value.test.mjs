// What counts as a JSON value, seen through an action's input, an action's output and a definition.

import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import { failure, makeRegistry, mounted, ready, schema, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const cycle = {};
cycle.self = { cycle };
let deep = [];
for (let level = 0; level < 100_000; level++) deep = [deep];
let doubling = ["x"];
for (let level = 0; level < 30; level++) doubling = [doubling, doubling];
class Money {
  amount = 1;
}

/** Values that are none, each inside an object under "at". */
const REFUSED = {
  "a function": () => 1,
  "a bigint": 1n,
  "a symbol": Symbol("s"),
  NaN: NaN,
  "an infinite number": -Infinity,
  "a Date": new Date(0),
  "a Map": new Map(),
  "a class instance": new Money(),
  "an array subclass": new (class List extends Array {})(),
  "a boxed string": Object("text"),
  "a sparse array": [1, , 3], // eslint-disable-line no-sparse-arrays
  "undefined in an array": [undefined],
  "an accessor": Object.defineProperty({}, "get", { enumerable: true, get: () => assert.fail("a getter ran") }),
  "an accessor in an array": Object.defineProperty([1], 0, { get: () => assert.fail("a getter ran") }),
  "a toJSON method": { toJSON: () => 1 },
  "an inherited toJSON": Object.create({ toJSON: () => 1 }),
  "a lone surrogate": "\ud800",
  "a lone surrogate in a key": { "\udfff": 1 },
  "a cycle": cycle,
  "a proxy that throws": new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("no");
      },
    },
  ),
  "a revoked proxy": (() => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  })(),
};

for (const [what, value] of Object.entries(REFUSED)) {
  test(`${what} in an input is INVALID_INPUT and names the place`, async () => {
    const { set, registry } = mounted({ execute: () => assert.fail("the handler ran") });
    const result = await set({ input: { at: value } });
    assert.equal(result.error.code, "INVALID_INPUT");
    assert.equal(result.error.details.issues.length, 1);
    if (!what.includes("proxy")) assert.match(result.error.details.issues[0].path, /^\/at/);
    registry.dispose();
  });

  test(`${what} in an output outside production rejects with a defect that names the capability and the place`, async () => {
    const { set, registry } = mounted({ execute: () => ({ at: value }) });
    await assert.rejects(set(), (error) => {
      assert.equal(error.name, "AgentSurfaceDefectError");
      assert.match(error.message, /view:invoices\.set/);
      if (!what.includes("proxy")) assert.match(error.message, /\/at/);
      return true;
    });
    registry.dispose();
  });

  test(`${what} in a contract's meta is INVALID_DEFINITION and names the component`, () => {
    const registry = makeRegistry();
    const definition = tableContract({ meta: { at: value } }).bind(tableBinding());
    assert.throws(() => registry.register(definition), { code: "INVALID_DEFINITION", message: /invoices/ });
    registry.dispose();
  });
}

test("undefined members are dropped, and the handler gets a copy without them", async () => {
  const seen = [];
  const { set } = mounted({ execute: (input) => void seen.push(input) });
  await set({ input: { a: undefined, b: 1 } });
  assert.deepEqual(seen, [{ b: 1 }]);
  assert.equal("a" in seen[0], false);
});

test("objects without a prototype, of another realm, and with the keys of Object.prototype are ordinary", async () => {
  const { set } = mounted({ execute: (input) => input });
  const bare = Object.assign(Object.create(null), { a: 1 });
  const foreign = vm.runInNewContext("({ list: [1, { two: 2 }] })");
  const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":2}');
  for (const value of [bare, foreign, hostile]) {
    const result = await set({ input: { value } });
    assert.equal(JSON.stringify(result.output), JSON.stringify({ value }));
  }
  assert.equal({}.polluted, undefined);
});

test("-0 is 0, NUL and astral characters come back as they were, and 1e308 stays a number", async () => {
  const { set } = mounted({ execute: (input) => input });
  const result = await set({ input: { zero: -0, nul: "a\u0000b", astral: "😀", big: 1e308, escaped: "\\ud800" } });
  assert.deepEqual(result.output, { zero: 0, nul: "a\u0000b", astral: "😀", big: 1e308, escaped: "\\ud800" });
});

test("100,000 nested arrays are INVALID_INPUT as input, too large as output, and kill nothing", async () => {
  const { set } = mounted({ execute: ({ give }) => (give ? deep : undefined) });
  assert.equal(failure(await set({ input: { deep } })).code, "INVALID_INPUT");
  assert.deepEqual(failure(await set({ input: { give: true } })), {
    code: "EXECUTION_FAILED",
    reason: "output-too-large",
  });
  assert.equal((await set({ input: {} })).status, "ok");
});

test("a value that shares its parts a billion times over ends the walk, not the page", async () => {
  const { set } = mounted({ execute: ({ give }) => (give ? doubling : undefined) });
  assert.equal(failure(await set({ input: { doubling } })).code, "INVALID_INPUT");
  assert.deepEqual(failure(await set({ input: { give: true } })), {
    code: "EXECUTION_FAILED",
    reason: "output-too-large",
  });
});

test("an input of the allowed depth passes and one level more does not", async () => {
  const { set } = mounted({ execute: () => undefined });
  const nested = (levels) => {
    let value = {};
    for (let level = 1; level < levels; level++) value = { value };
    return value;
  };
  assert.equal((await set({ input: nested(32) })).status, "ok");
  assert.equal(failure(await set({ input: nested(33) })).code, "INVALID_INPUT");
});

test("an input of the allowed size passes, one byte more does not, and bytes are UTF-8 bytes", async () => {
  const { set } = mounted({ execute: () => undefined });
  const room = 65536 - '{"t":""}'.length;
  assert.equal((await set({ input: { t: "x".repeat(room) } })).status, "ok");
  assert.equal(failure(await set({ input: { t: "x".repeat(room + 1) } })).code, "INVALID_INPUT");
  assert.equal(failure(await set({ input: { t: "é".repeat(room / 2 + 1) } })).code, "INVALID_INPUT");
});

test("a page that defines Array.prototype.toJSON does not change what crosses", async () => {
  const { set } = mounted({ execute: (input) => input });
  Object.defineProperty(Array.prototype, "toJSON", { value: () => "hijacked", configurable: true });
  try {
    const result = await set({ input: { list: [1] } });
    assert.notEqual(JSON.stringify(result).includes("hijacked") && result.status, "ok");
  } finally {
    delete Array.prototype.toJSON;
  }
});

test("parse refuses what is no JSON value with AgentSchemaError", () => {
  const anything = schema({});
  for (const value of [undefined, () => 1, 1n, NaN, new Date(0), "\ud800", cycle]) {
    assert.throws(() => anything.parse(value), { name: "AgentSchemaError" });
  }
  assert.deepEqual(anything.parse({ a: [1, null, "x"] }), { a: [1, null, "x"] });
});

test("a schema that is no JSON value is refused when it is made", () => {
  for (const literal of [undefined, null, 7, "x", [], { default: () => 1 }, cycle]) {
    assert.throws(() => viewcap.fromJsonSchema(literal), {
      name: "AgentSurfaceDefinitionError",
      code: "INVALID_DEFINITION",
    });
  }
});
