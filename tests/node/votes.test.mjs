import assert from "node:assert/strict";
import { test } from "node:test";
import { projectStep } from "viewcap/protocol";
import { failure, makeRegistry, mounted, ready, tableBinding, tableContract } from "./support.mjs";

await ready;

const ADA = { id: "ada", kind: "embedded" };
const BOB = { id: "bob", kind: "embedded" };
const SET = "view:invoices.set";
const votes = (answer) => ({ name: "voter", onDiscovery: typeof answer === "function" ? answer : () => answer });
const onlyFor = ({ id }) => votes(({ consumer }) => ({ decision: consumer.id === id ? "expose" : "hide" }));
const actions = (registry, consumer = ADA) => registry.snapshot({ consumer }).components.flatMap((one) => one.actions);
const names = (registry, consumer) => projectStep(registry, { consumer }).descriptors.map((one) => one.canonicalId);

test("the most restrictive vote wins: hide, then the first that disables", () => {
  const seen = (...decisions) => {
    const policies = decisions.map((decision, at) => votes({ decision, reason: `r${at}` }));
    const { registry } = mounted({ policies });
    const [action] = actions(registry);
    registry.dispose();
    return action === undefined ? "hidden" : action.available ? "available" : action.unavailableReason;
  };
  assert.equal(seen("expose", "expose"), "available");
  assert.equal(seen("expose", "disable", "disable"), "r1");
  assert.equal(seen("disable", "hide"), "hidden");
  assert.equal(seen("hide", "expose"), "hidden");
});

test("whatever is no vote hides: a throw, a promise, an unknown word, an answer that cannot be read", () => {
  const answers = [
    () => {
      throw new Error("no");
    },
    async () => ({ decision: "expose" }),
    () => Promise.reject(new Error("late")),
    () => undefined,
    () => true,
    () => "expose",
    () => ({}),
    () => ({ decision: "EXPOSE" }),
    () => ({
      get decision() {
        throw new Error("no");
      },
    }),
  ];
  for (const answer of answers) {
    const { registry } = mounted({ policies: [votes(answer)] });
    assert.deepEqual(actions(registry), [], String(answer));
    registry.dispose();
  }
});

test("a disabled capability is shown unavailable with the policy's reason, clipped and well-formed", async () => {
  const shown = async (reason) => {
    const { registry, set } = mounted({ policies: [votes({ decision: "disable", reason })] });
    const [action] = actions(registry);
    assert.equal(action.available, false);
    assert.deepEqual(failure(await set({ input: {} })), {
      code: "CAPABILITY_NOT_AVAILABLE",
      reason: action.unavailableReason,
    });
    registry.dispose();
    return action.unavailableReason;
  };
  assert.equal(await shown("after five"), "after five");
  assert.equal(await shown(`${"x".repeat(299)}😀`), "x".repeat(299));
  assert.equal(await shown("a\ud800b"), "a\ufffdb");
  assert.equal(await shown(7), await shown(undefined));
});

test("each consumer sees what is exposed to it, in snapshots and in projections", () => {
  const { registry } = mounted({ policies: [onlyFor(ADA)] });
  assert.equal(actions(registry, ADA).length, 1);
  assert.equal(actions(registry, BOB).length, 0);
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(names(registry, ADA).sort(), ["view:invoices.rows", SET]);
    assert.deepEqual(names(registry, BOB), ["view:invoices.rows"]);
  }
  registry.dispose();
});

test("a component all of whose capabilities are hidden is hidden itself", () => {
  const registry = makeRegistry({ policies: [onlyFor(ADA)] });
  registry.register(tableContract().bind(tableBinding()));
  assert.equal(registry.snapshot({ consumer: ADA }).components.length, 1);
  assert.deepEqual(registry.snapshot({ consumer: BOB }).components, []);
  registry.dispose();
});

