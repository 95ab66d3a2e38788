import assert from "node:assert/strict";
import { test } from "node:test";
import { failure, makeRegistry, mounted, ready, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const NONE = { name: "none" };
const around = (name, log, hook = "onAuthorize") => ({
  name,
  [hook]: async (ctx, next) => {
    log.push(`${name} in`);
    await next();
    log.push(`${name} out`);
  },
});

test("policies of the registry, the contract, the binding and the capability are asked in that order, and end in reverse", async () => {
  const log = [];
  const registry = makeRegistry({ policies: [around("registry", log)] });
  const contract = tableContract({}, { policies: [around("contract", log)] });
  registry.register(
    contract.bind(tableBinding({ policies: [around("own", log)] }, { policies: [around("binding", log)] })),
  );
  const result = await registry.invoke({ capabilityId: "view:invoices.set", input: {} });
  assert.equal(result.status, "ok");
  await null;
  assert.deepEqual(log, [
    ...["registry in", "contract in", "binding in", "own in"],
    ...["own out", "binding out", "contract out", "registry out"],
  ]);
  registry.dispose();
});

test("a policy of one capability has no say in another", async () => {
  const log = [];
  const { registry, rows, set } = mounted({ policies: [around("own", log)] });
  assert.equal((await rows()).status, "ok");
  assert.deepEqual(log, []);
  assert.equal((await set({ input: {} })).status, "ok");
  assert.equal(log[0], "own in");
  registry.dispose();
});

test("the expanded form takes policies of the component and of each capability", async () => {
  const log = [];
  const registry = makeRegistry();
  const bound = tableContract({}, { policies: [around("contract", log)] }).bind(
    tableBinding({ policies: [around("own", log)] }, { policies: [around("binding", log)] }),
  );
  registry.register({ ...bound, instanceId: "copy" });
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set", input: {} })).status, "ok");
  assert.deepEqual(log.slice(0, 3), ["contract in", "binding in", "own in"]);
  registry.dispose();
});

test("policies are no part of a contract: the same text with other policies is the same contract, and each keeps its own", async () => {
  const log = [];
  const registry = makeRegistry();
  for (const instanceId of ["a", "b"]) {
    const contract = tableContract({}, { policies: [around(instanceId, log)] });
    registry.register(contract.bind(tableBinding({}, { instanceId })));
  }
  await registry.invoke({ capabilityId: "view:invoices.set", instanceId: "b", input: {} });
  assert.deepEqual(log, ["b in", "b out"]);
  assert.ok(!JSON.stringify(registry.snapshot()).includes("polic"));
  registry.dispose();
});

test("what a policy is told is frozen and complete", async () => {
  const told = [];
  const clock = { at: 4711 };
  const registry = makeRegistry({ context: () => ({ user: "ada" }), now: () => clock.at });
  const contract = tableContract(
    { effect: "navigation", meta: { risk: 2 }, tags: ["own"] },
    { meta: { risk: 1, area: "money" }, tags: ["all"] },
  );
  const internal = { secret: true };
  const policy = {
    name: "spy",
    onDiscovery: (ctx) => (told.push(ctx), { decision: "expose" }),
    onAuthorize: (ctx, next) => (told.push(ctx), next()),
    onInvoke: (ctx, next) => (told.push(ctx), next()),
  };
  const handle = registry.register(
    contract.bind(tableBinding({ policies: [policy] }, { instanceId: "left", internal })),
  );
  registry.snapshot({ consumer: { id: "c", kind: "test", grants: ["g"] } });
  await registry.invoke(
    { capabilityId: "view:invoices.set", invocationId: "i1", input: { page: 1 } },
    { consumer: { id: "c", kind: "test", grants: ["g"] } },
  );
  assert.equal(told.length, 3);
  for (const ctx of told) {
    assert.ok(Object.isFrozen(ctx) && Object.isFrozen(ctx.host) && Object.isFrozen(ctx.consumer));
    const { capabilityId, registrationId, componentType, instanceId, plane, kind, effect, confirmation } = ctx;
    assert.deepEqual(
      { capabilityId, registrationId, componentType, instanceId, plane, kind, effect, confirmation },
      {
        capabilityId: "view:invoices.set",
        registrationId: handle.registrationId,
        componentType: "invoices",
        instanceId: "left",
        plane: "view",
        kind: "action",
        effect: "navigation",
        confirmation: "never",
      },
    );
    assert.deepEqual(ctx.meta, { risk: 2, area: "money" });
    assert.deepEqual(ctx.tags, ["all", "own"]);
    assert.deepEqual(ctx.host, { user: "ada" });
    assert.deepEqual(ctx.consumer, { id: "c", kind: "test", grants: ["g"] });
    assert.equal(ctx.internal, internal);
    assert.equal(ctx.environment, "test");
    assert.equal(ctx.now(), 4711);
  }
  const [discovery, authorize, invoke] = told;
  for (const ctx of [discovery, authorize]) assert.ok(!("invocationId" in ctx) && !("effectiveInput" in ctx));
  assert.equal(invoke.invocationId, "i1");
  assert.deepEqual(invoke.effectiveInput, { page: 1 });
  assert.ok(Object.isFrozen(invoke.effectiveInput));
  registry.dispose();
});

test("the policy is the `this` of its hooks, and what its author changes later changes nothing", async () => {
  const policy = {
    name: "self",
    onAuthorize(ctx, next) {
      assert.equal(this, policy);
      return next();
    },
  };
  const { registry, set } = mounted({ policies: [policy] });
  policy.onAuthorize = () => assert.fail("not this one");
  assert.equal((await set({ input: {} })).status, "ok");
  registry.dispose();
});

test("what is no policy is refused where it is attached, by a message that names the place", () => {
  const bad = [
    [null, /policies\[0\] is no policy/],
    [() => true, /policies\[0\] is no policy/],
    [{}, /policies\[0\] has no name/],
    [{ name: "" }, /has no name/],
    [{ name: "p", onDiscovery: true }, /"p"\): onDiscovery must be a function/],
    [{ name: "p", onAuthorise: () => true }, /"p"\): "onAuthorise" is unknown/],
  ];
  const registry = makeRegistry();
  for (const [policy, message] of bad) {
    const policies = [policy];
    const mount = (contract, binding) => () => registry.register(tableContract({}, contract).bind(binding));
    const refused = (run, place) =>
      assert.throws(run, (error) => {
        assert.equal(error.code, "INVALID_DEFINITION");
        assert.match(error.message, message);
        assert.ok(error.message.includes(place), error.message);
        return true;
      });
    refused(() => makeRegistry({ policies }), 'option "policies"');
    refused(mount({ policies }, tableBinding()), 'component "invoices", contract');
    refused(mount({}, tableBinding({}, { policies })), 'component "invoices"');
    refused(mount({}, tableBinding({ policies })), 'component "invoices", action "set"');
  }
  assert.throws(() => makeRegistry({ policies: NONE }), { code: "INVALID_DEFINITION", message: /policies are a list/ });
  const hostile = new Proxy([], {
    get: () => {
      throw new Error("no");
    },
  });
  assert.throws(() => makeRegistry({ policies: hostile }), {
    code: "INVALID_DEFINITION",
    message: /could not be read/,
  });
  registry.dispose();
});

