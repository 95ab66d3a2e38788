// The text whose canonical form is hashed (spec: domain.md §8.3); sorting and hashing are the module's.

import { flatten } from "./approvals/flat.js";

/** JSON text; undefined for a value that canonical JSON refuses. */
export function hashText(value: unknown): string | undefined {
  try {
    return JSON.stringify(flatten(value).tree);
  } catch {
    return undefined;
  }
}
