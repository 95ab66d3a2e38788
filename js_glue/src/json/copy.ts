// A JSON value's copy together with its text, for those who need both: the walk that checks the value builds the copy on
// the way, which costs a fraction of parsing the text again. The text is that of the copy, so both say the same even
// where the value is a proxy that never answers twice alike.

import { engineText, jsonText, type JsonBounds, type JsonProblem } from "./value.js";

export type JsonCopy = { readonly text: string; readonly copy: unknown } | { readonly problem: JsonProblem };

const CHEAP_DEPTH = 64;
const OTHERWISE = Symbol("not for the cheap walk");
const getDescriptor = Object.getOwnPropertyDescriptor;
const getPrototype = Object.getPrototypeOf;
const objectPrototype: unknown = Object.prototype;
const arrayPrototype: unknown = Array.prototype;

let nodesLeft = 0;

function copyOf(value: unknown, depth: number): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  // Adding 0 makes 0 of -0, as JSON does.
  if (typeof value === "number") return value - value === 0 ? value + 0 : OTHERWISE;
  if (typeof value !== "object" || depth === 0) return OTHERWISE;
  return Array.isArray(value) ? copyOfArray(value, depth - 1) : copyOfObject(value, depth - 1);
}

function copyOfArray(value: readonly unknown[], depth: number): unknown {
  if (getPrototype(value) !== arrayPrototype) return OTHERWISE;
  const length = value.length;
  if ((nodesLeft -= length) < 0) return OTHERWISE;
  const copy: unknown[] = [];
  for (let index = 0; index < length; index++) {
    const property = getDescriptor(value, index);
    if (property === undefined || property.get !== undefined || property.set !== undefined) return OTHERWISE;
    const member = copyOf(property.value, depth);
    if (member === OTHERWISE) return OTHERWISE;
    copy.push(member);
  }
  return copy;
}

function copyOfObject(value: object, depth: number): unknown {
  const prototype: unknown = getPrototype(value);
  if (prototype !== objectPrototype && prototype !== null) return OTHERWISE;
  const keys = Object.keys(value);
  if ((nodesLeft -= keys.length) < 0) return OTHERWISE;
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    const property = getDescriptor(value, key);
    if (property === undefined || property.get !== undefined || property.set !== undefined) return OTHERWISE;
    if (property.value === undefined) continue;
    const member = copyOf(property.value, depth);
    // Assigning to this key would set a prototype.
    if (member === OTHERWISE || key === "__proto__") return OTHERWISE;
    copy[key] = member;
  }
  return copy;
}

/** As jsonText, and the copy that the text stands for. */
export function jsonCopy(value: unknown, bounds: JsonBounds): JsonCopy {
  try {
    nodesLeft = bounds.maxBytes;
    const copy = copyOf(value, Math.min(CHEAP_DEPTH, bounds.maxDepth));
    if (copy !== OTHERWISE) {
      const json = engineText(copy);
      if (json !== undefined) return { text: json, copy };
    }
  } catch {
    // The exact walk says what is wrong.
  }
  const json = jsonText(value, bounds);
  return "problem" in json ? json : { text: json.text, copy: JSON.parse(json.text) };
}
