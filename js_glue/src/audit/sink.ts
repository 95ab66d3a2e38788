// Where audit records go. A sink is told of everything in its reach, in order; one that throws harms nobody.

import type { AuditEvent } from "../runtime/answers.js";

export interface AuditSink {
  /** Synchronous as far as the registry is concerned; the event is frozen. */
  record(event: AuditEvent): unknown;
  /** Reshapes the payload for this sink, on a copy of its own; a throw drops the payload. */
  redact?(payload: unknown, event: AuditEvent): unknown;
}
