// The audit in a SQLite file: a table that only grows. `emit` returns when the event is on the disk, so that strict
// audit (spec: domain.md §10) means what it says: no handler runs whose start is not on record.
//
// The event is kept whole, as JSON; the columns beside it are for finding it. Triggers refuse changes and deletions,
// by hand or by accident; whoever must prune drops viewcap_audit_no_delete first, and makes it again.

import { isRecord, member } from "../contract/values.js";
import { isStorableText } from "../domain/approvals/record.js";
import type { ApprovalCoordinator, ApprovalRecord, AuditEvent } from "../domain/types.js";
import { AUDIT_EVENT_TYPES, type AuditEventType } from "../generated/domain_vocabulary.js";
import type { SqliteValue } from "./binding.js";
import { SqliteStoreError } from "./errors.js";
import { SqliteStore, type SqliteStoreOptions, type StorePart } from "./store.js";

const AUDIT_PART: StorePart = {
  name: "audit",
  steps: [
    `CREATE TABLE viewcap_audit (
       seq INTEGER PRIMARY KEY AUTOINCREMENT,
       type TEXT NOT NULL,
       timestamp REAL NOT NULL,
       execution_id TEXT,
       capability_id TEXT,
       event TEXT NOT NULL
     );
     CREATE INDEX viewcap_audit_execution ON viewcap_audit (execution_id, type);
     CREATE INDEX viewcap_audit_capability ON viewcap_audit (capability_id);
     CREATE INDEX viewcap_audit_type ON viewcap_audit (type, timestamp);
     CREATE INDEX viewcap_audit_timestamp ON viewcap_audit (timestamp);
     CREATE TRIGGER viewcap_audit_no_update BEFORE UPDATE ON viewcap_audit
       BEGIN SELECT RAISE(ABORT, 'viewcap_audit is append-only'); END;
     CREATE TRIGGER viewcap_audit_no_delete BEFORE DELETE ON viewcap_audit
       BEGIN SELECT RAISE(ABORT, 'viewcap_audit is append-only'); END;`,
  ],
};

const INSERT = "INSERT INTO viewcap_audit (type, timestamp, execution_id, capability_id, event) VALUES (?, ?, ?, ?, ?)";
const ENDS = ["capability.completed", "capability.failed", "capability.cancelled"] as const satisfies AuditEventType[];
const ENDED = `SELECT 1 FROM viewcap_audit AS ended
  WHERE ended.execution_id = ? AND ended.type IN (${ENDS.map((type) => `'${type}'`).join(", ")})`;
const STARTED_ONLY = `SELECT event FROM viewcap_audit AS started
  WHERE type = 'capability.started' AND timestamp >= ? AND timestamp < ?
  AND NOT EXISTS (${ENDED.replace("= ?", "= started.execution_id")}) ORDER BY seq`;

/** Conditions combine with AND. */
export interface AuditQuery {
  readonly executionId?: string;
  readonly capabilityId?: string;
  readonly type?: AuditEventType;
  /** Events of this time or later. */
  readonly since?: number;
  /** The first so many. */
  readonly limit?: number;
}

export interface InterruptedQuery {
  /** Where to look for approvals that were consumed by executions that never started; it must be able to list. */
  readonly approvals?: ApprovalCoordinator;
  /** Executions that started at this time or later, and all that consumed an approval and never started. */
  readonly since?: number;
  /** Executions that started before this time: those of processes that still run are among the others. */
  readonly before?: number;
}

/** An execution without an end: whether its handler had an effect is not known. */
export interface InterruptedExecution {
  readonly executionId: string;
  readonly capabilityId?: string;
  readonly surface: AuditEvent["surface"];
  readonly actor: AuditEvent["actor"];
  readonly correlationId?: string;
  readonly inputHash?: string;
  readonly approvalId?: string;
  /** Absent: the approval was consumed, and the handler not reached. */
  readonly startedAt?: number;
}

export class SqliteAudit {
  readonly #store: SqliteStore;

  constructor(options: SqliteStoreOptions) {
    this.#store = new SqliteStore(options, AUDIT_PART);
  }

  /** On the disk when it returns; throws where that failed. */
  emit(event: AuditEvent): void {
    const { type, timestamp, executionId, capabilityId } = event;
    const values = [type, timestamp, keyOf(executionId), keyOf(capabilityId), JSON.stringify(event)];
    this.#store.write(() => this.#store.statement(INSERT).run(...values));
  }

