// The coordinator that a runtime has when none is given: volatile, and of this process alone (spec: domain.md §8.1).
// Nothing here awaits between looking and writing, so that each method is one step for every other.

import type {
  ApprovalCoordinator,
  ApprovalDecisionInput,
  ApprovalFilter,
  ApprovalRecord,
  ApprovalRequest,
} from "../types.js";
import { ApprovalError, duplicateApproval, notApproved, unknownApproval, unreadableRecord } from "./errors.js";
import { restore } from "./flat.js";
import {
  checkExecutionId,
  detached,
  flatDecision,
  flatRequest,
  isApprovalRecord,
  problemOfRecord,
  readFilter,
  stampedDecision,
} from "./record.js";
import { checkDecision, statusAt } from "./rules.js";

export interface InMemoryApprovalCoordinatorOptions {
  /** Milliseconds of the Unix epoch; default: the system's clock. */
  readonly now?: () => number;
}

export function createInMemoryApprovalCoordinator(
  options: InMemoryApprovalCoordinatorOptions = {},
): Required<ApprovalCoordinator> {
  return new InMemoryApprovals(options.now ?? Date.now);
}

class InMemoryApprovals implements Required<ApprovalCoordinator> {
  readonly #now: () => number;
  readonly #records = new Map<string, ApprovalRecord>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async create(request: ApprovalRequest): Promise<ApprovalRecord> {
    const { tree, marks } = flatRequest(request);
    if (this.#records.has(tree.id)) throw duplicateApproval(tree.id);
    return this.#store(restore({ ...tree, status: "pending" }, marks));
  }

  async get(id: string): Promise<ApprovalRecord | null> {
    const record = this.#records.get(id);
    return record === undefined ? null : this.#read(record, this.#now());
  }

  async decide(id: string, decision: ApprovalDecisionInput): Promise<ApprovalRecord> {
    const record = this.#known(id);
    const { tree, marks } = flatDecision(decision);
    const now = this.#now();
    const { status, expiresAt } = record;
    const problem = checkDecision({ status, expiresAt, decision: tree }, now);
    if (problem !== undefined) throw new ApprovalError("DECISION_REFUSED", problem);
    const decided = stampedDecision(tree, now);
    return this.#store(restore({ ...record, status: decided.status, decision: decided }, marks));
  }

  async markConsumed(id: string, executionId: string): Promise<ApprovalRecord> {
    checkExecutionId(executionId);
    const record = this.#known(id);
    if (record.status !== "approved") throw notApproved(id, this.#read(record, this.#now()).status);
    return this.#store({ ...record, status: "consumed", consumedByExecutionId: executionId });
  }

  async list(filter?: ApprovalFilter): Promise<readonly ApprovalRecord[]> {
    const { status, capabilityId, actorId } = readFilter(filter);
    const now = this.#now();
    const found = [...this.#records.values()].filter(
      (record) =>
        (capabilityId === undefined || record.capabilityId === capabilityId) &&
        (actorId === undefined || record.actor.id === actorId) &&
        (status === undefined || statusAt(record.status, record.expiresAt, now) === status),
    );
    return found.map((record) => this.#read(record, now));
  }

  #known(id: string): ApprovalRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw unknownApproval(id);
    return record;
  }

  #store(record: unknown): ApprovalRecord {
    if (!isApprovalRecord(record)) throw unreadableRecord(undefined, problemOfRecord(record) ?? "");
    this.#records.set(record.id, record);
    return detached(record);
  }

  #read(record: ApprovalRecord, now: number): ApprovalRecord {
    return { ...detached(record), status: statusAt(record.status, record.expiresAt, now) };
  }
}
