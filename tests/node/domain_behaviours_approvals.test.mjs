// Approvals (spec: domain.md §14, behaviours 50 to 54).

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { z } from "zod";
import {
  alice,
  bob,
  codeOf,
  domain,
  GATED,
  GENERIC,
  handClock,
  outward,
  plane,
  procedure,
  thrownBy,
} from "./support/domain.mjs";

const { unwrap } = domain;
const INPUT = z.object({ amount: z.number(), currency: z.string().default("EUR") });

/** A plane with one gated capability `pay`, one call of it that waits, and the calls of its handler. */
async function waiting({ meta = {}, more = { input: INPUT }, given, input = { amount: 5 }, ...options } = {}) {
  const runs = [];
  const handler = ({ input: value, context }) => (runs.push({ input: value, context }), "paid");
  const made = plane({ pay: procedure({ ...GATED, ...meta }, handler, more) }, options);
  const result = await made.invoke("pay", input, given);
  return { ...made, runs, result, id: result.approval?.id };
}

test("50: a gated call is decided and resumed: a new execution as the original actor, the approver in its context", async () => {
  const actor = { ...alice, displayName: "Alice", attributes: { tenant: "t" } };
  const { result, id, runs, events, types, approve, resume, runtime } = await waiting({
    given: { actor, correlationId: "corr", context: { from: "the first call" } },
  });
  const { approval } = result;
  assert.equal(result.status, "approval-required");
  assert.match(id, /^apr_[0-9a-f-]{36}$/);
  assert.equal(approval.expiresAt - approval.requestedAt, 900_000);
  assert.deepEqual(
    { ...approval, id: 0, requestedAt: 0, expiresAt: 0, inputHash: 0, reasons: approval.reasons.length },
    {
      ...{ id: 0, capabilityId: "pay", surface: "direct", actor, correlationId: "corr" },
      ...{ input: { amount: 5, currency: "EUR" }, inputHash: 0, reasons: 1, types: [] },
      ...{ risk: "high", sideEffect: "write", requestedAt: 0, expiresAt: 0, status: "pending" },
    },
  );
  const decided = await approve(id, { comment: "fine by me" });
  assert.equal(decided.status, "approved");
  assert.deepEqual(runs, []);
  const second = await resume(id, { context: { from: "the resume" } });
  assert.equal(unwrap(second), "paid");
  assert.notEqual(second.executionId, result.executionId);
  const [{ input, context }] = runs;
  assert.deepEqual(input, { amount: 5, currency: "EUR" });
  assert.equal(context.from, "the resume");
  assert.deepEqual(context.agent.actor, actor);
  assert.deepEqual(context.agent.approval, { id, approver: bob });
  assert.equal(context.agent.executionId, second.executionId);
  assert.equal((await runtime.approvals.get(id)).consumedByExecutionId, second.executionId);
  assert.deepEqual(types(), ["requested", "approval_requested", "approved", "started", "completed"]);
  const [, , approved, started, completed] = events;
  assert.deepEqual(approved.data, { approvalId: id, approver: { id: "bob", kind: "user" }, comment: "fine by me" });
  assert.equal("executionId" in approved || "correlationId" in approved, false);
  assert.equal(approved.inputHash, approval.inputHash);
  assert.deepEqual(started.data, { attempt: 1, approvalId: id });
  assert.equal(completed.executionId, second.executionId);
});

test("50: a rejection is told as rejected with its approver and executes nothing", async () => {
  const { id, runs, types, event, approve } = await waiting();
  await approve(id, { status: "rejected" });
  assert.deepEqual(types(), ["requested", "approval_requested", "rejected"]);
  assert.deepEqual(event("rejected").data, { approvalId: id, approver: { id: "bob", kind: "user" } });
  assert.deepEqual(event("rejected").actor, { id: "bob", kind: "user" });
  assert.deepEqual(runs, []);
});

test("51: an approved record is resumed once: again is APPROVAL_CONSUMED, and of twenty at once exactly one executes", async () => {
  const { id, runs, approve, resume } = await waiting();
  await approve(id);
  const results = await Promise.all(Array.from({ length: 20 }, () => resume(id)));
  assert.equal(results.filter(({ status }) => status === "completed").length, 1);
  assert.ok(
    results.every((result) => result.status === "completed" || codeOf(result) === "failed APPROVAL_CONSUMED@approval"),
  );
  assert.equal(codeOf(await resume(id)), "failed APPROVAL_CONSUMED@approval");
  assert.equal(runs.length, 1);
});

