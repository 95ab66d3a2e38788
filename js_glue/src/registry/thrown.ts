// What an author's callback threw, as text for the module. The thrown value may be anything, a hostile proxy included.

import { isAgentSurfaceError } from "../errors.js";
import { jsonText, toWellFormed } from "../json/value.js";

const DETAIL_BOUNDS = { maxDepth: 32, maxBytes: 8192 };

function detailsText(details: unknown): string {
  if (details === undefined) return "";
  const json = jsonText(details, DETAIL_BOUNDS);
  return "text" in json ? `,"details":${json.text}` : "";
}

function quoted(value: unknown): string {
  return JSON.stringify(toWellFormed(typeof value === "string" ? value : ""));
}

/** `{code, message, retry?, details?}` of an AgentSurfaceError, "" of anything else. */
export function surfaceErrorText(error: unknown): string {
  try {
    if (!isAgentSurfaceError(error)) return "";
    const retry = typeof error.retry === "string" ? `,"retry":${quoted(error.retry)}` : "";
    return `{"code":${quoted(error.code)},"message":${quoted(error.message)}${retry}${detailsText(error.details)}}`;
  } catch {
    return "";
  }
}

/** `{message, details?}` of a failed precondition; undefined when the value is not of that shape. */
export function preconditionText(failure: unknown): string | undefined {
  try {
    if (typeof failure !== "object" || failure === null || failure instanceof Error) return undefined;
    const message: unknown = Reflect.get(failure, "message");
    if (typeof message !== "string") return undefined;
    return `{"message":${quoted(message)}${detailsText(Reflect.get(failure, "details"))}}`;
  } catch {
    return undefined;
  }
}

export function isTransient(error: unknown): boolean {
  try {
    return typeof error === "object" && error !== null && Reflect.get(error, "transient") === true;
  } catch {
    return false;
  }
}
