// One instance of the module of registries: the crossings that run in every call and every mount, without a closure.

import { trusted, type CallAnswer, type InvocationResult } from "./answers.js";
import { Crossing } from "./crossing.js";
import { Answer, type ModuleTable } from "./table.js";

export type { Dependent } from "./crossing.js";
export type Variant = "lean" | "full";

export class Runtime extends Crossing<ModuleTable> {
  readonly variant: Variant;

  constructor(table: ModuleTable, variant: Variant) {
    super(table);
    this.variant = variant;
  }

  begin(h: number, now: number, text: string): CallAnswer {
    try {
      this.write(text);
      return this.#answered(this.table.begin(h, now));
    } catch (error) {
      throw this.fail(error);
    }
  }

  advance(h: number, inv: number, now: number, step: number, text: string): CallAnswer {
    try {
      this.write(text);
      return this.#answered(this.table.advance(h, inv, now, step));
    } catch (error) {
      throw this.fail(error);
    }
  }

  settle(h: number, inv: number, now: number, outcome: number, text: string): CallAnswer {
    try {
      this.write(text);
      return this.#answered(this.table.settle(h, inv, now, outcome));
    } catch (error) {
      throw this.fail(error);
    }
  }

  mount(h: number, contract: number, now: number, text: string): number {
    let answer: number;
    try {
      this.write(text);
      answer = this.sound(this.table.mount(h, contract, now));
    } catch (error) {
      throw this.fail(error);
    }
    return answer >= 0 ? answer : this.refused();
  }

  unmount(h: number, reg: number, now: number): number {
    try {
      this.write("");
      return this.sound(this.table.unmount(h, reg, now));
    } catch (error) {
      throw this.fail(error);
    }
  }

  update(h: number, reg: number, now: number, text: string): number {
    return this.checked(text, (table) => table.update(h, reg, now));
  }

  #answered(code: number): CallAnswer {
    if (code < 0) this.sound(code);
    const pending = code >> 4;
    const kind = code & 15;
    if (kind === Answer.plan) {
      const n = this.look();
      return [kind, pending, n[0] ?? 0, n[1] ?? 0, n[2] ?? 0, n[3] ?? 0, n[4] ?? 0, n[5] ?? 0, n[6] ?? 0];
    }
    if (kind === Answer.pass) return [kind, pending, this.number(0)];
    if (kind === Answer.ask) return [kind, pending, this.number(0), this.left()];
    if (kind === Answer.done) return [kind, pending, this.number(0), this.number(1)];
    if (kind === Answer.result) return [kind, pending, trusted<InvocationResult>(this.left())];
    if (kind === Answer.join) return [kind, pending, this.number(0)];
    return [kind === Answer.go || kind === Answer.wait ? kind : Answer.ignored, pending];
  }
}
