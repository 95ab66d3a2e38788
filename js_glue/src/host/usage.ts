// What the model steps of a request cost, as far as the provider said so (spec: host-protocol.md, "Frames"): absent when it
// said nothing, never a zero that nobody measured.

import type { ModelUsage } from "./model/types.js";

export interface WireUsage extends ModelUsage {
  readonly totalTokens: number;
  /** Model steps that were reported; others cost something, too. */
  readonly reportedSteps: number;
}

export class UsageSum {
  #sum: WireUsage | undefined;

  add(usage: ModelUsage | undefined): void {
    if (usage === undefined || !isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return;
    const last = this.#sum;
    const inputTokens = (last?.inputTokens ?? 0) + usage.inputTokens;
    const outputTokens = (last?.outputTokens ?? 0) + usage.outputTokens;
    this.#sum = {
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      reportedSteps: (last?.reportedSteps ?? 0) + 1,
      ...part("cachedInputTokens", last?.cachedInputTokens, usage.cachedInputTokens),
      ...part("reasoningTokens", last?.reasoningTokens, usage.reasoningTokens),
    };
  }

  get total(): WireUsage | undefined {
    return this.#sum;
  }
}

function part<K extends string>(key: K, sum: number | undefined, more: number | undefined): { [key in K]?: number } {
  const known = isCount(more) ? (sum ?? 0) + more : sum;
  const made: { [key in K]?: number } = {};
  if (known !== undefined) made[key] = known;
  return made;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
