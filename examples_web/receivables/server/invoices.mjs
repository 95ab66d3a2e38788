// Questions and changes, in SQL; who may ask them is the router's affair.
import { randomUUID } from "node:crypto";
import { addDays, daysBetween } from "./database.mjs";

const SELECT = `SELECT invoices.*, clients.name AS client FROM invoices JOIN clients ON clients.id = invoices.clientId`;
const SORTS = { dueOn: "dueOn", amount: "amount", number: "number", client: "client" };
const FIRST_DUE_DAYS = 30;

export class InvoiceStore {
  #database;
  #today;

  constructor({ database, today }) {
    this.#database = database;
    this.#today = today;
  }

  get today() {
    return this.#today();
  }

  #outward(row) {
    const overdue = row.status === "issued" ? Math.max(0, daysBetween(row.dueOn, this.today)) : 0;
    const { id, number, clientId, client, amount, issuedOn, dueOn, status, collectionStatus, promisedOn, note } = row;
    return {
      ...{ id, number, clientId, client, amount, issuedOn, dueOn },
      status: overdue > 0 ? "overdue" : status,
      daysOverdue: overdue,
      ...{ collectionStatus, promisedOn, note },
    };
  }

  list({ status, clientId, search, minimumAmount, sort, page = 1, pageSize = 10 }) {
    const where = [];
    const values = [];
    const add = (sql, ...given) => {
      where.push(sql);
      values.push(...given);
    };
    if (status === "overdue") add("status = 'issued' AND dueOn < ?", this.today);
    else if (status === "issued") add("status = 'issued' AND dueOn >= ?", this.today);
    else if (status !== undefined) add("status = ?", status);
    if (clientId !== undefined) add("clientId = ?", clientId);
    if (minimumAmount !== undefined) add("amount >= ?", minimumAmount);
    if (search !== undefined && search !== "")
      add("(instr(lower(number), lower(?)) > 0 OR instr(lower(clients.name), lower(?)) > 0)", search, search);
    const condition = where.length === 0 ? "" : ` WHERE ${where.join(" AND ")}`;
    const { by = "dueOn", direction = "asc" } = sort ?? {};
    const order = ` ORDER BY ${SORTS[by]} ${direction === "desc" ? "DESC" : "ASC"}, number ASC LIMIT ? OFFSET ?`;
    const totals = this.#database
      .prepare(
        `SELECT count(*) AS total, coalesce(sum(amount), 0) AS totalAmount
         FROM invoices JOIN clients ON clients.id = invoices.clientId${condition}`,
      )
      .get(...values);
    const rows = this.#database.prepare(SELECT + condition + order).all(...values, pageSize, (page - 1) * pageSize);
    return {
      rows: rows.map((row) => this.#outward(row)),
      total: totals.total,
      totalAmount: totals.totalAmount,
      page,
      pageSize,
    };
  }

  /** Undefined for an id that is none. */
  get(id) {
    const row = this.#database.prepare(`${SELECT} WHERE invoices.id = ?`).get(id);
    return row === undefined ? undefined : this.#outward(row);
  }

  clients() {
    return this.#database
      .prepare(
        `SELECT clients.id, clients.name, count(invoices.id) AS openInvoices, coalesce(sum(invoices.amount), 0) AS openAmount
         FROM clients LEFT JOIN invoices ON invoices.clientId = clients.id AND invoices.status = 'issued'
         GROUP BY clients.id ORDER BY clients.name`,
      )
      .all()
      .map((row) => ({ ...row }));
  }

  /** Under one key it creates once, however often it is asked. */
  create({ clientId, amount, dueOn }, key) {
    if (key !== undefined) {
      const known = this.#database.prepare("SELECT id FROM invoices WHERE idempotencyKey = ?").get(key);
      if (known !== undefined) return this.get(known.id);
    }
    const { last } = this.#database
      .prepare("SELECT max(CAST(substr(number, 5) AS INTEGER)) AS last FROM invoices")
      .get();
    const id = `i${randomUUID()}`;
    this.#database
      .prepare(
        `INSERT INTO invoices (id, number, clientId, amount, createdOn, dueOn, status, idempotencyKey)
         VALUES (?, ?, ?, ?, ?, ?, 'draft', ?)`,
      )
      .run(
        id,
        `INV-${String(last + 1)}`,
        clientId,
        amount,
        this.today,
        dueOn ?? addDays(this.today, FIRST_DUE_DAYS),
        key ?? null,
      );
    return this.get(id);
  }

  /** Whether it changed: only where the invoice is still what the change starts from. */
  issue(id) {
    return this.#changed(
      "UPDATE invoices SET status = 'issued', issuedOn = ? WHERE id = ? AND status = 'draft'",
      this.today,
      id,
    );
  }

  markPaid(id) {
    return this.#changed(
      "UPDATE invoices SET status = 'paid', paidOn = ? WHERE id = ? AND status = 'issued'",
      this.today,
      id,
    );
  }

  remove(id) {
    return this.#changed("DELETE FROM invoices WHERE id = ? AND status = 'draft'", id);
  }

  chase(id, { status, promisedOn, note }) {
    return this.#changed(
      "UPDATE invoices SET collectionStatus = ?, promisedOn = ?, note = coalesce(?, note) WHERE id = ? AND status = 'issued'",
      status,
      promisedOn ?? null,
      note ?? null,
      id,
    );
  }

  #changed(sql, ...values) {
    return Number(this.#database.prepare(sql).run(...values).changes) > 0;
  }

  summary() {
    const of = (condition, ...values) => {
      const row = this.#database
        .prepare(`SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount FROM invoices WHERE ${condition}`)
        .get(...values);
      return { count: row.count, amount: row.amount };
    };
    const { today } = this;
    return {
      asOf: today,
      open: of("status = 'issued'"),
      overdue: of("status = 'issued' AND dueOn < ?", today),
      dueThisWeek: of("status = 'issued' AND dueOn >= ? AND dueOn <= ?", today, addDays(today, 7)),
      paidThisMonth: of("status = 'paid' AND substr(paidOn, 1, 7) = ?", today.slice(0, 7)),
    };
  }

  /** Open invoices by how late they are; the bounds are days. */
  aging() {
    const BUCKETS = [
      ["current", -Infinity, 0],
      ["1-30", 1, 30],
      ["31-60", 31, 60],
      ["61-90", 61, 90],
      ["90+", 91, Infinity],
    ];
    const open = this.#database.prepare(`${SELECT} WHERE status = 'issued'`).all();
    const late = open.map((row) => ({ ...row, days: daysBetween(row.dueOn, this.today) }));
    const buckets = BUCKETS.map(([bucket, from, to]) => {
      const inside = late.filter(({ days }) => days >= from && days <= to);
      return { bucket, count: inside.length, amount: inside.reduce((sum, { amount }) => sum + amount, 0) };
    });
    const clients = new Map();
    for (const { client, amount, days } of late) {
      const sum = clients.get(client) ?? { client, open: 0, overdue: 0 };
      clients.set(client, { client, open: sum.open + amount, overdue: sum.overdue + (days > 0 ? amount : 0) });
    }
    return { asOf: this.today, buckets, clients: [...clients.values()].sort((a, b) => b.overdue - a.overdue) };
  }
}
