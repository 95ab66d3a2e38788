import assert from "node:assert/strict";
import { test } from "node:test";
import { explainSurface } from "viewcap/explain";
import { makeRegistry, mounted, ready, schema, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const says = (decision, name = decision, reason = undefined) => ({
  name,
  onDiscovery: () => (reason === undefined ? { decision } : { decision, reason }),
});
const throws = {
  name: "broken",
  onDiscovery: () => {
    throw new Error("no");
  },
};
const find = (registry, id, context = undefined) =>
  explainSurface(registry, context).capabilities.find(({ capabilityId }) => capabilityId === id);

/** Outcome and reason by registration and capability, as a snapshot shows them. */
function shown(snapshot) {
  const seen = new Map();
  for (const { registrationId, observations, actions } of snapshot.components) {
    for (const one of [...observations, ...actions]) {
      seen.set(
        `${registrationId} ${one.capabilityId}`,
        `${one.available ? "available" : "unavailable"} ${one.unavailableReason ?? ""}`,
      );
    }
  }
  return seen;
}

function mulberry(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function randomSurface(random) {
  const pick = (...choices) => choices[Math.floor(random() * choices.length)];
  const policies = () =>
    Array.from({ length: pick(0, 0, 1, 2) }, () =>
      pick(says("expose"), says("expose"), says("disable", "closes", pick(undefined, "closed")), says("hide"), throws, {
        name: "late",
        onDiscovery: async () => ({ decision: "expose" }),
        onAuthorize: (ctx, next) => next(),
      }),
    );
  const registry = makeRegistry({ policies: random() < 0.3 ? policies() : [] });
  for (let at = 0; at < 4; at++) {
    const gate = () =>
      pick({}, { when: () => true }, { when: () => false, unavailableReason: pick("shut", undefined) });
    const contract = tableContract({}, { type: `t${at}`, policies: policies() });
    const handle = registry.register(
      contract.bind({
        enabled: random() < 0.85,
        policies: policies(),
        observations: { rows: { read: () => [], policies: policies(), ...gate() } },
        actions: { set: { execute: () => undefined, policies: policies(), ...gate() } },
      }),
    );
    if (random() < 0.3)
      handle.update({ availability: { set: pick({ available: false, reason: "busy" }, { available: true }) } });
    if (random() < 0.2) handle.update({ enabled: random() < 0.5 });
  }
  return registry;
}

test("the outcome of every capability is what a snapshot shows, over random surfaces", () => {
  const random = mulberry(20_261_201);
  const met = new Set();
  for (let round = 0; round < 300; round++) {
    const registry = randomSurface(random);
    const seen = shown(registry.snapshot());
    const { capabilities } = explainSurface(registry);
    assert.equal(capabilities.length, 8);
    for (const { registrationId, capabilityId, outcome, reason, causes } of capabilities) {
      const expected = seen.get(`${registrationId} ${capabilityId}`) ?? "hidden ";
      assert.equal(`${outcome} ${reason ?? ""}`, expected);
      assert.equal(causes.length === 0, outcome === "available", JSON.stringify(causes));
      for (const { by } of causes) met.add(`${outcome} ${by}`);
    }
    registry.dispose();
  }
  for (const by of ["component-disabled", "override", "when", "policy"]) assert.ok(met.has(`unavailable ${by}`), by);
  assert.ok(met.has("hidden policy"));
});

test("each policy's own vote is told with its level and in its order, also after one that hides", () => {
  const contract = tableContract({}, { policies: [says("hide", "c1")] });
  const registry = makeRegistry({ policies: [says("expose", "r1"), { name: "no voter" }] });
  registry.register(
    contract.bind(
      tableBinding({ policies: [says("disable", "a1", "not now"), throws] }, { policies: [says("disable", "c2")] }),
    ),
  );
  const { votes, outcome } = find(registry, "view:invoices.set");
  assert.equal(outcome, "hidden");
  assert.deepEqual(votes, [
    { policy: "r1", level: "registry", decision: "expose" },
    { policy: "c1", level: "component", decision: "hide" },
    { policy: "c2", level: "component", decision: "disable" },
    { policy: "a1", level: "capability", decision: "disable", reason: "not now" },
    { policy: "broken", level: "capability", decision: "hide", threw: true },
  ]);
  registry.dispose();
});

test("all causes are told in the order in which they count; the first gives the reason", () => {
  const { registry, handle } = mounted(
    { when: () => false, unavailableReason: "shut", policies: [says("disable", "p", "closed")] },
    { fields: { enabled: false } },
  );
  handle.update({ availability: { set: { available: false, reason: "busy" } } });
  const all = find(registry, "view:invoices.set");
  assert.deepEqual(all.causes, [
    { by: "component-disabled" },
    { by: "override", reason: "busy" },
    { by: "when", reason: "shut" },
    { by: "policy", policy: "p", reason: "closed" },
  ]);
  assert.equal(all.reason, "component-disabled");
  handle.update({ enabled: true, availability: { set: null } });
  const fewer = find(registry, "view:invoices.set");
  assert.deepEqual(
    fewer.causes.map(({ by }) => by),
    ["when", "policy"],
  );
  assert.equal(fewer.reason, "shut");
  registry.dispose();
});

test("it is asked for one consumer, and a consumer that is none is an author's mistake", () => {
  const onlyAda = {
    name: "ada",
    onDiscovery: ({ consumer }) => ({ decision: consumer.id === "ada" ? "expose" : "hide" }),
  };
  const { registry } = mounted({ policies: [onlyAda] });
  const ada = { id: "ada", kind: "embedded" };
  assert.equal(find(registry, "view:invoices.set", { consumer: ada }).outcome, "available");
  assert.equal(find(registry, "view:invoices.set").outcome, "hidden");
  assert.throws(() => explainSurface(registry, { consumer: { id: 7, kind: "embedded" } }), {
    code: "INVALID_DEFINITION",
  });
  registry.dispose();
});

test("an explanation is frozen, and a registry of somebody else's is refused", () => {
  const { registry } = mounted();
  const explanation = explainSurface(registry);
  assert.ok(Object.isFrozen(explanation) && Object.isFrozen(explanation.capabilities));
  assert.ok(explanation.capabilities.every((one) => Object.isFrozen(one) && Object.isFrozen(one.causes)));
  assert.throws(() => explainSurface({}), { name: "AgentSurfaceDefectError" });
  registry.dispose();
});

test("what serves an agent has no way to an explanation: neither the package's root nor its protocol has one", async () => {
  const protocol = await import("viewcap/protocol");
  assert.ok(!("explainSurface" in viewcap) && !("explainSurface" in protocol));
});

const approve = viewcap.defineAgentProcedureContract({
  id: "domain:invoices.approve",
  description: "Approve one invoice.",
  input: schema({ type: "object", properties: { id: { type: "integer" } }, additionalProperties: false }),
  effect: "server-mutation",
});

test("a reference to a procedure is explained with its owner's policies", () => {
  const registry = makeRegistry({ policies: [says("expose", "r")] });
  const owner = registry.register(tableContract({}, { policies: [says("expose", "c")] }).bind(tableBinding()));
  const config = { owner, bind: () => ({ id: 1 }), policies: [says("disable", "own", "closed")] };
  registry.registerProcedure(approve, { path: "invoices.approve" }, config);
  const one = find(registry, "domain:invoices.approve");
  assert.deepEqual([one.kind, one.effect, one.componentType], ["procedure", "server-mutation", "invoices"]);
  assert.deepEqual(
    one.votes.map(({ policy, level }) => [policy, level]),
    [
      ["r", "registry"],
      ["c", "component"],
      ["own", "capability"],
    ],
  );
  assert.deepEqual([one.outcome, one.reason], ["unavailable", "closed"]);
  assert.equal(registry.snapshot().procedures[0].unavailableReason, "closed");
  registry.dispose();
});

test("a binding that has not worked yet is a cause of its own", () => {
  const registry = makeRegistry();
  const bind = () => {
    throw new Error("nothing selected");
  };
  registry.registerProcedure(approve, { path: "invoices.approve" }, { bind });
  const { outcome, reason, causes } = find(registry, "domain:invoices.approve");
  assert.deepEqual([outcome, reason], ["unavailable", registry.snapshot().procedures[0].unavailableReason]);
  assert.deepEqual(causes, [{ by: "binding", reason: "binding-error" }]);
  registry.dispose();
});
