// What waits for a person: the list, the decisions, and those who wait for one (spec: invocation.md §1, "Confirmation").
//
// The module keeps the records and decides; here are the listeners and the promises.

import type { ConfirmationOutcome } from "../generated/vocabulary.js";
import { quoted, deepFreeze } from "../json/value.js";
import { trusted } from "../runtime/answers.js";
import type { RegistryCore } from "./core.js";

export interface PendingConfirmation {
  readonly confirmationId: string;
  readonly capabilityId: string;
  readonly registrationId: string;
  /** `kind:id` */
  readonly consumerKey: string;
  readonly effect: string;
  /** The sentence to show, at most 300 characters. */
  readonly summary: string;
  /** Exactly what is approved. */
  readonly input: unknown;
  /** Milliseconds of the registry's clock. */
  readonly requestedAt: number;
  readonly expiresAt: number;
}

export interface ConfirmationDecision {
  readonly approved: boolean;
  readonly reason?: string | undefined;
}

export interface ConfirmationController {
  /** Oldest first; the same array until something changed. */
  pending(): readonly PendingConfirmation[];
  /** True only for the call that decided: unknown, decided and expired ones stay as they are. */
  resolve(confirmationId: string, decision: ConfirmationDecision): boolean;
  /** How it ends, at once where it has; an id that nobody knows any more has expired. Rejects when `signal` aborts. */
  waitFor(
    confirmationId: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ConfirmationOutcome>;
  /** Called after the list changed. Returns the end of it. */
  subscribe(listener: () => void): () => void;
}

const NOTHING: readonly PendingConfirmation[] = Object.freeze([]);
/** Outcomes that are remembered for those who ask late; the module remembers as many. */
const MOST_OUTCOMES = 200;

type Wake = (outcome: ConfirmationOutcome) => void;

export class Confirmations {
  readonly #core: RegistryCore;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Map<string, Set<Wake>>();
  readonly #outcomes = new Map<string, ConfirmationOutcome>();
  #ids = 0;
  #list: readonly PendingConfirmation[] | undefined = NOTHING;
  readonly controller: ConfirmationController;

  constructor(core: RegistryCore) {
    this.#core = core;
    this.controller = Object.freeze({
      pending: () => this.#pending(),
      resolve: (id: string, decision: ConfirmationDecision) => this.#resolve(id, decision),
      waitFor: (id: string, options?: { readonly signal?: AbortSignal | undefined }) =>
        this.#waitFor(id, options?.signal),
      subscribe: (listener: () => void) => this.#subscribe(listener),
    });
  }

  /** An item of the outbox. */
  tell(id: string, outcome: "requested" | ConfirmationOutcome): void {
    this.#list = undefined;
    if (outcome === "requested") {
      this.#ids++;
      this.#core.timer.arm(this.#core.settings.confirmationTtlMs);
    } else {
      this.#ids--;
      this.#keep(id, outcome);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      for (const wake of waiting ?? []) wake(outcome);
    }
    for (const listener of [...this.#listeners]) this.#notify(listener);
  }

  /** The registry ends: nobody decides any more. */
  close(): void {
    this.#list = NOTHING;
    for (const waiting of this.#waiting.values()) for (const wake of waiting) wake("expired");
    this.#waiting.clear();
    this.#listeners.clear();
  }

  #pending(): readonly PendingConfirmation[] {
    const { runtime, h, gone } = this.#core;
    if (gone) return NOTHING;
    if (this.#ids > 0) this.#expire();
    if (this.#list !== undefined) return this.#list;
    const list = trusted<readonly PendingConfirmation[]>(
      runtime.text("", (table) => table.confirmations(h, this.#core.now())),
    );
    deepFreeze(list);
    return (this.#list = list);
  }

  /** What is over its time is not pending, however late the timer is. */
  #expire(): void {
    const now = this.#core.now();
    if (this.#list?.every(({ expiresAt }) => expiresAt > now) === true) return;
    const delay = this.#core.outbox.settleOverdue();
    if (delay >= 0) this.#core.timer.arm(delay);
  }

  #resolve(id: unknown, decision: unknown): boolean {
    const { runtime, h, gone } = this.#core;
    const name = typeof id === "string" ? quoted(id) : undefined;
    if (gone || name === undefined) return false;
    const approved = typeof decision === "object" && decision !== null && Reflect.get(decision, "approved") === true;
    this.#core.enter();
    const text = `{"id":${name},"approved":${String(approved)}}`;
    const answer = runtime.call(text, (table) => table.resolveConfirmation(h, this.#core.now()));
    if (answer >= 2) this.#core.outbox.take();
    return answer % 2 === 1;
  }

  #waitFor(id: string, signal: AbortSignal | undefined): Promise<ConfirmationOutcome> {
    if (signal?.aborted === true) return Promise.reject(abortReason(signal));
    const known = this.#outcomes.get(id);
    if (known !== undefined) return Promise.resolve(known);
    if (!this.#pending().some(({ confirmationId }) => confirmationId === id)) {
      return Promise.resolve(this.#outcomes.get(id) ?? "expired");
    }
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(id) ?? new Set<Wake>();
      this.#waiting.set(id, waiting);
      const stop = (): void => {
        waiting.delete(wake);
        reject(abortReason(signal));
      };
      const wake: Wake = (outcome) => {
        signal?.removeEventListener("abort", stop);
        resolve(outcome);
      };
      waiting.add(wake);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  #subscribe(listener: () => void): () => void {
    this.#core.assertLive();
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  #keep(id: string, outcome: ConfirmationOutcome): void {
    this.#outcomes.set(id, outcome);
    if (this.#outcomes.size <= MOST_OUTCOMES) return;
    for (const oldest of this.#outcomes.keys()) {
      this.#outcomes.delete(oldest);
      break;
    }
  }

  #notify(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      if (!this.#core.settings.production) console.warn("viewcap: a listener of the confirmations threw", error);
    }
  }
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException("The wait was aborted", "AbortError");
}
