// What counts as a JSON value, and its text (spec: capabilities.md §3, "JSON value").
//
// `jsonText` answers almost every call with one cheap walk, which copies, and the engine's own JSON.stringify. Whatever
// the cheap walk does not like (too deep for it, an array of another realm, a polluted prototype, a real fault) goes to
// the exact walker, which decides alone: it writes the text itself or says where the fault is. It never recurses.

import { cheapCopy } from "./copy.js";
import { exactText } from "./exact.js";

export interface JsonProblem {
  /** JSON Pointer of the fault. */
  readonly path: string;
  readonly message: string;
  /** value: not JSON. depth, size: JSON, but over a bound. */
  readonly kind: "value" | "depth" | "size";
}
/** A value as text. The copy is there where the walk made one on its way; jsonCopy gives it in every case. */
export interface JsonValue {
  readonly text: string;
  readonly copy?: unknown;
}
export type JsonText = JsonValue | { readonly problem: JsonProblem };

export interface JsonBounds {
  /** Nested arrays and objects. */
  readonly maxDepth: number;
  /** Bytes that the text may have at most; beyond it the walk ends. */
  readonly maxBytes: number;
}

/** For values that no limit of a registry speaks of: schemas, contracts, `parse`. */
export const LOOSE_BOUNDS: JsonBounds = { maxDepth: 10_000, maxBytes: 64 * 1024 * 1024 };

/**
 * The JSON text of a value, or what is wrong with it. Runs no getter and no `toJSON`; a proxy that throws is a problem
 * like any other. `undefined` at the root is a problem too: callers that allow it ask before.
 */
export function jsonText(value: unknown, bounds: JsonBounds): JsonText {
  try {
    const cheap = cheapCopy(value, bounds.maxDepth, bounds.maxBytes);
    if (cheap !== undefined) return cheap;
  } catch {
    // The exact walk says what is wrong.
  }
  try {
    return exactText(value, bounds);
  } catch {
    return { problem: { path: "", message: "the value could not be read: it threw", kind: "value" } };
  }
}

/** What the text stands for: the copy, where the walk made one. Whoever takes it has it alone. */
export function jsonCopy(json: JsonValue): unknown {
  return json.copy === undefined ? JSON.parse(json.text) : json.copy;
}

const PLAIN = /^[\w .:/-]*$/;

/** The string as JSON; undefined when it holds a lone surrogate, which cannot become UTF-8. */
export function quoted(text: string): string | undefined {
  // Most strings that are ids need no look at each letter by JSON.stringify, which costs ten times as much.
  if (PLAIN.test(text)) return `"${text}"`;
  return isWellFormed(text) ? JSON.stringify(text) : undefined;
}

/** A lone surrogate cannot become UTF-8. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The text with every lone surrogate replaced, for sentences that are shown and not compared. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Freezes a parsed document all the way down. */
export function deepFreeze(root: unknown): unknown {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    Object.freeze(value);
    for (const member of Object.values(value)) if (typeof member === "object") open.push(member);
  }
  return root;
}
