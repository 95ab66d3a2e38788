// Timers for any number of milliseconds: setTimeout takes at most 2^31 − 1 and fires at once beyond, and it cuts off what
// is less than a millisecond.

const LONGEST = 2 ** 31 - 1;

export class LongTimer {
  readonly #done: () => void;
  #handle: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, done: () => void) {
    this.#done = done;
    this.#arm(ms);
  }

  cancel(): void {
    clearTimeout(this.#handle);
  }

  #arm(ms: number): void {
    const now = Math.min(ms, LONGEST);
    this.#handle = setTimeout(() => (ms > now ? this.#arm(ms - now) : this.#done()), Math.ceil(now));
  }
}
