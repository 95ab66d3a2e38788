// Generated from host_protocol/vocabulary/*.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.

/** Codes of an invocation's errors; ERROR_ROWS says what belongs to each. */
export const AGENT_CAPABILITY_ERROR_CODES = [
  "CAPABILITY_NOT_FOUND",
  "CAPABILITY_NOT_AVAILABLE",
  "AMBIGUOUS_INSTANCE",
  "COMPONENT_UNMOUNTED",
  "STALE_CAPABILITY",
  "INVOCATION_CONFLICT",
  "INVALID_INPUT",
  "NOT_AUTHENTICATED",
  "NOT_AUTHORIZED",
  "PRECONDITION_FAILED",
  "CONFIRMATION_REQUIRED",
  "CONFIRMATION_INVALID",
  "RATE_LIMITED",
  "TIMEOUT",
  "CANCELLED",
  "EXECUTION_FAILED",
] as const;
export type AgentCapabilityErrorCode = (typeof AGENT_CAPABILITY_ERROR_CODES)[number];

/** Codes of an author's mistakes; thrown at registration in every environment. */
export const DEFINITION_ERROR_CODES = [
  "INVALID_DEFINITION",
  "INVALID_ID",
  "DUPLICATE_CAPABILITY",
  "UNSUPPORTED_SCHEMA",
  "LIMIT_EXCEEDED",
  "PLANE_VIOLATION",
] as const;
export type DefinitionErrorCode = (typeof DEFINITION_ERROR_CODES)[number];

/** Who runs a capability: the mounted component, or the server. */
export const PLANES = ["view", "domain"] as const;
export type Plane = (typeof PLANES)[number];

/** What a capability does: observations read; actions have the next two; procedures the rest. */
export const EFFECTS = [
  "read",
  "local-state",
  "navigation",
  "server-query",
  "server-mutation",
  "external-side-effect",
  "destructive",
] as const;
export type Effect = (typeof EFFECTS)[number];

/** Whether a person has to approve a call. */
export const CONFIRMATION_LEVELS = ["never", "optional", "required"] as const;
export type ConfirmationLevel = (typeof CONFIRMATION_LEVELS)[number];

/** How much of a call the audit records. */
export const AUDIT_LEVELS = ["none", "metadata", "full"] as const;
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** A claim by the registering code; the default is the first. */
export const ORIGINS = ["first-party"] as const;
export type Origin = (typeof ORIGINS)[number];

/** Which calls of an action wait for each other. */
export const CONCURRENCY_MODES = ["instance", "capability", "key", "parallel"] as const;
export type ConcurrencyMode = (typeof CONCURRENCY_MODES)[number];

/** Which JSON Schema keywords are accepted. */
export const SCHEMA_PROFILE_NAMES = ["portable", "full"] as const;
export type SchemaProfileName = (typeof SCHEMA_PROFILE_NAMES)[number];

