// The time that a turn may take. It stands still while a person is waited for (spec: host-protocol.md, "The turn loop").

import type { RegistryClock } from "../registry/clock.js";

export class TurnTime {
  readonly #clock: RegistryClock;
  readonly #over: () => void;
  #leftMs: number;
  #since = 0;
  #handle: unknown;
  /** How many calls wait for a person now. */
  #waits = 0;
  #ended = false;

  /** Runs from now on; `over` is called once, when the time is used up. */
  constructor(clock: RegistryClock, budgetMs: number, over: () => void) {
    this.#clock = clock;
    this.#over = over;
    this.#leftMs = budgetMs;
    this.#run();
  }

  /** What is waited for is a person's decision. */
  async person<T>(decision: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) this.#halt();
    try {
      return await decision;
    } finally {
      if (--this.#waits === 0) this.#run();
    }
  }

  end(): void {
    if (this.#waits === 0) this.#halt();
    this.#ended = true;
  }

  #run(): void {
    if (this.#ended) return;
    this.#since = this.#clock.read();
    this.#handle = this.#clock.setTimeout(() => this.#over(), Math.max(Math.ceil(this.#leftMs), 1));
  }

  #halt(): void {
    if (this.#ended) return;
    this.#clock.clearTimeout(this.#handle);
    this.#leftMs -= Math.max(this.#clock.read() - this.#since, 0);
  }
}
