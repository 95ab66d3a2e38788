// Waiting until the page has absorbed a call: what an action causes is applied in later tasks, and the next look at the
// surface must not describe what is no longer there (spec: host-protocol.md, "Settle").

import { invalidDefinition } from "../errors.js";
import { knownCore } from "../registry/internals.js";
import { nextTask } from "../registry/next_task.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";

export interface SettleOptions {
  /** Whether the page has caught up, such as: the committed route equals the URL. One that throws says no. */
  readonly until?: (() => boolean) | undefined;
  /** Default: 250, with `until` 1,500. */
  readonly budgetMs?: number | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

const BUDGET_MS = 250;
const BUDGET_UNTIL_MS = 1_500;
const FEWEST_TASKS = 2;

/**
 * Resolves once nothing of the surface has changed for a whole task, after at least two tasks, and `until` holds: to
 * true; to false when the time was over before that or the signal aborted.
 */
export async function settleSurface(registry: AgentSurfaceRegistry, options: SettleOptions = {}): Promise<boolean> {
  const core = knownCore(registry, "settleSurface");
  const { until, budgetMs = until === undefined ? BUDGET_MS : BUDGET_UNTIL_MS, signal } = checked(options);
  const end = performance.now() + budgetMs;
  let moved = false;
  const unsubscribe = core.gone
    ? () => undefined
    : registry.subscribe(({ type }) => {
        if (type === "surface-changed" || type === "availability-changed") moved = true;
      });
  try {
    for (let tasks = 1; ; tasks++) {
      moved = false;
      await nextTask();
      if (signal?.aborted === true) return false;
      if (tasks >= FEWEST_TASKS && !moved && holds(until)) return true;
      if (performance.now() >= end) return false;
    }
  } finally {
    unsubscribe();
  }
}

function checked(options: SettleOptions): SettleOptions {
  if (typeof options !== "object" || options === null) throw invalidDefinition("settleSurface: options is an object");
  const { until, budgetMs } = options;
  if (until !== undefined && typeof until !== "function") throw invalidDefinition("settleSurface: until is a function");
  if (budgetMs === undefined || (typeof budgetMs === "number" && budgetMs >= 0)) return options;
  throw invalidDefinition(`settleSurface: budgetMs is ${String(budgetMs)}; a number from 0 is allowed`);
}

function holds(until: (() => boolean) | undefined): boolean {
  if (until === undefined) return true;
  try {
    return until() === true;
  } catch {
    return false;
  }
}
