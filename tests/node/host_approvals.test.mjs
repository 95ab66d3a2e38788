// Decisions by people (spec: host-protocol.md, "Frames": approvals): the session's actor decides, the actor that asked
// runs, there and then, once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { call, exchange, invoicesRuntime, plays, serve, stepOf } from "./host_support.mjs";

const managersDecide = { mayDecide: ({ actor }) => actor.attributes?.role === "manager" };
const anyoneDecides = { mayDecide: () => true };
const deletes = plays({ calls: [call("domain_delete-invoice", { id: "i-1" })] }, { text: "Asked." });
const MAX = { cookie: "cookie-max" };
const YES = { decision: "approved" };

/** A host, and an approval that ana's model asked for. */
async function asked(t, options = {}) {
  const served = await serve(t, { script: deletes, approvals: managersDecide, ...options });
  const answer = await served.post(stepOf());
  const [{ ok, result }] = answer.of("tool-result");
  const ran = () => served.effects.filter(({ at }) => at === "end").map(({ name, actor }) => [name, actor]);
  return { ...served, answer, ok, result, id: result.approvalId, ran };
}

test("a gated call answers that it needs an approval: an id, a sentence, a deadline; it has not run", async (t) => {
  const { ok, result, ran, runtime, answer } = await asked(t);
  assert.equal(ok, true);
  assert.deepEqual(Object.keys(result).toSorted(), ["approvalId", "expiresAt", "message", "status"]);
  assert.equal(result.status, "approval-required");
  assert.match(result.message, /^Awaiting approval/);
  assert.equal(new Date(result.expiresAt).getTime(), (await runtime.approvals.get(result.approvalId)).expiresAt);
  assert.deepEqual(ran(), []);
  assert.equal(answer.finish.finishReason, "stop", "the model heard it and went on; no connection is held open");
});

test("an approval resumes there and then: the response is the envelope, the actor that asked runs, the approver is named", async (t) => {
  const { id, decide, ran, effects, audit, events } = await asked(t, { contextFor: (actor) => ({ of: actor.id }) });
  const { status, body, headers } = await decide(id, { ...YES, comment: "Fine.", later: "ignored" }, MAX);
  assert.deepEqual([status, body], [200, { status: "ok", data: { done: "delete-invoice" } }]);
  assert.equal(headers["cache-control"], "no-store");
  assert.deepEqual(ran(), [["delete-invoice", "ana"]]);
  const [{ context }] = effects;
  assert.equal(context.of, "ana", "the context is that of the actor that runs, not the approver's");
  assert.equal(context.agent.approval.approver.id, "max");
  assert.equal(context.agent.surface, "aiSdk");
  const approved = audit.find(({ type }) => type === "capability.approved");
  assert.deepEqual([approved.actor, approved.data.comment], [{ id: "max", kind: "user" }, "Fine."]);
  const decided = events.find(({ type }) => type === "approval.decided");
  assert.deepEqual([decided.actor.id, decided.data], ["max", { approvalId: id, decision: "approved" }]);
});

test("a rejection runs nothing, and answers APPROVAL_REJECTED; an approval after it, too", async (t) => {
  const { id, decide, ran, runtime } = await asked(t);
  for (const decision of ["rejected", "approved", "rejected"]) {
    const { status, body } = await decide(id, { decision }, MAX);
    assert.deepEqual([status, body.status, body.error.code], [200, "error", "APPROVAL_REJECTED"]);
  }
  assert.equal((await runtime.approvals.get(id)).status, "rejected");
  assert.deepEqual(ran(), []);
});

