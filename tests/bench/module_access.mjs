// The module behind the package, for measurements that no application makes: its allocated bytes, single crossings.

import { liveRuntime } from "../../js_glue/dist/runtime/load.js";

/** Bytes that are allocated in the live module. */
export const moduleBytes = () => liveRuntime("moduleBytes").call("", (table) => table.memory());

/** The raw table of the live module. */
export function moduleTable() {
  let found;
  liveRuntime("moduleTable").call("", (table) => (found = table));
  return found;
}

/** One crossing from text to text. */
export const moduleText = (text, use) => liveRuntime("moduleText").text(text, use);