/** Where a registry runs; production needs an authority. */
export const ENVIRONMENTS = ["production", "development", "test"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** What happens to a second instance of one type and instance id. */
export const ON_DUPLICATE_INSTANCES = ["reject", "replace"] as const;
export type OnDuplicateInstance = (typeof ON_DUPLICATE_INSTANCES)[number];

/** What a view capability named like a known procedure path causes. */
export const DUPLICATE_SUFFIX_POLICIES = ["off", "warn", "error"] as const;
export type DuplicateSuffixPolicy = (typeof DUPLICATE_SUFFIX_POLICIES)[number];

/** Who invokes; the default is the first. */
export const CONSUMER_KINDS = ["embedded", "webmcp", "mcp-bridge", "test", "other"] as const;
export type ConsumerKind = (typeof CONSUMER_KINDS)[number];

/** What subscribe() delivers. */
export const REGISTRY_EVENT_TYPES = [
  "surface-changed",
  "component-registered",
  "component-unregistered",
  "component-rejected",
  "availability-changed",
  "collision-suspected",
  "invocation-started",
  "invocation-settled",
  "confirmation-requested",
  "confirmation-resolved",
] as const;
export type RegistryEventType = (typeof REGISTRY_EVENT_TYPES)[number];

/** What an audit sink records. */
export const AUDIT_EVENT_TYPES = [
  "component-registered",
  "component-unregistered",
  "component-rejected",
  "invocation-started",
  "invocation-settled",
  "confirmation-requested",
  "confirmation-approved",
  "confirmation-denied",
  "confirmation-expired",
  "confirmation-consumed",
  "late-settlement",
  "collision-suspected",
] as const;
export type AuditEventType = (typeof AUDIT_EVENT_TYPES)[number];

/** Why a registration was rejected. */
export const REJECTION_REASONS = ["duplicate", "guard"] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** What a caller may do about an error. */
export const RETRY_HINTS = ["no", "yes", "after-refresh", "after-delay", "with-confirmation", "with-changes"] as const;
export type RetryHint = (typeof RETRY_HINTS)[number];

/** How a call ended. */
export const INVOCATION_STATUSES = ["ok", "error"] as const;
export type InvocationStatus = (typeof INVOCATION_STATUSES)[number];

/** COMPONENT_UNMOUNTED: where the call was. */
export const UNMOUNT_PHASES = ["resolve", "queued", "mid-flight"] as const;
export type UnmountPhase = (typeof UNMOUNT_PHASES)[number];

/** Who refused or asks for approval. */
export const ERROR_ORIGINS = ["client", "server"] as const;
export type ErrorOrigin = (typeof ERROR_ORIGINS)[number];

/** How a confirmation was decided. */
export const CONFIRMATION_OUTCOMES = ["approved", "denied", "expired"] as const;
export type ConfirmationOutcome = (typeof CONFIRMATION_OUTCOMES)[number];

/** STALE_CAPABILITY. */
export const STALENESS_REASONS = ["registration-replaced", "surface-reloaded", "surface-version-mismatch"] as const;
export type StalenessReason = (typeof STALENESS_REASONS)[number];

/** CAPABILITY_NOT_AVAILABLE and descriptors, where the author gave no reason. */
export const UNAVAILABLE_REASONS = ["component-disabled", "when-error", "unavailable", "binding-error"] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** INVOCATION_CONFLICT. */
export const CONFLICT_REASONS = ["id-reused-with-different-request"] as const;
export type ConflictReason = (typeof CONFLICT_REASONS)[number];

/** PRECONDITION_FAILED of a binding. */
export const PRECONDITION_REASONS = ["binding-changed", "binding-failed"] as const;
export type PreconditionReason = (typeof PRECONDITION_REASONS)[number];

/** CONFIRMATION_INVALID. */
export const CONFIRMATION_REASONS = ["denied", "consumed", "mismatch", "expired"] as const;
export type ConfirmationReason = (typeof CONFIRMATION_REASONS)[number];

/** RATE_LIMITED. */
export const RATE_LIMIT_REASONS = ["rate", "queue-full"] as const;
export type RateLimitReason = (typeof RATE_LIMIT_REASONS)[number];

/** EXECUTION_FAILED. */
export const EXECUTION_REASONS = [
  "handler-error",
  "policy-error",
  "transport",
  "output-invalid",
  "output-too-large",
  "internal",
] as const;
export type ExecutionReason = (typeof EXECUTION_REASONS)[number];

export interface ErrorRow {
  readonly phases: readonly number[];
  readonly retry: readonly RetryHint[];
  readonly cacheable: boolean;
  readonly details: readonly string[];
}

/** Codes of an invocation's errors: the pipeline phases that may produce each (8 includes the re-check before dispatch), the retry hints it may carry, whether its result is kept for the same invocation id, and the detail keys an agent may see (* is the author's own JSON). */
export const ERROR_ROWS: Readonly<Record<AgentCapabilityErrorCode, ErrorRow>> = {
  CAPABILITY_NOT_FOUND: {
    phases: [2, 4, 6, 8],
    retry: ["after-refresh"],
    cacheable: true,
    details: [],
  },
  CAPABILITY_NOT_AVAILABLE: {
    phases: [2, 3, 4, 6, 7, 8, 9],
    retry: ["after-refresh"],
    cacheable: true,
    details: ["reason"],
  },
  AMBIGUOUS_INSTANCE: {
    phases: [2],
    retry: ["with-changes"],
    cacheable: true,
    details: ["instances"],
  },
  COMPONENT_UNMOUNTED: {
    phases: [2, 4, 5, 6, 7, 8, 9],
    retry: ["after-refresh"],
    cacheable: true,
    details: ["phase"],
  },
  STALE_CAPABILITY: {
    phases: [2],
    retry: ["after-refresh"],
    cacheable: true,
    details: ["reason", "liveRegistrationId"],
  },
  INVOCATION_CONFLICT: {
    phases: [1],
    retry: ["with-changes"],
    cacheable: false,
    details: ["reason"],
  },
  INVALID_INPUT: {
    phases: [1, 5, 9],
    retry: ["with-changes"],
    cacheable: true,
    details: ["issues", "lockedFields"],
  },
  NOT_AUTHENTICATED: {
    phases: [4, 6, 7, 9],
    retry: ["no"],
    cacheable: true,
    details: [],
  },
  NOT_AUTHORIZED: {
    phases: [4, 6, 7, 9],
    retry: ["no"],
    cacheable: true,
    details: ["origin"],
  },
  PRECONDITION_FAILED: {
    phases: [4, 5, 6, 7, 8, 9],
    retry: ["with-changes", "after-refresh"],
    cacheable: true,
    details: ["*"],
  },
  CONFIRMATION_REQUIRED: {
    phases: [6, 9],
    retry: ["with-confirmation"],
    cacheable: false,
    details: ["confirmationId", "summary", "expiresAt", "effect", "origin"],
  },
  CONFIRMATION_INVALID: {
    phases: [6],
    retry: ["no", "with-confirmation"],
    cacheable: true,
    details: ["reason"],
  },
  RATE_LIMITED: {
    phases: [4, 6, 7, 8, 9],
    retry: ["after-delay"],
    cacheable: false,
    details: ["reason", "retryAfterMs"],
  },
  TIMEOUT: {
    phases: [9],
    retry: ["no", "yes"],
    cacheable: true,
    details: ["timeoutMs", "idempotent"],
  },
  CANCELLED: {
    phases: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    retry: ["yes", "no"],
    cacheable: true,
    details: [],
  },
  EXECUTION_FAILED: {
    phases: [4, 5, 6, 7, 9, 10],
    retry: ["no", "after-delay"],
    cacheable: true,
    details: ["reason", "transient", "retryAfterMs"],
  },
};

/** Limits of one registry; each can be set when it is created. */
export const DEFAULT_LIMITS = {
  /** Time a policy has to call next(). Unit: ms. */
  policyTimeoutMs: 5000,
  /** Length of a component's description. Unit: UTF-16 units. */
  maxComponentDescription: 500,
  /** Length of a capability's description. Unit: UTF-16 units. */
  maxCapabilityDescription: 300,
  /** Size of a meta record. Unit: bytes. */
  maxMetaBytes: 2048,
  /** Size of a call's input. Unit: bytes. */
  maxInputBytes: 65536,
  /** Nesting of a call's input. Unit: levels. */
  maxInputDepth: 32,
  /** Length of a string that a pattern is run on. Unit: UTF-16 units. */
  maxPatternInput: 1024,
  /** Size of a handler's output. Unit: bytes. */
  maxOutputBytes: 32768,
  /** Size of one schema. Unit: bytes. */
  maxSchemaBytes: 16384,
  /** Nesting of schemas in one schema. Unit: levels. */
  maxSchemaDepth: 8,
  /** Time an observation may take. Unit: ms. */
  observationTimeoutMs: 5000,
  /** Time an action may take. Unit: ms. */
  actionTimeoutMs: 10000,
  /** Time a procedure may take. Unit: ms. */
  procedureTimeoutMs: 30000,
  /** Calls that wait behind a running action. Unit: calls. */
  actionQueueDepth: 2,
  /** Observations running for one consumer. Unit: calls. */
  maxConcurrentObservationsPerConsumer: 8,
  /** Observations running for all consumers. Unit: calls. */
  maxConcurrentObservationsTotal: 32,
  /** Observations waiting for one consumer. Unit: calls. */
  maxQueuedObservationsPerConsumer: 8,
  /** Settled results kept for one consumer. Unit: entries. */
  dedupeCacheSize: 200,
  /** Time a settled result is kept. Unit: ms. */
  dedupeCacheTtlMs: 600000,
  /** Unmounted registrations remembered. Unit: entries. */
  tombstoneSize: 100,
  /** Time an unmounted registration is remembered. Unit: ms. */
  tombstoneTtlMs: 300000,
  /** Time a confirmation can be decided and used. Unit: ms. */
  confirmationTtlMs: 120000,
  /** Confirmations that wait for a person. Unit: entries. */
  maxPendingConfirmations: 32,
  /** Turns off the check of patterns for catastrophic backtracking. Unit: boolean. */
  allowUnsafePatterns: false,
} as const;

export type LimitName = keyof typeof DEFAULT_LIMITS;
export type Limits = { readonly [K in LimitName]: (typeof DEFAULT_LIMITS)[K] extends boolean ? boolean : number };
