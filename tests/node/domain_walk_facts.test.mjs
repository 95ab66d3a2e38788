// Values as facts, and the metadata of a capability as facts and as the frozen copy that is kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import { allow, composePolicies, defineProcedure, definePolicy } from "../../js_glue/dist/domain/index.js";
import { valueFacts, walk } from "../../js_glue/dist/domain/internals.js";

const factsOf = (value) => JSON.parse(valueFacts(value));
const throwing = () => {
  throw new Error("mine");
};
const AGENT = { description: "Does it.", expose: { mcp: true }, sideEffect: "read", risk: "low" };
const capabilityOf = (agent) => {
  const { text, capabilities } = walk({ a: { "~orpc": { handler() {}, middlewares: [], meta: { agent } } } });
  return { ...capabilities[0], facts: JSON.parse(text).nodes[0].meta };
};

test("what JSON has is itself", () => {
  const value = { a: [1, "x", null, true, { b: -0.5 }], "": {}, é: "\u0000\u2028" };
  assert.deepEqual(factsOf(value), value);
  for (const scalar of [null, true, "text", 0, 1e300]) assert.deepEqual(factsOf(scalar), scalar);
});

test("what JSON has not is a fact with its word", () => {
  const values = [() => 1, class {}, undefined, Symbol("s"), 1n, NaN, Infinity, -Infinity];
  const words = ["function", "function", "undefined", "symbol", "bigint", "NaN", "Infinity", "-Infinity"];
  assert.deepEqual(
    factsOf(values),
    words.map((word) => ({ $is: word })),
  );
  for (const [at, value] of values.entries()) assert.deepEqual(factsOf(value), { $is: words[at] });
});

test("a member that is undefined is absent, an item is not", () => {
  assert.deepEqual(factsOf({ a: undefined, b: 1 }), { b: 1 });
  assert.deepEqual(factsOf([undefined, , 1]), [{ $is: "undefined" }, { $is: "undefined" }, 1]); // prettier-ignore
});

test("no author's key can pose as a fact", () => {
  assert.deepEqual(factsOf({ $is: "function", $: 1, $$is: 2, a$: 3 }), { $$is: "function", $$: 1, $$$is: 2, a$: 3 });
});

test("the sixth level is told, the seventh is deep, and so is what holds itself", () => {
  assert.deepEqual(factsOf([[[[[[1, []]]]]]]), [[[[[[1, { $is: "deep" }]]]]]]);
  const knot = {};
  knot.k = knot;
  assert.match(valueFacts(knot), /^(\{"k":){6}\{"\$is":"deep"\}\}{6}$/);
});

test("whatever throws is unreadable at its place, and its neighbours are told", () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  const value = {
    get a() {
      return throwing();
    },
    b: 1,
    c: new Proxy({}, { ownKeys: throwing }),
    d: proxy,
  };
  const unreadable = { $is: "unreadable" };
  assert.deepEqual(factsOf(value), { a: unreadable, b: 1, c: unreadable, d: unreadable });
  assert.deepEqual(factsOf(new Proxy([1, 2], { get: (list, key) => (key === "1" ? throwing() : list[key]) })), [
    1,
    unreadable,
  ]);
});

test("every property is read once, and neither toJSON nor an inherited or hidden member is asked", () => {
  const reads = [];
  const target = Object.create({ inherited: 1 }, { hidden: { value: 1 } });
  Object.assign(target, { a: 1, b: 2, toJSON: "no function" });
  const watched = new Proxy(target, { get: (object, key) => (reads.push(key), object[key]) });
  assert.deepEqual(factsOf(watched), { a: 1, b: 2, toJSON: "no function" });
  assert.deepEqual(reads, ["a", "b", "toJSON"]);
  assert.deepEqual(factsOf(new Date()), {});
});

test("a lone surrogate is replaced, and two keys that become one are told once", () => {
  assert.equal(valueFacts({ "\ud800": 1, "\ud801": 2, text: "x\udc00" }), '{"\ufffd":1,"text":"x\ufffd"}');
});

test("a value that is too much ends as deep instead of filling the memory", () => {
  const endless = Array.from({ length: 30_000 }, () => ({ a: 1 }));
  const text = valueFacts(endless);
  assert.ok(text.includes('{"$is":"deep"}') && text.length < 1_000_000);
  assert.equal(valueFacts(Array(4_000_000_000)), '{"$is":"deep"}');
  assert.equal(valueFacts("x".repeat(5_000_000)), '{"$is":"deep"}');
  const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, 1]));
  assert.equal(valueFacts(wide), '{"$is":"deep"}');
});

