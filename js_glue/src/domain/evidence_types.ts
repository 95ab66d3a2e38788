// Shapes of approvals, audit events and spans (spec: domain.md §§8, 10). Times are milliseconds of the Unix epoch.

import type {
  ActorKind,
  ApprovalStatus,
  AuditEventType,
  ExposureSurface,
  RiskLevel,
  SideEffect,
} from "../generated/domain_vocabulary.js";
import type { Actor } from "./types.js";

// --- approvals (spec §8)

export interface ApprovalRequest {
  readonly id: string;
  readonly capabilityId: string;
  readonly surface: ExposureSurface;
  readonly actor: Actor;
  readonly correlationId?: string;
  /** The validated input. */
  readonly input: unknown;
  /** SHA-256 of its canonical JSON, 64 lower-case hex digits. */
  readonly inputHash: string;
  readonly reasons: readonly string[];
  readonly types: readonly string[];
  readonly risk: RiskLevel;
  readonly sideEffect: SideEffect;
  readonly requestedAt: number;
  readonly expiresAt: number;
}

export interface ApprovalDecisionInput {
  readonly status: "approved" | "rejected";
  readonly approver: Actor;
  readonly comment?: string;
}
export interface ApprovalDecision extends ApprovalDecisionInput {
  readonly decidedAt: number;
}

export interface ApprovalRecord extends ApprovalRequest {
  readonly status: ApprovalStatus;
  readonly decision?: ApprovalDecision;
  readonly consumedByExecutionId?: string;
}

export interface ApprovalFilter {
  readonly status?: ApprovalStatus;
  readonly capabilityId?: string;
  readonly actorId?: string;
}

/**
 * Where approvals are kept (spec §8.1). Every record that comes back is a detached copy. A failure is a rejection; the
 * runtime reports it as INTERNAL_ERROR at stage approval, and a failed markConsumed as APPROVAL_CONSUMED.
 */
export interface ApprovalCoordinator {
  /** Stores as pending; a duplicate id fails. */
  create(request: ApprovalRequest): Promise<ApprovalRecord>;
  /** A pending record past its deadline reads as expired. */
  get(id: string): Promise<ApprovalRecord | null>;
  /** Fails, and changes nothing, unless the record is pending, unexpired and the decision well-formed. */
  decide(id: string, decision: ApprovalDecisionInput): Promise<ApprovalRecord>;
  /** Atomic compare-and-set approved → consumed; looks at no deadline. Fails otherwise, a second use included. */
  markConsumed(id: string, executionId: string): Promise<ApprovalRecord>;
  /** Filters combine with AND; expiry is applied first. */
  list?(filter?: ApprovalFilter): Promise<readonly ApprovalRecord[]>;
}

/** Decides inline, in the same execution; nothing or null: the call is suspended and stored instead. */
export type ApprovalHandler = (
  request: ApprovalRequest,
) => ApprovalDecisionInput | null | undefined | PromiseLike<ApprovalDecisionInput | null | undefined>;

// --- audit and tracing (spec §10)

export interface AuditEvent {
  readonly type: AuditEventType;
  readonly timestamp: number;
  readonly surface: ExposureSurface;
  readonly actor: { readonly id: string; readonly kind: ActorKind };
  readonly executionId?: string;
  readonly capabilityId?: string;
  readonly correlationId?: string;
  readonly inputHash?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Called with each event in order; a promise is awaited only for `capability.started` under strict audit. */
export type AuditSink =
  ((event: AuditEvent) => void | PromiseLike<void>) | { emit(event: AuditEvent): void | PromiseLike<void> };

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;
export interface Span {
  setAttributes(attributes: SpanAttributes): void;
  recordError(error: { readonly code: string }): void;
  end(status: "ok" | "error"): void;
}
export interface Tracing {
  startSpan(name: string, attributes: SpanAttributes, parent?: Span): Span;
}
