// The registry's time: one clock for readings and timers, and one timer for the earliest deadline.

import { invalidDefinition } from "../errors.js";

export interface TimeSource {
  /** Milliseconds. */
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

export interface RegistryClock extends TimeSource {
  /** now(), without the ways in which an injected clock can fail. */
  read(): number;
}

type PlatformTimer = ReturnType<typeof setTimeout>;

function isPlatformTimer(handle: unknown): handle is PlatformTimer {
  return typeof handle === "number" || (typeof handle === "object" && handle !== null);
}

const platformClock: TimeSource = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (handle) => {
    if (isPlatformTimer(handle)) clearTimeout(handle);
  },
};

export function makeClock(now: unknown, clock: TimeSource | undefined): RegistryClock {
  if (now !== undefined && typeof now !== "function") throw invalidDefinition('option "now" must be a function');
  for (const name of ["now", "setTimeout", "clearTimeout"] as const) {
    if (clock !== undefined && typeof clock[name] !== "function") {
      throw invalidDefinition(`option "clock" lacks the function ${name}`);
    }
  }
  const source = clock ?? platformClock;
  const reading = typeof now === "function" ? (): unknown => Reflect.apply(now, undefined, []) : () => source.now();
  let last = 0;
  const read = (): number => {
    try {
      const value = reading();
      if (typeof value === "number" && Number.isFinite(value)) last = value;
    } catch {
      // The last good reading stands: a broken clock must not break a call.
    }
    return last;
  };
  return {
    now: read,
    read,
    setTimeout: (run, ms) => source.setTimeout(run, ms),
    clearTimeout: (handle) => source.clearTimeout(handle),
  };
}

/** Timers of browsers and Node take a signed 32-bit number of milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * One armed timer for the earliest deadline. A later deadline does not touch it, and nothing is cleared when a call
 * settles: at worst it fires once in vain. In Node it keeps the process alive only while something is in flight.
 */
export class DeadlineTimer {
  readonly #clock: RegistryClock;
  readonly #fire: () => void;
  #handle: unknown;
  #at = Infinity;
  #held = false;

  constructor(clock: RegistryClock, fire: () => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  arm(delayMs: number): void {
    const at = this.#clock.read() + delayMs;
    if (at >= this.#at) return;
    this.clear();
    this.#at = at;
    // Rounded up: a timer that comes early would only be armed again.
    this.#handle = this.#clock.setTimeout(this.#due, Math.min(Math.max(Math.ceil(delayMs), 1), LONGEST));
    if (!this.#held) this.#toggle();
  }

  /** Whether a process may end while the timer is armed. */
  hold(needed: boolean): void {
    this.#held = needed;
    this.#toggle();
  }

  #toggle(): void {
    const handle = this.#handle;
    if (typeof handle !== "object" || handle === null) return;
    const toggle: unknown = Reflect.get(handle, this.#held ? "ref" : "unref");
    if (typeof toggle === "function") Reflect.apply(toggle, handle, []);
  }

  clear(): void {
    if (this.#at === Infinity) return;
    this.#clock.clearTimeout(this.#handle);
    this.#handle = undefined;
    this.#at = Infinity;
  }

  readonly #due = (): void => {
    this.#handle = undefined;
    this.#at = Infinity;
    this.#fire();
  };
}
