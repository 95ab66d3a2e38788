// Who hears of an audit record: the registry's sink, and those of the `audit` policies in whose reach the record is. A
// policy of the registry reaches everything; one of a component, what happens to its registration; one of a capability,
// what happens to that capability of it. Also after the unmount: handlers may settle late.

import type { AuditSink } from "../audit/sink.js";
import type { AttachedPolicies, AttachedPolicy } from "../contract/attach.js";
import type { InternedContract } from "../contract/intern.js";
import { isThenable, swallow } from "../contract/values.js";
import { deepFreeze } from "../json/value.js";
import type { AuditEvent } from "../runtime/answers.js";
import type { Settings } from "./options.js";

/** Registrations that are gone and whose sinks are kept; beyond it the oldest are forgotten. */
const MOST_RETIRED = 100;

interface Near {
  readonly component: readonly AuditSink[];
  /** By capability id. */
  readonly own: ReadonlyMap<string, readonly AuditSink[]>;
}

export class Audience {
  readonly #registry: readonly AuditSink[];
  readonly #near = new Map<string, Near>();
  readonly #retired = new Set<string>();

  constructor({ audit, policies }: Settings) {
    this.#registry = [...(audit === undefined ? [] : [audit]), ...sinksOf(policies)];
  }

  /** Whether anybody hears of anything. */
  get listens(): boolean {
    return this.#registry.length > 0 || this.#near.size > 0;
  }

  /** Before the mount, which is recorded already. True when it is the first that anybody listens for. */
  add(
    registrationId: string,
    contract: InternedContract,
    { component, own }: AttachedPolicies,
    inherited: readonly AttachedPolicy[] = [],
  ): boolean {
    if (component.length === 0 && own.length === 0 && inherited.length === 0) return false;
    const near = [...sinksOf(inherited), ...sinksOf(component)];
    const byId = new Map<string, readonly AuditSink[]>();
    for (const [index, policies] of own.entries()) {
      const sinks = sinksOf(policies);
      if (sinks.length > 0) byId.set(contract.capabilityIds[index] ?? "", sinks);
    }
    if (near.length === 0 && byId.size === 0) return false;
    const first = !this.listens;
    this.#near.set(registrationId, { component: near, own: byId });
    return first;
  }

  retire(registrationId: string): void {
    if (!this.#near.has(registrationId)) return;
    this.#retired.add(registrationId);
    if (this.#retired.size <= MOST_RETIRED) return;
    for (const oldest of this.#retired) {
      this.#retired.delete(oldest);
      this.#near.delete(oldest);
      return;
    }
  }

  /** Nobody throws at the registry; `report` is told of who does. */
  tell(event: AuditEvent, report: (who: string, error: unknown) => void): void {
    deepFreeze(event);
    for (const sink of this.#of(event)) {
      try {
        const answer: unknown = sink.record(redacted(sink, event, report));
        if (isThenable(answer)) swallow(answer);
      } catch (error) {
        report("an audit sink", error);
      }
    }
  }

  /** Each once, however often it is named. */
  #of({ registrationId = "", capabilityId = "" }: AuditEvent): Iterable<AuditSink> {
    const near = this.#near.get(registrationId);
    if (near === undefined) return new Set(this.#registry);
    return new Set([...this.#registry, ...near.component, ...(near.own.get(capabilityId) ?? [])]);
  }
}

function sinksOf(policies: readonly AttachedPolicy[]): readonly AuditSink[] {
  return policies.flatMap(({ audit }) => (audit?.sink === undefined ? [] : [audit.sink]));
}

function redacted(sink: AuditSink, event: AuditEvent, report: (who: string, error: unknown) => void): AuditEvent {
  const { payload, ...bare } = event;
  if (payload === undefined || sink.redact === undefined) return event;
  let shown: unknown;
  try {
    shown = sink.redact(JSON.parse(JSON.stringify(payload)), event);
    if (isThenable(shown)) {
      swallow(shown);
      shown = undefined;
    }
  } catch (error) {
    report("redact of an audit sink", error);
  }
  return Object.freeze(shown === undefined ? bare : { ...bare, payload: shown });
}
