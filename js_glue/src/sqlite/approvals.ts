// Approvals in a SQLite file, shared by any number of processes on one machine. A record is changed by one statement
// that also asks for the status it starts from, inside a transaction that holds the file's write lock; so of any number
// of callers, in any number of processes, one changes it.

import {
  ApprovalError,
  duplicateApproval,
  notApproved,
  unknownApproval,
  unreadableRecord,
} from "../domain/approvals/errors.js";
import {
  checkExecutionId,
  flatDecision,
  flatRequest,
  isApprovalStatus,
  isStorableText,
  readFilter,
  stampedDecision,
} from "../domain/approvals/record.js";
import { checkDecision, statusAt } from "../domain/approvals/rules.js";
import { member } from "../contract/values.js";
import type {
  ApprovalCoordinator,
  ApprovalDecisionInput,
  ApprovalFilter,
  ApprovalRecord,
  ApprovalRequest,
} from "../domain/types.js";
import type { SqliteValue } from "./binding.js";
import {
  APPROVALS_PART,
  CONSUME,
  DECIDE,
  INSERT,
  joinedMarks,
  marksText,
  recordOfRow,
  requestValues,
  SELECT,
  SELECT_ONE,
} from "./rows.js";
import { SqliteStore, type SqliteStoreOptions } from "./store.js";

export interface SqliteApprovalOptions extends SqliteStoreOptions {
  /** Milliseconds of the Unix epoch; default: the system's clock. */
  readonly now?: () => number;
}

export class SqliteApprovals implements Required<ApprovalCoordinator> {
  readonly #store: SqliteStore;
  readonly #now: () => number;

  constructor(options: SqliteApprovalOptions) {
    this.#now = options.now ?? Date.now;
    this.#store = new SqliteStore(options, APPROVALS_PART);
  }

  async create(request: ApprovalRequest): Promise<ApprovalRecord> {
    const { tree, marks } = flatRequest(request);
    const values = requestValues(tree, marks);
    return this.#store.write(() => {
      const row = this.#store.statement(INSERT).get(...values);
      if (row === undefined) throw duplicateApproval(tree.id);
      return recordOfRow(row);
    });
  }

  async get(id: string): Promise<ApprovalRecord | null> {
    const row = this.#store.read(() => this.#rowOf(id));
    return row === undefined ? null : this.#seen(row, this.#now());
  }

  async decide(id: string, decision: ApprovalDecisionInput): Promise<ApprovalRecord> {
    const flat = flatDecisionLater(decision);
    return this.#store.write(() => {
      const row = this.#rowOf(id);
      if (row === undefined) throw unknownApproval(id);
      const { tree, marks } = flat();
      // The clock is read under the lock: a wait for it must not carry a decision past the deadline.
      const now = this.#now();
      const problem = checkDecision({ ...deadlineOf(row), decision: tree }, now);
      if (problem !== undefined) throw new ApprovalError("DECISION_REFUSED", problem);
      const decided = stampedDecision(tree, now);
      const joined = marksText(joinedMarks(row, marks));
      const after = this.#store.statement(DECIDE).get(decided.status, JSON.stringify(decided), joined, id);
      return recordOfRow(after);
    });
  }

  async markConsumed(id: string, executionId: string): Promise<ApprovalRecord> {
    checkExecutionId(executionId);
    return this.#store.write(() => {
      const row = this.#rowOf(id);
      if (row === undefined) throw unknownApproval(id);
      const after = this.#store.statement(CONSUME).get(executionId, id);
      if (after === undefined) throw notApproved(id, this.#seen(row, this.#now()).status);
      return recordOfRow(after);
    });
  }

  async list(filter?: ApprovalFilter): Promise<readonly ApprovalRecord[]> {
    const { status, ...rest } = readFilter(filter);
    const now = this.#now();
    const { sql, values } = listQuery({ ...rest, ...(status !== undefined && { status }) }, now);
    const rows = this.#store.read(() => this.#store.statement(sql).all(...values));
    const records = rows.map((row) => this.#seen(row, now));
    return status === undefined ? records : records.filter((record) => record.status === status);
  }

  /** Idempotent; a database that was handed over stays open. */
  close(): void {
    this.#store.close();
  }
  [Symbol.dispose](): void {
    this.close();
  }

  /** A text that SQLite would keep otherwise is nobody's id. */
  #rowOf(id: unknown): unknown {
    const statement = this.#store.statement(SELECT_ONE);
    return isStorableText(id) ? statement.get(id) : undefined;
  }

  #seen(row: unknown, now: number): ApprovalRecord {
    const record = recordOfRow(row);
    return { ...record, status: statusAt(record.status, record.expiresAt, now) };
  }
}

/** Author code (a toJSON, a getter) runs before the file is locked; what it came to is said after the id was found. */
function flatDecisionLater(decision: unknown): () => ReturnType<typeof flatDecision> {
  try {
    const flat = flatDecision(decision);
    return () => flat;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function deadlineOf(row: unknown): Pick<ApprovalRecord, "status" | "expiresAt"> {
  const status = member(row, "status");
  const expiresAt = member(row, "expires_at");
  if (isApprovalStatus(status) && typeof expiresAt === "number") return { status, expiresAt };
  throw unreadableRecord(member(row, "id"), "its status or its deadline is none");
}

/**
 * Narrows by the indexes. Whether a record reads as pending or as expired the rules decide, over what this finds: the
 * comparison is theirs (strictly later than the deadline), written again so that lapsed records are not read in vain.
 */
export function listQuery(
  filter: ApprovalFilter,
  now: number,
): { readonly sql: string; readonly values: SqliteValue[] } {
  const terms: string[] = [];
  const values: SqliteValue[] = [];
  const add = (term: string, ...given: SqliteValue[]): void => {
    terms.push(term);
    values.push(...given);
  };
  const { status, capabilityId, actorId } = filter;
  if (status === "pending") add("status = 'pending' AND expires_at >= ?", now);
  else if (status === "expired") add("(status = 'expired' OR (status = 'pending' AND expires_at < ?))", now);
  else if (status !== undefined) add("status = ?", status);
  for (const [column, wanted] of [
    ["capability_id", capabilityId],
    ["actor_id", actorId],
  ] as const) {
    if (wanted === undefined) continue;
    if (isStorableText(wanted)) add(`${column} = ?`, wanted);
    else add("0");
  }
  const where = terms.length === 0 ? "" : ` WHERE ${terms.join(" AND ")}`;
  return { sql: `${SELECT}${where} ORDER BY seq`, values };
}