test("policies of one capability belong to its binding: a contract that has them is refused", () => {
  const registry = makeRegistry();
  const contract = tableContract({ policies: [NONE] });
  assert.throws(() => registry.register(contract.bind(tableBinding())), {
    code: "INVALID_DEFINITION",
    message: /action "set": policies have no place in a capability's contract/,
  });
  registry.dispose();
});

test("a policy without hooks, an empty list and undefined govern nothing", async () => {
  const registry = makeRegistry({ policies: [] });
  registry.register(
    tableContract({}, { policies: [NONE] }).bind(tableBinding({ policies: undefined }, { policies: [] })),
  );
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set", input: {} })).status, "ok");
  registry.dispose();
});

test("a policy that refuses with an error of its own answers the call; the handler never runs", async () => {
  const refusal = (code, details) => ({
    name: "no",
    onAuthorize: () => {
      throw new viewcap.AgentSurfaceError({ code, message: "no", retry: "no", details });
    },
  });
  let ran = 0;
  const call = async (policy) => {
    const { registry, set } = mounted({ policies: [policy], execute: () => void ran++ });
    const result = await set({ input: {} });
    registry.dispose();
    return failure(result);
  };
  assert.deepEqual(await call(refusal("NOT_AUTHORIZED", { origin: "client" })), {
    code: "NOT_AUTHORIZED",
    origin: "client",
  });
  assert.deepEqual(await call(refusal("STALE_CAPABILITY", { reason: "surface-reloaded" })), {
    code: "EXECUTION_FAILED",
    reason: "policy-error",
  });
  assert.deepEqual(await call({ name: "silent", onAuthorize: () => "ok" }), {
    code: "NOT_AUTHORIZED",
    origin: "client",
  });
  assert.equal(ran, 0);
});

test("what policies keep of a component is given back when it unmounts", async () => {
  const policy = { name: "p", onDiscovery: () => ({ decision: "hide" }) };
  const { registry, handle } = mounted({ policies: [policy] });
  assert.equal(registry.snapshot().components[0].actions.length, 0);
  handle.unregister();
  const other = registry.register(tableContract().bind(tableBinding()));
  assert.equal(registry.snapshot().components[0].actions.length, 1);
  other.unregister();
  registry.dispose();
});
