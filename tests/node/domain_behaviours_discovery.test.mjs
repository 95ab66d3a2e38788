// Listings (spec: domain.md §14, behaviours 59 and 60).

import assert from "node:assert/strict";
import { test } from "node:test";
import { alice, answering, bob, domain, never, plane, procedure, thrownBy, wait } from "./support/domain.mjs";

const { allow, definePolicy, deny, hide, requireApproval } = domain;
const DISCOVERY = { phases: ["discovery"] };
const idsOf = (listing) => listing.map(({ id }) => id).join();
const listed = async (describing) => idsOf(await describing);

const TAGGED = {
  a: procedure({ tags: ["x", "y"] }),
  b: procedure({ tags: ["y"] }),
  c: procedure(),
  d: procedure({ tags: ["x"], expose: { mcp: true } }),
};

test("59: a scope by tags is any of them, by ids exact, by both their union, and nothing where it is empty", async () => {
  const { describe } = plane(TAGGED);
  const of = (scope) => listed(describe("direct", { scope }));
  assert.equal(await of({ tags: ["y"] }), "a,b");
  assert.equal(await of({ tags: ["x", "nope"] }), "a");
  assert.equal(await of({ ids: ["c", "b.", "B", "nope"] }), "c");
  assert.equal(await of({ ids: ["c"], tags: ["x"] }), "a,c");
  assert.equal(await of({}), "a,b,c");
  assert.equal(await of(undefined), "a,b,c");
  assert.equal(await of({ tags: undefined }), "a,b,c");
  assert.equal(await of({ tags: [] }), "");
  assert.equal(await of({ ids: [] }), "");
  assert.equal(await of({ tags: [], ids: ["c"] }), "c");
  // Scope never beats exposure.
  assert.equal(await of({ ids: ["d"], tags: ["x"] }), "a");
});

for (const scope of [
  null,
  5,
  "x",
  [],
  { tags: "x" },
  { ids: [5] },
  { tags: null },
  { ids: {} },
  { ids: [undefined] },
]) {
  test(`59: the malformed scope ${JSON.stringify(scope)} rejects with a type error and asks no policy`, async () => {
    const asked = answering("asked", allow(), ["discovery"]);
    const { describe, events } = plane(TAGGED, { policies: [asked.policy] });
    assert.ok((await thrownBy(() => describe("direct", { scope }))) instanceof TypeError);
    assert.deepEqual([asked.calls, events], [0, []]);
  });
}

test("59: policies are asked only for what is in scope and exposed; what is out of scope can still be called", async () => {
  const seen = [];
  const look = definePolicy("look", ({ capability }) => (seen.push(capability.id), allow()), DISCOVERY);
  const { describe, invoke } = plane(TAGGED, { policies: [look] });
  await describe("direct", { scope: { tags: ["y"] } });
  assert.deepEqual(seen, ["a", "b"]);
  assert.equal((await invoke("c", {})).status, "completed");
});

test("59: a scope never beats a hide, and listings differ by actor", async () => {
  const own = definePolicy("own", ({ actor }) => (actor.id === "alice" ? allow() : hide()), DISCOVERY);
  const { describe } = plane({ mine: procedure({ policies: [own] }), all: procedure() });
  assert.equal(await listed(describe("direct")), "mine,all");
  assert.equal(await listed(describe("direct", { actor: bob })), "all");
  assert.equal(await listed(describe("direct", { actor: bob, scope: { ids: ["mine"] } })), "");
});

test("59: a policy that throws, denies, hides, answers nothing or never drops its own item and no other", async () => {
  const bad = {
    throws: () => {
      throw new Error("SECRET");
    },
    rejects: () => Promise.reject(new Error("SECRET")),
    denies: () => deny("SECRET", "SECRET"),
    hides: () => hide(),
    nothing: () => undefined,
    never: () => never(),
  };
  const definitions = { first: procedure() };
  for (const [name, evaluate] of Object.entries(bad)) {
    definitions[name] = procedure({ policies: [definePolicy(name, evaluate, DISCOVERY)] });
  }
  const { describe, events } = plane({ ...definitions, last: procedure() }, { defaults: { policyTimeoutMs: 10 } });
  const listing = await describe();
  assert.equal(idsOf(listing), "first,last");
  assert.ok(!JSON.stringify([listing, events]).includes("SECRET"));
  assert.equal(events.length, 1);
});

test("59: static gates and gates of discovery's policies are flagged, and nothing else is", async () => {
  const ask = (phases) => [definePolicy("ask", () => requireApproval({ reason: "SECRET reason" }), { phases })];
  const { describe } = plane({
    fixed: procedure({ approval: { required: true } }),
    asked: procedure({ policies: ask(["discovery"]) }),
    later: procedure({ policies: ask(["invocation"]) }),
    free: procedure({ approval: { required: false }, tags: ["t"], sideEffect: "none", risk: "critical" }),
  });
  const listing = await describe();
  assert.deepEqual(
    listing.map(({ id, requiresApproval }) => `${id} ${requiresApproval}`),
    ["fixed true", "asked true", "later undefined", "free undefined"],
  );
  assert.deepEqual(listing[3], {
    ...{ id: "free", description: "Does it.", inputSchema: { type: "object" } },
    ...{ sideEffect: "none", risk: "critical", tags: ["t"] },
  });
  assert.ok(!JSON.stringify(listing).includes("SECRET"));
});

