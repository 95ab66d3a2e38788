// How a coordinator refuses. The runtime reports a refusal as INTERNAL_ERROR at stage approval, a refused markConsumed
// as APPROVAL_CONSUMED (spec: domain.md §8); an application's approval page tells them apart by `code`.

export type ApprovalRefusal =
  | "INVALID_REQUEST"
  | "DUPLICATE_APPROVAL"
  | "UNKNOWN_APPROVAL"
  | "DECISION_REFUSED"
  | "NOT_APPROVED"
  | "INVALID_FILTER"
  | "UNREADABLE_RECORD";

export class ApprovalError extends Error {
  override readonly name = "ApprovalError";
  readonly code: ApprovalRefusal;
  constructor(code: ApprovalRefusal, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export function duplicateApproval(id: string): ApprovalError {
  return new ApprovalError("DUPLICATE_APPROVAL", `an approval with the id ${JSON.stringify(id)} is stored already`);
}

export function unknownApproval(id: unknown): ApprovalError {
  const shown = typeof id === "string" ? JSON.stringify(id) : `of type ${typeof id}`;
  return new ApprovalError("UNKNOWN_APPROVAL", `no approval has the id ${shown}`);
}

export function notApproved(id: string, status: string): ApprovalError {
  return new ApprovalError(
    "NOT_APPROVED",
    `the approval ${JSON.stringify(id)} is ${status}; only an approved one can be consumed, and once`,
  );
}

export function unreadableRecord(id: unknown, why: string, cause?: unknown): ApprovalError {
  const shown = typeof id === "string" ? JSON.stringify(id) : "without an id";
  return new ApprovalError("UNREADABLE_RECORD", `the stored approval ${shown} cannot be read: ${why}`, cause);
}
