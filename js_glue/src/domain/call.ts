// What one call brings with it, from its first stage to its last.

import type { Actor, ApprovalRecord, Context, ExposureSurface } from "./types.js";

/** What one call is made of; a resume takes it from the record. */
export interface Call {
  readonly executionId: string;
  readonly actor: Actor;
  readonly surface: ExposureSurface;
  readonly context: Context;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
  readonly correlationId: string | undefined;
  readonly idempotencyKey: string;
  /** Of a resume. */
  readonly record?: ApprovalRecord;
}
