import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { createSqliteApprovalCoordinator, createSqliteAuditSink, openSqliteDatabase } from "viewcap/sqlite";
import { coordinatorSuite } from "../shared/approval_coordinator_suite.mjs";
import { approved, fileOf, folderOf, hashOf, requestOf } from "./fixtures/approvals.mjs";

const now = () => 1500;
const failure = (code) => ({ name: "SqliteStoreError", code });

function opened(t, path, more = {}) {
  const store = createSqliteApprovalCoordinator({ path, now, ...more });
  t.after(() => store.close());
  return store;
}
function raw(t, path) {
  const database = openSqliteDatabase(path);
  t.after(() => database.close());
  return database;
}

coordinatorSuite("SQLite", (t, clock) => opened(t, fileOf(t), { now: clock }));
coordinatorSuite("SQLite over a given connection", (t, clock) => {
  const store = createSqliteApprovalCoordinator({ database: raw(t, ":memory:"), now: clock });
  t.after(() => store.close());
  return store;
});

test("records outlive their coordinator, and a second connection sees them at once", async (t) => {
  const path = fileOf(t);
  const first = opened(t, path);
  const input = { due: new Date(5), list: [undefined] };
  await first.create(requestOf("apr_1", { input }));
  const second = opened(t, path);
  const decided = await second.decide("apr_1", approved);
  assert.deepEqual(await first.get("apr_1"), decided);
  first.close();
  second.close();
  const third = opened(t, path);
  assert.deepEqual(await third.get("apr_1"), decided);
  assert.deepEqual(decided.input, input);
});

test("a store's connection writes ahead, and a commit is on the disk when it returns", async (t) => {
  const database = raw(t, fileOf(t));
  const store = createSqliteApprovalCoordinator({ database, busyTimeoutMs: 321 });
  const pragma = (name) => Object.values(database.prepare(`PRAGMA ${name}`).get())[0];
  assert.equal(pragma("journal_mode"), "wal");
  assert.equal(pragma("synchronous"), 2);
  assert.equal(pragma("busy_timeout"), 321);
  store.close();
});

test("a closed store says so, closing twice is nothing, and a connection that was handed over stays open", async (t) => {
  const database = raw(t, fileOf(t));
  const store = createSqliteApprovalCoordinator({ database, now });
  await store.create(requestOf("apr_1"));
  store.close();
  store[Symbol.dispose]();
  const calls = [
    store.get("apr_1"),
    store.list(),
    store.create(requestOf("apr_2")),
    store.decide("apr_1", approved),
    store.markConsumed("apr_1", "exe_1"),
  ];
  for (const call of calls) await assert.rejects(call, failure("CLOSED"));
  assert.equal(database.prepare("SELECT count(*) AS n FROM viewcap_approvals").get().n, 1);
});

test("after the last connection was closed, the file alone has everything", async (t) => {
  const path = fileOf(t);
  const store = opened(t, path);
  await store.create(requestOf("apr_1"));
  store.close();
  const copy = fileOf(t);
  copyFileSync(path, copy);
  assert.equal((await opened(t, copy).get("apr_1")).status, "pending");
});

test("options that make no sense are refused", (t) => {
  const path = fileOf(t);
  const faults = [{}, { path: "" }, { path: 7 }, { path, busyTimeoutMs: -1 }, { path, busyTimeoutMs: 1.5 }];
  for (const options of [...faults, { path, database: raw(t, ":memory:") }]) {
    assert.throws(() => createSqliteApprovalCoordinator(options), failure("INVALID_OPTIONS"));
  }
  assert.throws(() => createSqliteApprovalCoordinator({ path: `${folderOf(t)}/no/folder.db` }), failure("CANNOT_OPEN"));
});

test("a file that is no database, or a damaged one, is one clear error, and is left as it is", async (t) => {
  const path = fileOf(t);
  const text = "these are notes, not approvals\n".repeat(300);
  writeFileSync(path, text);
  assert.throws(() => opened(t, path), failure("NOT_A_DATABASE"));
  assert.equal(readFileSync(path, "utf8"), text);
  const good = fileOf(t);
  const store = opened(t, good);
  for (let at = 0; at < 200; at++) await store.create(requestOf(`apr_${at}`));
  store.close();
  const bytes = readFileSync(good);
  // Page 1 holds the tables' names; every other page is made nonsense of.
  bytes.fill(0xab, 4096);
  writeFileSync(good, bytes);
  await assert.rejects(async () => opened(t, good).list(), failure("NOT_A_DATABASE"));
});

