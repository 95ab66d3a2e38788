// What SQLite says, in the words of a store's owner.

import { member } from "../contract/values.js";

export type SqliteFailure =
  | "NO_BINDING"
  | "INVALID_OPTIONS"
  | "CANNOT_OPEN"
  | "NOT_A_DATABASE"
  | "FOREIGN_TABLES"
  | "NEWER_SCHEMA"
  | "NO_WAL"
  | "BUSY"
  | "IN_TRANSACTION"
  | "CLOSED"
  | "FAILED";

export class SqliteStoreError extends Error {
  override readonly name = "SqliteStoreError";
  readonly code: SqliteFailure;
  constructor(code: SqliteFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The primary result code (https://sqlite.org/rescode.html); undefined for what SQLite did not say. */
export function resultCode(error: unknown): number | undefined {
  const code = member(error, "errcode");
  return typeof code === "number" ? code & 0xff : undefined;
}
const BUSY = 5;
const LOCKED = 6;

export const isBusy = (error: unknown): boolean => {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
};

const SENTENCES: Readonly<Record<number, readonly [SqliteFailure, string]>> = {
  [BUSY]: ["BUSY", "another connection held the lock for longer than busyTimeoutMs"],
  [LOCKED]: ["BUSY", "another use of the same connection holds the table"],
  11: ["NOT_A_DATABASE", "the file is damaged"],
  26: ["NOT_A_DATABASE", "the file is no SQLite database"],
  14: ["CANNOT_OPEN", "the file cannot be opened or made"],
};

/** `where` names the file. Errors that are the stores' own pass as they are. */
export function storeError(error: unknown, where: string): unknown {
  const code = resultCode(error);
  if (code === undefined) return error;
  const [failure, sentence] = SENTENCES[code] ?? ["FAILED", "SQLite refused"];
  const said = error instanceof Error ? error.message : String(error);
  return new SqliteStoreError(failure, `${where}: ${sentence} (${said})`, error);
}
