// The decisions that sharpen the model (spec: domain.md §0), 1 to 11; each test names its decision.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { answering, bob, codeOf, domain, GATED, handClock, outward, plane, procedure } from "./support/domain.mjs";

const { allow, createAgentRuntime, createCapabilityRegistry, createInMemoryApprovalCoordinator, defineGovernance } =
  domain;
const { definePolicy, deny, requireApproval } = domain;

test("decision 1: the validated value executes, on a fresh run and on a resume", async () => {
  const input = z.object({ n: z.number().default(7) });
  const seen = [];
  const handler = ({ input: value }) => seen.push(value);
  const { invoke, approve, resume } = plane({
    a: procedure({}, handler, { input }),
    b: procedure(GATED, handler, { input }),
  });
  const given = { other: "stripped" };
  await invoke("a", given);
  const { approval } = await invoke("b", given);
  assert.deepEqual(approval.input, { n: 7 });
  await approve(approval.id);
  assert.equal((await resume(approval.id)).status, "completed");
  assert.deepEqual(seen, [{ n: 7 }, { n: 7 }]);
});

test("decision 1: a schema that reproduces another value at the resume is APPROVAL_INPUT_MISMATCH and consumes nothing", async () => {
  // 5 becomes 6 before the approval, and would become 7 after it.
  const input = z.object({ n: z.number().transform((n) => n + 1) });
  const { invoke, approve, resume, runtime } = plane({ a: procedure(GATED, assert.fail, { input }) });
  const { approval } = await invoke("a", { n: 5 });
  assert.deepEqual(approval.input, { n: 6 });
  await approve(approval.id);
  const result = await resume(approval.id);
  assert.equal(codeOf(result), "failed APPROVAL_INPUT_MISMATCH@approval");
  assert.equal((await runtime.approvals.get(approval.id)).status, "approved");
});

test("decision 1: neither the caller nor a policy can change what runs after it was validated", async () => {
  const seen = [];
  const given = { lines: [{ amount: 1 }] };
  const meddling = definePolicy("meddling", ({ input }) => {
    assert.throws(() => (input.lines[0].amount = 1_000), TypeError);
    given.lines[0].amount = 1_000;
    return allow();
  });
  const { invoke } = plane({ a: procedure({}, ({ input }) => seen.push(input)) }, { policies: [meddling] });
  await invoke("a", given);
  assert.deepEqual(seen, [{ lines: [{ amount: 1 }] }]);
});

test("decision 2: an exception in any stage is an envelope with its private cause, and never a rejection", async () => {
  const boom = new Error("SECRET");
  const explode = () => {
    throw boom;
  };
  const schema = (validate) => ({ "~standard": { version: 1, vendor: "boom", validate } });
  const rejecting = () => Promise.reject(boom);
  const stages = {
    input: procedure({}, assert.fail, { input: schema(explode) }),
    inputLater: procedure({}, assert.fail, { input: schema(rejecting) }),
    inputGarbage: procedure({}, assert.fail, { input: schema(() => 5) }),
    output: procedure({}, () => 1, { output: schema(explode) }),
    outputLater: procedure({}, () => 1, { output: schema(rejecting) }),
    context: procedure(),
  };
  const { invoke, events } = plane(stages);
  for (const id of Object.keys(stages)) {
    const context = id === "context" ? Object.defineProperty({}, "db", { enumerable: true, get: explode }) : {};
    const result = await invoke(id, {}, { context });
    assert.equal(codeOf(result), "failed INTERNAL_ERROR@execution", id);
    assert.equal(outward(result).message, "The operation failed.");
    if (id !== "inputGarbage") assert.equal(result.error.cause, boom, id);
    assert.equal(events.at(-1).type, "capability.failed");
    assert.equal(events.at(-1).data.code, "INTERNAL_ERROR");
  }
  assert.ok(!JSON.stringify(events).includes("SECRET"));
});

