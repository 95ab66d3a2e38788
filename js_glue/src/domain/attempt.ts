// One attempt at a procedure: it races its time and the caller's token, first cause wins (spec: domain.md §6.4).

import { CapabilityError } from "./capability_error.js";
import { LongTimer } from "./long_timer.js";

export type AttemptOutcome =
  | { readonly kind: "output"; readonly output: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timedOut" | "stopped" };

/** Never rejects. What the procedure does after it was stopped or timed out is dropped. */
export function attempt(
  run: (signal: AbortSignal) => Promise<unknown>,
  timeoutMs: number,
  token: AbortSignal | undefined,
): Promise<AttemptOutcome> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const end = (outcome: AttemptOutcome): void => {
      timer.cancel();
      token?.removeEventListener("abort", stop);
      resolve(outcome);
    };
    const stop = (): void => {
      controller.abort(new CapabilityError({ code: "CANCELLED" }));
      end({ kind: "stopped" });
    };
    const timer = new LongTimer(timeoutMs, () => {
      controller.abort(new CapabilityError({ code: "TIMEOUT" }));
      end({ kind: "timedOut" });
    });
    token?.addEventListener("abort", stop, { once: true });
    if (token?.aborted === true) return stop();
    run(controller.signal).then(
      (output) => end({ kind: "output", output }),
      (error: unknown) => end({ kind: "threw", error }),
    );
  });
}

/** True after the time, false when the token ended it before. */
export function waited(ms: number, token: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (whole: boolean): void => {
      timer.cancel();
      token?.removeEventListener("abort", stop);
      resolve(whole);
    };
    const stop = (): void => end(false);
    const timer = new LongTimer(ms, () => end(true));
    token?.addEventListener("abort", stop, { once: true });
    if (token?.aborted === true) stop();
  });
}
