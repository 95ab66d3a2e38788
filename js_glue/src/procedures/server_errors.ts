// What a server's refusal becomes for the agent. No text of the server's reaches it: only which kind of refusal it was.
//
// Looked at are `code`, `status` and `statusCode` of the error, of its `data`, its `shape.data`, its `response` and its
// `cause`, as clients of tRPC, of plain HTTP and of fetch give them. An approval is demanded by a code APPROVAL_REQUIRED
// or CONFIRMATION_REQUIRED, or by HTTP status 428; its id is `approvalId` or `confirmationId` beside that code.

import { isObject, member } from "../contract/values.js";
import { AgentSurfaceError, isAgentSurfaceError } from "../errors.js";

const APPROVAL = new Set(["APPROVAL_REQUIRED", "CONFIRMATION_REQUIRED"]);
const REFUSED = new Set(["UNAUTHORIZED", "FORBIDDEN", "401", "403"]);
const UNREACHABLE = new Set(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "ETIMEDOUT", "EAI_AGAIN", "EPIPE"]);
const IDS = ["confirmationId", "approvalId"] as const;
const CODES = ["code", "status", "statusCode", "httpStatus"] as const;

/** Fixed sentence; the registry shows another one. */
class TransportError extends Error {
  override readonly name = "TransportError";
  readonly transient: boolean;
  constructor(transient: boolean) {
    super("the procedure failed on its way or on the server");
    this.transient = transient;
  }
}

/** What to throw instead of the server's error. Never throws itself. */
export function mappedError(error: unknown, own: ((error: unknown) => unknown) | undefined): Error {
  try {
    const mapped = own?.(error);
    if (isAgentSurfaceError(mapped)) return mapped;
  } catch {
    // The application's mapping failed: the usual one decides.
  }
  try {
    return usual(error);
  } catch {
    return new TransportError(false);
  }
}

function usual(error: unknown): Error {
  const places = placesOf(error);
  const codes = places.flatMap((place) => CODES.map((key) => textOf(Reflect.get(place, key))));
  if (codes.some((code) => APPROVAL.has(code)) || codes.includes("428")) {
    const id = places.flatMap((place) => IDS.map((key) => Reflect.get(place, key))).find(isId);
    return new AgentSurfaceError({
      code: "CONFIRMATION_REQUIRED",
      message: "The server wants this to be approved first.",
      retry: "with-confirmation",
      details: { origin: "server", ...(id === undefined ? {} : { confirmationId: id }) },
    });
  }
  if (codes.some((code) => REFUSED.has(code))) {
    return new AgentSurfaceError({
      code: "NOT_AUTHORIZED",
      message: "The server does not allow this.",
      retry: "no",
      details: { origin: "server" },
    });
  }
  return new TransportError(isUnreachable(error, codes));
}

/** fetch rejects with a TypeError when there was no answer at all. */
function isUnreachable(error: unknown, codes: readonly string[]): boolean {
  if (codes.some((code) => UNREACHABLE.has(code))) return true;
  const answered = codes.some((code) => /^[1-5]\d\d$/.test(code));
  return !answered && [error, member(error, "cause")].some((one) => one instanceof TypeError);
}

function placesOf(error: unknown): readonly object[] {
  const nested = [
    error,
    member(error, "data"),
    member(member(error, "shape"), "data"),
    member(error, "response"),
    member(error, "cause"),
    member(member(error, "data"), "approval"),
  ];
  return nested.filter(isObject);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function isId(value: unknown): value is string {
  return typeof value === "string" && /^[\w:.-]{1,128}$/.test(value);
}