test("59: a malformed actor, an unknown surface and missing options reject with a type error, asynchronously", async () => {
  const { runtime, events } = plane(TAGGED);
  const bad = [
    ["direct", undefined],
    ["direct", null],
    ["direct", {}],
    ["direct", { actor: { id: "", kind: "user" } }],
    ["direct", { actor: { id: "x", kind: "robot" } }],
    ["web", { actor: alice }],
    [undefined, { actor: alice }],
    ["__proto__", { actor: alice }],
  ];
  for (const [surface, options] of bad) {
    const listing = runtime.describe(surface, options);
    assert.ok(listing instanceof Promise);
    assert.ok((await thrownBy(() => listing)) instanceof TypeError);
  }
  assert.deepEqual(events, []);
});

const many = (count, fields = {}) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${String(at)}`, procedure(fields)]));

/** A policy that counts how many of it run at once. */
function counting(latency = () => 1) {
  const counted = { now: 0, peak: 0, order: [] };
  counted.policy = definePolicy(
    "counting",
    async ({ capability }) => {
      counted.peak = Math.max(counted.peak, ++counted.now);
      await wait(latency(Number(capability.id.slice(1))));
      counted.order.push(capability.id);
      counted.now--;
      return allow();
    },
    DISCOVERY,
  );
  return counted;
}

test("60: of 40 policies that take their time at most 16 run at once, and with a concurrency of 1 one", async () => {
  const wide = counting();
  assert.equal((await plane(many(40), { policies: [wide.policy] }).describe()).length, 40);
  assert.equal(wide.peak, 16);
  const serial = counting();
  const defaults = { policyConcurrency: 1 };
  assert.equal((await plane(many(8), { policies: [serial.policy], defaults }).describe()).length, 8);
  assert.equal(serial.peak, 1);
});

test("60: with uneven latency the listing has the registry's order, whatever finished first", async () => {
  const uneven = counting((at) => (9 - at) * 2);
  const { describe, registry } = plane(many(10), { policies: [uneven.policy] });
  assert.equal(idsOf(await describe()), registry.ids().join());
  assert.notEqual(uneven.order.join(), registry.ids().join());
});

test("60: a policy that never answers within a small budget rejects with TIMEOUT@discovery and tells nothing", async () => {
  const forever = definePolicy("forever", never, DISCOVERY);
  for (const budget of [1, 7, 20]) {
    const defaults = { discoveryBudgetMs: budget };
    const { describe, events } = plane({ a: procedure(), b: procedure({ policies: [forever] }) }, { defaults });
    const error = await thrownBy(() => describe());
    assert.ok(error instanceof domain.CapabilityError, String(error));
    assert.deepEqual([error.code, error.stage], ["TIMEOUT", "discovery"]);
    assert.match(error.publicMessage, /budget/);
    assert.deepEqual(events, []);
    // Without a policy to ask no budget is needed.
    assert.equal(await listed(describe("direct", { scope: { ids: ["a"] } })), "a");
  }
});

test("60: an event of 300 capabilities is as large as one of 3, has one digest whatever the order, and names ids only verbosely", async () => {
  const eventOf = async (definitions, audit) => {
    const { describe, events } = plane(definitions, audit && { audit });
    await describe();
    assert.equal(events.length, 1);
    return events[0];
  };
  const few = await eventOf(many(3));
  assert.equal(few.type, "capabilities.discovered");
  assert.deepEqual(few.actor, { id: "alice", kind: "user" });
  assert.equal("executionId" in few, false);
  assert.deepEqual(Object.keys(few.data).sort(), ["count", "digest", "surface"]);
  assert.deepEqual([few.data.count, few.data.surface], [3, "direct"]);
  const lots = await eventOf(many(300));
  assert.equal(JSON.stringify(lots).length, JSON.stringify(few).length + 2);
  const reordered = await eventOf(Object.fromEntries(Object.entries(many(300)).reverse()));
  assert.equal(reordered.data.digest, lots.data.digest);
  assert.notEqual(few.data.digest, lots.data.digest);
  const verbose = await eventOf(many(3), (events) => ({ sinks: [(event) => void events.push(event)], verbose: true }));
  assert.deepEqual(verbose.data.capabilityIds, ["c0", "c1", "c2"]);
});

test("60: a listing makes no span, and a rejected one leaves the runtime as it was", async () => {
  const spans = [];
  const slow = definePolicy("slow", ({ context }) => (context.hang ? never() : allow()), DISCOVERY);
  const { describe } = plane(many(20), {
    policies: [slow],
    tracing: { startSpan: (name) => spans.push(name) },
    defaults: { discoveryBudgetMs: 10 },
  });
  assert.equal((await thrownBy(() => describe("direct", { context: { hang: true } }))).code, "TIMEOUT");
  assert.equal((await describe()).length, 20);
  assert.deepEqual(spans, []);
});
