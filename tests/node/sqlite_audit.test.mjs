import assert from "node:assert/strict";
import { test } from "node:test";
import { createSqliteApprovalCoordinator, createSqliteAuditSink, openSqliteDatabase } from "viewcap/sqlite";
import { approved, child, domain, fileOf, requestOf } from "./fixtures/approvals.mjs";

const failure = (code) => ({ name: "SqliteStoreError", code });
const actor = { id: "ann", kind: "user" };

function opened(t, path) {
  const sink = createSqliteAuditSink({ path });
  t.after(() => sink.close());
  return sink;
}
function raw(t, path) {
  const database = openSqliteDatabase(path);
  t.after(() => database.close());
  return database;
}
const event = (type, executionId, fields = {}) => ({
  type: `capability.${type}`,
  timestamp: 1000,
  surface: "direct",
  actor,
  ...(executionId !== undefined && { executionId }),
  capabilityId: "ledger.close",
  data: {},
  ...fields,
});

test("what was emitted is read back as it was, oldest first, by this and every later connection", (t) => {
  const path = fileOf(t);
  const sink = opened(t, path);
  const events = [
    event("requested", "exe_1", { correlationId: "cor", data: { sideEffect: "write", risk: "low" } }),
    event("started", "exe_1", { inputHash: "0".repeat(64), data: { attempt: 1, approvalId: "apr_1" } }),
    event("denied", "exe_2", { timestamp: 999, capabilityId: "no\0such\ud800", data: { reason: "unknown" } }),
    { type: "capabilities.discovered", timestamp: 1001.5, surface: "mcp", actor, data: { count: 3, digest: "d" } },
  ];
  for (const one of events) assert.equal(sink.emit(one), undefined);
  assert.deepEqual(sink.events(), events);
  sink.close();
  assert.deepEqual(opened(t, path).events(), events);
});

test("events are found by execution, capability, type and time, all of them at once, and at most so many", (t) => {
  const sink = opened(t, fileOf(t));
  const add = (type, execution, timestamp, capabilityId) =>
    sink.emit(event(type, execution, { timestamp, capabilityId }));
  add("requested", "a", 1, "x");
  add("started", "a", 2, "x");
  add("requested", "b", 2, "y\0");
  add("completed", "a", 3, "x");
  add("denied", "b", 3, "y\0");
  const found = (query) => sink.events(query).map((one) => `${one.executionId}${one.timestamp}`).join(" "); // prettier-ignore
  assert.equal(found({}), "a1 a2 b2 a3 b3");
  assert.equal(found({ executionId: "a" }), "a1 a2 a3");
  assert.equal(found({ capabilityId: "y\0" }), "b2 b3");
  assert.equal(found({ capabilityId: "y" }), "");
  assert.equal(found({ type: "capability.requested" }), "a1 b2");
  assert.equal(found({ since: 2 }), "a2 b2 a3 b3");
  assert.equal(found({ since: -Infinity, limit: 2 }), "a1 a2");
  assert.equal(found({ since: 2, executionId: "b", type: "capability.denied", limit: 9 }), "b3");
  assert.equal(found({ limit: 0 }), "");
  for (const limit of [-1, 1.5, NaN, "1"]) assert.throws(() => sink.events({ limit }), failure("INVALID_OPTIONS"));
});

test("the table only grows: changing and deleting are refused", (t) => {
  const path = fileOf(t);
  const sink = opened(t, path);
  sink.emit(event("started", "exe_1"));
  const database = raw(t, path);
  for (const sql of ["UPDATE viewcap_audit SET type = 'x'", "DELETE FROM viewcap_audit"]) {
    assert.throws(() => database.exec(sql), /append-only/);
  }
  assert.equal(sink.events().length, 1);
});

test("an event is on the disk when emit returns: a process killed right then has it on record", async (t) => {
  const path = fileOf(t);
  const killed = child(t, "audit_crash.mjs", { path });
  await killed.line("emitted");
  assert.equal((await killed.kill()).signal, "SIGKILL");
  const sink = opened(t, path);
  assert.deepEqual(
    sink.events().map(({ executionId }) => executionId),
    ["exe_killed"],
  );
  assert.equal((await sink.interrupted())[0].executionId, "exe_killed");
});

test("an event that cannot be stored throws, and none is lost in silence", (t) => {
  const path = fileOf(t);
  const sink = createSqliteAuditSink({ path, busyTimeoutMs: 0 });
  t.after(() => sink.close());
  const other = raw(t, path);
  other.exec("BEGIN IMMEDIATE");
  assert.throws(() => sink.emit(event("started", "exe_1")), failure("BUSY"));
  other.exec("ROLLBACK");
  const loop = { data: {} };
  loop.data.loop = loop;
  assert.throws(() => sink.emit(event("started", "exe_1", loop)), TypeError);
  sink.emit(event("started", "exe_2"));
  assert.equal(sink.events().length, 1);
  sink.close();
  sink[Symbol.dispose]();
  assert.throws(() => sink.emit(event("started", "exe_3")), failure("CLOSED"));
  assert.throws(() => sink.events(), failure("CLOSED"));
});

