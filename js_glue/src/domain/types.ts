// Shapes of the governed domain plane (spec: domain.md). Times are milliseconds of the Unix epoch unless a name says
// otherwise.

import type {
  ActorKind,
  ApprovalStatus,
  AuditEventType,
  CapabilityErrorCode,
  ErrorStage,
  ExposureSurface,
  PolicyPhase,
  PolicyStance,
  RiskLevel,
  SideEffect,
} from "../generated/domain_vocabulary.js";
import type { CapabilityError } from "./capability_error.js";
import type { ApprovalCoordinator, ApprovalRecord } from "./evidence_types.js";
import type { DomainSchema } from "./schema/schema.js";

export type * from "./evidence_types.js";

export type {
  ActorKind,
  ApprovalStatus,
  AuditEventType,
  CapabilityErrorCode,
  ErrorStage,
  ExposureSurface,
  PolicyPhase,
  PolicyStance,
  RiskLevel,
  SideEffect,
};

/** Who asks. `attributes` is opaque to the runtime. */
export interface Actor {
  readonly id: string;
  readonly kind: ActorKind;
  readonly displayName?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** What a handler finds at `context.agent`; absent outside the runtime (spec §1). */
export interface AgentInvocationInfo {
  readonly executionId: string;
  readonly capabilityId: string;
  readonly surface: ExposureSurface;
  readonly actor: Actor;
  readonly approval?: { readonly id: string; readonly approver: Actor };
  readonly correlationId?: string;
  /** Stable across the attempts of one execution. */
  readonly idempotencyKey: string;
}

export type Context = Readonly<Record<string, unknown>>;

// --- metadata (spec §2)

export interface RetryMeta {
  /** Attempts after the first. */
  readonly maxAttempts: number;
  readonly backoffMs?: number;
  /** Exactly false vetoes; a predicate that throws vetoes, too. */
  readonly retryOn?: (error: CapabilityError) => boolean;
}

export interface AgentMeta {
  readonly description: string;
  readonly expose: Readonly<Partial<Record<ExposureSurface, boolean>>>;
  readonly sideEffect: SideEffect;
  readonly risk: RiskLevel;
  readonly tags?: readonly string[];
  readonly timeoutMs?: number;
  readonly retry?: RetryMeta;
  readonly idempotent?: boolean;
  readonly approval?: { readonly required?: boolean; readonly type?: string; readonly expiresInMs?: number };
  readonly redact?: {
    readonly output?: (output: never) => unknown;
    readonly approvalInput?: (input: never) => unknown;
  };
  readonly policies?: readonly AgentPolicy[];
  readonly adapters?: {
    readonly aiSdk?: { readonly toolName?: string };
    readonly mcp?: { readonly toolName?: string; readonly annotations?: Readonly<Record<string, unknown>> };
  };
}

/** As the registry keeps it: three defaults filled in (spec §2.2). */
export type NormalizedAgentMeta = AgentMeta & Required<Pick<AgentMeta, "tags" | "policies" | "idempotent">>;

// --- capabilities (spec §3)

export interface AgentCapability {
  readonly id: string;
  readonly path: readonly string[];
  readonly meta: NormalizedAgentMeta;
  readonly inputSchema?: DomainSchema;
  readonly outputSchema?: DomainSchema;
  /** As it was given: an oRPC procedure or one of defineProcedure. */
  readonly procedure: object;
}

export interface CapabilityQuery {
  readonly surface?: ExposureSurface | readonly ExposureSurface[];
  readonly tags?: string | readonly string[];
  readonly sideEffect?: SideEffect | readonly SideEffect[];
  readonly risk?: RiskLevel | readonly RiskLevel[];
}

export interface RegistryInspection {
  readonly capabilities: readonly AgentCapability[];
  readonly excluded: readonly { readonly path: string; readonly reason: "no-agent-meta" }[];
  /** Ids whose `expose` has no `true`. */
  readonly unexposed: readonly string[];
}

export interface CapabilityDescriptor {
  readonly id: string;
  readonly description: string;
  /** Deep-frozen and shared between listings (spec, decision 21); absent where decision 14 says so. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly sideEffect: SideEffect;
  readonly risk: RiskLevel;
  readonly tags: readonly string[];
  readonly requiresApproval?: true;
}

export interface CapabilityScope {
  readonly tags?: readonly string[];
  readonly ids?: readonly string[];
}

// --- policies (spec §4)

export type PolicyDecision =
  | { readonly type: "allow"; readonly metadata?: unknown }
  | { readonly type: "deny"; readonly code?: string; readonly message?: string }
  | { readonly type: "hide" }
  | {
      readonly type: "require-approval";
      readonly reason: string;
      readonly approvalType?: string;
      readonly expiresInMs?: number;
    };

export interface PolicyRequest {
  readonly phase: PolicyPhase;
  readonly capability: { readonly id: string; readonly meta: NormalizedAgentMeta };
  readonly surface: ExposureSurface;
  readonly actor: Actor;
  readonly context: Context;
  /** The validated value; absent at discovery. */
  readonly input?: unknown;
  /** The stored record, only on resumed runs. */
  readonly approval?: ApprovalRecord;
}

export interface AgentPolicy {
  readonly name: string;
  readonly phases: readonly PolicyPhase[];
  evaluate(request: PolicyRequest): PolicyDecision | PromiseLike<PolicyDecision>;
}

// --- results (spec §6)

export type ExecutionResult<Output = unknown> =
  | { readonly status: "completed"; readonly executionId: string; readonly output: Output }
  | { readonly status: "approval-required"; readonly executionId: string; readonly approval: ApprovalRecord }
  | { readonly status: "failed"; readonly executionId: string; readonly error: CapabilityError }
  | { readonly status: "cancelled"; readonly executionId: string; readonly error: CapabilityError };

export interface InvokeOptions {
  readonly actor: Actor;
  readonly context?: Context;
  /** Default "direct". */
  readonly surface?: ExposureSurface;
  readonly signal?: AbortSignal;
  readonly correlationId?: string;
  /** Default: a new one; reaches `context.agent.idempotencyKey`. */
  readonly idempotencyKey?: string;
}
export interface DescribeOptions {
  readonly actor: Actor;
  readonly context?: Context;
  readonly scope?: CapabilityScope;
}
export interface ResumeOptions {
  readonly context?: Context;
  readonly signal?: AbortSignal;
  readonly expectedActor?: Pick<Actor, "id" | "kind">;
  readonly expectedSurface?: ExposureSurface;
}

export interface Governance {
  readonly registry: CapabilityRegistryLike;
  readonly policies: readonly AgentPolicy[];
  readonly manifest: readonly { readonly name: string; readonly phases: readonly PolicyPhase[] }[];
}

/** What adapters need of a registry; the class itself has more. */
export interface CapabilityRegistryLike {
  ids(): string[];
  get(id: string): AgentCapability | undefined;
  capabilities(): AgentCapability[];
  inspect(): RegistryInspection;
}

/** `decide` also emits the audit event; deciding never executes (spec §5). */
export type RuntimeApprovals = ApprovalCoordinator;

/** What adapters need of a runtime. `invoke` and `resume` never reject; misuse throws a TypeError at once. */
export interface AgentRuntimeLike {
  readonly governance: Governance;
  readonly registry: CapabilityRegistryLike;
  readonly approvals: RuntimeApprovals;
  invoke(capabilityId: string, input: unknown, options: InvokeOptions): Promise<ExecutionResult>;
  describe(surface: ExposureSurface, options: DescribeOptions): Promise<CapabilityDescriptor[]>;
  resume(approvalId: string, options: ResumeOptions): Promise<ExecutionResult>;
}