test("a hidden capability answers as one that never existed, whatever else is wrong with the call", async () => {
  const { registry, handle } = mounted({ policies: [onlyFor(ADA)], when: () => false, unavailableReason: "shut" });
  registry.register(tableContract().bind(tableBinding({ policies: [onlyFor(ADA)] }, { instanceId: "second" })));
  const call = (request) => registry.invoke({ input: {}, ...request }, { consumer: BOB });
  const never = await call({ capabilityId: "view:invoices.nothing" });
  for (const more of [{}, { instanceId: "second" }, { registrationId: handle.registrationId }, { input: [] }]) {
    const result = await call({ capabilityId: SET, ...more });
    assert.deepEqual(result.error, never.error);
  }
  assert.equal(failure(await registry.invoke({ capabilityId: SET }, { consumer: ADA })).code, "AMBIGUOUS_INSTANCE");
  registry.dispose();
});

test("an unmounted component with discovery policies, or hidden by the registry's, is not spoken of", async () => {
  const calls = async (options, action) => {
    const { registry, handle } = mounted(action, { options });
    handle.unregister();
    const answer = async (consumer) =>
      failure(await registry.invoke({ capabilityId: SET, input: {} }, { consumer })).code;
    const both = [await answer(ADA), await answer(BOB)];
    registry.dispose();
    return both;
  };
  assert.deepEqual(await calls({}, {}), ["COMPONENT_UNMOUNTED", "COMPONENT_UNMOUNTED"]);
  assert.deepEqual(await calls({}, { policies: [onlyFor(ADA)] }), ["CAPABILITY_NOT_FOUND", "CAPABILITY_NOT_FOUND"]);
  assert.deepEqual(await calls({ policies: [onlyFor(ADA)] }, {}), ["COMPONENT_UNMOUNTED", "CAPABILITY_NOT_FOUND"]);
  const authorizing = { ...onlyFor(ADA), onAuthorize: (ctx, next) => next() };
  assert.deepEqual(await calls({ policies: [authorizing] }, {}), ["COMPONENT_UNMOUNTED", "CAPABILITY_NOT_FOUND"]);
});

test("the registry's policies are told what they may know of a capability that is gone: its contract, and no registration", async () => {
  let told;
  const policies = [votes((ctx) => ((told = ctx), { decision: "expose" }))];
  const { registry, handle } = mounted({}, { contract: { effect: "navigation" }, options: { policies } });
  handle.unregister();
  await registry.invoke({ capabilityId: SET, input: {} }, { consumer: ADA });
  const { capabilityId, kind, effect, componentType, consumer } = told;
  assert.deepEqual(
    { capabilityId, kind, effect, componentType },
    { capabilityId: SET, kind: "action", effect: "navigation", componentType: "invoices" },
  );
  assert.deepEqual(consumer, ADA);
  assert.ok(!("registrationId" in told) && !("internal" in told));
  registry.dispose();
});

test("a policy that also authorizes hides at discovery and answers a call with its own code", async () => {
  const policy = { ...onlyFor(ADA), onAuthorize: () => undefined };
  const { registry, set } = mounted({ policies: [policy] });
  assert.equal(actions(registry, BOB).length, 0);
  assert.equal(failure(await set({ input: {} }, { consumer: BOB })).code, "NOT_AUTHORIZED");
  registry.dispose();
});

test("a vote that changes while a call waits in the queue is the one that counts", async () => {
  let decision = "expose";
  let release;
  let ran = 0;
  const { registry, set } = mounted({
    policies: [votes(() => ({ decision }))],
    execute: () => (++ran === 1 ? new Promise((resolve) => (release = resolve)) : undefined),
  });
  const first = set({ input: {} });
  const second = set({ input: {} });
  decision = "hide";
  release();
  assert.equal((await first).status, "ok");
  assert.equal(failure(await second).code, "CAPABILITY_NOT_FOUND");
  assert.equal(ran, 1);
  registry.dispose();
});

