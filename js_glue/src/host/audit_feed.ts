// The runtime's audit, handed on to the page whose step it belongs to (lane "domain" of the inspector).
//
//     const feed = createAuditFeed();
//     const runtime = createAgentRuntime({ governance, audit: [store, feed] });
//     const handler = createHostHandler({ runtime, auditFeed: feed, … });
//
// Events are told apart by the correlation id, which the host sets to the id of the step. Why something was concealed is
// the audit's to know and not the page's (spec: domain.md, SI-8), so that only the fields listed here go on.

import type { AuditEvent } from "../domain/types.js";

export interface AuditFeed {
  /** The sink's side. */
  emit(event: AuditEvent): void;
  /** The host's side; the function that comes back ends it. */
  subscribe(correlationId: string, listener: (news: DomainNews) => void): () => void;
}

export interface DomainNews {
  readonly eventType: string;
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const TOLD = ["attempt", "attempts", "durationMs", "approvalId", "expiresAt"];

export function createAuditFeed(): AuditFeed {
  const listeners = new Map<string, (news: DomainNews) => void>();
  return Object.freeze({
    emit(event: AuditEvent): void {
      if (event.correlationId !== undefined) listeners.get(event.correlationId)?.(newsOf(event));
    },
    subscribe(correlationId: string, listener: (news: DomainNews) => void): () => void {
      listeners.set(correlationId, listener);
      return () => void listeners.delete(correlationId);
    },
  });
}

function newsOf({ type, capabilityId, executionId, data }: AuditEvent): DomainNews {
  const told = TOLD.flatMap((key) => (data[key] === undefined ? [] : [[key, data[key]]]));
  return {
    eventType: type,
    summary: capabilityId === undefined ? type : `${type}: ${capabilityId}`,
    data: { ...(capabilityId === undefined ? {} : { capabilityId }), executionId, ...Object.fromEntries(told) },
  };
}
