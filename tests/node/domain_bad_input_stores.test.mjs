// Bad stores: a coordinator that gives garbage, records that somebody changed, rows that change while they run (spec:
// domain.md §8.4). A resume ends in the specified envelope, and nothing that was not approved runs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { alice, bob, codeOf, domain, GATED, GENERIC, outward, plane, procedure } from "./support/domain.mjs";

const { createInMemoryApprovalCoordinator, definePolicy } = domain;
const boom = () => {
  throw new Error("SECRET");
};
const BROKEN = "failed INTERNAL_ERROR@approval";

/** A plane over a store whose `get` answers what `change` makes of the approved record. */
async function over(change, { input, policies } = {}) {
  const inner = createInMemoryApprovalCoordinator();
  const coordinator = {
    create: (request) => inner.create(request),
    get: async (id) => change(await inner.get(id)),
    decide: (id, decision) => inner.decide(id, decision),
    markConsumed: (id, executionId) => inner.markConsumed(id, executionId),
  };
  const runs = [];
  const handler = ({ input: value, context }) => runs.push({ input: value, agent: context.agent });
  const pay = procedure(GATED, handler, input && { input });
  const made = plane({ pay, other: procedure(GATED, handler) }, { approvals: { coordinator }, policies });
  const { approval } = await made.invoke("pay", { amount: 5 });
  await made.approve(approval.id);
  return { ...made, inner, runs, id: approval.id };
}

const GARBAGE = {
  null: () => null,
  undefined: () => undefined,
  "a number": () => 5,
  "a text": () => "approved",
  "a list": (record) => [record],
  "an empty object": () => ({}),
  "a record without id": ({ id: _, ...rest }) => rest,
  "a record without capability": ({ capabilityId: _, ...rest }) => rest,
  "a record without hash": ({ inputHash: _, ...rest }) => rest,
  "a record without actor": ({ actor: _, ...rest }) => rest,
  "a record of a malformed actor": (record) => ({ ...record, actor: { id: "", kind: "user" } }),
  "a record without deadline": ({ expiresAt: _, ...rest }) => rest,
  "a record whose deadline is NaN": (record) => ({ ...record, expiresAt: NaN }),
  "a record whose deadline is a text": (record) => ({ ...record, expiresAt: "2999-01-01" }),
  "a record of an unknown status": (record) => ({ ...record, status: "granted" }),
  "a record of the status __proto__": (record) => ({ ...record, status: "__proto__" }),
  "a record that was withdrawn": (record) => ({ ...record, status: "cancelled" }),
  "an approved record without decision": ({ decision: _, ...rest }) => rest,
  "an approved record whose decision is null": (record) => ({ ...record, decision: null }),
  "an approved record whose decision is a text": (record) => ({ ...record, decision: "yes" }),
  "an approved record without approver": (record) => ({ ...record, decision: { status: "approved" } }),
  "an approver who is nobody": (record) => ({
    ...record,
    decision: { ...record.decision, approver: { id: "", kind: "user" } },
  }),
  "a record that throws": (record) => Object.defineProperty({ ...record }, "actor", { enumerable: true, get: boom }),
  "a proxy that throws": (record) =>
    new Proxy(record, { get: (_, key) => (key === "then" ? undefined : boom()), ownKeys: boom }),
  "an exception": boom,
};
for (const [what, change] of Object.entries(GARBAGE)) {
  test(`a store that gives ${what} is INTERNAL_ERROR@approval, told once, concealed, and consumes nothing`, async () => {
    const { id, resume, runs, inner, events } = await over(change);
    const before = events.length;
    const result = await resume(id, { context: {} });
    assert.equal(codeOf(result), BROKEN);
    assert.deepEqual(outward(result), { code: "INTERNAL_ERROR", message: GENERIC, retryable: false });
    assert.deepEqual(
      events.slice(before).map(({ type, data }) => `${type} ${data.code} ${String(data.attempts)}`),
      ["capability.failed INTERNAL_ERROR 0"],
    );
    assert.ok(!JSON.stringify([events, result.error.message]).includes("SECRET"));
    assert.deepEqual([runs, (await inner.get(id)).status], [[], "approved"]);
  });
}

test("a record that names an unknown capability, or a surface without it, is not found and consumes nothing", async () => {
  const moved = await over((record) => ({ ...record, capabilityId: "nope" }));
  assert.equal(codeOf(await moved.resume(moved.id)), "failed CAPABILITY_NOT_FOUND@discovery");
  const surface = await over((record) => ({ ...record, surface: "mcp" }));
  assert.equal(codeOf(await surface.resume(surface.id)), "failed CAPABILITY_NOT_FOUND@discovery");
  const nowhere = await over((record) => ({ ...record, surface: "web" }));
  assert.equal(codeOf(await nowhere.resume(nowhere.id)), "failed CAPABILITY_NOT_FOUND@discovery");
  for (const { runs, inner, id } of [moved, surface, nowhere]) {
    assert.deepEqual([runs, (await inner.get(id)).status], [[], "approved"]);
  }
});

