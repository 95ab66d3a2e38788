// What of an error may leave the server: one of two shapes (spec: domain.md §9, SI-9).

import type { CapabilityError } from "./capability_error.js";
import { liveModule } from "./module.js";
import { factRecord, valueFacts } from "./value_facts.js";

export interface OutwardErrorShape {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** Of INPUT_INVALID alone. */
  readonly details?: { readonly issues: readonly { readonly path: readonly string[]; readonly message: string }[] };
}
export type OutwardError = (error: CapabilityError) => OutwardErrorShape;

/** Exposed: code, message, retryable, and the issues of INPUT_INVALID. Concealed: always the same generic error. */
export const outwardError: OutwardError = (error) => {
  const facts = factRecord({
    code: valueFacts(error.code),
    publicMessage: valueFacts(error.publicMessage),
    retryable: valueFacts(error.retryable),
    exposeToModel: valueFacts(error.exposeToModel),
    details: error.details === undefined ? undefined : valueFacts(error.details),
  });
  const shape: unknown = JSON.parse(liveModule().text(facts, (table) => table.outwardError()));
  if (!isShape(shape)) throw new TypeError("an outward error has a code");
  return shape;
};

function isShape(value: unknown): value is OutwardErrorShape {
  return typeof value === "object" && value !== null && "code" in value;
}
