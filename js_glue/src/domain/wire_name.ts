// Wire names of canonical ids, by the rules of the host protocol (spec: capabilities.md, wire names).

import { liveModule } from "./module.js";

/** The wire name of a canonical id such as `domain:list-invoices`. */
export function encodeWireName(canonicalId: string): string {
  return liveModule().text(canonicalId, (table) => table.wireName());
}
