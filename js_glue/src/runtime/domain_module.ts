// One instance of the domain plane's module: its crossings, typed. The texts are those of domain/runtime.h.

import { Crossing } from "./crossing.js";
import type { DomainTable } from "./domain_table.js";

const EVENTS_WAIT = 16;

/** One thing that an execution asks for. */
export interface Step {
  readonly ask: number;
  readonly execution: number;
  /** Position in the registry; -1: none. */
  readonly capability: number;
  readonly number: number;
  readonly text: string;
  /** Events wait to be taken. */
  readonly events: boolean;
}

export interface ListingStep {
  readonly kind: number;
  readonly discovery: number;
  readonly capability: number;
  readonly timeoutMs: number;
  /** Of a finished one: positions doubled, odd where an approval is needed. */
  readonly text: string;
  readonly events: boolean;
}

export class DomainModule extends Crossing<DomainTable> {
  begin(runtime: number, now: number, text: string): Step {
    try {
      this.write(text);
      return this.#step(this.table.begin(runtime, now));
    } catch (error) {
      throw this.fail(error);
    }
  }

  resume(runtime: number, now: number, text: string): Step {
    try {
      this.write(text);
      return this.#step(this.table.resume(runtime, now));
    } catch (error) {
      throw this.fail(error);
    }
  }

  tell(runtime: number, execution: number, told: number, aborted: boolean, now: number, text: string): Step {
    try {
      this.write(text);
      return this.#step(this.table.tell(runtime, execution, told, aborted ? 1 : 0, now));
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** Throws what an author's mistake is: a malformed actor, scope or surface. */
  describe(runtime: number, clock: number, now: number, text: string): ListingStep {
    return this.#listing(this.checked(text, (table) => table.describe(runtime, clock, now)));
  }

  nextCandidate(runtime: number, discovery: number, clock: number, now: number): ListingStep {
    return this.#listing(this.call("", (table) => table.nextCandidate(runtime, discovery, clock, now)));
  }

  reported(runtime: number, discovery: number, capability: number, clock: number, now: number, text: string) {
    try {
      this.write(text);
      return this.#listing(this.sound(this.table.reported(runtime, discovery, capability, clock, now)));
    } catch (error) {
      throw this.fail(error);
    }
  }

  #step(code: number): Step {
    this.sound(code);
    const numbers = this.look();
    return {
      ask: code & (EVENTS_WAIT - 1),
      execution: numbers[0] ?? 0,
      capability: numbers[1] ?? -1,
      number: numbers[2] ?? 0,
      text: numbers[6] === 0 ? "" : this.left(),
      events: code >= EVENTS_WAIT,
    };
  }

  #listing(code: number): ListingStep {
    const numbers = this.look();
    return {
      kind: code & (EVENTS_WAIT - 1),
      discovery: numbers[0] ?? 0,
      capability: numbers[1] ?? 0,
      timeoutMs: numbers[2] ?? 0,
      text: numbers[6] === 0 ? "" : this.left(),
      events: code >= EVENTS_WAIT,
    };
  }
}
