// Registry and metadata (spec: domain.md §14, behaviours 1 to 13), through the package and its module.

import assert from "node:assert/strict";
import { test } from "node:test";
import { oc } from "@orpc/contract";
import { eventIterator, lazy, os } from "@orpc/server";
import { z } from "zod";
import { agent, domain, procedure } from "./support/domain.mjs";

const { createCapabilityRegistry, CapabilityBuildError, defineProcedure } = domain;

/** The bullets of a build that fails. */
function problemsOf(definitions) {
  try {
    createCapabilityRegistry(definitions);
  } catch (error) {
    assert.ok(error instanceof CapabilityBuildError, String(error));
    return error.problems;
  }
  return [];
}
const one = (fields) => ({ invoices: { list: procedure(fields) } });

test("1: two nested groups of procedures have dot-joined ids in declaration order, and their paths keep the segments", () => {
  const registry = createCapabilityRegistry({
    invoices: { void: procedure(), archive: { old: procedure() } },
    customers: { get: os.meta({ agent: agent() }).handler(() => 1) },
  });
  assert.deepEqual(registry.ids(), ["invoices.void", "invoices.archive.old", "customers.get"]);
  assert.deepEqual(
    registry.capabilities().map(({ path }) => path),
    [
      ["invoices", "void"],
      ["invoices", "archive", "old"],
      ["customers", "get"],
    ],
  );
  assert.equal(registry.get("invoices.archive"), undefined);
  assert.equal(registry.get("customers.get").id, "customers.get");
});

test("2: a procedure without agent meta is no capability and is listed as excluded with no-agent-meta", () => {
  const registry = createCapabilityRegistry({ a: procedure(), b: { c: defineProcedure({ handler: () => 1 }) } });
  assert.deepEqual(registry.ids(), ["a"]);
  assert.deepEqual(registry.inspect().excluded, [{ path: "b.c", reason: "no-agent-meta" }]);
});

test("3: metadata without policies, tags and idempotent are stored with [], [] and false, and with no other default", () => {
  const { meta } = createCapabilityRegistry(one({})).get("invoices.list");
  assert.deepEqual(meta, { ...agent(), policies: [], tags: [], idempotent: false });
});

test("4: with `expose: {}` the capability exists and is in unexposed, as is one whose every surface is false", () => {
  const registry = createCapabilityRegistry({
    hidden: procedure({ expose: {} }),
    off: procedure({ expose: { mcp: false, direct: false } }),
    on: procedure({ expose: { mcp: false, direct: true } }),
  });
  assert.deepEqual(registry.ids(), ["hidden", "off", "on"]);
  assert.deepEqual(registry.inspect().unexposed, ["hidden", "off"]);
});

for (const field of ["description", "expose", "sideEffect", "risk"]) {
  test(`5: metadata without ${field} are a problem that names the capability and the field`, () => {
    const problems = problemsOf(one({ [field]: undefined }));
    assert.equal(problems.length, 1);
    assert.match(problems[0], new RegExp(`^"invoices\\.list": ${field} `));
  });
}

test("6: retry on write, destructive and external needs idempotent, citing SI-11; a read needs nothing", () => {
  const retry = { maxAttempts: 2 };
  for (const sideEffect of ["write", "destructive", "external"]) {
    const problems = problemsOf(one({ sideEffect, retry }));
    assert.equal(problems.length, 1, sideEffect);
    assert.match(problems[0], /^"invoices\.list": SI-11: .*idempotent/);
    assert.deepEqual(problemsOf(one({ sideEffect, retry, idempotent: true })), []);
    assert.deepEqual(problemsOf(one({ sideEffect, retry: { maxAttempts: 0 } })), []);
  }
  for (const sideEffect of ["none", "read"]) assert.deepEqual(problemsOf(one({ sideEffect, retry })), []);
});

test("7: an unknown surface key in expose is a problem that names the key", () => {
  for (const key of ["aisdk", "web", "__proto__", "toString"]) {
    const expose = JSON.parse(`{"direct":true,"${key}":true}`);
    const problems = problemsOf(one({ expose }));
    assert.equal(problems.length, 1, key);
    assert.ok(problems[0].includes(`"${key}"`), problems[0]);
  }
});

test("8: a timeout of 0 and a negative lifetime of an approval are problems, and so is what is no finite number", () => {
  for (const value of [0, -1, NaN, Infinity, "5", null, 1n]) {
    assert.match(problemsOf(one({ timeoutMs: value }))[0], /timeoutMs/, String(value));
    assert.match(problemsOf(one({ approval: { expiresInMs: value } }))[0], /approval\.expiresInMs/, String(value));
    assert.match(
      problemsOf(one({ retry: { maxAttempts: 1, backoffMs: value } }))[0],
      /retry\.backoffMs/,
      String(value),
    );
  }
});

const named = (surface, toolName, expose = { [surface]: true }) =>
  procedure({ expose, adapters: { [surface]: { toolName } } });

test("9: the same override on aiSdk twice is a collision; where they are not exposed there it builds", () => {
  const problems = problemsOf({ a: named("aiSdk", "same"), b: named("aiSdk", "same"), c: named("aiSdk", "same") });
  assert.equal(problems.length, 2);
  // Every later clash is told against the first holder.
  for (const problem of problems) assert.match(problem, /"same" on aiSdk.*"a"/);
  assert.match(problems[1], /^"c"/);
  const elsewhere = { mcp: true };
  assert.deepEqual(problemsOf({ a: named("aiSdk", "same", elsewhere), b: named("aiSdk", "same", elsewhere) }), []);
  assert.deepEqual(problemsOf({ a: named("aiSdk", "same"), b: named("aiSdk", "same", elsewhere) }), []);
});