test("52: a pending record is APPROVAL_PENDING and retryable; a rejected one APPROVAL_REJECTED", async () => {
  const { id, approve, resume, event } = await waiting();
  const pending = await resume(id);
  assert.equal(codeOf(pending), "failed APPROVAL_PENDING@approval");
  assert.deepEqual(outward(pending), {
    code: "APPROVAL_PENDING",
    message: "No approval decision yet.",
    retryable: true,
  });
  assert.equal(event("failed").data.attempts, 0);
  await approve(id, { status: "rejected" });
  assert.equal(codeOf(await resume(id)), "failed APPROVAL_REJECTED@approval");
});

test("52: a late record is APPROVAL_EXPIRED, also when it was approved in time; at the deadline itself it is not late", async () => {
  const clock = handClock();
  const first = await waiting({ now: clock.now });
  const { approvals } = first.runtime;
  await first.approve(first.id);
  const second = await first.invoke("pay", { amount: 6 });
  clock.time += 900_001;
  assert.equal(codeOf(await first.resume(first.id)), "failed APPROVAL_EXPIRED@approval");
  assert.equal((await approvals.get(second.approval.id)).status, "expired");
  assert.equal(codeOf(await first.resume(second.approval.id)), "failed APPROVAL_EXPIRED@approval");
  await assert.rejects(first.approve(second.approval.id), /deadline/);
  const third = await first.invoke("pay", { amount: 7 });
  await first.approve(third.approval.id);
  clock.time += 900_000;
  assert.equal((await first.resume(third.approval.id)).status, "completed");
});

test("52: approved by whoever asked is APPROVAL_SELF_APPROVAL, whatever kind he says he is, and runs with the guard off", async () => {
  const own = { status: "approved", approver: { id: "alice", kind: "service" } };
  const { id, approve, resume, runtime } = await waiting();
  await approve(id, own);
  const refused = await resume(id);
  assert.equal(codeOf(refused), "failed APPROVAL_SELF_APPROVAL@approval");
  assert.equal((await runtime.approvals.get(id)).status, "approved");
  const off = await waiting({ approvals: { rejectSelfApproval: false } });
  await off.approve(off.id, own);
  assert.equal((await off.resume(off.id)).status, "completed");
});

test("52: an unknown id is INTERNAL_ERROR@approval, concealed, told of nobody on direct", async () => {
  const { resume, event } = await waiting();
  const result = await resume("apr_unknown");
  assert.equal(codeOf(result), "failed INTERNAL_ERROR@approval");
  assert.deepEqual(outward(result), { code: "INTERNAL_ERROR", message: GENERIC, retryable: false });
  assert.deepEqual(event("failed").actor, { id: "unknown", kind: "anonymous" });
  assert.equal(event("failed").surface, "direct");
});

/** A coordinator whose `get` shows records as somebody changed them. */
function tampering(change) {
  const inner = domain.createInMemoryApprovalCoordinator();
  return {
    create: (request) => inner.create(request),
    get: async (id) => change(structuredClone(await inner.get(id))),
    decide: (id, decision) => inner.decide(id, decision),
    markConsumed: (id, executionId) => inner.markConsumed(id, executionId),
    inner,
  };
}

for (const [what, change] of Object.entries({
  "another input": (record) => ({ ...record, input: { amount: 5_000, currency: "EUR" } }),
  "another hash": (record) => ({ ...record, inputHash: "0".repeat(64) }),
  "an input that no hash has": (record) => ({ ...record, input: { amount: NaN, currency: "EUR" } }),
})) {
  test(`52: a store that gives ${what} is APPROVAL_INPUT_MISMATCH, concealed, and consumes nothing`, async () => {
    const coordinator = tampering(change);
    const { id, approve, resume, runs } = await waiting({ approvals: { coordinator } });
    await approve(id);
    const result = await resume(id);
    assert.equal(codeOf(result), "failed APPROVAL_INPUT_MISMATCH@approval");
    assert.deepEqual(outward(result), { code: "INTERNAL_ERROR", message: GENERIC, retryable: false });
    assert.equal((await coordinator.inner.get(id)).status, "approved");
    assert.deepEqual(runs, []);
  });
}

test("53: a gated call whose input holds a function is APPROVAL_UNSERIALIZABLE_INPUT, concealed, without approval event", async () => {
  const { result, types, runtime } = await waiting({ more: {}, input: { callback: () => 1 } });
  assert.equal(codeOf(result), "failed APPROVAL_UNSERIALIZABLE_INPUT@approval");
  assert.equal(outward(result).code, "INTERNAL_ERROR");
  assert.deepEqual(types(), ["requested", "failed"]);
  assert.deepEqual(await runtime.approvals.list(), []);
});

