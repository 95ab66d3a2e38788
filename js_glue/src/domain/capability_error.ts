// CapabilityError: how a call of the domain plane failed (spec: domain.md §9).
//
//     throw new CapabilityError({ code: "FORBIDDEN", publicMessage: "Only owners may close a ledger." });
//
// Of an error only one of two shapes leaves the server: `toOutwardError`. Stage, cause, stack and details stay.

import { DOMAIN_ERROR_ROWS, type CapabilityErrorCode, type ErrorStage } from "../generated/domain_vocabulary.js";

export interface CapabilityErrorInit {
  readonly code: CapabilityErrorCode;
  /** Each of these overrides what the code has by default. */
  readonly stage?: ErrorStage;
  readonly publicMessage?: string;
  readonly retryable?: boolean;
  readonly exposeToModel?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Private: never leaves the server. */
  readonly cause?: unknown;
}

// Two copies of the package may meet in one server: an error is known by this mark, not by its class.
const MARK = Symbol.for("viewcap.CapabilityError");

export class CapabilityError extends Error {
  override readonly name = "CapabilityError";
  readonly code: CapabilityErrorCode;
  readonly stage: ErrorStage;
  readonly publicMessage: string;
  readonly retryable: boolean;
  readonly exposeToModel: boolean;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly [MARK] = true;

  constructor(init: CapabilityErrorInit) {
    const row = Object.hasOwn(DOMAIN_ERROR_ROWS, init.code)
      ? DOMAIN_ERROR_ROWS[init.code]
      : DOMAIN_ERROR_ROWS.INTERNAL_ERROR;
    const publicMessage = init.publicMessage ?? row.message;
    super(`${init.code}: ${publicMessage}`, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = init.code;
    this.stage = init.stage ?? row.stage;
    this.publicMessage = publicMessage;
    this.retryable = init.retryable ?? row.retryable;
    this.exposeToModel = init.exposeToModel ?? row.expose;
    this.details = init.details;
  }
}

export function isCapabilityError(value: unknown): value is CapabilityError {
  return typeof value === "object" && value !== null && Reflect.get(value, MARK) === true;
}
