// Generated from host_protocol/vocabulary/domain.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.

/** Codes of the domain plane's errors; DOMAIN_ERROR_ROWS says what belongs to each. */
export const CAPABILITY_ERROR_CODES = [
  "CAPABILITY_NOT_FOUND",
  "INPUT_INVALID",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "POLICY_DENIED",
  "POLICY_FAILED",
  "APPROVAL_REQUIRED",
  "APPROVAL_PENDING",
  "APPROVAL_REJECTED",
  "APPROVAL_EXPIRED",
  "APPROVAL_CONSUMED",
  "APPROVAL_INPUT_MISMATCH",
  "APPROVAL_SELF_APPROVAL",
  "APPROVAL_UNSERIALIZABLE_INPUT",
  "APPROVAL_RESUME_MISMATCH",
  "EXECUTION_FAILED",
  "OUTPUT_INVALID",
  "TIMEOUT",
  "CANCELLED",
  "AUDIT_UNAVAILABLE",
  "ADAPTER_ERROR",
  "INTERNAL_ERROR",
] as const;
export type CapabilityErrorCode = (typeof CAPABILITY_ERROR_CODES)[number];

/** Where a capability can be reached; an order that listings keep. */
export const EXPOSURE_SURFACES = ["direct", "aiSdk", "mcp", "workflow", "test"] as const;
export type ExposureSurface = (typeof EXPOSURE_SURFACES)[number];

/** What a capability does to the world; the last three are write-like. */
export const SIDE_EFFECTS = ["none", "read", "write", "destructive", "external"] as const;
export type SideEffect = (typeof SIDE_EFFECTS)[number];

/** How sensitive a capability is; drives nothing by itself. */
export const RISK_LEVELS = ["low", "medium", "high", "critical"] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Who asks. */
export const ACTOR_KINDS = ["user", "service", "automation", "anonymous"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** When a policy is asked. */
export const POLICY_PHASES = ["discovery", "invocation", "execution"] as const;
export type PolicyPhase = (typeof POLICY_PHASES)[number];

/** What a policy says. */
export const POLICY_DECISION_TYPES = ["allow", "deny", "hide", "require-approval"] as const;
export type PolicyDecisionType = (typeof POLICY_DECISION_TYPES)[number];

/** What the audit says of a policy. */
export const POLICY_STANCES = ["allow", "deny", "hide", "require-approval", "error"] as const;
export type PolicyStance = (typeof POLICY_STANCES)[number];

/** Where in the pipeline an error arose. */
export const ERROR_STAGES = [
  "discovery",
  "input-validation",
  "authentication",
  "authorization",
  "policy",
  "approval",
  "execution",
  "output-validation",
  "timeout",
  "cancellation",
  "adapter",
] as const;
export type ErrorStage = (typeof ERROR_STAGES)[number];

/** The life of an approval; cancelled is an application's own withdrawal. */
export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired", "cancelled", "consumed"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** Types of audit events. */
export const AUDIT_EVENT_TYPES = [
  "capabilities.discovered",
  "capability.requested",
  "capability.denied",
  "capability.approval_requested",
  "capability.approved",
  "capability.rejected",
  "capability.started",
  "capability.retried",
  "capability.completed",
  "capability.failed",
  "capability.cancelled",
] as const;
export type AuditEventType = (typeof AUDIT_EVENT_TYPES)[number];

/** Why a call was denied; for the audit only. */
export const DENIED_REASONS = ["unknown", "not-exposed", "hidden", "policy-denied", "policy-failed"] as const;
export type DeniedReason = (typeof DENIED_REASONS)[number];

/** What an error says that may not leave the server. */
export const GENERIC_MESSAGE = "The operation failed.";

export interface DomainErrorRow {
  readonly stage: ErrorStage;
  readonly retryable: boolean;
  readonly expose: boolean;
  readonly message: string;
}

/** Codes of the governed domain plane: the stage that raises each, whether a retry may help, whether the message may leave the server, and that message (G is the generic one). */
export const DOMAIN_ERROR_ROWS: Readonly<Record<CapabilityErrorCode, DomainErrorRow>> = {
  CAPABILITY_NOT_FOUND: {
    stage: "discovery",
    retryable: false,
    expose: true,
    message: "No such capability.",
  },
  INPUT_INVALID: {
    stage: "input-validation",
    retryable: false,
    expose: true,
    message: "The input did not pass validation.",
  },
  UNAUTHENTICATED: {
    stage: "authentication",
    retryable: false,
    expose: true,
    message: "A valid identity is needed.",
  },
  FORBIDDEN: {
    stage: "authorization",
    retryable: false,
    expose: true,
    message: "This operation is not allowed.",
  },
  POLICY_DENIED: {
    stage: "policy",
    retryable: false,
    expose: true,
    message: "A policy refused this operation.",
  },
  POLICY_FAILED: {
    stage: "policy",
    retryable: false,
    expose: false,
    message: "The operation failed.",
  },
  APPROVAL_REQUIRED: {
    stage: "approval",
    retryable: false,
    expose: true,
    message: "This operation needs an approval.",
  },
  APPROVAL_PENDING: {
    stage: "approval",
    retryable: true,
    expose: true,
    message: "No approval decision yet.",
  },
  APPROVAL_REJECTED: {
    stage: "approval",
    retryable: false,
    expose: true,
    message: "The approval request was turned down.",
  },
  APPROVAL_EXPIRED: {
    stage: "approval",
    retryable: false,
    expose: true,
    message: "The approval lapsed; ask again.",
  },
  APPROVAL_CONSUMED: {
    stage: "approval",
    retryable: false,
    expose: true,
    message: "That approval was already spent.",
  },
  APPROVAL_INPUT_MISMATCH: {
    stage: "approval",
    retryable: false,
    expose: false,
    message: "The operation failed.",
  },
  APPROVAL_SELF_APPROVAL: {
    stage: "approval",
    retryable: false,
    expose: true,
    message: "Requester and approver must be different.",
  },
  APPROVAL_UNSERIALIZABLE_INPUT: {
    stage: "approval",
    retryable: false,
    expose: false,
    message: "The operation failed.",
  },
  APPROVAL_RESUME_MISMATCH: {
    stage: "approval",
    retryable: false,
    expose: false,
    message: "The operation failed.",
  },
  EXECUTION_FAILED: {
    stage: "execution",
    retryable: false,
    expose: false,
    message: "The operation failed.",
  },
  OUTPUT_INVALID: {
    stage: "output-validation",
    retryable: false,
    expose: false,
    message: "The operation failed.",
  },
  TIMEOUT: {
    stage: "timeout",
    retryable: true,
    expose: true,
    message: "The time limit was reached.",
  },
  CANCELLED: {
    stage: "cancellation",
    retryable: false,
    expose: true,
    message: "The caller stopped the operation.",
  },
  AUDIT_UNAVAILABLE: {
    stage: "execution",
    retryable: true,
    expose: false,
    message: "The operation failed.",
  },
  ADAPTER_ERROR: {
    stage: "adapter",
    retryable: false,
    expose: false,
    message: "The operation failed.",
  },
  INTERNAL_ERROR: {
    stage: "execution",
    retryable: false,
    expose: false,
    message: "The operation failed.",
  },
};
