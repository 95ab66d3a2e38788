// The coordinator as a runtime's users see it: `decide` also tells the audit (spec: domain.md §5); and records as facts.

import { isRecord, member } from "../contract/values.js";
import { detach } from "./detach.js";
import { actorFacts, type Engine } from "./engine.js";
import { isPlain } from "./records.js";
import type { ApprovalRecord, RuntimeApprovals } from "./types.js";
import { factRecord, valueFacts } from "./value_facts.js";

export function approvalsOf(engine: Engine): RuntimeApprovals {
  const { coordinator } = engine;
  return Object.freeze({
    create: (request) => coordinator.create(request),
    get: (id) => coordinator.get(id),
    decide: async (id, decision) => {
      const record = await coordinator.decide(id, decision);
      const facts = factRecord({
        approved: String(record.status === "approved"),
        record: recordFacts(record, record.actor),
        approver: actorFacts(record.decision?.approver),
        comment: record.decision?.comment === undefined ? undefined : valueFacts(record.decision.comment),
      });
      engine.module.call(facts, (table) => table.approvalDecided(engine.handle, engine.now()));
      void engine.deliver();
      return record;
    },
    markConsumed: (id, executionId) => coordinator.markConsumed(id, executionId),
    ...(coordinator.list === undefined ? {} : { list: (filter) => coordinator.list?.(filter) ?? Promise.resolve([]) }),
  } satisfies RuntimeApprovals);
}

const FIELDS = [
  ...["id", "capabilityId", "surface", "actor", "correlationId", "input", "inputHash", "reasons", "types", "risk"],
  ...["sideEffect", "requestedAt", "expiresAt", "status", "decision", "consumedByExecutionId"],
];

/**
 * A copy of what a store answered, so that neither the store nor a policy can change what runs; null for no record. Rows
 * of a database may be class instances, so known fields are read by name.
 */
export function ownRecord(answer: unknown): ApprovalRecord | null {
  if (!isRecord(answer)) return null;
  const read = (): object => Object.fromEntries(FIELDS.map((key) => [key, answer[key]] as const));
  const copy = detach(isPlain(answer) ? answer : read());
  return isRecordLike(copy) ? copy : null;
}

/** What is in it is for the module to judge. */
function isRecordLike(value: unknown): value is ApprovalRecord {
  return isRecord(value);
}

/** What the module reads of a stored record; "null" for none. */
export function recordFacts(record: ApprovalRecord | null, actor: unknown): string {
  if (!isRecord(record)) return "null";
  const approver: unknown = member(record["decision"], "approver");
  return factRecord({
    id: valueFacts(record["id"]),
    capabilityId: valueFacts(record["capabilityId"]),
    surface: valueFacts(record["surface"]),
    actor: actorFacts(actor),
    correlationId: typeof record["correlationId"] === "string" ? valueFacts(record["correlationId"]) : undefined,
    inputHash: valueFacts(record["inputHash"]),
    status: valueFacts(record["status"]),
    expiresAt: valueFacts(record["expiresAt"]),
    decision: isRecord(record["decision"]) ? factRecord({ approver: actorFacts(approver) }) : undefined,
  });
}
