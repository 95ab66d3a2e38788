// One instance of the module: text crossing, and what happens when the module fails.
//
// Whatever comes out of the module as an exception (a trap, a stack overflow, memory exhaustion) may have left it in the
// middle of something. The instance is dead from then on: its registries settle what they have in flight, and every
// later call throws RuntimeDeadError.

import { AgentSurfaceDefinitionError, RuntimeDeadError } from "../errors.js";
import { trusted, type CallAnswer, type InvocationResult } from "./answers.js";
import { Answer, AREA, type ModuleTable } from "./table.js";

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
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #at = 0;
  // Views of the area, made anew when the memory has grown.
  #memory: ArrayBuffer | undefined;
  #numbers = new Float64Array(0);
  #count = new Uint32Array(0);
  #bytes = new Uint8Array(0);
  #dead = false;

  constructor(table: ModuleTable, variant: Variant) {
    this.#table = table;
    this.variant = variant;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** One crossing, with a text for the module to take ("" for none). */
  call<T>(text: string, use: (table: ModuleTable) => T): T {
    try {
      this.#write(text);
      return this.#sound(use(this.#table));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** One crossing whose answer is a text: `use` gives its bytes. */
  text(text: string, use: (table: ModuleTable) => number): string {
    const bytes = this.call(text, use);
    const answer = this.#read(bytes);
    return answer.startsWith(FAULT) ? this.call(text, failInternally) : answer;
  }

  // The next five run in every call and every mount: they cross without a closure.

  begin(h: number, now: number, text: string): CallAnswer {
    try {
      this.#write(text);
      return this.#answered(this.#table.begin(h, now));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  advance(h: number, inv: number, now: number, step: number, text: string): CallAnswer {
    try {
      this.#write(text);
      return this.#answered(this.#table.advance(h, inv, now, step));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  settle(h: number, inv: number, now: number, outcome: number, text: string): CallAnswer {
    try {
      this.#write(text);
      return this.#answered(this.#table.settle(h, inv, now, outcome));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  mount(h: number, contract: number, now: number, text: string): number {
    let answer: number;
    try {
      this.#write(text);
      answer = this.#sound(this.#table.mount(h, contract, now));
    } catch (error) {
      throw this.#fail(error);
    }
    return answer >= 0 ? answer : this.#refused();
  }

  unmount(h: number, reg: number, now: number): number {
    try {
      this.#write("");
      return this.#sound(this.#table.unmount(h, reg, now));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  update(h: number, reg: number, now: number, text: string): number {
    return this.checked(text, (table) => table.update(h, reg, now));
  }

  /** The JSON answer of a function that an author's mistake can fail. */
  answer(text: string, use: (table: ModuleTable) => number): unknown {
    const answer: unknown = JSON.parse(this.text(text, use));
    if (typeof answer === "object" && answer !== null && "error" in answer) throw definitionError(answer.error);
    return typeof answer === "object" && answer !== null && "ok" in answer ? answer.ok : answer;
  }

  /** The number of a function that an author's mistake can fail. */
  checked(text: string, use: (table: ModuleTable) => number): number {
    const answer = this.call(text, use);
    return answer >= 0 ? answer : this.#refused();
  }

  #refused(): never {
    const fault: unknown = JSON.parse(this.text("", (table) => table.fault()));
    throw definitionError(typeof fault === "object" && fault !== null && "error" in fault ? fault.error : fault);
  }

  /** A number that the last answer left in the area. */
  number(place: number): number {
    this.#look();
    return this.#numbers[place] ?? 0;
  }

  /** The text that the last answer left beside its numbers. */
  left(): string {
    return this.#read(this.number(AREA.textBytesIn));
  }

  #read(bytes: number): string {
    const address = this.number(AREA.textAddressIn);
    return this.#decoder.decode(this.#table.HEAPU8.subarray(address, address + bytes));
  }

  /** A copy of bytes that lie in module memory. */
  copy(address: number, bytes: number): Uint8Array<ArrayBuffer> {
    return this.#table.HEAPU8.slice(address, address + bytes);
  }

  #answered(code: number): CallAnswer {
    if (code < 0) this.#sound(code);
    const pending = code >> 4;
    const kind = code & 15;
    if (kind === Answer.plan) {
      this.#look();
      const n = this.#numbers;
      return [kind, pending, n[0] ?? 0, n[1] ?? 0, n[2] ?? 0, n[3] ?? 0, n[4] ?? 0, n[5] ?? 0, n[6] ?? 0];
    }
    if (kind === Answer.pass) return [kind, pending, this.number(0)];
    if (kind === Answer.ask) return [kind, pending, this.number(0), this.left()];
    if (kind === Answer.done) return [kind, pending, this.number(0), this.number(1)];
    if (kind === Answer.result) return [kind, pending, trusted<InvocationResult>(this.left())];
    if (kind === Answer.join) return [kind, pending, this.number(0)];
    return [kind === Answer.go || kind === Answer.wait ? kind : Answer.ignored, pending];
  }

  /** Makes the views of the area fit the module's memory, which moves when it grows. */
  #look(): void {
    const { buffer } = this.#table.HEAPU8;
    if (buffer === this.#memory) return;
    if (this.#at === 0) this.#at = this.#table.area();
    this.#memory = buffer;
    this.#numbers = new Float64Array(buffer, this.#at, AREA.numbers);
    this.#count = new Uint32Array(buffer, this.#at + AREA.countAt, 1);
    this.#bytes = new Uint8Array(buffer, this.#at + AREA.textAt, AREA.textBytes);
  }

  #write(text: string): void {
    if (this.#dead) throw new RuntimeDeadError();
    if (text === "") return;
    this.#look();
    // No text has fewer bytes than units, and none more than three for each.
    if (text.length <= AREA.textBytes) {
      const { read, written } = this.#encoder.encodeInto(text, this.#bytes);
      this.#count[0] = written;
      if (read === text.length) return;
      this.#count[0] = 0;
    }
    const bytes = this.#encoder.encode(text);
    const address = this.#table.stage(bytes.length);
    if (address === 0) throw new Error("the module is out of memory");
    this.#table.HEAPU8.set(bytes, address);
  }

  /** An exception that the module caught at its last fence left it in the middle of something just as well. */
  #sound<T>(answer: T): T {
    if (answer === -1 && this.#read(this.#table.fault()).startsWith(FAULT)) failInternally();
    return answer;
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

function failInternally(): never {
  throw new Error("the module failed internally");
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
