// The calls of one step, of both planes: each is told once, and so is its result.

import type { Listeners } from "./listeners.js";
import type { TurnCall, TurnResult } from "./types.js";

export class StepCalls {
  readonly #listeners: Listeners;
  readonly #calls = new Map<string, TurnCall>();
  readonly #answered = new Set<string>();

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  announce(call: TurnCall): void {
    if (this.#calls.has(call.toolCallId)) return;
    this.#calls.set(call.toolCallId, call);
    this.#listeners.tell("onToolCall", call);
  }

  /** The call; undefined for one that is unknown or has its result. */
  open(toolCallId: string): TurnCall | undefined {
    return this.#answered.has(toolCallId) ? undefined : this.#calls.get(toolCallId);
  }

  allOpen(): readonly TurnCall[] {
    return [...this.#calls.values()].filter(({ toolCallId }) => !this.#answered.has(toolCallId));
  }

  answer(call: TurnCall, ok: boolean, result: unknown): TurnResult {
    const { toolCallId, wireName, canonicalId, executor } = call;
    const told: TurnResult = { toolCallId, wireName, canonicalId, executor, ok, result };
    // A host that answers a call, and asks for it all the same, is heard once.
    if (!this.#answered.has(toolCallId)) this.#listeners.tell("onToolResult", told);
    this.#answered.add(toolCallId);
    return told;
  }
}
