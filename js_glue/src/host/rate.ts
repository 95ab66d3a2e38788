// How often a session may ask: a window of a minute that slides in two halves, so that a burst at its edge counts.

import { Refusal } from "./refusal.js";

const WINDOW_MS = 60_000;

interface Count {
  readonly window: number;
  readonly before: number;
  now: number;
}

export class RateWindow {
  readonly #perMinute: number;
  readonly #counts = new Map<string, Count>();
  #swept = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts the request, or throws 429 with the seconds to wait. */
  take(key: string, nowMs: number): void {
    const window = Math.floor(nowMs / WINDOW_MS);
    this.#sweep(window);
    const last = this.#counts.get(key);
    const before = last === undefined || last.window < window - 1 ? 0 : last.window === window ? last.before : last.now;
    const count = last?.window === window ? last : { window, before, now: 0 };
    const part = (nowMs % WINDOW_MS) / WINDOW_MS;
    if (before * (1 - part) + count.now >= this.#perMinute) {
      const seconds = Math.max(1, Math.ceil((WINDOW_MS - (nowMs % WINDOW_MS)) / 1000));
      throw new Refusal("RATE_LIMITED", "This session asks too often; try again later.", {
        headers: { "retry-after": String(seconds) },
      });
    }
    count.now++;
    this.#counts.set(key, count);
  }

  /** Sessions that have gone away leave nothing behind. */
  #sweep(window: number): void {
    if (window === this.#swept) return;
    this.#swept = window;
    for (const [key, count] of this.#counts) if (count.window < window - 1) this.#counts.delete(key);
  }
}
