// What is checked again at a resume, and approvals that are decided inline (spec: domain.md §14, behaviours 55 and 56).

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { alice, answering, bob, codeOf, domain, GATED, outward, plane, procedure } from "./support/domain.mjs";

const {
  createAgentRuntime,
  createCapabilityRegistry,
  createInMemoryApprovalCoordinator,
  defineGovernance,
  definePolicy,
} = domain;

/** A runtime of another time over the same approvals. */
function later(coordinator, definitions, policies = []) {
  const events = [];
  const governance = defineGovernance({ registry: createCapabilityRegistry(definitions), policies });
  const audit = (event) => void events.push(event);
  const runtime = createAgentRuntime({ governance, approvals: { coordinator }, audit });
  return { events, resume: (id) => runtime.resume(id, { context: {} }) };
}

async function approved(more = {}, given = {}) {
  const coordinator = createInMemoryApprovalCoordinator();
  const made = plane({ pay: procedure(GATED, () => "paid", more) }, { approvals: { coordinator } });
  const { approval } = await made.invoke("pay", { amount: 5 }, given);
  await made.approve(approval.id);
  return { ...made, coordinator, id: approval.id };
}

test("55: a schema that was tightened after the approval makes the resume INPUT_INVALID, and the record stays approved", async () => {
  const { coordinator, id } = await approved({ input: z.object({ amount: z.number() }) });
  const tight = procedure(GATED, assert.fail, { input: z.object({ amount: z.number().max(1) }) });
  const { events, resume } = later(coordinator, { pay: tight });
  const result = await resume(id);
  assert.equal(codeOf(result), "failed INPUT_INVALID@input-validation");
  assert.deepEqual(result.error.details.issues[0].path, ["amount"]);
  assert.equal((await coordinator.get(id)).status, "approved");
  assert.deepEqual(
    events.map(({ type }) => type),
    ["capability.failed"],
  );
});

test("55: an execution policy that denies at the resume is POLICY_DENIED, and it saw the record", async () => {
  const { coordinator, id } = await approved();
  const seen = [];
  const look = definePolicy("look", (request) => (seen.push({ ...request }), domain.deny("LATE", "Too late.")), {
    phases: ["invocation", "execution", "discovery"],
  });
  const { events, resume } = later(coordinator, { pay: procedure(GATED, assert.fail) }, [look]);
  const result = await resume(id);
  assert.equal(codeOf(result), "failed POLICY_DENIED@policy");
  assert.equal(outward(result).message, "Too late.");
  // Invocation policies are not asked again.
  assert.deepEqual(
    seen.map(({ phase }) => phase),
    ["execution"],
  );
  assert.equal(seen[0].approval.id, id);
  assert.deepEqual(seen[0].approval.decision.approver, bob);
  assert.deepEqual(seen[0].input, { amount: 5 });
  assert.deepEqual(seen[0].actor, alice);
  assert.deepEqual(events.at(-1).data.policyDecisions, [{ policy: "look", type: "deny" }]);
});

test("55: a capability that is gone at the resume is not found, denied as unknown, and the record stays approved", async () => {
  const { coordinator, id } = await approved();
  const { events, resume } = later(coordinator, { other: procedure() });
  assert.equal(codeOf(await resume(id)), "failed CAPABILITY_NOT_FOUND@discovery");
  assert.deepEqual(events.at(-1).data, { reason: "unknown", publicCode: "CAPABILITY_NOT_FOUND" });
  assert.equal((await coordinator.get(id)).status, "approved");
});

test("55: an approval that an execution policy wants is had already at a resume", async () => {
  const ask = answering("ask", domain.requireApproval({ reason: "again" }), ["execution"]);
  const { coordinator, id } = await approved();
  const { resume } = later(coordinator, { pay: procedure(GATED) }, [ask.policy]);
  assert.equal((await resume(id)).status, "completed");
  assert.equal(ask.calls, 1);
});

/** A gated call whose approval is decided inline. */
async function inline(handler, { approvals = {}, ...options } = {}, input = { amount: 5 }) {
  const runs = [];
  const made = plane(
    { pay: procedure(GATED, ({ context }) => (runs.push(context.agent), "paid")) },
    { ...options, approvals: { handler, ...approvals } },
  );
  const result = await made.invoke("pay", input, { correlationId: "corr" });
  return { ...made, runs, result };
}
const yes = (more) => ({ status: "approved", approver: bob, ...more });

