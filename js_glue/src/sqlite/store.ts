// One connection to one file: its settings, the versions of its tables, its transactions.
//
//   journal_mode = WAL     readers and one writer at a time, across processes; what a killed process left is recovered
//                          by the next one that opens the file, and no lock outlives its process
//   synchronous = FULL     a commit is on the disk when it returns. NORMAL may lose the last commits when the power
//                          goes: an approval that was consumed would be approved again, and run twice
//   busy_timeout           whoever finds the file locked waits, inside the call
//
// A transaction begins as a writer (BEGIN IMMEDIATE): what it reads cannot change before it writes. It never spans an
// await. On a connection that was handed over, it fails while the owner has one of his own open: what would be stored
// could be rolled back by him after it was promised.

import { member } from "../contract/values.js";
import { openSqliteDatabase, type SqliteDatabase, type SqliteStatement } from "./binding.js";
import { isBusy, resultCode, SqliteStoreError, storeError } from "./errors.js";

export interface SqliteStoreOptions {
  /** A file, made where there is none. The connection is the store's own. */
  readonly path?: string;
  /** A connection of the application's own, which stays open; the settings above are made on it. */
  readonly database?: SqliteDatabase;
  /** How long a call waits for the locks of other connections; default 5000. */
  readonly busyTimeoutMs?: number;
}

/** Tables of one purpose. `steps[n]` makes version n + 1 of version n; a step is never changed once it was released. */
export interface StorePart {
  readonly name: string;
  readonly steps: readonly string[];
}

const VERSIONS = `CREATE TABLE IF NOT EXISTS viewcap_schema (
  part TEXT PRIMARY KEY,
  version INTEGER NOT NULL
)`;
const SQLITE_ERROR = 1;

export class SqliteStore {
  readonly #database: SqliteDatabase;
  readonly #owned: boolean;
  readonly #where: string;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #busyTimeoutMs: number;
  #closed = false;

  constructor(options: SqliteStoreOptions, part: StorePart) {
    const { path, database, busyTimeoutMs = 5000 } = options;
    if ((path === undefined) === (database === undefined)) {
      throw new SqliteStoreError("INVALID_OPTIONS", "either path or database is needed, and not both");
    }
    if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
      const found = String(busyTimeoutMs);
      throw new SqliteStoreError("INVALID_OPTIONS", `busyTimeoutMs is ${found}; whole numbers from 0 on are allowed`);
    }
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#where = path === undefined ? "the database" : JSON.stringify(path);
    this.#owned = database === undefined;
    this.#database = this.#said(() => database ?? openSqliteDatabase(path ?? ""));
    try {
      this.#said(() => this.#configure());
      this.#said(() => this.#migrate(part));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Prepared once for each text. */
  statement(sql: string): SqliteStatement {
    if (this.#closed) throw new SqliteStoreError("CLOSED", `${this.#where}: this store is closed`);
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  read<T>(work: () => T): T {
    return this.#said(work);
  }

  /** All of `work`, or nothing of it; on the disk when this returns. */
  write<T>(work: () => T): T {
    if (this.#closed) throw new SqliteStoreError("CLOSED", `${this.#where}: this store is closed`);
    return this.#said(() => {
      this.#begin();
      try {
        const result = work();
        this.#database.exec("COMMIT");
        return result;
      } catch (error) {
        this.#rollBack();
        throw error;
      }
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    if (!this.#owned) return;
    try {
      // The last to close a file does this by itself, but one of the bindings closes when its statements are collected;
      // until then a copy of the file alone would lack what is in the log. Waits for nobody.
      this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // A busy or damaged file is as it was.
    }
    this.#database.close();
  }

  #begin(): void {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
    } catch (error) {
      if (resultCode(error) !== SQLITE_ERROR) throw error;
      const why = "its owner has a transaction open; nothing can be stored for good inside of it";
      throw new SqliteStoreError("IN_TRANSACTION", `${this.#where}: ${why}`, error);
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite rolls some failures back by itself.
    }
  }

  #configure(): void {
    this.#database.exec(`PRAGMA busy_timeout = ${String(this.#busyTimeoutMs)}`);
    const mode = this.#patiently(() =>
      member(this.#database.prepare("PRAGMA journal_mode = WAL").get(), "journal_mode"),
    );
    if (mode !== "wal" && mode !== "memory") {
      const why = `the journal mode stays ${String(mode)}; a local file that can have write-ahead logging is needed`;
      throw new SqliteStoreError("NO_WAL", `${this.#where}: ${why}`);
    }
    this.#database.exec("PRAGMA synchronous = FULL");
  }

  /** Changing the journal mode of a new file may fail at once where others open it too: SQLite does not wait there. */
  #patiently<T>(work: () => T): T {
    const until = performance.now() + this.#busyTimeoutMs;
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
  }

  #migrate(part: StorePart): void {
    const known = part.steps.length;
    if (this.#version(part) === known) return;
    this.write(() => {
      this.#database.exec(VERSIONS);
      const version = this.#version(part) ?? 0;
      if (version > known) throw newerSchema(this.#where, part, version);
      for (const step of part.steps.slice(version)) this.#make(part, step);
      const set =
        "INSERT INTO viewcap_schema (part, version) VALUES (?, ?) ON CONFLICT (part) DO UPDATE SET version = ?";
      this.#database.prepare(set).run(part.name, known, known);
    });
  }

  #version({ name }: StorePart): number | undefined {
    const there = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'viewcap_schema'";
    if (this.#database.prepare(there).get() === undefined) return undefined;
    const row = this.#foreign(() =>
      this.#database.prepare("SELECT version FROM viewcap_schema WHERE part = ?").get(name),
    );
    if (row === undefined) return undefined;
    const version = member(row, "version");
    if (typeof version === "number" && Number.isSafeInteger(version) && version > 0) return version;
    throw new SqliteStoreError("FOREIGN_TABLES", `${this.#where}: the version of ${name} is ${String(version)}`);
  }

  #make(part: StorePart, step: string): void {
    this.#foreign(() => this.#database.exec(step), `the tables of ${part.name} cannot be made`);
  }

  #foreign<T>(work: () => T, what = "the table viewcap_schema is not this package's"): T {
    try {
      return work();
    } catch (error) {
      if (resultCode(error) !== SQLITE_ERROR) throw error;
      const said = error instanceof Error ? error.message : "";
      throw new SqliteStoreError("FOREIGN_TABLES", `${this.#where}: ${what}: ${said}`, error);
    }
  }

  #said<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeError(error, this.#where);
    }
  }
}

function newerSchema(where: string, { name, steps }: StorePart, version: number): SqliteStoreError {
  const known = String(steps.length);
  return new SqliteStoreError(
    "NEWER_SCHEMA",
    `${where}: its ${name} have version ${String(version)}, this package knows them up to ${known}; use a newer one`,
  );
}
