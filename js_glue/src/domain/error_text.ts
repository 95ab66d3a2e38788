// CapabilityErrors out of the module's texts.

import { isRecord } from "../contract/values.js";
import {
  CAPABILITY_ERROR_CODES,
  ERROR_STAGES,
  type CapabilityErrorCode,
  type ErrorStage,
} from "../generated/domain_vocabulary.js";
import { CapabilityError } from "./capability_error.js";

/** From `{code, stage, publicMessage, retryable, exposeToModel, details?}`; `cause` stays private. */
export function errorFrom(said: unknown, cause: unknown): CapabilityError {
  if (!isRecord(said)) return internalError(cause);
  const { code, stage, publicMessage, retryable, exposeToModel, details } = said;
  return new CapabilityError({
    code: isCode(code) ? code : "INTERNAL_ERROR",
    ...(isStage(stage) && { stage }),
    ...(typeof publicMessage === "string" && { publicMessage }),
    ...(typeof retryable === "boolean" && { retryable }),
    ...(typeof exposeToModel === "boolean" && { exposeToModel }),
    ...(isRecord(details) && { details }),
    cause,
  });
}

export function internalError(cause: unknown): CapabilityError {
  return new CapabilityError({ code: "INTERNAL_ERROR", cause });
}

function isCode(value: unknown): value is CapabilityErrorCode {
  return CAPABILITY_ERROR_CODES.some((code) => code === value);
}

function isStage(value: unknown): value is ErrorStage {
  return ERROR_STAGES.some((stage) => stage === value);
}
