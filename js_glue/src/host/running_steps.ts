// The steps that run here. A second post of one is refused while it does; another instance cannot know of it, and the
// idempotency keys see to that (spec: host-protocol.md, "Step request").

import { Refusal } from "./refusal.js";

export class RunningSteps {
  readonly #most: number;
  readonly #keys = new Set<string>();
  readonly #perSession = new Map<string, number>();
  readonly #runs = new Set<Promise<void>>();

  constructor(mostPerSession: number) {
    this.#most = mostPerSession;
  }

  /** 409 for a step that is running, 429 for too many at once; the function that comes back gives the place free. */
  take(session: string, step: readonly unknown[]): () => void {
    const key = JSON.stringify([session, ...step]);
    if (this.#keys.has(key)) throw new Refusal("STEP_IN_PROGRESS", "This step is running already.");
    const running = this.#perSession.get(session) ?? 0;
    if (running >= this.#most) {
      const message = `This session has ${String(running)} steps running; at most ${String(this.#most)} are allowed.`;
      throw new Refusal("RATE_LIMITED", message, { headers: { "retry-after": "1" } });
    }
    this.#keys.add(key);
    this.#perSession.set(session, running + 1);
    return () => this.#release(session, key);
  }

  /** `run` never rejects. */
  follow(run: Promise<void>): void {
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run));
  }

  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  #release(session: string, key: string): void {
    if (!this.#keys.delete(key)) return;
    const running = (this.#perSession.get(session) ?? 1) - 1;
    if (running > 0) this.#perSession.set(session, running);
    else this.#perSession.delete(session);
  }
}
