// Everything that a model reads of this page. Data only; the components bind behaviour to it.
import {
  actionContract,
  defineAgentComponentContract,
  defineAgentProcedureContract,
  emptyObjectSchema,
  fromJsonSchema,
  observationContract,
} from "viewcap";
import type { CollectionStatus, Filters, Invoice, Sort } from "./operations.js";
import { PAGES, type Page } from "./pages.js";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const closed = (properties: object, required: readonly string[] = []): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const filters = {
  status: {
    type: "string",
    enum: ["draft", "issued", "overdue", "paid"],
    description: "overdue: issued and past its due date",
  },
  clientId: { ...text, maxLength: 64 },
  search: { ...text, maxLength: 80, description: "Part of an invoice number or of a client's name" },
  minimumAmount: { ...integer, minimum: 0, description: "Cents" },
};
const row = closed(
  {
    ...{ number: text, client: text, amount: integer, dueOn: text, status: text, collectionStatus: text },
    daysOverdue: integer,
  },
  ["number", "client", "amount", "dueOn", "status", "collectionStatus", "daysOverdue"],
);

export interface TableState {
  readonly total: number;
  readonly totalAmount: number;
  readonly page: number;
  readonly pageSize: number;
  readonly rows: readonly Pick<
    Invoice,
    "number" | "client" | "amount" | "dueOn" | "status" | "collectionStatus" | "daysOverdue"
  >[];
  readonly selected: readonly string[];
}

export const invoicesContract = defineAgentComponentContract({
  type: "invoices.pending",
  description: "The table of invoices that the person sees. Amounts are cents.",
  observations: {
    readState: observationContract({
      description: "The rows on the screen, which of them are selected, and how many match the filters in all.",
      output: fromJsonSchema<TableState>(
        closed(
          {
            ...{ total: integer, totalAmount: integer, page: integer, pageSize: integer },
            rows: { type: "array", items: row, maxItems: 20 },
            selected: { type: "array", items: text },
          },
          ["total", "totalAmount", "page", "pageSize", "rows", "selected"],
        ),
      ),
    }),
    readFilters: observationContract({
      description: "The filters and the order of the table.",
      output: fromJsonSchema<{ filters: Filters; sort: Sort }>(
        closed({ filters: closed(filters), sort: closed({ by: text, direction: text }, ["by", "direction"]) }, [
          "filters",
          "sort",
        ]),
      ),
    }),
  },
  actions: {
    setFilters: actionContract({
      description: "Sets the filters that are given; the others stay.",
      input: fromJsonSchema<Filters>(closed(filters)),
      effect: "local-state",
    }),
    clearFilters: actionContract({
      description: "Takes all filters away.",
      input: emptyObjectSchema,
      effect: "local-state",
    }),
    sort: actionContract({
      description: "Sorts the table.",
      input: fromJsonSchema<Sort>(
        closed(
          {
            by: { type: "string", enum: ["dueOn", "amount", "number", "client"] },
            direction: { type: "string", enum: ["asc", "desc"] },
          },
          ["by", "direction"],
        ),
      ),
      effect: "local-state",
    }),
    selectRows: actionContract({
      description: "Selects exactly these invoices of the page that is shown, by their numbers.",
      input: fromJsonSchema<{ numbers: readonly string[] }>(
        closed({ numbers: { type: "array", items: text, maxItems: 50 } }, ["numbers"]),
      ),
      effect: "local-state",
    }),
  },
});

export const navigationContract = defineAgentComponentContract({
  type: "app.navigation",
  description: "The workbench's pages.",
  actions: {
    goTo: actionContract({
      description: "Opens a page.",
      input: fromJsonSchema<{ page: Page }>(closed({ page: { type: "string", enum: [...PAGES] } }, ["page"])),
      effect: "navigation",
    }),
  },
});

const listOf = (type: string, description: string) =>
  defineAgentComponentContract({
    type,
    description,
    observations: {
      readState: observationContract({
        description: "What the page shows.",
        output: fromJsonSchema<unknown>({ type: "object" }),
      }),
    },
  });
export const clientsContract = listOf("clients.list", "The clients and what they owe, in cents.");
export const ageingContract = listOf("ageing.buckets", "Open invoices by days overdue, in cents.");
export const approvalsContract = listOf("approvals.pending", "What waits for the person's approval.");
export const chaseContract = listOf("invoices.chase", "The invoice whose chase dialog is open.");

const chaseInput = closed(
  {
    invoiceId: { type: "string", minLength: 1, maxLength: 64 },
    status: { type: "string", enum: ["reminded", "promised", "disputed", "escalated"] },
    promisedOn: { type: "string", format: "date", description: "When payment was promised" },
    note: { type: "string", maxLength: 300 },
  },
  ["invoiceId", "status"],
);
const CHASE = "Records how the collection of the invoice stands whose dialog is open.";
const paidInput = closed({ invoiceId: { type: "string", minLength: 1, maxLength: 64 } }, ["invoiceId"]);
const PAID = "Records that the invoice whose dialog is open was paid in full.";

export interface ChaseInput {
  readonly invoiceId: string;
  readonly status: CollectionStatus;
  readonly promisedOn?: string;
  readonly note?: string;
}

/** Operations of the server that a component may bind to what it shows: the ceiling. */
export const procedureManifest = {
  tools: {
    "update-collection-status": { description: CHASE, inputSchema: chaseInput, effect: "server-mutation" },
    "mark-invoice-paid": { description: PAID, inputSchema: paidInput, effect: "server-mutation" },
  },
} as const;

export const updateStatusContract = defineAgentProcedureContract({
  id: "domain:update-collection-status",
  description: CHASE,
  input: fromJsonSchema<ChaseInput>(chaseInput),
  effect: "server-mutation",
  confirmation: "required",
});
/** The server offers this one itself: see chase_dialog.tsx. */
export const markPaidContract = defineAgentProcedureContract({
  id: "domain:mark-invoice-paid",
  description: PAID,
  input: fromJsonSchema<{ invoiceId: string }>(paidInput),
  effect: "server-mutation",
  confirmation: "required",
});