test("10: an override equal to another's default name on mcp is a collision that names surface and tool", () => {
  const problems = problemsOf({
    invoices: { list: procedure({ expose: { mcp: true } }) },
    x: named("mcp", "invoices_list"),
  });
  assert.equal(problems.length, 1);
  assert.match(problems[0], /^"x": .*"invoices_list" on mcp.*"invoices\.list"/);
});

test("10: a segment that holds a dot or is empty is a problem of its own, and nothing below it is looked at", () => {
  const problems = problemsOf({ "a.b": { c: 5 }, "": { d: 6 } });
  assert.equal(problems.length, 2);
  assert.match(problems[0], /segment.*"a\.b"/);
  assert.match(problems[1], /segment/);
});

test("11: three problems over two capabilities are one error that says 3 and lists all, one bullet each", () => {
  let error;
  try {
    createCapabilityRegistry({ a: procedure({ risk: "huge", tags: "x" }), b: procedure({ idempotent: "yes" }) });
  } catch (thrown) {
    error = thrown;
  }
  assert.match(error.message, /\b3 problems:/);
  assert.deepEqual(
    error.problems.map((problem) => problem.slice(0, 8).replace(/ .*/, "")),
    ['"a":', '"a":', '"b":'],
  );
  assert.equal(error.message.split("\n- ").length, 4);
  assert.match(problemsOf(one({ risk: 1 })).join(), /risk/);
  assert.throws(() => createCapabilityRegistry(one({ risk: 1 })), /\b1 problem:/);
});

test("12: a streaming output, a lazy entry, a scalar leaf and a contract without handler each are a problem of their own", () => {
  const meta = { agent: agent() };
  const problems = problemsOf({
    stream: os
      .meta(meta)
      .output(eventIterator(z.string()))
      .handler(async function* () {}),
    later: lazy(async () => ({ default: procedure() })),
    scalar: 5,
    contract: oc.meta(meta).input(z.object({})),
    nothing: null,
    list: [],
    fine: procedure(),
  });
  assert.equal(problems.length, 6);
  assert.match(problems[0], /^"stream": .*output.*streaming/);
  assert.match(problems[1], /^"later": .*lazy/);
  assert.match(problems[2], /^"scalar": .*5/);
  assert.match(problems[3], /^"contract": .*contract without implementation/);
  assert.match(problems[4], /^"nothing": .*null/);
  assert.match(problems[5], /^"list": .*array/);
});

test("12: what is no record of procedures at all is a type error and no aggregate", () => {
  for (const value of [undefined, null, 5, "x", () => 1, [procedure()]]) {
    assert.throws(() => createCapabilityRegistry(value), TypeError, String(value));
  }
});

const MANY = {
  a: procedure({ expose: { mcp: true }, tags: ["x", "y"] }),
  b: procedure({ expose: { mcp: true, direct: true }, sideEffect: "write", risk: "high" }),
  c: procedure({ expose: { mcp: false, direct: true }, sideEffect: "external", tags: ["y"] }),
  d: procedure({ expose: {}, risk: "critical" }),
  plain: defineProcedure({ handler: () => 1 }),
};

test("13: filtering by surface, sideEffect, risk, tags, predicate and in a chain gives the right subset in order", () => {
  const registry = createCapabilityRegistry(MANY);
  const ids = (query) => registry.filter(query).ids().join("");
  assert.equal(ids({ surface: "mcp" }), "ab");
  assert.equal(ids({ surface: ["mcp", "direct"] }), "abc");
  assert.equal(ids({ sideEffect: ["external", "write"] }), "bc");
  assert.equal(ids({ risk: ["critical", "high"] }), "bd");
  assert.equal(ids({ tags: ["y"] }), "ac");
  assert.equal(ids({ tags: "x" }), "a");
  assert.equal(ids({ surface: "direct", tags: ["y"] }), "c");
  assert.equal(ids({}), "abcd");
  assert.equal(ids({ tags: [] }), "");
  assert.equal(
    ids(({ id }) => id > "b"),
    "cd",
  );
  assert.equal(registry.filter({ surface: "direct" }).filter({ risk: "high" }).ids().join(""), "b");
});

test("13: filtering leaves its source alone, keeps excluded, counts unexposed again, and its lists are copies", () => {
  const registry = createCapabilityRegistry(MANY);
  const filtered = registry.filter(({ id }) => id === "d");
  assert.deepEqual(filtered.inspect().unexposed, ["d"]);
  assert.deepEqual(registry.filter({ surface: "mcp" }).inspect().unexposed, []);
  assert.deepEqual(filtered.inspect().excluded, registry.inspect().excluded);
  assert.equal(filtered.inspect().excluded.length, 1);
  filtered.ids().push("z");
  filtered.capabilities().pop();
  assert.deepEqual(filtered.ids(), ["d"]);
  assert.equal(filtered.capabilities().length, 1);
  assert.deepEqual(registry.ids(), ["a", "b", "c", "d"]);
  assert.equal(filtered.get("a"), undefined);
  assert.throws(() => registry.get("a").meta.tags.push("z"), TypeError);
});

test("13: a query that is none, and a predicate that answers a promise, are type errors and never keep everything", () => {
  const registry = createCapabilityRegistry(MANY);
  for (const query of [null, undefined, 5, [], { tag: "x" }, { tags: 5 }, { risk: [1] }, async () => false]) {
    assert.throws(() => registry.filter(query), TypeError, JSON.stringify(query));
  }
  assert.deepEqual(registry.filter({ surface: "web" }).ids(), []);
});