  /** Oldest first, in the order in which they were emitted. */
  events(query: AuditQuery = {}): AuditEvent[] {
    const { sql, values } = eventsQuery(query);
    return this.#store.read(() =>
      this.#store
        .statement(sql)
        .all(...values)
        .map(eventOfRow),
    );
  }

  /** Executions that began and have no end on record: what a restart finds after a kill. Oldest first. */
  async interrupted(query: InterruptedQuery = {}): Promise<InterruptedExecution[]> {
    const { since = -Infinity, before = Infinity } = query;
    const list = query.approvals?.list?.bind(query.approvals);
    if (query.approvals !== undefined && list === undefined) {
      throw new SqliteStoreError("INVALID_OPTIONS", "approvals has no list(); a coordinator that has one is needed");
    }
    const rows = this.#store.read(() => this.#store.statement(STARTED_ONLY).all(finite(since), finite(before)));
    const started = rows.map(eventOfRow).flatMap(startedExecution);
    const spent = (await list?.({ status: "consumed" })) ?? [];
    return [...started, ...spent.flatMap((record) => this.#unstarted(record, before))];
  }

  close(): void {
    this.#store.close();
  }
  [Symbol.dispose](): void {
    this.close();
  }

  /** When it was consumed is not on record: not before it was decided. */
  #unstarted(record: ApprovalRecord, before: number): InterruptedExecution[] {
    const { consumedByExecutionId: executionId, decision, actor, id: approvalId } = record;
    if (executionId === undefined || this.#has(executionId)) return [];
    if ((decision?.decidedAt ?? record.requestedAt) >= before) return [];
    const { capabilityId, surface, correlationId, inputHash } = record;
    const found = {
      executionId,
      capabilityId,
      surface,
      actor: { id: actor.id, kind: actor.kind },
      inputHash,
      approvalId,
    };
    return [{ ...found, ...(correlationId !== undefined && { correlationId }) }];
  }

  /** Started (then it is found by that) or ended. */
  #has(executionId: string): boolean {
    const sql = `${ENDED.replace("IN (", "IN ('capability.started', ")} LIMIT 1`;
    return this.#store.read(() => this.#store.statement(sql).get(keyOf(executionId)) !== undefined);
  }
}

/** Callers choose what an unknown capability is called; a text that SQLite would change is found by its JSON. */
function keyOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  return isStorableText(text) ? text : JSON.stringify(text);
}

/** Infinity is no number that a statement takes. */
const finite = (time: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, time));

function eventsQuery(query: AuditQuery): { readonly sql: string; readonly values: SqliteValue[] } {
  const { executionId, capabilityId, type, since, limit } = query;
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 0)) {
    const found = String(limit);
    throw new SqliteStoreError("INVALID_OPTIONS", `limit is ${found}; whole numbers from 0 on are allowed`);
  }
  const wanted: [string, SqliteValue | undefined][] = [
    ["execution_id = ?", executionId === undefined ? undefined : keyOf(executionId)],
    ["capability_id = ?", capabilityId === undefined ? undefined : keyOf(capabilityId)],
    ["type = ?", type],
    ["timestamp >= ?", since === undefined ? undefined : finite(since)],
  ];
  const terms: string[] = [];
  const values: SqliteValue[] = [];
  for (const [term, value] of wanted) {
    if (value === undefined) continue;
    terms.push(term);
    values.push(value);
  }
  const where = terms.length === 0 ? "" : ` WHERE ${terms.join(" AND ")}`;
  const most = limit === undefined ? "" : ` LIMIT ${String(limit)}`;
  return { sql: `SELECT event FROM viewcap_audit${where} ORDER BY seq${most}`, values };
}

function eventOfRow(row: unknown): AuditEvent {
  const text = member(row, "event");
  try {
    const event: unknown = JSON.parse(typeof text === "string" ? text : "");
    if (isEvent(event)) return event;
  } catch {
    // Said below.
  }
  throw new SqliteStoreError("FAILED", "an audit event cannot be read: its row was changed by hand, or is damaged");
}

function isEvent(value: unknown): value is AuditEvent {
  if (!isRecord(value) || !isRecord(value["actor"]) || !isRecord(value["data"])) return false;
  const { type, timestamp } = value;
  return AUDIT_EVENT_TYPES.some((known) => known === type) && typeof timestamp === "number";
}

function startedExecution(event: AuditEvent): InterruptedExecution[] {
  const { executionId, capabilityId, correlationId, inputHash, surface, actor, timestamp, data } = event;
  if (executionId === undefined) return [];
  const approvalId = data["approvalId"];
  return [
    {
      executionId,
      ...(capabilityId !== undefined && { capabilityId }),
      surface,
      actor,
      ...(correlationId !== undefined && { correlationId }),
      ...(inputHash !== undefined && { inputHash }),
      ...(typeof approvalId === "string" && { approvalId }),
      startedAt: timestamp,
    },
  ];
}
