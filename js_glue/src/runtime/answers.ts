// The module's answers, typed. They come from our own module and are trusted to have their shape; wasm/bindings/README.md
// is the one description of it.

import type { AgentCapabilityErrorCode, Retry } from "../errors.js";
import type { ConfirmationOutcome } from "../generated/vocabulary.js";

interface ResultFields {
  readonly invocationId: string;
  readonly capabilityId: string;
  /** The version at settlement. */
  readonly surfaceVersion: string;
  /** The surface moved since the call began. */
  readonly surfaceChanged?: true;
}
export interface OkResult extends ResultFields {
  readonly status: "ok";
  readonly output?: unknown;
}
export interface ErrorResult extends ResultFields {
  readonly status: "error";
  readonly error: {
    readonly code: AgentCapabilityErrorCode;
    readonly message: string;
    readonly retry: Retry;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}
export type InvocationResult = OkResult | ErrorResult;

export type CallAnswer =
  | readonly [kind: 0, pending: number, result: InvocationResult]
  | readonly [kind: 1, pending: number, inv: number]
  | PlanAnswer
  | readonly [kind: 3 | 4 | 5, pending: number]
  | readonly [kind: 6, pending: number, surfaceVersion: number, changed: number]
  | readonly [kind: 7, pending: number, inv: number, candidates: string]
  | readonly [kind: 8, pending: number, approvedAt: number];

export type PlanAnswer = readonly [
  kind: 2,
  pending: number,
  inv: number,
  reg: number,
  capability: number,
  admit: number,
  input: number,
  timeoutMs: number,
  confirm: number,
];

export interface WireNamesAnswer {
  readonly names: readonly (readonly [
    wireName: string,
    canonicalId: string,
    registrationId: string,
    instanceId?: string | null,
    priority?: number,
  ])[];
  readonly withheld: readonly { readonly canonicalId: string; readonly reason: string }[];
}

export type SurfaceEvent =
  | { readonly type: "surface-changed"; readonly surfaceVersion: string }
  | {
      readonly type: "component-registered" | "component-unregistered";
      readonly registrationId: string;
      readonly componentType: string;
      readonly instanceId: string;
    }
  | {
      readonly type: "component-rejected";
      readonly componentType: string;
      readonly instanceId: string;
      readonly reason: "duplicate" | "guard";
    }
  | {
      readonly type: "availability-changed";
      readonly registrationId: string;
      readonly capabilityId: string;
      readonly available: boolean;
    }
  | {
      readonly type: "collision-suspected";
      readonly viewCapabilityId: string;
      readonly domainProcedureId: string;
    }
  | {
      readonly type: "confirmation-requested";
      readonly confirmationId: string;
      readonly capabilityId: string;
      readonly expiresAt: number;
    }
  | { readonly type: "confirmation-resolved"; readonly confirmationId: string; readonly outcome: ConfirmationOutcome }
  | {
      readonly type: "invocation-started";
      readonly invocationId: string;
      readonly capabilityId: string;
      readonly consumerId: string;
    }
  | {
      readonly type: "invocation-settled";
      readonly invocationId: string;
      readonly capabilityId: string;
      readonly consumerId: string;
      readonly status: "ok" | "error";
      readonly code?: AgentCapabilityErrorCode;
      readonly durationMs: number;
    };

export interface AuditEvent {
  /** Milliseconds of the registry's clock. */
  readonly at: number;
  readonly type: string;
  readonly capabilityId?: string;
  readonly registrationId?: string;
  readonly invocationId?: string;
  readonly consumerId?: string;
  readonly status?: "ok" | "error";
  readonly code?: string;
  readonly durationMs?: number;
  readonly queueWaitMs?: number;
  readonly executionMs?: number;
  readonly payload?: unknown;
}

export type OutboxItem =
  | { readonly settle: number; readonly result: InvocationResult }
  | { readonly abort: number }
  | { readonly dispatch: number }
  | { readonly gone: number }
  | { readonly confirmation: string; readonly outcome: "requested" | ConfirmationOutcome }
  | { readonly event: SurfaceEvent }
  | { readonly changed: string }
  | { readonly audit: AuditEvent };

export function trusted<T>(text: string): T {
  return JSON.parse(text);
}
