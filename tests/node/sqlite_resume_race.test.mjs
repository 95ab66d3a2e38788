import assert from "node:assert/strict";
import { test } from "node:test";
import { child, fileOf } from "./fixtures/approvals.mjs";
import { approve, ask, effectsOf, openLedger } from "./fixtures/ledger.mjs";

const APPROVALS = 10;
const PROCESSES = 4;
const TIMES = 5;

test("200 resumes at once, from four processes, of ten approvals: every approval runs once", async (t) => {
  const path = fileOf(t);
  const ledger = await openLedger({ path });
  t.after(() => [ledger.store, ledger.sink, ledger.effects].forEach((one) => one.close()));
  const ids = [];
  for (let at = 0; at < APPROVALS; at++) {
    const { approval } = await ask(ledger.runtime);
    await approve(ledger.runtime, approval.id);
    ids.push(approval.id);
  }
  const racers = Array.from({ length: PROCESSES }, () => child(t, "ledger_racer.mjs", { path, ids, times: TIMES }));
  await Promise.all(racers.map((one) => one.line("ready")));
  for (const one of racers) one.tell("go");
  const outcomes = (await Promise.all(racers.map(async (one) => JSON.parse(await one.line("outcomes"))))).flat();
  for (const one of racers) assert.deepEqual(await one.ended, { code: 0, signal: null });
  const count = (wanted) => outcomes.filter((one) => one === wanted).length;
  assert.equal(outcomes.length, APPROVALS * PROCESSES * TIMES);
  assert.deepEqual([count("completed"), count("APPROVAL_CONSUMED")], [APPROVALS, outcomes.length - APPROVALS]);
  const effects = effectsOf(ledger.effects);
  assert.deepEqual(effects.map(({ approval }) => approval).sort(), [...ids].sort());
  for (const { approval, execution } of effects) {
    const record = await ledger.store.get(approval);
    assert.deepEqual([record.status, record.consumedByExecutionId], ["consumed", execution]);
    const types = ledger.sink.events({ executionId: execution }).map(({ type }) => type);
    assert.deepEqual(types, ["capability.started", "capability.completed"]);
  }
  assert.equal(ledger.sink.events({ type: "capability.failed" }).length, outcomes.length - APPROVALS);
  assert.deepEqual(await ledger.sink.interrupted({ approvals: ledger.store }), []);
});
