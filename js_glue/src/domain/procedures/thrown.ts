// What a procedure threw, as facts for `thrown_failure` of the module, which decides what becomes of it (spec: domain.md
// §6.3; the format is that of wasm/domain/include/domain/failure.h). The thrown value may be anything, a hostile proxy
// included: what cannot be read is "other", and so is what says nothing about itself.

import { isObject, member } from "../../contract/values.js";
import { isCapabilityError } from "../capability_error.js";
import { domainIssues } from "../schema/issues.js";
import { factRecord, textFact, valueFacts } from "../value_facts.js";

const OTHER = '{"kind":"other"}';
const REFUSALS = new Set(["UNAUTHORIZED", "FORBIDDEN"]);

/** Never throws. */
export function thrownFacts(error: unknown): string {
  try {
    if (!isObject(error)) return OTHER;
    return isCapabilityError(error) ? capabilityFacts(error) : structuredFacts(error);
  } catch {
    return OTHER;
  }
}

function capabilityFacts(error: object): string {
  const fact = (key: string): string => valueFacts(Reflect.get(error, key));
  const details = fact("details");
  return factRecord({
    kind: '"capability"',
    code: fact("code"),
    stage: fact("stage"),
    publicMessage: fact("publicMessage"),
    retryable: fact("retryable"),
    exposeToModel: fact("exposeToModel"),
    details: details.startsWith('{"$is":') ? undefined : details,
  });
}

function structuredFacts(error: object): string {
  const code: unknown = Reflect.get(error, "code");
  if (typeof code !== "string") return OTHER;
  const defined: unknown = Reflect.get(error, "defined");
  const isRpc = typeof defined === "boolean" && typeof Reflect.get(error, "status") === "number";
  // Errors of the system have a code, too, and a message that is nobody's business: only a refusal needs no more.
  if (!isRpc && !REFUSALS.has(code)) return OTHER;
  const failed = isRpc ? validationFacts(error, code) : undefined;
  if (failed !== undefined) return failed;
  const message: unknown = Reflect.get(error, "message");
  return factRecord({
    kind: '"rpc"',
    code: textFact(code),
    message: typeof message === "string" ? valueFacts(message) : undefined,
    defined: String(defined === true),
  });
}

/** oRPC reports a value that does not fit as one of two codes, with its ValidationError as the cause. */
function validationFacts(error: object, code: string): string | undefined {
  const side = code === "BAD_REQUEST" ? '"input"' : code === "INTERNAL_SERVER_ERROR" ? '"output"' : undefined;
  if (side === undefined) return undefined;
  const cause: unknown = Reflect.get(error, "cause");
  const issues = member(cause, "issues");
  if (!Array.isArray(issues)) return undefined;
  return factRecord({ kind: side, issues: valueFacts(domainIssues(issues, member(cause, "data"))) });
}
