// The walk over nested procedures: which node each of an author's values becomes (spec: domain.md §3; behaviours 1 to 4
// and 12 as far as no module is needed). What a node means is the module's part.

import assert from "node:assert/strict";
import { test } from "node:test";
import { oc } from "@orpc/contract";
import { eventIterator, implement, lazy, os } from "@orpc/server";
import { z } from "zod";
import { defineProcedure, fromJsonSchema } from "../../js_glue/dist/domain/index.js";
import { walk } from "../../js_glue/dist/domain/internals.js";

const AGENT = { description: "Does it.", expose: { mcp: true }, sideEffect: "read", risk: "low" };
const META = { agent: AGENT };
const one = (more = {}) => defineProcedure({ meta: META, handler: () => 1, ...more });
const nodesOf = (defs) => JSON.parse(walk(defs).text).nodes;
const kindsOf = (defs) => nodesOf(defs).map(({ path, kind }) => `${path.join(".")} ${kind}`);
const idsOf = (defs) => walk(defs).capabilities.map(({ path }) => path.join("."));

test("behaviour 1: nested groups are walked depth first in declaration order, and the path keeps the segments", () => {
  const defs = { b: { two: one(), one: one() }, a: { deep: { x: one() } } };
  assert.deepEqual(idsOf(defs), ["b.two", "b.one", "a.deep.x"]);
  assert.deepEqual(walk(defs).capabilities[2].path, ["a", "deep", "x"]);
  assert.deepEqual(
    nodesOf(defs).map(({ path }) => path),
    [
      ["b", "two"],
      ["b", "one"],
      ["a", "deep", "x"],
    ],
  );
});

test("behaviour 2: a procedure without meta.agent is a node without meta, and no capability", () => {
  const defs = { a: one({ meta: {} }), b: one(), c: os.handler(() => 1), d: one({ meta: { agent: undefined } }) };
  assert.deepEqual(idsOf(defs), ["b"]);
  assert.deepEqual(nodesOf(defs)[0], { path: ["a"], kind: "procedure", input: "none", output: "none" });
  assert.ok(nodesOf(defs).every(({ kind }) => kind === "procedure"));
});

test("behaviour 3: metadata without policies, tags and idempotent is kept with [], [] and false", () => {
  const [{ meta }] = walk({ a: one() }).capabilities;
  assert.deepEqual(meta, { ...AGENT, tags: [], policies: [], idempotent: false });
  assert.deepEqual(nodesOf({ a: one() })[0].meta, AGENT);
});

test("behaviour 4: a capability that is exposed nowhere is one all the same", () => {
  assert.deepEqual(idsOf({ a: one({ meta: { agent: { ...AGENT, expose: {} } } }) }), ["a"]);
});

test("behaviour 12: streaming output, lazy entry, scalar leaf and contract-only object are four kinds of node", () => {
  const defs = {
    stream: os
      .meta(META)
      .output(eventIterator(z.string()))
      .handler(async function* () {}),
    streamIn: os
      .meta(META)
      .input(eventIterator(z.string()))
      .handler(() => 1),
    lazy: lazy(async () => ({ default: one() })),
    lazyRouter: os.lazy(async () => ({ default: { a: os.handler(() => 1) } })),
    scalar: 5,
    contract: oc.input(z.string()),
    builder: os.input(z.string()),
  };
  assert.deepEqual(kindsOf(defs), [
    "stream procedure",
    "streamIn procedure",
    "lazy lazy",
    "lazyRouter lazy",
    "scalar leaf",
    "contract contract",
    "builder contract",
  ]);
  const [stream, streamIn] = nodesOf(defs);
  assert.deepEqual([stream.input, stream.output], ["none", "stream"]);
  assert.deepEqual([streamIn.input, streamIn.output], ["stream", "none"]);
});

