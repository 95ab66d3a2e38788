// One instance of the module: text crossing, and what happens when the module fails.
//
// Whatever comes out of the module as an exception (a trap, a stack overflow, memory exhaustion) may have left it in the
// middle of something. The instance is dead from then on: its registries settle what they have in flight, and every
// later call throws RuntimeDeadError.

import { AgentSurfaceDefinitionError, RuntimeDeadError } from "../errors.js";
import type { ModuleTable } from "./table.js";

/**
 * From here on, encoding the text and copying it into module memory beats passing it as a string, in spite of the extra
 * crossing: embind writes a string unit by unit, about 10 ns each (measured from 60 bytes to 4 kB).
 */
const STAGE_FROM = 64;

const FAULT = '{"error":{"code":"INTERNAL"';

/** A registry with calls in flight; it must hear of the module's death. */
export interface Dependent {
  runtimeDied(): void;
}

export type Variant = "lean" | "full";

export class Runtime {
  readonly variant: Variant;
  /** Registries with calls in flight; strong on purpose, so that nothing in flight is collected. */
  readonly busy = new Set<Dependent>();
  readonly #table: ModuleTable;
  readonly #encoder = new TextEncoder();
  #scratch = new Uint8Array(16384);
  #dead = false;

  constructor(table: ModuleTable, variant: Variant) {
    this.#table = table;
    this.variant = variant;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /**
   * One crossing. `use` gets the table and the text to pass: the text itself, or "" when it was staged.
   */
  call<T>(text: string, use: (table: ModuleTable, text: string) => T): T {
    if (this.#dead) throw new RuntimeDeadError();
    try {
      return this.#sound(use(this.#table, text.length < STAGE_FROM ? text : this.#stage(text)));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  begin(h: number, now: number, text: string): string {
    return this.call(text, (table, passed) => table.begin(h, now, passed));
  }

  advance(h: number, inv: number, now: number, step: number, text: string): string {
    return this.call(text, (table, passed) => table.advance(h, inv, now, step, passed));
  }

  settle(h: number, inv: number, now: number, outcome: number, text: string): string {
    return this.call(text, (table, passed) => table.settle(h, inv, now, outcome, passed));
  }

  mount(h: number, contract: number, now: number, text: string): number {
    return this.#checked(this.call(text, (table, passed) => table.mount(h, contract, now, passed)));
  }

  unmount(h: number, reg: number, now: number): number {
    return this.call("", (table) => table.unmount(h, reg, now));
  }

  update(h: number, reg: number, now: number, text: string): number {
    return this.#checked(this.call(text, (table, passed) => table.update(h, reg, now, passed)));
  }

  /** The JSON answer of a function that an author's mistake can fail. */
  answer(text: string, use: (table: ModuleTable, text: string) => string): unknown {
    const answer: unknown = JSON.parse(this.call(text, use));
    if (typeof answer === "object" && answer !== null && "error" in answer) throw definitionError(answer.error);
    return typeof answer === "object" && answer !== null && "ok" in answer ? answer.ok : answer;
  }

  /** A copy of bytes that lie in module memory. */
  copy(address: number, bytes: number): Uint8Array<ArrayBuffer> {
    return this.#table.HEAPU8.slice(address, address + bytes);
  }

  #checked(answer: number): number {
    if (answer >= 0) return answer;
    const fault: unknown = JSON.parse(this.call("", (table) => table.fault()));
    throw definitionError(typeof fault === "object" && fault !== null && "error" in fault ? fault.error : fault);
  }

  /** An exception that the module caught at its last fence left it in the middle of something just as well. */
  #sound<T>(answer: T): T {
    if (typeof answer === "string" && answer.startsWith(FAULT)) throw new Error("the module failed internally");
    return answer;
  }

  #stage(text: string): string {
    if (this.#scratch.length < text.length * 3) this.#scratch = new Uint8Array(text.length * 3);
    const { written } = this.#encoder.encodeInto(text, this.#scratch);
    const address = this.#table.stage(written);
    if (address === 0) throw new Error("the module is out of memory");
    this.#table.HEAPU8.set(this.#scratch.subarray(0, written), address);
    // A rare giant must not keep its buffer for the life of the page.
    if (this.#scratch.length > 1 << 20) this.#scratch = new Uint8Array(16384);
    return "";
  }

  #fail(error: unknown): RuntimeDeadError {
    if (error instanceof RuntimeDeadError) return error;
    this.#dead = true;
    const dependents = [...this.busy];
    this.busy.clear();
    for (const dependent of dependents) dependent.runtimeDied();
    return new RuntimeDeadError(error);
  }
}

function definitionError(error: unknown): AgentSurfaceDefinitionError {
  const field = (name: string): string => {
    const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
    return typeof value === "string" ? value : "";
  };
  const path = field("path");
  const message = field("message") || "the module refused the definition";
  return new AgentSurfaceDefinitionError(
    field("code") || "INVALID_DEFINITION",
    path === "" || message.includes(path) ? message : `${message} (at ${path})`,
  );
}
