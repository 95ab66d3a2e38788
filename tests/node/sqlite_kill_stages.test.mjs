// The whole pipeline, killed at each stage of it and taken up again by a new process: the record is in a defined state,
// the handler's effect is there once at most, and what is not known is named and not repeated.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createSqliteApprovalCoordinator, createSqliteAuditSink } from "viewcap/sqlite";
import { child, fileOf } from "./fixtures/approvals.mjs";
import { effectsOf, openEffects } from "./fixtures/ledger.mjs";

/** What is found after the kill; and what the next process comes to, which asks, approves and resumes what is left. */
const SAFE = { effects: 0, interrupted: "nobody", again: "completed" };
const BURNT = { record: "consumed", effects: 0, interrupted: "the consumer", again: "APPROVAL_CONSUMED" };
const STARTED = { ...BURNT, interrupted: "the one that started" };
const STAGES = [
  ["invocation-policy", { ...SAFE, record: "absent" }],
  ["decide-before", { ...SAFE, record: "pending" }],
  ["decide-after", { ...SAFE, record: "approved" }],
  ["consume-before", { ...SAFE, record: "approved" }],
  ["consume-after", BURNT],
  ["execution-policy", BURNT],
  ["started-before", BURNT],
  ["started-after", STARTED],
  ["handler-begin", STARTED],
  ["handler-mid", STARTED],
  ["handler-end", { ...STARTED, effects: 1 }],
  ["completed-before", { ...STARTED, effects: 1 }],
  ["completed-after", { ...STARTED, effects: 1, interrupted: "nobody" }],
];

function opened(t, path) {
  const approvals = createSqliteApprovalCoordinator({ path, busyTimeoutMs: 0 });
  const audit = createSqliteAuditSink({ path, busyTimeoutMs: 0 });
  const effects = openEffects(path);
  t.after(() => [approvals, audit, effects].forEach((one) => one.close()));
  return { approvals, audit, effects };
}

/** Who is named, in the words of the table. */
async function interruptedOf({ approvals, audit }, record) {
  const found = await audit.interrupted({ approvals });
  if (found.length === 0) return "nobody";
  assert.equal(found.length, 1);
  assert.equal(found[0].executionId, record.consumedByExecutionId);
  assert.equal(found[0].approvalId, record.id);
  return found[0].startedAt === undefined ? "the consumer" : "the one that started";
}

for (const [stopAt, seen] of STAGES) {
  test(`killed at ${stopAt}: the record is ${seen.record}, ${seen.interrupted} is interrupted, the next process gets ${seen.again}`, async (t) => {
    const path = fileOf(t);
    const killed = child(t, "ledger_child.mjs", { path, stopAt });
    await killed.line("stopped");
    assert.equal((await killed.kill()).signal, "SIGKILL");

    const left = opened(t, path);
    const [record] = await left.approvals.list();
    assert.equal(record?.status ?? "absent", seen.record);
    assert.equal(effectsOf(left.effects).length, seen.effects);
    assert.equal(await interruptedOf(left, record), seen.interrupted);

    const next = child(t, "ledger_child.mjs", { path });
    assert.equal(await next.line("outcome"), seen.again);
    assert.deepEqual(await next.ended, { code: 0, signal: null });

    const records = await left.approvals.list();
    assert.deepEqual(records.map(({ status }) => status), ["consumed"]); // prettier-ignore
    const effects = effectsOf(left.effects);
    assert.equal(effects.length, seen.again === "completed" ? 1 : seen.effects);
    for (const { approval, execution } of effects) {
      assert.deepEqual([approval, execution], [records[0].id, records[0].consumedByExecutionId]);
      assert.equal(left.audit.events({ executionId: execution, type: "capability.started" }).length, 1);
    }
    // Nobody clears a name but who looks into it.
    assert.equal(await interruptedOf(left, records[0]), seen.interrupted);
  });
}
