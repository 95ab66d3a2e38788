// What every `when()` says now, told to the module as data, and only what changed.

import type { RegistryCore } from "./core.js";
import { hasVotes } from "./policy_chain.js";
import { closedReason, type Registration } from "./registration.js";

export class Gates {
  readonly #core: RegistryCore;
  /** Those with discovery policies of their own, or of the component that they belong to. */
  readonly voting = new Set<Registration>();
  readonly #gated = new Set<Registration>();
  /** As an array, which stays as it is while a `when` mounts or unmounts. */
  #list: readonly Registration[] | undefined;
  #evaluating = false;
  #scheduled = false;

  constructor(core: RegistryCore) {
    this.#core = core;
  }

  add(registration: Registration): void {
    if (hasVotes(registration)) this.voting.add(registration);
    if (registration.gated.length === 0) return;
    this.#gated.add(registration);
    this.#list = undefined;
  }

  remove(registration: Registration): void {
    this.voting.delete(registration);
    if (this.#gated.delete(registration)) this.#list = undefined;
  }

  /**
   * Evaluates every `when` and gives the changes as JSON, "" when there are none. A `when` that looks at the surface
   * itself sees what was known before: it does not start over.
   */
  changes(): string {
    if (this.#evaluating) return "";
    this.#evaluating = true;
    try {
      let text = "";
      for (const registration of (this.#list ??= [...this.#gated])) text += this.#changesOf(registration);
      return text === "" ? "" : `[${text.slice(1)}]`;
    } finally {
      this.#evaluating = false;
    }
  }

  #changesOf(registration: Registration): string {
    const { gated, told, reg } = registration;
    const { asking } = this.#core;
    let text = "";
    for (let place = 0; place < gated.length; place++) {
      const index = gated[place];
      const entry = index === undefined ? undefined : registration.entries?.[index];
      if (entry === undefined || asking.includes(entry)) continue;
      asking.push(entry);
      const reason = closedReason(entry);
      asking.pop();
      if (reason === told[place]) continue;
      told[place] = reason;
      text += `,[${String(reg)},${String(index)},`;
      text += reason === undefined ? "1]" : reason === "" ? "0]" : `0,${JSON.stringify(reason)}]`;
    }
    return text;
  }

  /** Looks for drift in the next microtask, once however often it is asked, and only when somebody listens. */
  schedule(): void {
    if (this.#scheduled || this.#core.listeners.size === 0) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#core.quietly(() => this.#push());
    });
  }

  #push(): void {
    const changes = this.changes();
    const { runtime, h, disposed } = this.#core;
    if (changes === "" || disposed) return;
    const pending = runtime.call(changes, (table) => table.gates(h, this.#core.now()));
    if (pending !== 0) this.#core.outbox.take();
  }
}
