// Values on their way to a frame: what JSON can hold, in UTF-8, shallow enough to lie in a frame and in a later request.

import { PROTOCOL_BOUNDS } from "../generated/protocol_vocabulary.js";
import { jsonText, toWellFormed } from "../json/value.js";

export interface WireValue {
  readonly value: unknown;
  /** Of its JSON in UTF-8. */
  readonly bytes: number;
}

/** A part lies in a list, in a message, in a list, in a body; some room is left. */
const DEPTH = PROTOCOL_BOUNDS.maxJsonDepth - 16;
const MOST_BYTES = 64 * 1024 * 1024;

/** A copy as JSON has it; undefined for what is none: a cycle, a bigint, a function, nested too deeply, far too large. */
export function wireValue(value: unknown): WireValue | undefined {
  try {
    const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === "string" ? toWellFormed(one) : one));
    // Of nothing there is no text: a handler without an output answers null.
    if (text === undefined) return value === undefined ? { value: null, bytes: 4 } : undefined;
    const copy: unknown = JSON.parse(text);
    const json = jsonText(copy, { maxDepth: DEPTH, maxBytes: MOST_BYTES });
    return "problem" in json ? undefined : { value: copy, bytes: utf8Bytes(text) };
  } catch {
    return undefined;
  }
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