test("a row may be an instance of a class with getters, and its input is what runs", async () => {
  class Row {
    #record;
    constructor(record) {
      this.#record = record;
    }
  }
  const keys = [
    ...["id", "capabilityId", "surface", "actor", "correlationId", "input", "inputHash", "reasons", "types", "risk"],
    ...["sideEffect", "requestedAt", "expiresAt", "status", "decision"],
  ];
  const made = await over((record) => {
    const row = new Row(record);
    for (const key of keys) Object.defineProperty(Row.prototype, key, { get: () => record[key], configurable: true });
    return row;
  });
  assert.equal((await made.resume(made.id)).status, "completed");
  const [{ input, agent }] = made.runs;
  assert.deepEqual([input, agent.actor, agent.approval], [{ amount: 5 }, alice, { id: made.id, approver: bob }]);
});

for (const input of [undefined, z.object({ amount: z.number() })]) {
  test(`a row that changes while it runs changes nothing, with${input ? "" : "out"} a schema: what was approved runs`, async () => {
    let row;
    const late = definePolicy(
      "late",
      async () => {
        row.input.amount = 5_000_000;
        row.actor.id = "root";
        row.decision.approver.id = "root";
        row.correlationId = "forged";
        return domain.allow();
      },
      { phases: ["execution"] },
    );
    const made = await over((record) => (row = record), { input, policies: [late] });
    assert.equal((await made.resume(made.id)).status, "completed");
    const [{ input: ran, agent }] = made.runs;
    assert.deepEqual(ran, { amount: 5 });
    assert.deepEqual([agent.actor, agent.approval.approver, agent.correlationId], [alice, bob, undefined]);
    assert.equal(made.event("completed").actor.id, "alice");
  });
}

test("a store that refuses to consume, however it does, is APPROVAL_CONSUMED, and nothing runs", async () => {
  const cause = new Error("SECRET");
  const ways = [
    () => Promise.reject(cause),
    () => {
      throw cause;
    },
    () => ({ then: (_, reject) => reject(cause) }),
  ];
  for (const markConsumed of ways) {
    const inner = createInMemoryApprovalCoordinator();
    const coordinator = {
      create: (request) => inner.create(request),
      get: (id) => inner.get(id),
      decide: (id, decision) => inner.decide(id, decision),
      markConsumed,
    };
    const { invoke, approve, resume, types } = plane(
      { a: procedure(GATED, assert.fail) },
      { approvals: { coordinator } },
    );
    const { approval } = await invoke("a", {});
    await approve(approval.id);
    const result = await resume(approval.id);
    assert.equal(codeOf(result), "failed APPROVAL_CONSUMED@approval");
    assert.equal(result.error.cause, cause);
    assert.ok(!JSON.stringify(outward(result)).includes("SECRET"));
    assert.deepEqual(types().slice(-1), ["failed"]);
  }
});

test("a decision that a store refuses rejects to the approver, and tells the audit nothing", async () => {
  const { invoke, approve, types } = plane({ a: procedure(GATED) });
  const { approval } = await invoke("a", {});
  const bad = [
    { status: "consumed" },
    { status: "pending" },
    { status: undefined },
    { approver: null },
    { approver: { id: "", kind: "user" } },
    { approver: { id: "bob", kind: "root" } },
    { comment: 5 },
  ];
  for (const decision of bad) await assert.rejects(approve(approval.id, decision), { code: "DECISION_REFUSED" });
  await assert.rejects(approve("apr_unknown"), { code: "UNKNOWN_APPROVAL" });
  assert.deepEqual(types(), ["requested", "approval_requested"]);
  await approve(approval.id);
  await assert.rejects(approve(approval.id, { status: "rejected" }), { code: "DECISION_REFUSED" });
  assert.deepEqual(types().slice(2), ["approved"]);
});

test("runtime.approvals has list only where the coordinator has it", () => {
  const inner = createInMemoryApprovalCoordinator();
  const { list: _, ...rest } = {
    list: 0,
    ...Object.fromEntries(
      ["create", "get", "decide", "markConsumed"].map((key) => [key, (...args) => inner[key](...args)]),
    ),
  };
  assert.equal("list" in plane({ a: procedure() }, { approvals: { coordinator: rest } }).runtime.approvals, false);
  assert.equal("list" in plane({ a: procedure() }).runtime.approvals, true);
});
