// The page's callbacks. None of them can change what the turn does.

import { isThenable, swallow } from "../contract/values.js";
import type { TurnError, TurnEvents } from "./types.js";

type EventName = keyof TurnEvents;

export class Listeners {
  readonly #events: TurnEvents;
  readonly #errors = new Set<string>();

  constructor(events: TurnEvents) {
    this.#events = events;
  }

  tell<K extends EventName>(name: K, ...told: Parameters<Required<TurnEvents>[K]>): void {
    try {
      const listener: unknown = this.#events[name];
      if (typeof listener !== "function") return;
      const answer: unknown = Reflect.apply(listener, this.#events, told);
      if (isThenable(answer)) swallow(answer);
    } catch (error) {
      console.warn(`viewcap: ${name} of a turn threw`, error);
    }
  }

  /** The same error is told once, however many ways it comes. */
  error({ code, message }: TurnError): void {
    const key = `${code}\n${message}`;
    if (this.#errors.has(key)) return;
    this.#errors.add(key);
    this.tell("onError", { code, message });
  }

  /** A report of the turn's own. */
  report(eventType: string, summary: string, data: unknown): void {
    this.tell("onInspector", { type: "inspector", lane: "runtime", eventType, summary, data });
  }
}
