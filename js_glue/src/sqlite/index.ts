// viewcap/sqlite: approvals and audit events that outlive a process.
//
//     const approvals = createSqliteApprovalCoordinator({ path: "approvals.db" });
//     const audit = createSqliteAuditSink({ path: "audit.db" });
//     const runtime = createAgentRuntime({
//       governance,
//       approvals: { coordinator: approvals },
//       audit: { sinks: [audit], strict: true },
//     });
//     for (const lost of await audit.interrupted({ approvals })) …   // after a restart, before work begins
//
// One file may hold both. Any number of processes of one machine may share it; a network file system has no locks that
// hold. Calls are synchronous inside and take what a disk takes to write: a millisecond or a few.

import { SqliteApprovals, type SqliteApprovalOptions } from "./approvals.js";
import { SqliteAudit } from "./audit.js";
import type { SqliteStoreOptions } from "./store.js";

export type { SqliteApprovalOptions, SqliteApprovals } from "./approvals.js";
export type { AuditQuery, InterruptedExecution, InterruptedQuery, SqliteAudit } from "./audit.js";
export { openSqliteDatabase, type SqliteDatabase, type SqliteStatement, type SqliteValue } from "./binding.js";
export { SqliteStoreError, type SqliteFailure } from "./errors.js";
export type { SqliteStoreOptions } from "./store.js";
export { ApprovalError, type ApprovalRefusal } from "../domain/approvals/errors.js";

/**
 * A coordinator whose records are in a SQLite file (spec: domain.md §8.1). Throws a SqliteStoreError where the file is
 * no database, is damaged, has tables of the same name that are not this package's, or was written by a newer one.
 *
 * A coordinator over another database needs the same four things: a unique id; a decision that reads and writes in one
 * transaction that nobody else's write can come between; a consumption that is one conditional statement; commits that
 * are durable when they return. In PostgreSQL, with `synchronous_commit = on`:
 *
 *     CREATE TABLE viewcap_approvals (
 *       seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
 *       id text NOT NULL UNIQUE,
 *       status text NOT NULL, capability_id text NOT NULL, surface text NOT NULL,
 *       actor_id text NOT NULL, actor_kind text NOT NULL, actor json NOT NULL, correlation_id text,
 *       input json NOT NULL, input_hash text NOT NULL,   -- json, not jsonb, which cannot hold U+0000
 *       reasons json NOT NULL, types json NOT NULL, risk text NOT NULL, side_effect text NOT NULL,
 *       requested_at double precision NOT NULL, expires_at double precision NOT NULL,
 *       decision json, consumed_by text,
 *       marks json                                       -- where dates were: {"dates": ["/input/due"], "absent": []}
 *     );
 *     CREATE INDEX ON viewcap_approvals (status, expires_at);
 *     CREATE INDEX ON viewcap_approvals (capability_id, status);
 *     CREATE INDEX ON viewcap_approvals (actor_id, status);
 *
 *     -- create: no row comes back for a duplicate
 *     INSERT INTO viewcap_approvals (…) VALUES (…) ON CONFLICT (id) DO NOTHING RETURNING *;
 *     -- decide: one transaction, READ COMMITTED is enough because the row is locked; check, then write
 *     BEGIN;
 *     SELECT * FROM viewcap_approvals WHERE id = $1 FOR UPDATE;
 *     UPDATE viewcap_approvals SET status = $2, decision = $3, marks = $4
 *       WHERE id = $1 AND status = 'pending' RETURNING *;
 *     COMMIT;
 *     -- markConsumed: the compare-and-set; no row comes back to all but one
 *     UPDATE viewcap_approvals SET status = 'consumed', consumed_by = $2
 *       WHERE id = $1 AND status = 'approved' RETURNING *;
 *
 * Under READ COMMITTED a second UPDATE waits for the first, looks at the condition again and finds no row; under
 * REPEATABLE READ or SERIALIZABLE it fails with 40001, which is a refusal, too. Expiry is read, never written.
 */
export function createSqliteApprovalCoordinator(options: SqliteApprovalOptions): SqliteApprovals {
  return new SqliteApprovals(options);
}

/** A sink for `audit` of createAgentRuntime that is synchronous and durable, and can be read back. */
export function createSqliteAuditSink(options: SqliteStoreOptions): SqliteAudit {
  return new SqliteAudit(options);
}
