// The workbench's data in one SQLite file: clients, invoices, sessions. Amounts are whole cents, days are ISO dates.
// What is overdue depends on today, which is an option, so that a test can say what day it is.
import { openSqliteDatabase } from "viewcap/sqlite";

const DAY_MS = 86_400_000;
const CLIENTS = [
  ["c1", "Acme Fabrication"],
  ["c2", "Blue Harbour Logistics"],
  ["c3", "Cobalt Studios"],
  ["c4", "Dünenwind Energie"],
  ["c5", "Eastgate Clinic"],
  ["c6", "Fjord Seafood"],
  ["c7", "Granite Partners"],
  ["c8", "Hollis & Daughters"],
];
const SEEDED_INVOICES = 60;

export const dayOf = (date) => new Date(date).toISOString().slice(0, 10);
export const addDays = (day, days) => dayOf(Date.parse(day) + days * DAY_MS);
export const daysBetween = (from, to) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS clients (id TEXT PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS invoices (
    id TEXT PRIMARY KEY, number TEXT NOT NULL UNIQUE, clientId TEXT NOT NULL REFERENCES clients(id),
    amount INTEGER NOT NULL, createdOn TEXT NOT NULL, issuedOn TEXT, dueOn TEXT NOT NULL, paidOn TEXT,
    status TEXT NOT NULL CHECK (status IN ('draft', 'issued', 'paid')),
    collectionStatus TEXT NOT NULL DEFAULT 'none', promisedOn TEXT, note TEXT, idempotencyKey TEXT UNIQUE);
  CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, userId TEXT NOT NULL, createdAt INTEGER NOT NULL);`;

/** Deterministic: the same day gives the same invoices. */
function seedInvoices(database, today) {
  const insert = database.prepare(
    `INSERT INTO invoices (id, number, clientId, amount, createdOn, issuedOn, dueOn, paidOn, status, collectionStatus)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (let at = 0; at < SEEDED_INVOICES; at++) {
    const status = at % 10 === 9 ? "draft" : at % 3 === 1 ? "paid" : "issued";
    // From 110 days overdue to 30 days ahead.
    const dueOn = addDays(today, ((at * 37) % 140) - 110);
    const issuedOn = addDays(dueOn, -30);
    const amount = 45_000 + ((at * 7919) % 1500) * 1000 + (at % 7) * 25;
    const collection = status === "issued" && at % 8 === 0 ? "reminded" : "none";
    insert.run(
      `i${String(1001 + at)}`,
      `INV-${String(1001 + at)}`,
      CLIENTS[at % CLIENTS.length][0],
      amount,
      addDays(issuedOn, -2),
      status === "draft" ? null : issuedOn,
      dueOn,
      status === "paid" ? addDays(today, -(at % 45)) : null,
      status,
      collection,
    );
  }
}

/** Opens the file, and fills it when it is new. `today` is an ISO date, or absent: the system's day at each question. */
export function openDatabase({ path, today }) {
  const database = openSqliteDatabase(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;");
  database.exec(SCHEMA);
  const now = () => today ?? dayOf(Date.now());
  const { count } = database.prepare("SELECT count(*) AS count FROM clients").get();
  if (count === 0) {
    database.exec("BEGIN");
    const insert = database.prepare("INSERT INTO clients (id, name) VALUES (?, ?)");
    for (const [id, name] of CLIENTS) insert.run(id, name);
    seedInvoices(database, now());
    database.exec("COMMIT");
  }
  return { database, today: now, close: () => database.close() };
}