test("56: an inline approval completes the same execution with an approved event, and nothing is stored", async () => {
  const asked = [];
  const { result, types, event, events, runs, runtime } = await inline((request) => {
    asked.push(request);
    return yes({ comment: "go" });
  });
  assert.equal(result.output, "paid");
  assert.deepEqual(types(), ["requested", "approval_requested", "approved", "started", "completed"]);
  assert.equal(new Set(events.map(({ executionId }) => executionId)).size, 1);
  const { id } = asked[0];
  assert.deepEqual(runs[0].approval, { id, approver: bob });
  assert.deepEqual(event("started").data, { attempt: 1, approvalId: id });
  assert.deepEqual(event("approved").data, { approvalId: id, approver: { id: "bob", kind: "user" }, comment: "go" });
  assert.deepEqual(await runtime.approvals.list(), []);
  const { input, reasons, capabilityId, actor, risk, correlationId } = asked[0];
  assert.deepEqual(
    { input, capabilityId, actor, risk, correlationId, reasons: reasons.length },
    {
      ...{ input: { amount: 5 }, capabilityId: "pay", actor: alice, risk: "high", correlationId: "corr", reasons: 1 },
    },
  );
});

test("56: an inline rejection is APPROVAL_REJECTED with a rejected event", async () => {
  const { result, types, runs } = await inline(async () => yes({ status: "rejected" }));
  assert.equal(codeOf(result), "failed APPROVAL_REJECTED@approval");
  assert.deepEqual(types(), ["requested", "approval_requested", "rejected", "failed"]);
  assert.deepEqual(runs, []);
});

test("56: an inline approval by whoever asked is APPROVAL_SELF_APPROVAL after an approved event, and runs with the guard off", async () => {
  const self = () => yes({ approver: { id: "alice", kind: "automation" } });
  const { result, types, runs } = await inline(self);
  assert.equal(codeOf(result), "failed APPROVAL_SELF_APPROVAL@approval");
  assert.deepEqual(types(), ["requested", "approval_requested", "approved", "failed"]);
  assert.deepEqual(runs, []);
  const off = await inline(self, { approvals: { rejectSelfApproval: false } });
  assert.equal(off.result.status, "completed");
});

for (const nothing of [undefined, null]) {
  test(`56: a handler that answers ${String(nothing)} suspends: the record is stored, told once, and can be resumed`, async () => {
    const { result, types, approve, resume, runs } = await inline(() => nothing);
    assert.equal(result.status, "approval-required");
    assert.deepEqual(types(), ["requested", "approval_requested"]);
    await approve(result.approval.id);
    assert.equal((await resume(result.approval.id)).status, "completed");
    assert.equal(runs.length, 1);
  });
}

const thrown = new Error("SECRET");
const ILL_FORMED = {
  "that throws": () => {
    throw thrown;
  },
  "that rejects": () => Promise.reject(thrown),
  "that answers true": () => true,
  "that answers a word": () => "approved",
  "that answers a list": () => [yes()],
  "of no status": () => ({ approver: bob }),
  "of another status": () => yes({ status: "consumed" }),
  "without approver": () => ({ status: "approved" }),
  "of an approver without kind": () => yes({ approver: { id: "bob" } }),
  "of an approver with an empty id": () => yes({ approver: { id: "", kind: "user" } }),
  "of a comment that is no text": () => yes({ comment: 5 }),
};
for (const [what, handler] of Object.entries(ILL_FORMED)) {
  test(`56: a handler ${what} is INTERNAL_ERROR@approval, and nothing ran, was decided or is stored`, async () => {
    const { result, types, runs, runtime, events } = await inline(handler);
    assert.equal(codeOf(result), "failed INTERNAL_ERROR@approval");
    assert.equal(outward(result).message, "The operation failed.");
    assert.deepEqual(types(), ["requested", "approval_requested", "failed"]);
    assert.deepEqual([runs, await runtime.approvals.list()], [[], []]);
    assert.ok(!JSON.stringify(events).includes("SECRET"));
    if (/throws|rejects/.test(what)) assert.equal(result.error.cause, thrown);
  });
}

test("56: what an inline handler does to its request changes neither what is stored nor what runs", async () => {
  const { result } = await inline((request) => {
    for (const change of [
      () => (request.input.amount = 5_000_000),
      () => request.reasons.push("forged"),
      () => (request.actor.id = "mallory"),
      () => (request.expiresAt = Infinity),
    ]) {
      assert.throws(change, TypeError);
    }
    return undefined;
  });
  const { input, reasons, actor, expiresAt, requestedAt } = result.approval;
  assert.deepEqual([input, reasons.length, actor], [{ amount: 5 }, 1, alice]);
  assert.equal(expiresAt - requestedAt, 900_000);
});
