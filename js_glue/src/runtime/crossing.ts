// One instance of a module: text crossing, and what happens when the module fails.
//
// Whatever comes out of the module as an exception (a trap, a stack overflow, memory exhaustion) may have left it in the
// middle of something. The instance is dead from then on: its registries settle what they have in flight, and every
// later call throws RuntimeDeadError.

import { AgentSurfaceDefinitionError, RuntimeDeadError } from "../errors.js";
import { AREA, type CrossingTable } from "./table.js";

const FAULT = '{"error":{"code":"INTERNAL"';

/** A registry with calls in flight; it must hear of the module's death. */
export interface Dependent {
  runtimeDied(): void;
}

export class Crossing<Table extends CrossingTable> {
  /** Registries with calls in flight; strong on purpose, so that nothing in flight is collected. */
  readonly busy = new Set<Dependent>();
  protected readonly table: Table;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #at = 0;
  // Views of the area, made anew when the memory has grown.
  #memory: ArrayBuffer | undefined;
  #numbers = new Float64Array(0);
  #count = new Uint32Array(0);
  #bytes = new Uint8Array(0);
  #dead = false;

  constructor(table: Table) {
    this.table = table;
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** One crossing, with a text for the module to take ("" for none), or the UTF-8 of one. */
  call<T>(text: string | Uint8Array, use: (table: Table) => T): T {
    try {
      this.write(text);
      return this.sound(use(this.table));
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** One crossing whose answer is a text: `use` gives its bytes. */
  text(text: string, use: (table: Table) => number): string {
    const bytes = this.call(text, use);
    const answer = this.read(bytes);
    return answer.startsWith(FAULT) ? this.call(text, failInternally) : answer;
  }

  /** The JSON answer of a function that an author's mistake can fail. */
  answer(text: string, use: (table: Table) => number): unknown {
    const answer: unknown = JSON.parse(this.text(text, use));
    if (typeof answer === "object" && answer !== null && "error" in answer) throw definitionError(answer.error);
    return typeof answer === "object" && answer !== null && "ok" in answer ? answer.ok : answer;
  }

  /** The number of a function that an author's mistake can fail. */
  checked(text: string | Uint8Array, use: (table: Table) => number): number {
    const answer = this.call(text, use);
    return answer >= 0 ? answer : this.refused();
  }

  protected refused(): never {
    const fault: unknown = JSON.parse(this.text("", (table) => table.fault()));
    throw definitionError(typeof fault === "object" && fault !== null && "error" in fault ? fault.error : fault);
  }

  /** A number that the last answer left in the area. */
  number(place: number): number {
    return this.look()[place] ?? 0;
  }

  /** The text that the last answer left beside its numbers. */
  left(): string {
    return this.read(this.number(AREA.textBytesIn));
  }

  protected read(bytes: number): string {
    const address = this.number(AREA.textAddressIn);
    return this.#decoder.decode(this.table.HEAPU8.subarray(address, address + bytes));
  }

  /** A copy of bytes that lie in module memory. */
  copy(address: number, bytes: number): Uint8Array<ArrayBuffer> {
    return this.table.HEAPU8.slice(address, address + bytes);
  }

  /** The numbers of the area; makes its views fit the module's memory, which moves when it grows. */
  protected look(): Float64Array {
    const { buffer } = this.table.HEAPU8;
    if (buffer === this.#memory) return this.#numbers;
    if (this.#at === 0) this.#at = this.table.area();
    this.#memory = buffer;
    this.#numbers = new Float64Array(buffer, this.#at, AREA.numbers);
    this.#count = new Uint32Array(buffer, this.#at + AREA.countAt, 1);
    this.#bytes = new Uint8Array(buffer, this.#at + AREA.textAt, AREA.textBytes);
    return this.#numbers;
  }

  protected write(text: string | Uint8Array): void {
    if (this.#dead) throw new RuntimeDeadError();
    if (typeof text !== "string") return this.#stage(text);
    if (text === "") return;
    this.look();
    // No text has fewer bytes than units, and none more than three for each.
    if (text.length <= AREA.textBytes) {
      const { read, written } = this.#encoder.encodeInto(text, this.#bytes);
      this.#count[0] = written;
      if (read === text.length) return;
      this.#count[0] = 0;
    }
    this.#stage(this.#encoder.encode(text));
  }

  #stage(bytes: Uint8Array): void {
    const address = this.table.stage(bytes.length);
    if (address === 0) throw new Error("the module is out of memory");
    this.table.HEAPU8.set(bytes, address);
  }

  /** An exception that the module caught at its last fence left it in the middle of something just as well. */
  protected sound<T>(answer: T): T {
    if (answer === -1 && this.read(this.table.fault()).startsWith(FAULT)) failInternally();
    return answer;
  }

  protected fail(error: unknown): RuntimeDeadError {
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
