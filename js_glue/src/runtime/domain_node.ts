// The one instance of the domain plane's module in this process, made when it is first needed: a server builds its
// registry while its own modules load, so this waits for nothing.

import { readFileSync } from "node:fs";
import factory from "../module/viewcap.domain.mjs";
import { DomainModule } from "./domain_module.js";
import type { DomainTable } from "./domain_table.js";

let live: DomainModule | undefined;

/** A module that failed stays dead: what was built in it is gone, so that every call says so until the process restarts. */
export function domainModule(): DomainModule {
  live ??= new DomainModule(instance());
  return live;
}

function instance(): DomainTable {
  const wasmBinary = readFileSync(new URL("../module/viewcap.domain.wasm", import.meta.url));
  // The loader fills the object that it is handed before it answers, also where its answer is a promise.
  const table: object = { wasmBinary };
  factory(table);
  if (!isTable(table)) throw new Error("the domain module did not start");
  return table;
}

function isTable(table: unknown): table is DomainTable {
  return typeof table === "object" && table !== null && typeof Reflect.get(table, "startRegistry") === "function";
}