test("a row changed by hand past the triggers fails the reading of that row, and no other", (t) => {
  const path = fileOf(t);
  const sink = opened(t, path);
  for (const id of ["a", "b", "c"]) sink.emit(event("started", id));
  const database = raw(t, path);
  database.exec("DROP TRIGGER viewcap_audit_no_update");
  database.exec(
    "UPDATE viewcap_audit SET event = '{}' WHERE seq = 1; UPDATE viewcap_audit SET event = '{' WHERE seq = 2",
  );
  for (const executionId of ["a", "b"]) assert.throws(() => sink.events({ executionId }), /cannot be read/);
  assert.equal(sink.events({ executionId: "c" }).length, 1);
});

test("interrupted: who started and has no end, whatever the end would have been", async (t) => {
  const sink = opened(t, fileOf(t));
  for (const [at, end] of ["completed", "failed", "cancelled", undefined].entries()) {
    sink.emit(event("requested", `exe_${at}`));
    sink.emit(event("started", `exe_${at}`, { timestamp: 1000 + at, inputHash: "a", data: { approvalId: "apr_1" } }));
    if (end !== undefined) sink.emit(event(end, `exe_${at}`, { timestamp: 2000 }));
  }
  sink.emit(event("requested", "exe_new"));
  sink.emit(event("started", "exe_retried", { timestamp: 1010, correlationId: "cor" }));
  sink.emit(event("retried", "exe_retried", { timestamp: 1020 }));
  const base = { capabilityId: "ledger.close", surface: "direct", actor };
  const first = { executionId: "exe_3", ...base, inputHash: "a", approvalId: "apr_1", startedAt: 1003 };
  const second = { executionId: "exe_retried", ...base, correlationId: "cor", startedAt: 1010 };
  assert.deepEqual(await sink.interrupted(), [first, second]);
  assert.deepEqual(await sink.interrupted({ since: 1004 }), [second]);
  assert.deepEqual(await sink.interrupted({ before: 1010 }), [first]);
});

test("interrupted, given the coordinator: approvals that were consumed by executions that never began", async (t) => {
  const path = fileOf(t);
  const sink = opened(t, path);
  const approvals = createSqliteApprovalCoordinator({ path, now: () => 1500 });
  t.after(() => approvals.close());
  for (const id of ["lost", "failed", "started", "open"]) {
    await approvals.create(requestOf(`apr_${id}`, { correlationId: "cor" }));
    await approvals.decide(`apr_${id}`, approved);
    if (id !== "open") await approvals.markConsumed(`apr_${id}`, `exe_${id}`);
  }
  sink.emit(event("failed", "exe_failed"));
  sink.emit(event("started", "exe_started", { data: { approvalId: "apr_started" } }));
  const found = await sink.interrupted({ approvals });
  assert.deepEqual(
    found.map(({ executionId, approvalId, startedAt }) => [executionId, approvalId, startedAt]),
    [
      ["exe_started", "apr_started", 1000],
      ["exe_lost", "apr_lost", undefined],
    ],
  );
  assert.deepEqual(found[1].actor, actor);
  assert.equal(found[1].correlationId, "cor");
  // When it was consumed nobody wrote down: a later beginning excuses nobody, an earlier end does.
  assert.equal((await sink.interrupted({ approvals, since: 1600 })).length, 1);
  assert.deepEqual(await sink.interrupted({ approvals, since: 1600, before: 1500 }), []);
  const memory = { ...domain.createInMemoryApprovalCoordinator(), list: undefined };
  await assert.rejects(sink.interrupted({ approvals: memory }), failure("INVALID_OPTIONS"));
});

test("executions without an end are found by indexes among many that have one", async (t) => {
  const path = fileOf(t);
  const sink = opened(t, path);
  const database = raw(t, path);
  const rows = (type) => `
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO viewcap_audit (type, timestamp, execution_id, event)
    SELECT 'capability.${type}', i, 'exe_' || i, '${JSON.stringify(event(type, "exe_any"))}' FROM n`;
  database.exec(`${rows("started")}; ${rows("completed")} WHERE i <> 77`);
  const begun = performance.now();
  assert.equal((await sink.interrupted()).length, 1);
  t.diagnostic(`one of 10000 in ${(performance.now() - begun).toFixed(1)} ms`);
  assert.ok(performance.now() - begun < 1000);
});
