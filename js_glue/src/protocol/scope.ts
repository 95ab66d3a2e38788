// Scopes: which part of the surface is spoken of. A requested scope can only narrow the floor that a host set, and
// shapes discovery alone: a call never looks at it (spec: host-protocol.md, "Catalog composition").

import { invalidDefinition } from "../errors.js";
import { trusted } from "../runtime/answers.js";
import { liveRuntime } from "../runtime/load.js";
import { Conversion } from "../runtime/table.js";
import { textOf } from "./exchange.js";

export interface ResolvedScope {
  /** Empty: unscoped. */
  readonly scope: readonly string[];
  /** Requested prefixes that lie outside the floor. */
  readonly rejected: readonly string[];
}

/**
 * What a request leaves of the floor. A requested token stays when it lies in the floor, a token of the floor when it
 * lies in a requested one; no request, or one of which nothing stays, gives the floor. An empty floor holds everything.
 */
export function resolveScope(floor: readonly string[], requested?: readonly string[]): ResolvedScope {
  const runtime = liveRuntime("resolveScope");
  if (!Array.isArray(floor) || !(requested === undefined || Array.isArray(requested))) {
    throw invalidDefinition("resolveScope takes two lists of tokens");
  }
  const text = textOf({ floor, requested }, "resolveScope");
  return trusted<ResolvedScope>(runtime.text(text, (table) => table.convert(Conversion.resolveScope)));
}
