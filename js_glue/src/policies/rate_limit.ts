// How often: at most `limit` authorized calls of a capability by a consumer within any `windowMs`.

import type { Policy, PolicyContext } from "../contract/policy.js";
import { AgentSurfaceError, invalidDefinition } from "../errors.js";

/** Consumers and capabilities that are remembered; the least recently used are forgotten first. */
const MOST_KEYS = 1000;

export interface RateLimit {
  /** Calls, at least 1. */
  readonly limit: number;
  /** Milliseconds of the registry's clock, at least 1. */
  readonly windowMs: number;
}

/** Else RATE_LIMITED {reason: "rate", retryAfterMs}. */
export function rateLimit({ limit, windowMs }: RateLimit): Policy {
  for (const [name, value] of Object.entries({ limit, windowMs })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw invalidDefinition(`rateLimit: ${name} is ${String(value)}; whole numbers of at least 1 are allowed`);
  }
  const windows = new Map<string, number[]>();
  return Object.freeze<Policy>({
    name: "rateLimit",
    onAuthorize: (ctx, next) => {
      take(windows, ctx, limit, windowMs);
      return next();
    },
  });
}

function take(windows: Map<string, number[]>, ctx: PolicyContext, limit: number, windowMs: number): void {
  const key = `${ctx.consumer.kind}:${ctx.consumer.id}\n${ctx.capabilityId}`;
  const times = windows.get(key) ?? [];
  // A clock that goes back must not open a window that was closed.
  const now = Math.max(ctx.now(), times.at(-1) ?? -Infinity);
  while (times[0] !== undefined && times[0] <= now - windowMs) times.shift();
  windows.delete(key);
  windows.set(key, times);
  for (const oldest of windows.keys()) {
    if (windows.size <= MOST_KEYS) break;
    windows.delete(oldest);
  }
  const first = times[0];
  if (first !== undefined && times.length >= limit) {
    throw new AgentSurfaceError({
      code: "RATE_LIMITED",
      message: "Too many calls of this capability. Retry later with a new invocation id.",
      retry: "after-delay",
      details: { reason: "rate", retryAfterMs: Math.ceil(first + windowMs - now) },
    });
  }
  times.push(now);
}
