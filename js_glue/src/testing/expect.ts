// What a test expects of a result, for any test runner: a failure throws and prints the whole result.

import type { AgentCapabilityErrorCode } from "../errors.js";
import type { ErrorResult, InvocationResult } from "../runtime/answers.js";

/** The output of a call that went well. */
export function expectOk(result: InvocationResult): unknown {
  if (result?.status === "ok") return result.output;
  throw unexpected("ok", result);
}

/** The error of a call that failed with `code` and, where given, with that `details.reason`. */
export function expectError(
  result: InvocationResult,
  code: AgentCapabilityErrorCode,
  reason?: string,
): ErrorResult["error"] {
  const wanted = reason === undefined ? code : `${code} with the reason "${reason}"`;
  if (result?.status !== "error" || result.error.code !== code) throw unexpected(wanted, result);
  if (reason !== undefined && result.error.details?.["reason"] !== reason) throw unexpected(wanted, result);
  return result.error;
}

function unexpected(wanted: string, result: unknown): Error {
  return new Error(`expected ${wanted}, found ${shown(result)}`);
}

function shown(result: unknown): string {
  if (result instanceof Promise) return "a promise: await the call first";
  try {
    return JSON.stringify(result, null, 2) ?? typeof result;
  } catch {
    return typeof result;
  }
}