test("procedures of oRPC are read as they are: built, callable, from a router, implemented from a contract", () => {
  const contract = { a: oc.meta(META).input(z.object({})), nested: { b: oc.meta(META) } };
  const impl = implement(contract);
  const defs = {
    built: os
      .meta(META)
      .input(z.object({}))
      .output(z.string())
      .handler(() => ""),
    callable: os
      .meta(META)
      .handler(() => 1)
      .callable(),
    router: os.router({ x: os.meta(META).handler(() => 1) }),
    implemented: impl.router({ a: impl.a.handler(() => 1), nested: { b: impl.nested.b.handler(() => 1) } }),
    todo: impl.nested,
  };
  assert.deepEqual(kindsOf(defs), [
    "built procedure",
    "callable procedure",
    "router.x procedure",
    "implemented.a procedure",
    "implemented.nested.b procedure",
    "todo.b contract",
  ]);
  const [built] = walk(defs).capabilities;
  assert.equal(built.procedure, defs.built);
  assert.equal(built.inputSchema, defs.built["~orpc"].inputSchema);
  assert.equal(built.outputSchema, defs.built["~orpc"].outputSchema);
  assert.deepEqual(built.meta.description, "Does it.");
});

test("a schema of either kind is one, and a capability without has no such key", () => {
  const literal = fromJsonSchema({ type: "object" });
  const { capabilities } = walk({ a: one({ input: literal, output: z.string() }), b: one() });
  assert.equal(capabilities[0].inputSchema, literal);
  assert.deepEqual(Object.keys(capabilities[1]), ["path", "procedure", "meta", "policies"]);
  const [a, b] = nodesOf({ a: one({ input: literal, output: z.string() }), b: one() });
  assert.deepEqual([a.input, a.output, b.input, b.output], ["schema", "schema", "none", "none"]);
});

test("a leaf says what it is, and an author's container is not looked into", () => {
  const unread = Object.defineProperty(new (class {})(), "inner", { enumerable: true, get: () => assert.fail("read") });
  const defs = {
    text: "on",
    flag: true,
    nothing: null,
    absent: undefined,
    list: [one()],
    empty: [],
    date: new Date(),
    instance: unread,
    function: () => 1,
    class: class {},
    symbol: Symbol("s"),
    nan: NaN,
  };
  const found = Object.fromEntries(nodesOf(defs).map((node) => [node.path[0], node.found]));
  assert.deepEqual(found, {
    text: "on",
    flag: true,
    nothing: null,
    absent: { $is: "undefined" },
    list: [],
    empty: [],
    date: {},
    instance: {},
    function: { $is: "function" },
    class: { $is: "function" },
    symbol: { $is: "symbol" },
    nan: { $is: "NaN" },
  });
  assert.ok(nodesOf(defs).every(({ kind }) => kind === "leaf"));
});

test("a segment that is empty, holds a dot or a lone surrogate is a node, and nothing below it is read", () => {
  const below = {
    get x() {
      return assert.fail("read");
    },
  };
  const defs = { "": below, "a.b": below, "\ud800": below, ok: one() };
  assert.deepEqual(nodesOf(defs).slice(0, 3), [
    { path: [""], kind: "segment" },
    { path: ["a.b"], kind: "segment" },
    { path: ["\ufffd"], kind: "segment" },
  ]);
  assert.deepEqual(idsOf(defs), ["ok"]);
});

test("decision 10: an object's integer-like keys come first, as JavaScript has it; a Map and pairs keep any order", () => {
  const entries = [
    ["b", one()],
    ["2", one()],
    ["1", one()],
  ];
  assert.deepEqual(idsOf(Object.fromEntries(entries)), ["1", "2", "b"]);
  assert.deepEqual(idsOf(new Map(entries)), ["b", "2", "1"]);
  assert.deepEqual(idsOf(entries), ["b", "2", "1"]);
  assert.deepEqual(idsOf({ x: new Map([["y", entries]]) }), ["x.y.b", "x.y.2", "x.y.1"]);
  assert.deepEqual(idsOf(new Map()), []);
});

test("a list that is no list of pairs with texts first is a leaf, and so is a Map with other keys", () => {
  const lists = { short: [["a"]], long: [["a", one(), 1]], number: [[1, one()]], map: new Map([[1, one()]]) };
  assert.deepEqual(kindsOf(lists), ["short leaf", "long leaf", "number leaf", "map leaf"]);
});