test("a decision that is posted again runs nothing again, one after the other or ten at once", async (t) => {
  const { id, decide, ran } = await asked(t);
  const answers = await Promise.all(Array.from({ length: 10 }, () => decide(id, YES, MAX)));
  const codes = answers.map(({ body }) => body.error?.code ?? body.status).toSorted();
  assert.deepEqual(codes, [...Array.from({ length: 9 }, () => "APPROVAL_CONSUMED"), "ok"]);
  assert.equal((await decide(id, YES, MAX)).body.error.code, "APPROVAL_CONSUMED");
  assert.equal((await decide(id, { decision: "rejected" }, MAX)).body.error.code, "APPROVAL_CONSUMED");
  assert.deepEqual(ran(), [["delete-invoice", "ana"]]);
});

test("who asked cannot approve; that spoils nothing: the request stays pending, and somebody else can", async (t) => {
  const { id, decide, ran, runtime } = await asked(t, { approvals: anyoneDecides });
  const { status, body } = await decide(id, YES);
  assert.deepEqual([status, body.error.code], [200, "APPROVAL_SELF_APPROVAL"]);
  assert.equal((await runtime.approvals.get(id)).status, "pending");
  assert.deepEqual(ran(), []);
  assert.equal((await decide(id, YES, MAX)).body.status, "ok");
});

test("who asked can take it back", async (t) => {
  const { id, decide } = await asked(t, { approvals: anyoneDecides });
  assert.equal((await decide(id, { decision: "rejected" })).body.error.code, "APPROVAL_REJECTED");
  assert.equal((await decide(id, YES, MAX)).body.error.code, "APPROVAL_REJECTED");
});

test("where the application lets people approve their own requests, they can", async (t) => {
  const effects = [];
  const runtime = invoicesRuntime({ effects, options: { approvals: { rejectSelfApproval: false } } });
  const approvals = { ...anyoneDecides, selfApproval: true };
  const { id, decide } = await asked(t, { runtime, approvals });
  assert.equal((await decide(id, YES)).body.status, "ok");
  assert.equal(effects.at(-1).actor, "ana");
});

test("selfApproval of the host opens nothing that the runtime has closed", async (t) => {
  const { id, decide, ran } = await asked(t, { approvals: { ...anyoneDecides, selfApproval: true } });
  assert.equal((await decide(id, YES)).body.error.code, "APPROVAL_SELF_APPROVAL");
  assert.deepEqual(ran(), []);
});

test("who may decide is the application's rule; without one nobody may", async (t) => {
  const { id, decide, runtime } = await asked(t, { approvals: undefined });
  const { status, body } = await decide(id, YES, MAX);
  assert.deepEqual([status, body.error.code], [403, "NOT_AUTHORIZED"]);
  assert.equal((await runtime.approvals.get(id)).status, "pending");
  for (const truthy of [1, "yes", {}]) {
    const other = await asked(t, { approvals: { mayDecide: () => truthy } });
    assert.equal((await other.decide(other.id, YES, MAX)).status, 403);
  }
});

test("an approval that a session may not decide looks like one that is not there, byte for byte", async (t) => {
  const { id, decide, runtime } = await asked(t);
  const foreign = await decide(id, YES, { cookie: "cookie-eve" });
  const unknown = await decide("apr_none", YES, { cookie: "cookie-eve" });
  assert.equal(foreign.status, 403);
  assert.deepEqual([foreign.text, foreign.status], [unknown.text, unknown.status]);
  assert.equal((await runtime.approvals.get(id)).status, "pending");
});

test("an approval of another surface is not this endpoint's", async (t) => {
  const { decide, runtime } = await serve(t, { script: deletes, approvals: anyoneDecides, more: {} });
  const record = {
    id: "apr_other",
    capabilityId: "delete-invoice",
    surface: "mcp",
    actor: { id: "ana", kind: "user" },
    input: { id: "i-1" },
    inputHash: "0".repeat(64),
    reasons: [],
    types: [],
    risk: "low",
    sideEffect: "destructive",
    requestedAt: 1,
    expiresAt: Date.now() + 60_000,
  };
  await runtime.approvals.create(record);
  assert.equal((await decide("apr_other", YES, MAX)).status, 403);
  assert.equal((await runtime.approvals.get("apr_other")).status, "pending");
});

