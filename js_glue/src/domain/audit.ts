// Delivery of audit events to sinks (spec: domain.md §10). The module writes the events; here they only go out: to every
// sink in order, the same frozen object, at most once. A sink that fails never changes what happens, except for
// `capability.started` under strict audit.

import { isObject, isRecord, isThenable, member, swallow } from "../contract/values.js";
import { deepFreeze } from "../json/value.js";
import type { AuditEvent, AuditSink } from "./types.js";

export interface AuditOptions {
  readonly sinks: readonly AuditSink[];
  /** `capability.started` must reach every sink before the handler runs; default false. */
  readonly strict?: boolean;
  /** Listings name the ids; default false. */
  readonly verbose?: boolean;
  /** Default: the console. What it throws is ignored. */
  readonly onSinkError?: (error: unknown, event: AuditEvent) => void;
}

type Emit = (event: AuditEvent) => unknown;

export interface AuditSettings {
  readonly emits: readonly Emit[];
  readonly strict: unknown;
  readonly verbose: unknown;
  readonly onSinkError: ((error: unknown, event: AuditEvent) => unknown) | undefined;
}

/** One sink, a list of them, or AuditOptions; TypeError for what is no sink. */
export function auditSettings(audit: unknown): AuditSettings {
  const options = isRecord(audit) && "sinks" in audit ? audit : undefined;
  const given: unknown = options === undefined ? (audit ?? []) : options["sinks"];
  const sinks: readonly unknown[] = Array.isArray(given) ? given : [given];
  const onSinkError: unknown = options?.["onSinkError"];
  if (onSinkError !== undefined && typeof onSinkError !== "function") {
    throw new TypeError("audit.onSinkError must be a function");
  }
  return {
    emits: sinks.map(emitOf),
    strict: options?.["strict"],
    verbose: options?.["verbose"],
    onSinkError:
      onSinkError === undefined
        ? undefined
        : (error, event): unknown => Reflect.apply(onSinkError, undefined, [error, event]),
  };
}

function emitOf(sink: unknown, at: number): Emit {
  if (typeof sink === "function") return (event) => Reflect.apply(sink, undefined, [event]);
  const emit = member(sink, "emit");
  if (!isObject(sink) || typeof emit !== "function") {
    throw new TypeError(`audit: sink ${String(at)} must be a function or an object with emit(event)`);
  }
  return (event) => Reflect.apply(emit, sink, [event]);
}

export class AuditDelivery {
  readonly #settings: AuditSettings;
  readonly #strict: boolean;

  constructor(settings: AuditSettings) {
    this.#settings = settings;
    this.#strict = settings.strict === true;
  }

  /** Under strict audit: whether the last `capability.started` in the text reached every sink. */
  deliver(text: string): Promise<boolean> | undefined {
    const events: readonly AuditEvent[] = JSON.parse(text);
    let started: Promise<boolean> | undefined;
    for (const event of events) {
      deepFreeze(event);
      if (this.#strict && event.type === "capability.started") started = this.#require(event);
      else for (const emit of this.#settings.emits) this.#offer(emit, event);
    }
    return started;
  }

  async #require(event: AuditEvent): Promise<boolean> {
    // Every sink gets it, whatever another one does.
    const answers = this.#settings.emits.map(async (emit) => emit(event));
    const settled = await Promise.allSettled(answers);
    return settled.every(({ status }) => status === "fulfilled");
  }

  #offer(emit: Emit, event: AuditEvent): void {
    try {
      const answer = emit(event);
      if (isThenable(answer)) Promise.resolve(answer).catch((error: unknown) => this.#report(error, event));
    } catch (error) {
      this.#report(error, event);
    }
  }

  #report(error: unknown, event: AuditEvent): void {
    const { onSinkError } = this.#settings;
    try {
      const answer = onSinkError === undefined ? sayOnConsole(error, event) : onSinkError(error, event);
      if (isThenable(answer)) swallow(answer);
    } catch {
      // Nobody is left to tell.
    }
  }
}

function sayOnConsole(error: unknown, { type }: AuditEvent): void {
  console.error(`viewcap: an audit sink failed on ${type}`, error);
}