test("metadata are told with their functions as facts", () => {
  const agent = {
    ...AGENT,
    retry: { maxAttempts: 1, retryOn: () => true },
    redact: { output: (x) => x },
    timeoutMs: NaN,
  };
  assert.deepEqual(capabilityOf(agent).facts, {
    ...AGENT,
    retry: { maxAttempts: 1, retryOn: { $is: "function" } },
    redact: { output: { $is: "function" } },
    timeoutMs: { $is: "NaN" },
  });
});

test("metadata that are no object are told as they are, and are a capability for the module to refuse", () => {
  for (const [agent, facts] of [
    [null, null],
    ["text", "text"],
    [[1], [1]],
    [() => 1, { $is: "function" }],
  ]) {
    assert.deepEqual(capabilityOf(agent).facts, facts);
  }
  const hostile = defineProcedure({
    meta: {
      get agent() {
        return throwing();
      },
    },
    handler: () => 1,
  });
  assert.deepEqual(JSON.parse(walk({ hostile }).text).nodes[0].meta, { $is: "unreadable" });
  assert.equal(walk({ hostile }).capabilities.length, 1);
});

test("the kept metadata are a frozen copy: nothing that an author changes later shows, and nobody can change it", () => {
  const agent = structuredClone({ ...AGENT, tags: ["a"], adapters: { mcp: { annotations: { deep: [1] } } } });
  const { meta } = capabilityOf(agent);
  agent.tags.push("b");
  agent.expose.mcp = false;
  agent.adapters.mcp.annotations.deep.push(2);
  assert.deepEqual(meta.tags, ["a"]);
  assert.equal(meta.expose.mcp, true);
  assert.deepEqual(meta.adapters.mcp.annotations, { deep: [1] });
  for (const change of [
    () => meta.tags.push("c"),
    () => void (meta.expose.direct = true),
    () => meta.adapters.mcp.annotations.deep.push(3),
    () => void (meta.risk = "critical"),
    () => meta.policies.push({}),
  ]) {
    assert.throws(change, TypeError);
  }
});

test("what was checked is what is kept: each field of the metadata is read once", () => {
  let reads = 0;
  const agent = {
    ...AGENT,
    get risk() {
      return reads++ === 0 ? "low" : "critical";
    },
  };
  const { meta, facts } = capabilityOf(agent);
  assert.deepEqual([meta.risk, facts.risk, reads], ["low", "low", 1]);
});

test("a field that throws is told at its place, and an unknown one is nobody's problem", () => {
  const { facts } = capabilityOf({
    ...AGENT,
    get risk() {
      return throwing();
    },
    get extra() {
      return throwing();
    },
  });
  assert.deepEqual(facts, { ...AGENT, risk: { $is: "unreadable" }, extra: { $is: "unreadable" } });
});

test("policies are told by name, function and phases; composites are expanded in their place", () => {
  const [a, b] = ["a", "b"].map((name) => definePolicy(name, () => allow(), { phases: ["execution"] }));
  const instance = new (class { name = "own"; evaluate() {} })(); // prettier-ignore
  const policies = [instance, composePolicies(a, composePolicies(b)), a];
  const { facts, policies: known, meta } = capabilityOf({ ...AGENT, policies });
  const told = (name, more = {}) => ({ name, evaluate: { $is: "function" }, phases: ["execution"], ...more });
  assert.deepEqual(facts.policies, [
    { name: "own", evaluate: { $is: "function" } },
    told("a", { composite: true }),
    told("b", { composite: true }),
    told("a"),
  ]);
  assert.deepEqual(known, [instance, a, b, a]);
  assert.deepEqual(meta.policies, policies);
  assert.equal(meta.policies[0], instance);
});

test("policies that are none are told as they are, and a composite without a bottom is unreadable", () => {
  assert.deepEqual(capabilityOf({ ...AGENT, policies: "none" }).facts.policies, "none");
  assert.deepEqual(capabilityOf({ ...AGENT, policies: [5, null, {}] }).facts.policies, [
    5,
    null,
    { name: { $is: "undefined" }, evaluate: { $is: "undefined" } },
  ]);
  const knot = { name: "knot", evaluate: () => allow() };
  knot[Symbol.for("viewcap.policyMembers")] = [knot];
  assert.deepEqual(capabilityOf({ ...AGENT, policies: [knot] }).facts.policies, { $is: "unreadable" });
});