test("tables of these names that are not this package's are refused, and stay", async (t) => {
  for (const sql of [
    "CREATE TABLE viewcap_approvals (a TEXT)",
    "CREATE TABLE viewcap_schema (a TEXT)",
    "CREATE TABLE viewcap_schema (part TEXT PRIMARY KEY, version); INSERT INTO viewcap_schema VALUES ('approvals', 'x')",
  ]) {
    const path = fileOf(t);
    const database = raw(t, path);
    database.exec(sql);
    assert.throws(() => opened(t, path), failure("FOREIGN_TABLES"), sql);
    assert.equal(
      database.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'viewcap_approvals_status'").get().n,
      0,
    );
  }
});

test("an application's own tables may lie in the same file, and so may the audit", async (t) => {
  const path = fileOf(t);
  raw(t, path).exec("CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES ('Ada')");
  const store = opened(t, path);
  const audit = createSqliteAuditSink({ path });
  t.after(() => audit.close());
  await store.create(requestOf("apr_1"));
  assert.deepEqual(audit.events(), []);
  const versions = raw(t, path).prepare("SELECT part, version FROM viewcap_schema ORDER BY part").all();
  assert.deepEqual(
    versions.map((row) => ({ ...row })),
    [
      { part: "approvals", version: 1 },
      { part: "audit", version: 1 },
    ],
  );
  assert.equal(raw(t, path).prepare("SELECT name FROM customers").get().name, "Ada");
});

test("a file of a newer version is refused, with both versions named", async (t) => {
  const path = fileOf(t);
  opened(t, path).close();
  raw(t, path).exec("UPDATE viewcap_schema SET version = 9 WHERE part = 'approvals'");
  assert.throws(
    () => opened(t, path),
    (error) => error.code === "NEWER_SCHEMA" && /version 9.*up to 1/.test(error.message),
  );
});

test("a row changed by hand is handed out as it is: whoever resumes hashes again", async (t) => {
  const path = fileOf(t);
  const store = opened(t, path);
  const { inputHash } = await store.create(requestOf("apr_1"));
  const database = raw(t, path);
  database.exec(`UPDATE viewcap_approvals SET input = '{"amount":1000000}', capability_id = 'ledger.burn'`);
  const record = await store.get("apr_1");
  assert.deepEqual(record.input, { amount: 1000000 });
  assert.equal(record.capabilityId, "ledger.burn");
  assert.notEqual(hashOf(record.input), inputHash);
  database.exec("UPDATE viewcap_approvals SET input_hash = 'whatever', status = 'approved'");
  assert.deepEqual([(await store.get("apr_1")).inputHash, (await store.get("apr_1")).status], ["whatever", "approved"]);
});

test("an unreadable row fails the calls that read it, and no other", async (t) => {
  const path = fileOf(t);
  const store = opened(t, path);
  const database = raw(t, path);
  const faults = [
    "input = '{'",
    "input = x'00'",
    "actor_kind = 'ghost'",
    "status = 'maybe'",
    "expires_at = 'soon'",
    'marks = \'{"dates":["/input/nowhere"]}\'',
    'marks = \'{"dates":["/__proto__/polluted"]}\'',
    "marks = '{\"dates\":7}'",
    "decision = '{}'",
  ];
  for (const [at, fault] of faults.entries()) {
    await store.create(requestOf(`bad_${at}`, { capabilityId: `bad.${at}` }));
    database.exec(`UPDATE viewcap_approvals SET ${fault} WHERE id = 'bad_${at}'`);
    const unreadable = (error) => error.code === "UNREADABLE_RECORD" && error.message.includes(`bad_${at}`);
    await assert.rejects(store.get(`bad_${at}`), unreadable, fault);
    await assert.rejects(store.list({ capabilityId: `bad.${at}` }), unreadable, fault);
    await assert.rejects(store.markConsumed(`bad_${at}`, "exe_1"), fault);
    await store.create(requestOf(`good_${at}`));
    assert.equal((await store.decide(`good_${at}`, approved)).status, "approved");
  }
  assert.equal((await store.list({ capabilityId: "ledger.close" })).length, faults.length);
});