test("decision 3: a resume checks exposure on the record's surface before it consumes; a withdrawn one conceals", async () => {
  const coordinator = createInMemoryApprovalCoordinator();
  const first = plane(
    { a: procedure({ ...GATED, expose: { mcp: true, direct: true } }) },
    { approvals: { coordinator } },
  );
  const { approval } = await first.invoke("a", {}, { surface: "mcp" });
  await first.approve(approval.id);
  const second = plane({ a: procedure(GATED, assert.fail) }, { approvals: { coordinator } });
  const result = await second.resume(approval.id);
  assert.equal(codeOf(result), "failed CAPABILITY_NOT_FOUND@discovery");
  assert.deepEqual(second.event("denied").data, { reason: "not-exposed", publicCode: "CAPABILITY_NOT_FOUND" });
  assert.equal((await coordinator.get(approval.id)).status, "approved");
  assert.equal((await first.resume(approval.id)).status, "completed");
});

test("decision 4: a pre-aborted call makes no approval record, asks no handler and emits no started", async () => {
  const signal = AbortSignal.abort();
  const { invoke, types, runtime } = plane({ a: procedure(GATED, assert.fail), b: procedure({}, assert.fail) });
  assert.equal(codeOf(await invoke("a", {}, { signal })), "cancelled CANCELLED@cancellation");
  assert.equal(codeOf(await invoke("b", {}, { signal })), "cancelled CANCELLED@cancellation");
  assert.deepEqual(types(), ["requested", "cancelled", "requested", "cancelled"]);
  assert.deepEqual(await runtime.approvals.list(), []);
  const inline = plane({ a: procedure(GATED) }, { approvals: { handler: assert.fail } });
  assert.equal((await inline.invoke("a", {}, { signal })).status, "cancelled");
});

test("decision 4: a token that is aborted while policies run is looked at before the gate and before the start", async () => {
  for (const meta of [GATED, {}]) {
    const controller = new AbortController();
    const abort = definePolicy("abort", async () => (controller.abort(), allow()));
    const { invoke, types, runtime } = plane({ a: procedure(meta, assert.fail) }, { policies: [abort] });
    assert.equal(codeOf(await invoke("a", {}, { signal: controller.signal })), "cancelled CANCELLED@cancellation");
    assert.deepEqual(types(), ["requested", "cancelled"]);
    assert.deepEqual(await runtime.approvals.list(), []);
  }
});

test("decision 4: a resume whose caller is gone does not burn the approval", async () => {
  const { invoke, approve, resume } = plane({ a: procedure(GATED) });
  const { approval } = await invoke("a", {});
  await approve(approval.id);
  const gone = await resume(approval.id, { signal: AbortSignal.abort() });
  assert.equal(codeOf(gone), "cancelled CANCELLED@cancellation");
  assert.equal((await resume(approval.id)).status, "completed");
});

test("decision 5: a merged approval lives as long as the shortest that was given, the static one included", async () => {
  const ask = (expiresInMs) => answering("ask", requireApproval({ reason: "r", expiresInMs })).policy;
  const lifetime = async (own, policies, defaults = {}) => {
    const approval = { required: true, ...(own && { expiresInMs: own }) };
    const { invoke } = plane({ a: procedure({ ...GATED, approval }) }, { policies, defaults });
    const { approval: made } = await invoke("a", {});
    return made.expiresAt - made.requestedAt;
  };
  assert.equal(await lifetime(10_000, [ask(60_000), ask(30_000)]), 10_000);
  assert.equal(await lifetime(90_000, [ask(60_000), ask(30_000)]), 30_000);
  assert.equal(await lifetime(undefined, [ask(2_000_000)]), 2_000_000);
  assert.equal(await lifetime(undefined, [ask(undefined)]), 900_000);
  assert.equal(await lifetime(undefined, [], { approvalExpiresInMs: 5_000 }), 5_000);
});

test("decision 5: a lifetime that is not positive, or no number, is a policy failure", async () => {
  for (const expiresInMs of [0, -1, NaN, Infinity, "60", null, 5n, {}]) {
    const decision = { type: "require-approval", reason: "r", expiresInMs };
    const { invoke, runtime } = plane({ a: procedure() }, { policies: [answering("ask", decision).policy] });
    assert.equal(codeOf(await invoke("a", {})), "failed POLICY_FAILED@policy", String(expiresInMs));
    assert.deepEqual(await runtime.approvals.list(), []);
  }
});

