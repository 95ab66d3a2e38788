// What counts as a JSON value, and its text (spec: capabilities.md §3, "JSON value").
//
// `jsonText` answers almost every call with one cheap walk and the engine's own JSON.stringify. Whatever the cheap walk
// does not like (too deep for it, an array of another realm, a polluted prototype, a real fault) goes to the exact
// walker, which decides alone: it writes the text itself or says where the fault is. It never recurses.

import { exactText } from "./exact.js";

export interface JsonProblem {
  /** JSON Pointer of the fault. */
  readonly path: string;
  readonly message: string;
  /** value: not JSON. depth, size: JSON, but over a bound. */
  readonly kind: "value" | "depth" | "size";
}
export type JsonText = { readonly text: string } | { readonly problem: JsonProblem };

export interface JsonBounds {
  /** Nested arrays and objects. */
  readonly maxDepth: number;
  /** Bytes that the text may have at most; beyond it the walk ends. */
  readonly maxBytes: number;
}

/** For values that no limit of a registry speaks of: schemas, contracts, `parse`. */
export const LOOSE_BOUNDS: JsonBounds = { maxDepth: 10_000, maxBytes: 64 * 1024 * 1024 };

const CHEAP_DEPTH = 64;
const getDescriptor = Object.getOwnPropertyDescriptor;
const getPrototype = Object.getPrototypeOf;
const objectPrototype: unknown = Object.prototype;
const arrayPrototype: unknown = Array.prototype;

// A value that shares its parts many times over can be exponentially larger than it looks: the walk counts.
let nodesLeft = 0;

/** True: certainly a JSON value that JSON.stringify writes faithfully. False: ask the exact walker. */
function cheaplyFine(value: unknown, depth: number): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return value - value === 0;
  if (typeof value !== "object" || depth === 0) return false;
  return Array.isArray(value) ? cheaplyFineArray(value, depth - 1) : cheaplyFineObject(value, depth - 1);
}

function cheaplyFineArray(value: readonly unknown[], depth: number): boolean {
  if (getPrototype(value) !== arrayPrototype) return false;
  const length = value.length;
  if ((nodesLeft -= length) < 0) return false;
  for (let index = 0; index < length; index++) {
    const property = getDescriptor(value, index);
    if (property === undefined || property.get !== undefined || property.set !== undefined) return false;
    if (!cheaplyFine(property.value, depth)) return false;
  }
  return true;
}

function cheaplyFineObject(value: object, depth: number): boolean {
  const prototype: unknown = getPrototype(value);
  if (prototype !== objectPrototype && prototype !== null) return false;
  const keys = Object.keys(value);
  if ((nodesLeft -= keys.length) < 0) return false;
  for (const key of keys) {
    // One descriptor per member is the price of never running a getter; the other ways of seeing one cost more.
    const property = getDescriptor(value, key);
    if (property === undefined || property.get !== undefined || property.set !== undefined) return false;
    const member: unknown = property.value;
    if (member !== undefined && !cheaplyFine(member, depth)) return false;
  }
  return true;
}

/** JSON.stringify asks these for `toJSON`; a page that defines one changes what it writes. */
function prototypesAreClean(): boolean {
  return !(
    "toJSON" in Object.prototype ||
    "toJSON" in Array.prototype ||
    "toJSON" in String.prototype ||
    "toJSON" in Number.prototype ||
    "toJSON" in Boolean.prototype
  );
}

/**
 * The JSON text of a value, or what is wrong with it. Runs no getter and no `toJSON`; a proxy that throws is a problem
 * like any other. `undefined` at the root is a problem too: callers that allow it ask before.
 */
export function jsonText(value: unknown, bounds: JsonBounds): JsonText {
  try {
    nodesLeft = bounds.maxBytes;
    if (cheaplyFine(value, Math.min(CHEAP_DEPTH, bounds.maxDepth))) {
      const text = engineText(value);
      if (text !== undefined) return { text };
    }
    return exactText(value, bounds);
  } catch {
    return { problem: { path: "", message: "the value could not be read: it threw", kind: "value" } };
  }
}

/** The engine's own text of a value whose structure was checked; undefined when it may not be faithful. */
export function engineText(value: unknown): string | undefined {
  if (!prototypesAreClean()) return undefined;
  try {
    const text: unknown = JSON.stringify(value);
    // A lone surrogate comes out as an escape in lower case, the only source of "\ud" besides an escaped backslash.
    return typeof text === "string" && !text.includes("\\ud") ? text : undefined;
  } catch {
    // Longer than a string can be; the exact walker says how much too long.
    return undefined;
  }
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
