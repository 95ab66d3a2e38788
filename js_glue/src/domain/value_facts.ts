// Values of JavaScript as facts: JSON text that also says what JSON cannot (the format is that of
// wasm/domain/include/domain/value_facts.h).
//
//     valueFacts({ timeoutMs: NaN, retry: { retryOn() {} } })
//     '{"timeoutMs":{"$is":"NaN"},"retry":{"retryOn":{"$is":"function"}}}'
//
// Total: a getter or a proxy that throws becomes a fact. Every property is read once; of an object, own enumerable
// members with string keys count, as for JSON. Bounded: six levels, and so much that no walk is too long to cross; what
// lies beyond is {"$is":"deep"}.

import { isWellFormed, quoted, toWellFormed } from "../json/value.js";

export type FactWord =
  | "function"
  | "undefined"
  | "symbol"
  | "bigint"
  | "NaN"
  | "Infinity"
  | "-Infinity"
  /** It threw. */
  | "unreadable"
  /** Below the sixth level, or over a bound. */
  | "deep";

const MAX_LEVELS = 6;
const MAX_VALUES = 50_000;
const MAX_UNITS = 4 * 1024 * 1024;

/** Stands in a copy for what could not be read; as a fact it is "unreadable". */
export const UNREADABLE: unique symbol = Symbol("unreadable");

export function factText(word: FactWord): string {
  return `{"$is":"${word}"}`;
}

/** JSON text without lone surrogates. */
export function textFact(text: string): string {
  return quoted(text) ?? JSON.stringify(toWellFormed(text));
}

export function valueFacts(value: unknown): string {
  return new FactWriter().write(value, MAX_LEVELS);
}

/** The value at `key`; UNREADABLE where a getter threw. */
export function readOr(owner: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(owner, key);
  } catch {
    return UNREADABLE;
  }
}

/** An object of facts that are written already; an absent one is left out. */
export function factRecord(members: Readonly<Record<string, string | undefined>>): string {
  const parts: string[] = [];
  for (const [key, text] of Object.entries(members)) {
    if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${parts.join(",")}}`;
}

class FactWriter {
  #values = MAX_VALUES;
  #units = MAX_UNITS;

  write(value: unknown, levels: number): string {
    if (--this.#values < 0) return factText("deep");
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "boolean":
        return value ? "true" : "false";
      case "number":
        return numberFact(value);
      case "object":
        return value === null ? "null" : this.#container(value, levels);
      case "symbol":
        return factText(value === UNREADABLE ? "unreadable" : "symbol");
      case "bigint":
        return factText("bigint");
      case "undefined":
        return factText("undefined");
      case "function":
        return factText("function");
    }
  }

  #text(text: string): string {
    this.#units -= text.length;
    return this.#units < 0 ? factText("deep") : textFact(text);
  }

  #container(value: object, levels: number): string {
    if (levels === 0) return factText("deep");
    try {
      return Array.isArray(value) ? this.#array(value, levels - 1) : this.#object(value, levels - 1);
    } catch {
      return factText("unreadable");
    }
  }

  #array(value: readonly unknown[], levels: number): string {
    const length = value.length;
    if (length > this.#values) return factText("deep");
    const parts: string[] = [];
    for (let index = 0; index < length; index++) parts.push(this.#member(value, index, levels) ?? "");
    return `[${parts.join(",")}]`;
  }

  #object(value: object, levels: number): string {
    const keys = Object.keys(value);
    if (keys.length > this.#values) return factText("deep");
    let text = "";
    // Two keys that differ in a lone surrogate only would be one key twice, which no reader of JSON takes.
    const names = keys.every(isWellFormed) ? undefined : new Set<string>();
    for (const key of keys) {
      this.#units -= key.length;
      if (this.#units < 0) return factText("deep");
      const name = textFact(key.startsWith("$") ? `$${key}` : key);
      if (names?.has(name) === true) continue;
      names?.add(name);
      const fact = this.#member(value, key, levels);
      if (fact !== undefined) text += `${text === "" ? "" : ","}${name}:${fact}`;
    }
    return `{${text}}`;
  }

  /** Undefined for a member of an object that is undefined: it is absent. */
  #member(owner: object, key: string | number, levels: number): string | undefined {
    const value = readOr(owner, key);
    return value === undefined && typeof key === "string" ? undefined : this.write(value, levels);
  }
}

function numberFact(value: number): string {
  if (Number.isFinite(value)) return JSON.stringify(value);
  if (Number.isNaN(value)) return factText("NaN");
  return factText(value > 0 ? "Infinity" : "-Infinity");
}