test("decision 6: a failure outranks a deny, whichever comes first", async () => {
  const broken = definePolicy("broken", () => 5);
  const no = answering("no", deny("NO", "denied")).policy;
  for (const policies of [
    [broken, no],
    [no, broken],
  ]) {
    const { invoke, event } = plane({ a: procedure() }, { policies });
    assert.equal(codeOf(await invoke("a", {})), "failed POLICY_FAILED@policy");
    assert.equal(event("denied").data.reason, "policy-failed");
  }
});

test("decision 6: after a policy timed out the batch stops and the rest is recorded as error", async () => {
  const policies = [
    answering("first", deny()).policy,
    definePolicy("slow", () => new Promise(() => undefined)),
    answering("third", allow()).policy,
    answering("fourth", deny()).policy,
  ];
  const { invoke, event } = plane({ a: procedure() }, { policies, defaults: { policyTimeoutMs: 5 } });
  assert.equal(codeOf(await invoke("a", {})), "failed POLICY_FAILED@policy");
  assert.deepEqual(
    event("denied").data.policyDecisions.map(({ type }) => type),
    ["deny", "error", "error", "error"],
  );
});

test("decision 7: approval_requested is told after the record is stored, inline before asking", async () => {
  const order = [];
  const inner = createInMemoryApprovalCoordinator();
  const coordinator = { ...methods(inner), create: async (request) => (order.push("stored"), inner.create(request)) };
  const audit = () => (event) => {
    if (event.type === "capability.approval_requested") order.push("told");
  };
  await plane({ a: procedure(GATED) }, { approvals: { coordinator }, audit }).invoke("a", {});
  assert.deepEqual(order.splice(0), ["stored", "told"]);
  const handler = () => void order.push("asked");
  await plane({ a: procedure(GATED) }, { approvals: { coordinator, handler }, audit }).invoke("a", {});
  assert.deepEqual(order, ["told", "asked", "stored"]);
});

test("decision 7: a store that fails is INTERNAL_ERROR@approval, and no request is told", async () => {
  for (const create of [
    async () => Promise.reject(new Error("SECRET")),
    () => undefined,
    async () => null,
    () => ({}),
  ]) {
    const coordinator = { ...methods(createInMemoryApprovalCoordinator()), create };
    const { invoke, types, events } = plane({ a: procedure(GATED) }, { approvals: { coordinator } });
    assert.equal(codeOf(await invoke("a", {})), "failed INTERNAL_ERROR@approval");
    assert.deepEqual(types(), ["requested", "failed"]);
    assert.ok(!JSON.stringify(events).includes("SECRET"));
  }
});

const methods = (inner) => ({
  create: (request) => inner.create(request),
  get: (id) => inner.get(id),
  decide: (id, decision) => inner.decide(id, decision),
  markConsumed: (id, executionId) => inner.markConsumed(id, executionId),
});

test("decision 8: the actor of an approval decision's event is the approver, stored or inline", async () => {
  const stored = plane({ a: procedure(GATED) });
  const { approval } = await stored.invoke("a", {});
  await stored.approve(approval.id);
  assert.deepEqual(stored.event("approved").actor, { id: "bob", kind: "user" });
  for (const status of ["approved", "rejected"]) {
    const approver = { ...bob, displayName: "SECRET" };
    const inline = plane({ a: procedure(GATED) }, { approvals: { handler: () => ({ status, approver }) } });
    const { executionId } = await inline.invoke("a", {});
    assert.deepEqual(inline.event(status).actor, { id: "bob", kind: "user" });
    assert.equal(inline.event(status).executionId, executionId);
    assert.deepEqual(inline.event("requested").actor, { id: "alice", kind: "user" });
  }
});

