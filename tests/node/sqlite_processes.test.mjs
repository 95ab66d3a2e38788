// One file and many processes: every mutation has one winner, and a process that is killed leaves no half of one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createSqliteApprovalCoordinator, openSqliteDatabase } from "viewcap/sqlite";
import { approved, child, fileOf, requestOf } from "./fixtures/approvals.mjs";

const WORKER = "approval_worker.mjs";

function opened(t, path, options = { now: () => 1500 }) {
  const store = createSqliteApprovalCoordinator({ path, ...options });
  t.after(() => store.close());
  return store;
}

/** A file with so many records, pending or approved. */
async function filled(t, count, isApproved) {
  const path = fileOf(t);
  const store = opened(t, path);
  const ids = Array.from({ length: count }, (_, at) => `apr_${at}`);
  for (const id of ids) await store.create(requestOf(id));
  if (isApproved) for (const id of ids) await store.decide(id, approved);
  return { path, store, ids };
}

/** What each worker heard, id by id; all begin at the same moment. */
async function race(t, workers) {
  const started = workers.map((options) => child(t, WORKER, options));
  await Promise.all(started.map((one) => one.line("ready")));
  const begin = Date.now() + 20;
  for (const one of started) one.tell(String(begin));
  const answers = await Promise.all(started.map(async (one) => JSON.parse(await one.line("answers"))));
  for (const one of started) assert.deepEqual(await one.ended, { code: 0, signal: null });
  return answers;
}

test("of two processes that consume one approval, one does: 200 approvals", async (t) => {
  const { path, store, ids } = await filled(t, 200, true);
  const answers = await race(
    t,
    ["one", "two"].map((name) => ({ path, ids, act: "consume", name, time: 1500 })),
  );
  const wins = { one: 0, two: 0 };
  for (const [at, id] of ids.entries()) {
    assert.deepEqual([answers[0][at], answers[1][at]].sort(), ["NOT_APPROVED", "won"]);
    const winner = answers[0][at] === "won" ? "one" : "two";
    wins[winner]++;
    const record = await store.get(id);
    assert.deepEqual([record.status, record.consumedByExecutionId], ["consumed", `exe_${winner}_${id}`]);
  }
  t.diagnostic(`wins: ${JSON.stringify(wins)}`);
});

test("of four processes with 50 consumptions each, every approval has one winner and no call is lost", async (t) => {
  const { path, store, ids } = await filled(t, 50, true);
  // Each begins elsewhere, so that all of them meet and none always comes second.
  const turned = [0, 1, 2, 3].map((at) => [...ids.slice(at * 12), ...ids.slice(0, at * 12)]);
  const answers = await race(
    t,
    turned.map((own, at) => ({ path, ids: own, act: "consume", name: `p${at}`, time: 1500 })),
  );
  const outcomes = answers.flat();
  assert.equal(outcomes.length, 200);
  assert.equal(outcomes.filter((one) => one === "won").length, 50);
  assert.equal(outcomes.filter((one) => one === "NOT_APPROVED").length, 150);
  assert.equal((await store.list({ status: "consumed" })).length, 50);
});

test("of two processes that decide one request, one does, and its decision stays", async (t) => {
  const { path, store, ids } = await filled(t, 100, false);
  const answers = await race(t, [
    { path, ids, act: "approve", name: "yes", time: 1500 },
    { path, ids, act: "reject", name: "no", time: 1500 },
  ]);
  for (const [at, id] of ids.entries()) {
    assert.deepEqual([answers[0][at], answers[1][at]].sort(), ["DECISION_REFUSED", "won"]);
    const { status, decision } = await store.get(id);
    assert.deepEqual(
      [status, decision.approver.id],
      answers[0][at] === "won" ? ["approved", "yes"] : ["rejected", "no"],
    );
  }
});

test("a decision and the deadline: whoever decides in time wins, and nobody decides after it", async (t) => {
  const { path, store, ids } = await filled(t, 40, false);
  const answers = await race(t, [
    { path, ids, act: "approve", name: "late", time: 2000.001 },
    { path, ids, act: "approve", name: "timely", time: 2000 },
  ]);
  assert.deepEqual(new Set(answers[0]), new Set(["DECISION_REFUSED"]));
  assert.deepEqual(new Set(answers[1]), new Set(["won"]));
  assert.equal((await store.list({ status: "approved" })).length, 40);
});

test("a decision that waited for the file's lock is judged by the time at which it got it", async (t) => {
  const { path } = await filled(t, 1, false);
  let time = 1999;
  const database = openSqliteDatabase(path);
  t.after(() => database.close());
  // The clock passes the deadline while the statement waits.
  const exec = (sql) => {
    database.exec(sql);
    if (sql === "BEGIN IMMEDIATE") time = 2001;
  };
  const slow = { exec, prepare: (sql) => database.prepare(sql), close: () => undefined };
  const store = opened(t, undefined, { database: slow, now: () => time });
  await assert.rejects(store.decide("apr_0", approved), { code: "DECISION_REFUSED" });
});

test("eight processes that open one new file all get it", async (t) => {
  const path = fileOf(t);
  const answers = await race(
    t,
    Array.from({ length: 8 }, (_, at) => ({ path, ids: ["none"], act: "consume", name: `p${at}` })),
  );
  assert.deepEqual(answers.flat(), Array(8).fill("UNKNOWN_APPROVAL"));
});

const SEEN = {
  create: { id: "apr_new", "before-commit": "absent", "after-commit": "pending" },
  decide: { id: "apr_pending", "before-commit": "pending", "after-commit": "approved" },
  markConsumed: { id: "apr_approved", "before-commit": "approved", "after-commit": "consumed" },
};

for (const [act, seen] of Object.entries(SEEN)) {
  for (const point of ["before-commit", "after-commit"]) {
    test(`a process killed in ${act}, ${point}, leaves the record ${seen[point]}, a sound file and no lock`, async (t) => {
      const path = fileOf(t);
      const before = opened(t, path);
      await before.create(requestOf("apr_pending"));
      await before.create(requestOf("apr_approved"));
      await before.decide("apr_approved", approved);
      // Nobody else holds the file while the process dies: who comes next has to recover.
      before.close();
      const crashed = child(t, "approval_crash.mjs", { path, point, act });
      await crashed.line("stopped");
      assert.equal((await crashed.kill()).signal, "SIGKILL");
      const store = opened(t, path, { now: () => 1500, busyTimeoutMs: 0 });
      assert.equal((await store.get(seen.id))?.status ?? "absent", seen[point]);
      await store.create(requestOf("apr_next"));
      const database = openSqliteDatabase(path);
      t.after(() => database.close());
      assert.equal(Object.values(database.prepare("PRAGMA integrity_check").get())[0], "ok");
    });
  }
}
