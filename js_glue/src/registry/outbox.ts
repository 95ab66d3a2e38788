// Carrying out what the module's outbox holds, in order and never nested: what author code causes while an item is
// carried out queues behind it.

import { isThenable, swallow } from "../contract/values.js";
import { trusted, type OutboxItem, type SurfaceEvent } from "../runtime/answers.js";
import { Audience } from "./audience.js";
import type { Call } from "./call.js";
import type { RegistryCore } from "./core.js";

export type SurfaceListener = (event: SurfaceEvent) => void;

export class Outbox {
  readonly audience: Audience;
  readonly #core: RegistryCore;
  readonly #dispatch: (call: Call) => void;
  readonly #queue: OutboxItem[] = [];
  #delivering = false;
  #changed: string | undefined;
  #drift: SurfaceEvent[] | undefined;

  constructor(core: RegistryCore, dispatch: (call: Call) => void) {
    this.audience = new Audience(core.settings);
    this.#core = core;
    this.#dispatch = dispatch;
  }

  /** Fetches the outbox and carries it out. `later`: changes of availability wait for the next microtask. */
  take(later = false): void {
    const { runtime, h, gone } = this.#core;
    if (gone) return;
    this.deliver(
      runtime.text("", (table) => table.takeOutbox(h)),
      later,
    );
  }

  /** Ends what is over time; gives the delay until the next deadline, or −1. */
  settleOverdue(): number {
    const { runtime, h } = this.#core;
    const pending = runtime.call("", (table) => table.timers(h, this.#core.now()));
    const delay = runtime.number(0);
    if (pending !== 0) this.take();
    return delay;
  }

  deliver(text: string, later = false): void {
    for (const item of trusted<readonly OutboxItem[]>(text)) {
      if (later && "event" in item && item.event.type === "availability-changed") this.#postpone(item.event);
      else this.#queue.push(item);
    }
    this.#flush();
  }

  #flush(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) this.#carryOut(item);
    } finally {
      this.#delivering = false;
    }
  }

  #carryOut(item: OutboxItem): void {
    const core = this.#core;
    if ("event" in item) return this.#tell(item.event);
    if ("audit" in item) return this.audience.tell(item.audit, (who, error) => this.#report(who, error));
    if ("changed" in item) return this.#changedTo(item.changed);
    if ("confirmation" in item) return core.confirmations.tell(item.confirmation, item.outcome);
    if ("gone" in item) return this.#release(item.gone);
    if ("settle" in item) {
      const call = core.calls.get(item.settle);
      if (call === undefined) return;
      core.finish(call, item.result);
      return call.abort();
    }
    const call = core.calls.get("abort" in item ? item.abort : item.dispatch);
    if (call === undefined) return;
    if ("abort" in item) call.abort();
    else this.#dispatch(call);
  }

  /** A reference to a procedure has ended with its owner. */
  #release(reg: number): void {
    const registration = this.#core.registrations.get(reg);
    if (registration !== undefined) this.#core.release(registration);
  }

  #tell(event: SurfaceEvent): void {
    for (const listener of [...this.#core.listeners]) {
      if (!this.#core.listeners.has(listener)) continue;
      try {
        const answer: unknown = listener(event);
        if (isThenable(answer)) swallow(answer);
      } catch (error) {
        this.#report("a listener", error);
      }
    }
  }

  /** Harms nobody, but its author wants to know. */
  #report(who: string, error: unknown): void {
    if (!this.#core.settings.production) console.warn(`viewcap: ${who} threw`, error);
  }

  #changedTo(version: string): void {
    const scheduled = this.#changed !== undefined;
    this.#changed = String(version);
    if (scheduled) return;
    queueMicrotask(() => {
      const surfaceVersion = this.#changed ?? "0";
      this.#changed = undefined;
      this.#queue.push({ event: { type: "surface-changed", surfaceVersion } });
      this.#core.quietly(() => this.#flush());
    });
  }

  #postpone(event: SurfaceEvent): void {
    if (this.#drift !== undefined) {
      this.#drift.push(event);
      return;
    }
    this.#drift = [event];
    queueMicrotask(() => {
      for (const postponed of this.#drift ?? []) this.#queue.push({ event: postponed });
      this.#drift = undefined;
      this.#core.quietly(() => this.#flush());
    });
  }
}
