// A clock that moves only when a test says so.
//
//     const clock = createTestClock();
//     const registry = createAgentSurfaceRegistry({ environment: "test", clock });
//     await clock.advance(10_000);      // what was due within the ten seconds has run, in order of time
//
// Timers run on a time of their own that never goes back, as a platform's do; only the reading can be set back.

import { invalidDefinition } from "../errors.js";
import type { TimeSource } from "../registry/clock.js";
import { flush } from "./flush.js";

export interface TestClock extends TimeSource {
  /**
   * Moves the time by `ms` and runs what is due, earliest first, with microtasks before, between and after; timers
   * armed meanwhile run too. A negative `ms` sets the reading back and no timer. Rejects with what a timer threw first.
   */
  advance(ms: number): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock at 0 or at `start`, in milliseconds. */
export function createTestClock(start = 0): TestClock {
  const time = new TestTime(start);
  return Object.freeze<TestClock>({
    now: () => time.elapsed + time.offset,
    setTimeout: (run, ms) => time.arm(run, ms),
    clearTimeout: (handle) => time.disarm(handle),
    advance: (ms) => time.advance(ms),
  });
}

class TestTime {
  elapsed = 0;
  offset: number;
  readonly #timers = new Map<unknown, Timer>();
  #handles = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(start: number) {
    this.offset = start;
  }

  arm(run: () => void, ms: number): number {
    // At least a millisecond: a timer that arms itself again at once would never let the time move on.
    this.#timers.set(++this.#handles, { at: this.elapsed + Math.max(Number.isFinite(ms) ? ms : 0, 1), run });
    return this.#handles;
  }

  disarm(handle: unknown): void {
    this.#timers.delete(handle);
  }

  /** One move after the other, however many are asked for at once. */
  advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms)) {
      return Promise.reject(invalidDefinition(`advance takes a number of milliseconds, not ${String(ms)}`));
    }
    const moved = this.#last.then(() => this.#move(ms));
    this.#last = moved.catch(() => undefined);
    return moved;
  }

  async #move(ms: number): Promise<void> {
    const failures: unknown[] = [];
    await flush();
    if (ms < 0) this.offset += ms;
    const until = this.elapsed + Math.max(ms, 0);
    for (let timer = this.#take(until); timer !== undefined; timer = this.#take(until)) {
      this.elapsed = timer.at;
      try {
        timer.run();
      } catch (error) {
        failures.push(error);
      }
      await flush();
    }
    this.elapsed = until;
    if (failures.length > 0) throw failures[0];
  }

  /** The earliest that is due by then; of equal ones that which was armed first, as the map has them. */
  #take(until: number): Timer | undefined {
    let [handle, found]: [unknown, Timer | undefined] = [undefined, undefined];
    for (const [key, timer] of this.#timers) {
      if (timer.at <= until && timer.at < (found?.at ?? Infinity)) [handle, found] = [key, timer];
    }
    this.#timers.delete(handle);
    return found;
  }
}
