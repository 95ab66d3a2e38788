// An approval as a row, and back. Each fact has one place, so that a row changed by hand cannot contradict itself.
// `input`, `actor` (what it has besides id and kind), `reasons`, `types` and `decision` are JSON text; `marks` says
// where the JSON text lost something: dates, and places of arrays that hold nothing (domain/approvals/flat.ts).

import { isRecord, member } from "../contract/values.js";
import { unreadableRecord } from "../domain/approvals/errors.js";
import { restore, type Marks } from "../domain/approvals/flat.js";
import { isApprovalRecord, problemOfRecord } from "../domain/approvals/record.js";
import type { ApprovalRecord, ApprovalRequest } from "../domain/types.js";
import type { SqliteValue } from "./binding.js";
import type { StorePart } from "./store.js";

// The first index finds what waits for a decision and what lapsed; the others list for a capability or an actor. Those
// of one status among the many of a capability are found by the first or the second, whichever SQLite thinks shorter.
export const APPROVALS_PART: StorePart = {
  name: "approvals",
  steps: [
    `CREATE TABLE viewcap_approvals (
       seq INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       status TEXT NOT NULL,
       capability_id TEXT NOT NULL,
       surface TEXT NOT NULL,
       actor_id TEXT NOT NULL,
       actor_kind TEXT NOT NULL,
       actor TEXT NOT NULL,
       correlation_id TEXT,
       input TEXT NOT NULL,
       input_hash TEXT NOT NULL,
       reasons TEXT NOT NULL,
       types TEXT NOT NULL,
       risk TEXT NOT NULL,
       side_effect TEXT NOT NULL,
       requested_at REAL NOT NULL,
       expires_at REAL NOT NULL,
       decision TEXT,
       consumed_by TEXT,
       marks TEXT
     );
     CREATE INDEX viewcap_approvals_status ON viewcap_approvals (status, expires_at);
     CREATE INDEX viewcap_approvals_capability ON viewcap_approvals (capability_id, status);
     CREATE INDEX viewcap_approvals_actor ON viewcap_approvals (actor_id, status);`,
  ],
};

const COLUMNS = `id, status, capability_id, surface, actor_id, actor_kind, actor, correlation_id, input, input_hash,
  reasons, types, risk, side_effect, requested_at, expires_at, decision, consumed_by, marks`;

export const SELECT = `SELECT ${COLUMNS} FROM viewcap_approvals`;
export const SELECT_ONE = `${SELECT} WHERE id = ?`;
export const INSERT = `INSERT INTO viewcap_approvals
  (id, status, capability_id, surface, actor_id, actor_kind, actor, correlation_id, input, input_hash, reasons, types,
   risk, side_effect, requested_at, expires_at, marks)
  VALUES (?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`;
export const DECIDE = `UPDATE viewcap_approvals SET status = ?, decision = ?, marks = ?
  WHERE id = ? AND status = 'pending' RETURNING ${COLUMNS}`;
export const CONSUME = `UPDATE viewcap_approvals SET status = 'consumed', consumed_by = ?
  WHERE id = ? AND status = 'approved' RETURNING ${COLUMNS}`;

/** The values of INSERT. */
export function requestValues(tree: ApprovalRequest, marks: Marks | undefined): SqliteValue[] {
  const { id: actorId, kind, ...rest } = tree.actor;
  return [
    tree.id,
    tree.capabilityId,
    tree.surface,
    actorId,
    kind,
    JSON.stringify(rest),
    tree.correlationId ?? null,
    JSON.stringify(tree.input),
    tree.inputHash,
    JSON.stringify(tree.reasons),
    JSON.stringify(tree.types),
    tree.risk,
    tree.sideEffect,
    tree.requestedAt,
    tree.expiresAt,
    marksText(marks),
  ];
}

export function marksText(marks: Marks | undefined): string | null {
  return marks === undefined ? null : JSON.stringify(marks);
}

/** Marks of the request, and those of a decision that joins it. */
export function joinedMarks(row: unknown, more: Marks | undefined): Marks | undefined {
  const marks = readMarks(row);
  if (marks === undefined || more === undefined) return marks ?? more;
  return {
    dates: [...(marks.dates ?? []), ...(more.dates ?? [])],
    absent: [...(marks.absent ?? []), ...(more.absent ?? [])],
  };
}

/** The record as the row has it, changed by hand or not; only what is no record at all is refused. */
export function recordOfRow(row: unknown): ApprovalRecord {
  let record: unknown;
  try {
    record = restore(treeOfRow(row), readMarks(row));
  } catch (error) {
    throw unreadableRecord(member(row, "id"), error instanceof Error ? error.message : "", error);
  }
  if (isApprovalRecord(record)) return record;
  throw unreadableRecord(member(row, "id"), problemOfRecord(record) ?? "");
}

function treeOfRow(row: unknown): unknown {
  const column = (name: string): unknown => member(row, name);
  const rest = json(row, "actor");
  return {
    id: column("id"),
    capabilityId: column("capability_id"),
    surface: column("surface"),
    actor: { ...(isRecord(rest) ? rest : {}), id: column("actor_id"), kind: column("actor_kind") },
    ...present("correlationId", column("correlation_id")),
    input: json(row, "input"),
    inputHash: column("input_hash"),
    reasons: json(row, "reasons"),
    types: json(row, "types"),
    risk: column("risk"),
    sideEffect: column("side_effect"),
    requestedAt: column("requested_at"),
    expiresAt: column("expires_at"),
    status: column("status"),
    ...present("decision", json(row, "decision")),
    ...present("consumedByExecutionId", column("consumed_by")),
  };
}

const present = (key: string, value: unknown): object => (value === null ? {} : { [key]: value });

function json(row: unknown, column: string): unknown {
  const text = member(row, column);
  if (text === null) return null;
  if (typeof text !== "string") throw new Error(`${column} holds no text`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${column} holds no JSON`, { cause: error });
  }
}

function readMarks(row: unknown): Marks | undefined {
  const marks = json(row, "marks");
  if (marks === null) return undefined;
  const paths = (key: string): string[] => {
    const list: unknown = member(marks, key) ?? [];
    if (Array.isArray(list) && list.every((path) => typeof path === "string")) return list;
    throw new Error(`marks.${key} is no list of places`);
  };
  return { dates: paths("dates"), absent: paths("absent") };
}
