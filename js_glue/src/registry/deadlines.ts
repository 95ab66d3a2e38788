// How long author code may keep a call waiting before its handler: policies that have not called next(), validations
// that have not answered. All have the same time, so that the first in line is the first to be over.
//
// Every decision compares with the clock when it is used; the registry's one timer only delivers.

import type { RegistryCore } from "./core.js";

export interface Deadline {
  readonly at: number;
  /** False once what was waited for has come. */
  open: boolean;
  readonly over: () => void;
}

export class Deadlines {
  readonly #core: RegistryCore;
  readonly #line: Deadline[] = [];

  constructor(core: RegistryCore) {
    this.#core = core;
  }

  add(over: () => void): Deadline {
    const { settings, timer } = this.#core;
    const deadline: Deadline = { at: this.#core.now() + settings.policyTimeoutMs, open: true, over };
    while (this.#line[0]?.open === false) this.#line.shift();
    this.#line.push(deadline);
    timer.arm(settings.policyTimeoutMs);
    return deadline;
  }

  /** What was waited for has come: whether in time, however late the timer is. */
  close(deadline: Deadline): boolean {
    const inTime = deadline.open && this.#core.now() < deadline.at;
    deadline.open = false;
    return inTime;
  }

  /** Ends what is over; milliseconds until the next, or −1. */
  expire(): number {
    for (;;) {
      const first = this.#line[0];
      if (first === undefined) return -1;
      const left = first.at - this.#core.now();
      if (first.open && left > 0) return left;
      this.#line.shift();
      if (!first.open) continue;
      first.open = false;
      first.over();
    }
  }
}
