// The application's operations: one oRPC router for people (rpc.mjs) and agents (governance.mjs). The middleware and the
// handlers are the same for both; what an agent needs to know beside them is in `meta.agent`.
import { ORPCError, os } from "@orpc/server";
import { z } from "zod";

const STATUSES = ["draft", "issued", "overdue", "paid"];
const COLLECTION = ["reminded", "promised", "disputed", "escalated"];
const DAY = z.iso.date();
const InvoiceId = z.object({ invoiceId: z.string().min(1).max(64) });
/** Rows of a page that a model gets; it is told how many there are in all. */
const MOST_ROWS_FOR_A_MODEL = 20;

const base = os.$context();

const signedIn = base.middleware(({ context, next }) => {
  if (context.user === undefined) throw new ORPCError("UNAUTHORIZED");
  return next({ context: { user: context.user } });
});
const collectorsOnly = base.middleware(({ context, next }) => {
  if (context.user?.role !== "collector") throw new ORPCError("FORBIDDEN");
  return next();
});

const reading = base.use(signedIn);
const writing = reading.use(collectorsOnly);
const agent = (description, tags, more = {}) => ({
  agent: { description, expose: { aiSdk: true }, sideEffect: "read", risk: "low", tags, ...more },
});
const write = { sideEffect: "write", risk: "medium" };

function invoiceOr404(context, id) {
  const invoice = context.store.get(id);
  if (invoice === undefined) throw new ORPCError("NOT_FOUND", { message: "There is no such invoice." });
  return invoice;
}

/** What the change came to; a state that it does not start from is a conflict. */
function after(changed, context, id, what) {
  if (!changed) throw new ORPCError("CONFLICT", { message: `The invoice cannot be ${what} in its present state.` });
  return context.store.get(id);
}

const Filters = z.object({
  status: z.enum(STATUSES).optional(),
  clientId: z.string().max(64).optional(),
  search: z.string().max(80).optional(),
  minimumAmount: z.int().min(0).optional().describe("Cents"),
});
const ListInput = Filters.extend({
  sort: z
    .object({ by: z.enum(["dueOn", "amount", "number", "client"]), direction: z.enum(["asc", "desc"]) })
    .optional(),
  page: z.int().min(1).optional(),
  pageSize: z.int().min(1).max(50).optional(),
});

export const router = {
  "list-invoices": reading
    .meta(
      agent("Lists invoices by status, client, search text and amount. Amounts are cents.", ["invoices", "clients"], {
        redact: { output: (page) => ({ ...page, rows: page.rows.slice(0, MOST_ROWS_FOR_A_MODEL) }) },
      }),
    )
    .input(ListInput)
    .handler(({ input, context }) => context.store.list(input)),

  "list-clients": reading
    .meta(agent("Lists the clients with what they owe, in cents.", ["clients", "invoices"]))
    .input(z.object({}))
    .handler(({ context }) => context.store.clients()),

  "get-invoice": reading.input(InvoiceId).handler(({ input, context }) => invoiceOr404(context, input.invoiceId)),

  "create-invoice": writing
    .meta(
      agent(
        "Drafts an invoice. The amount is in cents; without a due date it is due in 30 days.",
        ["invoices", "clients"],
        write,
      ),
    )
    .input(
      z.object({ clientId: z.string().min(1).max(64), amount: z.int().min(1).max(100_000_000), dueOn: DAY.optional() }),
    )
    .handler(({ input, context }) => {
      if (!context.store.clients().some(({ id }) => id === input.clientId))
        throw new ORPCError("NOT_FOUND", { message: "There is no such client." });
      return context.store.create(input, context.agent?.idempotencyKey);
    }),

  "issue-invoice": writing
    .meta(
      agent("Issues a drafted invoice: it goes to the client.", ["invoices"], {
        ...write,
        risk: "high",
        approval: { required: true },
      }),
    )
    .input(InvoiceId)
    .handler(({ input, context }) => {
      invoiceOr404(context, input.invoiceId);
      return after(context.store.issue(input.invoiceId), context, input.invoiceId, "issued");
    }),

  "mark-invoice-paid": writing
    .meta(agent("Records that an issued invoice was paid in full.", ["invoices"], write))
    .input(InvoiceId)
    .handler(({ input, context }) => {
      invoiceOr404(context, input.invoiceId);
      return after(context.store.markPaid(input.invoiceId), context, input.invoiceId, "marked as paid");
    }),

  "delete-invoice": writing
    .meta(
      agent("Deletes a drafted invoice for good.", ["invoices"], {
        ...{ sideEffect: "destructive", risk: "high", approval: { required: true } },
      }),
    )
    .input(InvoiceId)
    .handler(({ input, context }) => {
      const { number } = invoiceOr404(context, input.invoiceId);
      if (!context.store.remove(input.invoiceId))
        throw new ORPCError("CONFLICT", { message: "Only a draft can be deleted." });
      return { deleted: number };
    }),

  // Not exposed: it is reached through the open chase dialog alone, which fixes the invoice (web/chase_dialog.tsx).
  "update-collection-status": writing
    .meta(agent("Records how the collection of an invoice stands.", ["invoices"], { ...write, expose: {} }))
    .input(
      InvoiceId.extend({
        status: z.enum(COLLECTION),
        promisedOn: DAY.optional(),
        note: z.string().max(300).optional(),
      }),
    )
    .handler(({ input, context }) => {
      invoiceOr404(context, input.invoiceId);
      return after(context.store.chase(input.invoiceId, input), context, input.invoiceId, "chased");
    }),

  "receivables-summary": reading
    .meta(
      agent("Open, overdue, due this week, paid this month: count and amount (cents) of each.", [
        "invoices",
        "clients",
        "ageing",
      ]),
    )
    .input(z.object({}))
    .handler(({ context }) => context.store.summary()),

  "collections-aging": reading
    .meta(agent("Open invoices by days overdue, and what each client owes, in cents.", ["ageing", "invoices"]))
    .input(z.object({}))
    .handler(({ context }) => context.store.aging()),
};
