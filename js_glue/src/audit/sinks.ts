// Sinks for development and tests.

import { invalidDefinition } from "../errors.js";
import type { AuditEvent } from "../runtime/answers.js";
import type { AuditSink } from "./sink.js";

export interface MemoryAuditSink extends AuditSink {
  /** Oldest first; a copy. */
  readonly events: readonly AuditEvent[];
  clear(): void;
}

/** Keeps the last `capacity` events (1,000 when not said). */
export function memoryAuditSink({ capacity = 1000 }: { readonly capacity?: number } = {}): MemoryAuditSink {
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw invalidDefinition(
      `memoryAuditSink: capacity is ${String(capacity)}; whole numbers of at least 1 are allowed`,
    );
  }
  let kept: AuditEvent[] = [];
  return Object.freeze({
    get events(): readonly AuditEvent[] {
      return kept.slice(-capacity);
    },
    record(event: AuditEvent): void {
      kept.push(event);
      // Twice the capacity at most, so that a record costs no copy of all.
      if (kept.length >= 2 * capacity) kept = kept.slice(-capacity);
    },
    clear(): void {
      kept = [];
    },
  });
}

/** Writes one line per event to the console's diagnostic stream: in Node stderr, never stdout. */
export function consoleAuditSink(): AuditSink {
  return Object.freeze({
    record(event: AuditEvent): void {
      console.warn(`viewcap audit ${JSON.stringify(event)}`);
    },
  });
}