test("an approval whose consumption cannot be handed out is not consumed", async (t) => {
  const path = fileOf(t);
  const store = opened(t, path);
  await store.create(requestOf("apr_1"));
  await store.decide("apr_1", approved);
  const database = raw(t, path);
  database.exec("UPDATE viewcap_approvals SET input = 'no json'");
  await assert.rejects(store.markConsumed("apr_1", "exe_1"), { code: "UNREADABLE_RECORD" });
  assert.equal(database.prepare("SELECT status FROM viewcap_approvals").get().status, "approved");
});

test("nothing is promised inside a transaction that the connection's owner could roll back", async (t) => {
  const database = raw(t, fileOf(t));
  const store = createSqliteApprovalCoordinator({ database, now });
  const audit = createSqliteAuditSink({ database });
  await store.create(requestOf("apr_1"));
  await store.decide("apr_1", approved);
  database.exec("BEGIN");
  await assert.rejects(store.markConsumed("apr_1", "exe_1"), failure("IN_TRANSACTION"));
  await assert.rejects(store.create(requestOf("apr_2")), failure("IN_TRANSACTION"));
  assert.throws(() => audit.emit({ type: "capability.started", timestamp: 1 }), failure("IN_TRANSACTION"));
  database.exec("INSERT INTO viewcap_schema VALUES ('mine', 1); COMMIT");
  assert.equal(database.prepare("SELECT version FROM viewcap_schema WHERE part = 'mine'").get().version, 1);
  assert.equal((await store.markConsumed("apr_1", "exe_1")).status, "consumed");
});

test("a lock of another connection is waited for as long as busyTimeoutMs says, and then is one clear error", async (t) => {
  const path = fileOf(t);
  const store = opened(t, path, { busyTimeoutMs: 60 });
  await store.create(requestOf("apr_1"));
  const other = raw(t, path);
  other.exec("BEGIN IMMEDIATE");
  const begun = performance.now();
  await assert.rejects(store.decide("apr_1", approved), failure("BUSY"));
  assert.ok(performance.now() - begun >= 50);
  assert.equal((await store.get("apr_1")).status, "pending");
  other.exec("ROLLBACK");
  assert.equal((await store.decide("apr_1", approved)).status, "approved");
});

test("opening waits, too, also where SQLite itself would not: at the change to write-ahead logging", (t) => {
  const path = fileOf(t);
  const other = raw(t, path);
  other.exec("BEGIN IMMEDIATE; CREATE TABLE mine (a)");
  const begun = performance.now();
  assert.throws(() => opened(t, path, { busyTimeoutMs: 60 }), failure("BUSY"));
  assert.ok(performance.now() - begun >= 50);
  other.exec("COMMIT");
  opened(t, path, { busyTimeoutMs: 0 });
});

test("opening a file that is up to date waits for no writer", async (t) => {
  const path = fileOf(t);
  await opened(t, path).create(requestOf("apr_1"));
  raw(t, path).exec("BEGIN IMMEDIATE");
  assert.equal((await opened(t, path, { busyTimeoutMs: 0 }).get("apr_1")).status, "pending");
});

test("without any SQLite there is one sentence that says what to do, and a binding that does not load is named", () => {
  const answer = (code) => {
    const script = `
      import Module from "node:module";
      const load = Module._load;
      Module._load = (name, ...rest) => {
        if (/sqlite$/.test(name)) throw Object.assign(new Error("no"), { code: ${JSON.stringify(code)} });
        return load(name, ...rest);
      };
      const { createSqliteAuditSink } = await import("viewcap/sqlite");
      try { createSqliteAuditSink({ path: ":memory:" }) } catch (error) { console.log(error.code, error.message) }`;
    const cwd = new URL(".", import.meta.url);
    return spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd, encoding: "utf8" }).stdout;
  };
  assert.match(
    answer("MODULE_NOT_FOUND"),
    /^NO_BINDING .*@photostructure\/sqlite is not installed.*hand over a database\n$/,
  );
  assert.match(answer("ERR_DLOPEN_FAILED"), /^NO_BINDING viewcap\/sqlite cannot load node:sqlite\n$/);
});

test("a copy of the files that a running process holds is a database, too", async (t) => {
  const path = fileOf(t);
  const store = opened(t, path);
  await store.create(requestOf("apr_1"));
  const copy = fileOf(t);
  for (const end of ["", "-wal"]) copyFileSync(path + end, copy + end);
  assert.equal((await opened(t, copy).get("apr_1")).status, "pending");
});
