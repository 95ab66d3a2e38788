// The SQLite that is there: node:sqlite where Node has it without a flag (22.13 and later), else the optional peer of
// the same interface (docs/decisions/0013-sqlite-binding.md). Looked for when a file is opened, not before.

import { createRequire } from "node:module";
import { member } from "../contract/values.js";
import { SqliteStoreError } from "./errors.js";

export type SqliteValue = string | number | null;

export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown;
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/** What is needed of a connection; DatabaseSync of node:sqlite and of its twins has it. Calls are synchronous. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

const PEER = "@photostructure/sqlite";

type DatabaseClass = new (path: string) => SqliteDatabase;
let found: DatabaseClass | undefined;

/** A connection of its own; the caller closes it. */
export function openSqliteDatabase(path: string): SqliteDatabase {
  if (typeof path !== "string" || path === "") {
    throw new SqliteStoreError("INVALID_OPTIONS", "path is missing; the path of a database file is needed");
  }
  found ??= databaseClass();
  return new found(path);
}

function databaseClass(): DatabaseClass {
  const require = createRequire(import.meta.url);
  for (const name of ["node:sqlite", PEER]) {
    const made = load(require, name);
    if (made !== undefined) return made;
  }
  const builtin = `Node ${process.versions.node} offers no node:sqlite (22.13 and later do)`;
  const peer = `the package ${PEER} is not installed; install it, use a later Node, or hand over a database`;
  throw new SqliteStoreError("NO_BINDING", `viewcap/sqlite found no SQLite: ${builtin}, and ${peer}`);
}

function load(require: (name: string) => unknown, name: string): DatabaseClass | undefined {
  try {
    const made = member(require(name), "DatabaseSync");
    return isDatabaseClass(made) ? made : undefined;
  } catch (error) {
    const code = member(error, "code");
    // A peer that is there and does not load is worth its own words.
    if (code === "MODULE_NOT_FOUND" || code === "ERR_UNKNOWN_BUILTIN_MODULE") return undefined;
    throw new SqliteStoreError("NO_BINDING", `viewcap/sqlite cannot load ${name}`, error);
  }
}

function isDatabaseClass(value: unknown): value is DatabaseClass {
  return typeof value === "function";
}