test("the registry's context is read once for a snapshot, a projection and a call", async () => {
  let reads = 0;
  const context = () => ({ reads: ++reads });
  const policies = [votes(({ host }) => ({ decision: host.reads > 0 ? "expose" : "hide" }))];
  const { registry, set } = mounted({}, { options: { context, policies } });
  registry.snapshot();
  assert.equal(reads, 1);
  projectStep(registry, { consumer: ADA });
  assert.equal(reads, 2);
  reads = 0;
  await set({ input: {} });
  assert.ok(reads <= 2, String(reads));
  registry.dispose();
});

test("a context that throws hides from the policies that look at it, and from no other", () => {
  const context = () => {
    throw new Error("no session");
  };
  const looks = votes(({ host }) => ({ decision: host ? "expose" : "expose" }));
  const blind = votes({ decision: "expose" });
  for (const [policy, count] of [
    [looks, 0],
    [blind, 1],
  ]) {
    const { registry } = mounted({ policies: [policy] }, { options: { context } });
    assert.equal(actions(registry).length, count);
    registry.dispose();
  }
});

test("a policy that looks at the surface while it votes sees nothing that is voted on, and never starts over", async () => {
  let registry;
  const inner = [];
  let answer;
  const policy = votes(() => {
    inner.push(registry.snapshot().components.length, projectStep(registry, { consumer: ADA }).descriptors.length);
    answer ??= registry.invoke({ capabilityId: SET, input: {} });
    return { decision: "expose" };
  });
  registry = makeRegistry({ policies: [policy] });
  registry.register(tableContract().bind(tableBinding()));
  assert.equal(registry.snapshot().components.length, 1);
  assert.deepEqual(inner, [0, 0, 0, 0]);
  assert.equal(failure(await answer).code, "CAPABILITY_NOT_FOUND");
  assert.equal(projectStep(registry, { consumer: ADA }).descriptors.length, 2);
  registry.dispose();
});

test("what a policy registers while it votes is voted on too; without end, the last are hidden", () => {
  let left = 1;
  let count = 0;
  let registry;
  const register = () => registry.register(tableContract({}, { type: `t${count++}` }).bind(tableBinding()));
  const policy = votes(({ componentType }) => {
    if (left-- > 0) register();
    return { decision: componentType === "t0" ? "expose" : "hide" };
  });
  registry = makeRegistry({ policies: [policy] });
  register();
  assert.deepEqual(
    registry.snapshot().components.map(({ type }) => type),
    ["t0"],
  );
  left = Infinity;
  assert.equal(registry.snapshot().components.length, 1);
  assert.ok(count < 1000, String(count));
  registry.dispose();
});

test("a policy that unmounts or disposes while it votes breaks nothing", () => {
  const { registry, handle } = mounted({ policies: [votes(() => (handle.unregister(), { decision: "expose" }))] });
  assert.deepEqual(registry.snapshot().components, []);
  registry.dispose();
  const other = mounted({ policies: [votes(() => (other.registry.dispose(), { decision: "expose" }))] });
  assert.throws(() => other.registry.snapshot(), { name: "AgentSurfaceDefectError" });
});

test("a route that mounts a component mounts it before the vote", () => {
  let registry;
  const policies = [votes({ decision: "hide" })];
  const route = () => {
    registry.register(tableContract({}, { type: "late" }).bind(tableBinding()));
    return "/";
  };
  registry = makeRegistry({ policies, route });
  assert.deepEqual(registry.snapshot().components, []);
  registry.dispose();
});

test("a consumer that is none is refused by snapshots and projections", () => {
  const { registry } = mounted();
  for (const consumer of [7, null, {}, { id: 7, kind: "test" }, { id: "x".repeat(129), kind: "test" }]) {
    assert.throws(() => registry.snapshot({ consumer }), { code: "INVALID_DEFINITION" });
    assert.throws(() => projectStep(registry, { consumer }), { code: "INVALID_DEFINITION" });
  }
  for (const wrong of [
    { id: "a\ud800", kind: "test" },
    { id: "a", kind: "agent" },
    { ...ADA, grants: "all" },
  ]) {
    assert.throws(() => registry.snapshot({ consumer: wrong }), { code: "INVALID_DEFINITION" });
  }
  registry.dispose();
});