test("a key that stands twice in a list of pairs is a problem, not a silent loss", () => {
  const nodes = nodesOf([
    ["a", one()],
    ["a", one()],
  ]);
  assert.deepEqual(nodes[1], { path: ["a"], kind: "leaf", found: "a second entry under the same key" });
});

test("keys of every object's prototype are ordinary segments", () => {
  const defs = JSON.parse('{"__proto__":{"constructor":{}},"toString":{},"hasOwnProperty":5}');
  Object.defineProperty(defs, "__proto__", { value: { constructor: one() }, enumerable: true });
  Object.defineProperty(defs.toString, "__proto__", { value: one(), enumerable: true });
  assert.deepEqual(idsOf(defs), ["__proto__.constructor", "toString.__proto__"]);
});

test("empty records are fine, inherited and hidden members and symbols are none", () => {
  const hidden = Object.defineProperty({ [Symbol("s")]: one() }, "h", { value: one() });
  assert.deepEqual(nodesOf({ empty: {}, bare: Object.create(null), hidden }), []);
});

test("a record that holds itself ends where it begins again, and depth has a bound", () => {
  const knot = { a: one() };
  knot.again = { knot };
  assert.deepEqual(nodesOf({ knot }).at(-1), { path: ["knot", "again", "knot"], kind: "leaf", found: { $is: "deep" } });
  assert.deepEqual(idsOf({ knot }), ["knot.a"]);
  let deep = one();
  for (let level = 0; level < 100_000; level++) deep = { d: deep };
  const [node] = nodesOf(deep);
  assert.equal(node.path.length, 64);
  assert.deepEqual(node.found, { $is: "deep" });
});

test("the same record in two places is walked twice, and a walk has a last entry", () => {
  const shared = { x: one() };
  assert.deepEqual(idsOf({ a: shared, b: shared }), ["a.x", "b.x"]);
  let wide = { x: 1 };
  for (let level = 0; level < 40; level++) wide = { a: wide, b: wide };
  const nodes = nodesOf(wide);
  assert.ok(nodes.length < 100_000);
  assert.equal(nodes.filter(({ found }) => found === "more than 100000 entries").length, 1);
});

test("whatever throws while it is read is a problem at its place, and its neighbours are walked", () => {
  const throwing = () => {
    throw new Error("mine");
  };
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const defs = {
    get getter() {
      return throwing();
    },
    keys: new Proxy({}, { ownKeys: throwing }),
    get: new Proxy({}, { get: throwing }),
    member: {
      get inner() {
        return throwing();
      },
      fine: one(),
    },
    orpc: {
      get "~orpc"() {
        return throwing();
      },
    },
    schema: {
      "~orpc": {
        handler() {},
        middlewares: [],
        get inputSchema() {
          return throwing();
        },
      },
    },
    revoked,
    last: one(),
  };
  assert.deepEqual(kindsOf(defs), [
    "getter leaf",
    "keys leaf",
    "get leaf",
    "member.inner leaf",
    "member.fine procedure",
    "orpc leaf",
    "schema leaf",
    "revoked leaf",
    "last procedure",
  ]);
  const found = nodesOf(defs)
    .filter(({ kind }) => kind === "leaf")
    .map((node) => node.found);
  assert.ok(found.every(({ $is }) => $is === "unreadable"));
});

test("procedures that are no object, or a list of something else, are a type error", () => {
  for (const defs of [undefined, null, 5, "text", true, Symbol("s"), () => 1, [], [1], [one()]]) {
    assert.throws(() => walk(defs), TypeError);
  }
});

test("a procedure in the place of the record has no id: it is a node at the root, and no capability", () => {
  assert.deepEqual(
    nodesOf(one()).map(({ path, kind }) => [path, kind]),
    [[[], "procedure"]],
  );
  assert.deepEqual(idsOf(one()), []);
  assert.deepEqual(nodesOf(new Date()), [{ path: [], kind: "leaf", found: {} }]);
});