test("one that was approved but never run, because a server stopped in between, runs when it is approved again", async (t) => {
  const { id, decide, ran, runtime } = await asked(t);
  await runtime.approvals.decide(id, { status: "approved", approver: { id: "max", kind: "user" } });
  assert.equal((await decide(id, { decision: "rejected" }, MAX)).body.error.code, "APPROVAL_CONSUMED", "too late");
  assert.equal((await decide(id, YES, MAX)).body.status, "ok");
  assert.deepEqual(ran(), [["delete-invoice", "ana"]]);
});

test("a lapsed request is APPROVAL_EXPIRED, whatever is decided", async (t) => {
  const { createInMemoryApprovalCoordinator } = await import("../../js_glue/dist/domain/index.js");
  let time = 1_000;
  const coordinator = createInMemoryApprovalCoordinator({ now: () => time });
  const runtime = invoicesRuntime({ options: { approvals: { coordinator } } });
  // The runtime reads the system's clock: what it stores is far in the future for the coordinator, until that moves.
  const { id, decide } = await asked(t, { runtime });
  time = Date.now() + 3_600_000;
  assert.equal((await decide(id, YES, MAX)).body.error.code, "APPROVAL_EXPIRED");
  assert.equal((await decide(id, { decision: "rejected" }, MAX)).body.error.code, "APPROVAL_EXPIRED");
});

test("what fails before the decision has decided nothing", async (t) => {
  let broken = false;
  const contextFor = () => {
    if (broken) throw new Error("no database");
    return {};
  };
  const { id, decide, runtime, errors } = await asked(t, { contextFor });
  broken = true;
  const { status, body } = await decide(id, YES, MAX);
  assert.deepEqual([status, body.error], [500, { code: "HOST_ERROR", message: "The host failed." }]);
  assert.match(errors[0].error.message, /no database/);
  assert.equal((await runtime.approvals.get(id)).status, "pending");
});

test("a body that is no decision is 400, with a pointer to what is wrong", async (t) => {
  const { id, decide, runtime } = await asked(t);
  const wrong = [
    ["{", undefined],
    ["[]", ""],
    ["null", ""],
    [{}, "/decision"],
    [{ decision: "approve" }, "/decision"],
    [{ decision: true }, "/decision"],
    [{ ...YES, comment: 7 }, "/comment"],
    [{ ...YES, comment: "x".repeat(1001) }, "/comment"],
  ];
  for (const [given, path] of wrong) {
    const { status, body } = await decide(id, given, MAX);
    assert.deepEqual(
      [status, body.error.code, body.error.path],
      [400, "PROTOCOL_DECODE_ERROR", path],
      JSON.stringify(given),
    );
  }
  const large = await decide(id, { ...YES, more: "x".repeat(20_000) }, MAX);
  assert.equal(large.status, 413);
  assert.equal((await runtime.approvals.get(id)).status, "pending");
});

test("the door is the same as that of a step: origin, content type, method, session, rate", async (t) => {
  const { id, decide, origin, runtime } = await asked(t, { limits: { requestsPerMinute: 2 } });
  const statusOf = async (more) => (await decide(id, YES, { ...MAX, ...more })).status;
  assert.equal(await statusOf({ headers: { origin: "https://evil.example" } }), 403);
  assert.equal(await statusOf({ headers: { "sec-fetch-site": "cross-site" } }), 403);
  assert.equal(await statusOf({ headers: { "content-type": "text/plain" } }), 415);
  assert.equal(await statusOf({ cookie: "nobody" }), 401);
  assert.equal((await exchange(`${origin}/agent/approvals/${id}`, { method: "PUT", body: YES, ...MAX })).status, 405);
  assert.equal((await runtime.approvals.get(id)).status, "pending");
  const statuses = [await statusOf({}), await statusOf({}), await statusOf({})];
  assert.deepEqual(statuses, [200, 200, 429]);
});
