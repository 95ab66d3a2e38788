// The application's own client, walked once per path: a tree of objects whose leaves are functions.

import { invalidDefinition } from "../errors.js";

/** Names that lead into every object instead of into the client. */
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype", "then", ""]);

export type ClientCall = (input: unknown, options: unknown) => unknown;

/** The segments of a path; INVALID_DEFINITION for one that no client may be asked for. */
export function segmentsOf(path: string): readonly string[] {
  const segments = path.split(".");
  const stray = segments.find((segment) => FORBIDDEN.has(segment));
  if (stray === undefined) return segments;
  throw invalidDefinition(`procedure path ${JSON.stringify(path)}: the segment "${stray}" is not allowed`);
}

/** The function at a path, bound to the object that holds it; each segment is read once. Undefined when it is none. */
export function callAt(client: unknown, segments: readonly string[]): ClientCall | undefined {
  let holder: unknown;
  let at: unknown = client;
  for (const segment of segments) {
    if ((typeof at !== "object" && typeof at !== "function") || at === null) return undefined;
    holder = at;
    at = Reflect.get(at, segment);
  }
  const found = at;
  return typeof found === "function" ? (input, options) => Reflect.apply(found, holder, [input, options]) : undefined;
}