test("decision 9: a denial at stage 9 after consumption burns the approval", async () => {
  let decision = deny();
  const late = definePolicy("late", () => decision, { phases: ["execution"] });
  const { invoke, approve, resume, runtime } = plane({ a: procedure(GATED) }, { policies: [late] });
  const { approval } = await invoke("a", {});
  await approve(approval.id);
  assert.equal(codeOf(await resume(approval.id)), "failed POLICY_DENIED@policy");
  assert.equal((await runtime.approvals.get(approval.id)).status, "consumed");
  decision = allow();
  assert.equal(codeOf(await resume(approval.id)), "failed APPROVAL_CONSUMED@approval");
});

test("decision 10: a registry keeps true insertion order, also for keys that look like integers, from a Map or pairs", async () => {
  const keys = ["b", "10", "2", "a", "1"];
  const pairs = keys.map((key) => [key, procedure()]);
  for (const definitions of [new Map(pairs), pairs]) {
    const { registry, describe } = plane(definitions);
    assert.deepEqual(registry.ids(), keys);
    assert.deepEqual(
      (await describe()).map(({ id }) => id),
      keys,
    );
    assert.deepEqual(registry.filter(({ id }) => id !== "10").ids(), ["b", "2", "a", "1"]);
  }
});

test("decision 11: numeric options are finite and positive, and a concurrency is whole", () => {
  const governance = defineGovernance({ registry: createCapabilityRegistry({ a: procedure() }) });
  const names = ["timeoutMs", "policyTimeoutMs", "policyConcurrency", "discoveryBudgetMs", "approvalExpiresInMs"];
  for (const name of names) {
    for (const value of [NaN, Infinity, -Infinity, 0, -1, "5", null, 5n, {}, true]) {
      const make = () => createAgentRuntime({ governance, defaults: { [name]: value } });
      assert.throws(
        make,
        (error) => error instanceof TypeError && error.message.includes(name),
        `${name} ${String(value)}`,
      );
    }
    createAgentRuntime({ governance, defaults: { [name]: undefined } });
    createAgentRuntime({ governance, defaults: { [name]: 1 } });
  }
  assert.throws(() => createAgentRuntime({ governance, defaults: { policyConcurrency: 1.5 } }), TypeError);
  createAgentRuntime({ governance, defaults: { timeoutMs: 0.5 } });
  for (const defaults of [null, 5, [], "x"])
    assert.throws(() => createAgentRuntime({ governance, defaults }), TypeError);
});

test("decision 11: strict audit without a sink, and a hand-made policy without valid phases, are refused", () => {
  const registry = createCapabilityRegistry({ a: procedure() });
  const governance = defineGovernance({ registry });
  assert.throws(() => createAgentRuntime({ governance, audit: { sinks: [], strict: true } }), TypeError);
  createAgentRuntime({ governance, audit: { sinks: [() => undefined], strict: true } });
  const evaluate = () => allow();
  for (const phases of [undefined, null, "invocation", ["late"], [undefined], {}]) {
    const policy = { name: "hand-made", evaluate, phases };
    assert.throws(() => defineGovernance({ registry, policies: [policy] }), TypeError, String(phases));
    // Nor past defineGovernance.
    const forged = { registry, manifest: [], policies: [policy] };
    assert.throws(() => createAgentRuntime({ governance: forged }), TypeError, String(phases));
  }
  const clock = handClock();
  assert.throws(() => createAgentRuntime({ governance, now: clock.time }), TypeError);
});

test("decision 11: an option of the wrong kind is a type error and not a default", () => {
  const governance = defineGovernance({ registry: createCapabilityRegistry({ a: procedure() }) });
  const wrong = [
    { approvals: 5 },
    { approvals: { rejectSelfApproval: "no" } },
    { approvals: { rejectSelfApproval: null } },
    { approvals: { handler: {} } },
    { approvals: { coordinator: {} } },
    { audit: 5 },
    { audit: [5] },
    { audit: { sinks: [{}] } },
    { audit: { sinks: [() => 1], strict: "yes" } },
    { audit: { sinks: [() => 1], verbose: 1 } },
    { audit: { sinks: [() => 1], onSinkError: {} } },
  ];
  for (const options of wrong) {
    assert.throws(() => createAgentRuntime({ governance, ...options }), TypeError, JSON.stringify(options));
  }
});
