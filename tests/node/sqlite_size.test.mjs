// Ten thousand records: what a filter asks for is found by an index, and quickly.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createSqliteApprovalCoordinator, openSqliteDatabase } from "viewcap/sqlite";
import { fileOf, requestOf } from "./fixtures/approvals.mjs";

const COUNT = 10_000;

/** Of every hundred records one is pending and one lapsed; a hundred capabilities, a thousand actors. */
async function filled(t) {
  const path = fileOf(t);
  const database = openSqliteDatabase(path);
  t.after(() => database.close());
  const seen = [];
  const spied = { ...methodsOf(database), prepare: (sql) => (seen.push(sql), database.prepare(sql)) };
  const store = createSqliteApprovalCoordinator({ database: spied, now: () => 1500 });
  await store.create(requestOf("apr_0"));
  database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1})
    INSERT INTO viewcap_approvals
      (id, status, capability_id, surface, actor_id, actor_kind, actor, input, input_hash, reasons, types, risk,
       side_effect, requested_at, expires_at)
    SELECT 'apr_' || i, CASE WHEN i % 100 < 2 THEN 'pending' ELSE 'consumed' END, 'cap.' || (i % 97), surface,
      'actor' || (i % 1000), actor_kind, actor, input, input_hash, reasons, types, risk, side_effect, requested_at,
      CASE WHEN i % 100 = 1 THEN 1000 ELSE 2000 END
    FROM n, viewcap_approvals WHERE id = 'apr_0'`);
  return { database, store, seen };
}
const methodsOf = (database) => ({ exec: (sql) => database.exec(sql), close: () => database.close() });

const statusOf = (at) => (at % 100 === 0 ? "pending" : at % 100 === 1 ? "expired" : "consumed");
const FILTERS = [
  { status: "pending" },
  { status: "expired" },
  { capabilityId: "cap.5" },
  { actorId: "actor7" },
  { status: "pending", capabilityId: "cap.3" },
  { status: "consumed", actorId: "actor7" },
  { status: "expired", capabilityId: "cap.31", actorId: "actor1" },
];
/** Of the records that `filled` writes; the first is the request's own. */
const countOf = ({ status, capabilityId, actorId }) =>
  Array.from({ length: COUNT - 1 }, (_, at) => at + 1).filter(
    (at) =>
      (status ?? statusOf(at)) === statusOf(at) &&
      (capabilityId ?? `cap.${at % 97}`) === `cap.${at % 97}` &&
      (actorId ?? `actor${at % 1000}`) === `actor${at % 1000}`,
  ).length + (capabilityId === undefined && actorId === undefined && status === "pending" ? 1 : 0);

test(`of ${COUNT} records those of a filter are found by an index, faster than all are listed`, async (t) => {
  const { database, store, seen } = await filled(t);
  const timed = async (filter) => {
    const times = [];
    let found;
    for (let turn = 0; turn < 5; turn++) {
      const begun = performance.now();
      found = await store.list(filter);
      times.push(performance.now() - begun);
    }
    return { count: found.length, ms: times.sort((a, b) => a - b)[2] };
  };
  const all = await timed();
  assert.equal(all.count, COUNT);
  for (const filter of FILTERS) {
    const count = countOf(filter);
    const { count: found, ms } = await timed(filter);
    assert.equal(found, count, JSON.stringify(filter));
    const sql = seen.at(-1);
    const parameters = Array((sql.match(/\?/g) ?? []).length).fill(1);
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters).map(({ detail }) => detail); // prettier-ignore
    assert.ok(
      plan.some((step) => /USING INDEX viewcap_approvals_/.test(step)),
      plan.join("; "),
    );
    assert.ok(!plan.some((step) => /^SCAN/.test(step)), plan.join("; "));
    assert.ok(ms < all.ms / 4, `${JSON.stringify(filter)} took ${ms} ms, all took ${all.ms} ms`);
    t.diagnostic(
      `${JSON.stringify(filter)}: ${count} of ${COUNT} in ${ms.toFixed(2)} ms (all: ${all.ms.toFixed(0)} ms)`,
    );
  }
});