async function hashOf(input) {
  const { invoke, event } = plane({ a: procedure() });
  await invoke("a", input);
  return event("completed").inputHash;
}

test("53: the canonical hash is SHA-256 of sorted keys: their order is irrelevant, that of arrays is not", async () => {
  const expected = createHash("sha256").update('{"a":[1,2],"b":{"c":"x","d":null}}').digest("hex");
  assert.equal(await hashOf({ b: { d: null, c: "x" }, a: [1, 2] }), expected);
  assert.equal(await hashOf({ a: [1, 2], b: { c: "x", d: null, gone: undefined } }), expected);
  assert.notEqual(await hashOf({ a: [2, 1], b: { c: "x", d: null } }), expected);
  const sha = (text) => createHash("sha256").update(text).digest("hex");
  assert.equal(await hashOf([undefined, new Date(0)]), sha('[null,"1970-01-01T00:00:00.000Z"]'));
  assert.equal(await hashOf({ n: 1e21, m: 0.1, z: -0 }), sha('{"m":0.1,"n":1e+21,"z":0}'));
  // By UTF-16 code unit: an astral character sorts before U+FFFF.
  assert.equal(await hashOf({ "\uffff": 1, "\u{1f600}": 2 }), sha('{"\u{1f600}":2,"\uffff":1}'));
});

test("53: NaN, Infinity, bigint, functions, symbols, cycles, maps and instances have no hash; shared parts do", async () => {
  const cycle = { self: null };
  cycle.self = cycle;
  const list = [];
  list.push(list);
  const bad = [NaN, Infinity, 1n, () => 1, Symbol("s"), new Map(), new (class Money {})(), undefined];
  for (const value of [...bad, ...bad.slice(0, 7).map((one) => ({ one })), cycle, list]) {
    assert.equal(await hashOf(value), undefined, String(typeof value));
  }
  const shared = { x: 1 };
  assert.equal(await hashOf({ a: shared, b: shared }), await hashOf({ a: { x: 1 }, b: { x: 1 } }));
});

test("54: a guard that does not match, by id, by kind, by surface, is APPROVAL_RESUME_MISMATCH, also on a pending record", async () => {
  const { id, runs, approve, resume, event } = await waiting({
    meta: { expose: { direct: true, mcp: true } },
    given: { surface: "mcp" },
  });
  const unknown = await resume("apr_unknown", { expectedActor: bob, expectedSurface: "mcp" });
  const cases = [
    [{ expectedActor: bob }, bob, "direct"],
    [{ expectedActor: { id: "alice", kind: "service" } }, { id: "alice", kind: "service" }, "direct"],
    [{ expectedSurface: "aiSdk" }, { id: "unknown", kind: "anonymous" }, "aiSdk"],
    [{ expectedActor: bob, expectedSurface: "mcp" }, bob, "mcp"],
  ];
  for (const isApproved of [false, true]) {
    if (isApproved) await approve(id);
    for (const [guards, actor, surface] of cases) {
      const result = await resume(id, guards);
      assert.equal(codeOf(result), "failed APPROVAL_RESUME_MISMATCH@approval");
      assert.deepEqual(outward(result), outward(unknown));
      assert.deepEqual([result.error.publicMessage, result.error.stage], [unknown.error.publicMessage, "approval"]);
      assert.deepEqual([event("failed").actor, event("failed").surface], [actor, surface]);
    }
  }
  assert.deepEqual(runs, []);
  const mine = await resume(id, { expectedActor: alice, expectedSurface: "mcp" });
  assert.equal(unwrap(mine), "paid");
});

test("54: a guard that is given and ill-formed stands open for nobody", async () => {
  const { id, approve, resume } = await waiting();
  await approve(id);
  const guards = [
    null,
    {},
    { id: "alice" },
    { id: "", kind: "user" },
    { kind: "user" },
    "alice",
    [],
    0,
    false,
    () => alice,
  ];
  for (const expectedActor of guards) {
    assert.equal(codeOf(await resume(id, { expectedActor })), "failed APPROVAL_RESUME_MISMATCH@approval");
  }
  for (const expectedSurface of [null, "", "web", 0, false, [], ["direct"], {}]) {
    assert.equal(codeOf(await resume(id, { expectedSurface })), "failed APPROVAL_RESUME_MISMATCH@approval");
  }
  assert.equal(
    (await thrownBy(async () => unwrap(await resume(id, { expectedActor: bob })))).code,
    "APPROVAL_RESUME_MISMATCH",
  );
});
