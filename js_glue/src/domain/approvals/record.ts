// What a request and a record must be before anything is stored or handed out (spec: domain.md §8.1). Texts that a
// database cannot keep as they are (a lone surrogate, U+0000) are refused in every store alike: two of them might
// come back as one.

import { isRecord } from "../../contract/values.js";
import {
  ACTOR_KINDS,
  APPROVAL_STATUSES,
  EXPOSURE_SURFACES,
  RISK_LEVELS,
  SIDE_EFFECTS,
} from "../../generated/domain_vocabulary.js";
import { isWellFormed } from "../../json/value.js";
import type { ApprovalDecision, ApprovalFilter, ApprovalRecord, ApprovalRequest, ApprovalStatus } from "../types.js";
import { ApprovalError, unreadableRecord, type ApprovalRefusal } from "./errors.js";
import { flatten, NotFlatError, restore, type Flat } from "./flat.js";

type Check = (value: unknown) => string | undefined;

export function isStorableText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0") && isWellFormed(value);
}

const storable: Check = (value) =>
  isStorableText(value) ? undefined : "a string without lone surrogates or U+0000 is needed";
const text: Check = (value) => (value === "" ? "a string that is not empty is needed" : storable(value));
const time: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) ? undefined : "a time in milliseconds is needed";
const texts: Check = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === "string") ? undefined : "an array of strings is needed";
const hash: Check = (value) =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value) ? undefined : "64 lower-case hex digits are needed";
const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && words.includes(value) ? undefined : `one of ${words.join(", ")} is needed`;
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);
const actor: Check = (value) =>
  isRecord(value) && text(value["id"]) === undefined && oneOf(ACTOR_KINDS)(value["kind"]) === undefined
    ? undefined
    : `an object with a non-empty id and a kind of ${ACTOR_KINDS.join(", ")} is needed`;
const decided: Check = (value) =>
  isRecord(value) &&
  (value["status"] === "approved" || value["status"] === "rejected") &&
  actor(value["approver"]) === undefined &&
  time(value["decidedAt"]) === undefined &&
  (value["comment"] === undefined || typeof value["comment"] === "string")
    ? undefined
    : "an object with status, approver and decidedAt is needed";

const REQUEST: Readonly<Record<string, Check>> = {
  id: text,
  capabilityId: text,
  surface: oneOf(EXPOSURE_SURFACES),
  actor,
  correlationId: optional(storable),
  input: (value) => (value === undefined ? "the validated input is needed" : undefined),
  inputHash: hash,
  reasons: texts,
  types: texts,
  risk: oneOf(RISK_LEVELS),
  sideEffect: oneOf(SIDE_EFFECTS),
  requestedAt: time,
  expiresAt: time,
};
// A hash that somebody changed by hand is handed out: whoever resumes compares it.
const RECORD: Readonly<Record<string, Check>> = {
  ...REQUEST,
  inputHash: storable,
  status: oneOf(APPROVAL_STATUSES),
  decision: optional(decided),
  consumedByExecutionId: optional(text),
};

function problemOf(value: unknown, checks: Readonly<Record<string, Check>>): string | undefined {
  if (!isRecord(value)) return "an object is needed";
  for (const [key, check] of Object.entries(checks)) {
    const problem = check(value[key]);
    if (problem !== undefined) return `${key} is ${shown(value[key])}; ${problem}`;
  }
  return undefined;
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (value === undefined) return "absent";
  return typeof value === "object" ? (Array.isArray(value) ? "an array" : "an object") : String(value);
}

const isDecision = (value: unknown): value is ApprovalDecision => decided(value) === undefined;
const isRequest = (value: unknown): value is ApprovalRequest => problemOf(value, REQUEST) === undefined;

/** What is wrong with a record that some store gave back. */
export const problemOfRecord = (value: unknown): string | undefined => problemOf(value, RECORD);
export const isApprovalRecord = (value: unknown): value is ApprovalRecord => problemOfRecord(value) === undefined;

export function isApprovalStatus(value: unknown): value is ApprovalStatus {
  return oneOf(APPROVAL_STATUSES)(value) === undefined;
}

/** The request alone, flat and checked; keys that a request does not have are left behind. */
export function flatRequest(request: unknown): { readonly tree: ApprovalRequest; readonly marks: Flat["marks"] } {
  const { tree, marks } = flattened("INVALID_REQUEST", "the approval request", () =>
    isRecord(request) ? Object.fromEntries(Object.keys(REQUEST).map((key) => [key, request[key]])) : null,
  );
  if (isRequest(tree)) return { tree, marks };
  const problem = problemOf(tree, REQUEST) ?? "";
  throw new ApprovalError("INVALID_REQUEST", `the approval request cannot be stored: ${problem}`);
}

/** The decision as the rules look at it: a copy of its status, approver and comment. */
export function flatDecision(decision: unknown): Flat {
  // The marks are the record's: they start at the record's root.
  const { tree, marks } = flattened("DECISION_REFUSED", "the decision", () => ({ decision: decisionParts(decision) }));
  return { tree: isRecord(tree) ? tree["decision"] : undefined, marks };
}

function decisionParts(decision: unknown): unknown {
  if (!isRecord(decision)) return decision;
  return { status: decision["status"], approver: decision["approver"], comment: decision["comment"] };
}

/** A decision that the rules have let pass, with its time. */
export function stampedDecision(tree: unknown, decidedAt: number): ApprovalDecision {
  const stamped = isRecord(tree) ? { ...tree, decidedAt } : tree;
  if (isDecision(stamped)) return stamped;
  throw new ApprovalError("DECISION_REFUSED", `the decision is ${shown(stamped)}; ${decided(stamped) ?? ""}`);
}

function flattened(code: ApprovalRefusal, what: string, read: () => unknown): Flat {
  try {
    return flatten(read());
  } catch (error) {
    const why = error instanceof NotFlatError ? error.message : "reading it threw";
    throw new ApprovalError(code, `${what} cannot be stored: ${why}`, error);
  }
}

export function checkExecutionId(executionId: unknown): void {
  const problem = text(executionId);
  if (problem === undefined) return;
  throw new ApprovalError("NOT_APPROVED", `the execution's id is ${shown(executionId)}; ${problem}`);
}

/** A copy that shares nothing with the record. */
export function detached(record: ApprovalRecord): ApprovalRecord {
  const { tree, marks } = flatten(record);
  const copy = restore(tree, marks);
  if (!isApprovalRecord(copy)) throw unreadableRecord(record.id, problemOfRecord(copy) ?? "");
  return copy;
}

/** Keys that a filter does not have are ignored; what it has must be possible. */
export function readFilter(filter: unknown): ApprovalFilter {
  if (filter === undefined) return {};
  const refuse = (what: string): never => {
    throw new ApprovalError("INVALID_FILTER", `the filter cannot be used: ${what}`);
  };
  if (!isRecord(filter)) return refuse("an object is needed");
  const { status, capabilityId, actorId } = filter;
  if (status !== undefined && !isApprovalStatus(status)) {
    return refuse(`status is ${shown(status)}; one of ${APPROVAL_STATUSES.join(", ")} is needed`);
  }
  if (capabilityId !== undefined && typeof capabilityId !== "string") return refuse("capabilityId is no string");
  if (actorId !== undefined && typeof actorId !== "string") return refuse("actorId is no string");
  return {
    ...(status !== undefined && { status }),
    ...(capabilityId !== undefined && { capabilityId }),
    ...(actorId !== undefined && { actorId }),
  };
}
