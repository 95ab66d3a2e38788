// The rules of an approval's life, as the module has them (spec: domain.md §8.1; approval.h of the domain plane).
// Coordinators keep records and ask here; they decide nothing themselves.

import { AgentSurfaceDefinitionError } from "../../errors.js";
import { APPROVAL_STATUSES, type ApprovalStatus } from "../../generated/domain_vocabulary.js";
import { domainModule } from "../../runtime/domain_node.js";
import { factRecord, valueFacts } from "../value_facts.js";

export interface DecisionFacts {
  /** As it is stored: the deadline is the rules' business. */
  readonly status: ApprovalStatus;
  readonly expiresAt: number;
  /** What the approver handed over, copied but not looked at. */
  readonly decision: unknown;
}

/** A sentence that says what is wrong; undefined: the decision may be stored. */
export function checkDecision({ status, expiresAt, decision }: DecisionFacts, now: number): string | undefined {
  const facts = factRecord({
    status: valueFacts(status),
    expiresAt: valueFacts(expiresAt),
    decision: decision === undefined ? undefined : valueFacts(decision),
  });
  try {
    domainModule().answer(facts, (table) => table.checkDecision(now));
    return undefined;
  } catch (error) {
    if (error instanceof AgentSurfaceDefinitionError) return error.message;
    throw error;
  }
}

/** A pending record strictly past its deadline reads as expired; every other as it is. */
export function statusAt(status: ApprovalStatus, expiresAt: number, now: number): ApprovalStatus {
  const answer = domainModule().text(status, (table) => table.approvalStatus(expiresAt, now));
  return APPROVAL_STATUSES.find((known) => known === answer) ?? status;
}
