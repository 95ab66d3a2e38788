// Policies that demand something of the registry: a person's agreement, a record.

import type { AuditSink } from "../audit/sink.js";
import {
  auditPolicy,
  confirmationPolicy,
  isAuditSink,
  isLevelOrAbsent,
  type ConfirmationRule,
  type Policy,
} from "../contract/policy.js";
import { invalidDefinition } from "../errors.js";
import { AUDIT_LEVELS, type AuditLevel } from "../generated/vocabulary.js";

/**
 * A person has to agree, always or where `if` says so (a throw says so too). `summary` is the sentence that they read,
 * at most 300 characters; without it description and input are.
 */
export function requireConfirmation(rule: ConfirmationRule = {}): Policy {
  for (const key of ["if", "summary"] as const) {
    if (rule[key] === undefined || typeof rule[key] === "function") continue;
    throw invalidDefinition(`requireConfirmation: ${key} must be a function`);
  }
  return confirmationPolicy("requireConfirmation", rule);
}

/** Records what is in reach of this policy in `sink` too, and as much of it as `level` says. */
export function audit(sink?: AuditSink, level?: AuditLevel): Policy {
  if (sink !== undefined && !isAuditSink(sink)) throw invalidDefinition("audit: a sink has record(event)");
  if (!isLevelOrAbsent(level)) {
    throw invalidDefinition(`audit: level is ${JSON.stringify(level)}; allowed are ${AUDIT_LEVELS.join(", ")}`);
  }
  return auditPolicy("audit", { sink, level });
}
