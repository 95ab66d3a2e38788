// Contracts: everything that an agent reads about this page, and nothing else. Behaviour is bound where a component
// mounts (table.js, dialog.js, customers.js, app.js).
//
// A good description says what the thing is for and what the caller must know to use it right the first time.
// It names no button, no colour and no place on the screen.
import {
  actionContract,
  defineAgentComponentContract,
  fromJsonSchema,
  observationContract,
} from "/viewcap/entry.browser.js";
import { PAGES, SORTS } from "./store.js";

const closed = (properties, rest = {}) =>
  fromJsonSchema({ type: "object", properties, additionalProperties: false, ...rest });

const nothing = closed({});
const invoiceId = { type: "string", pattern: "^INV-[0-9]{4}$", description: "An invoice number, such as INV-2041." };
const ids = { type: "array", items: invoiceId, uniqueItems: true, maxItems: 50 };
const filters = {
  search: {
    type: "string",
    maxLength: 60,
    description: "Part of an invoice number or customer name. Empty shows all.",
  },
  minAmount: { type: "number", minimum: 0, description: "Smallest amount to show, in euros. 0 shows all." },
  sort: { enum: SORTS, description: "date: oldest first. amount: largest first. customer: by name." },
};

export const navigationContract = defineAgentComponentContract({
  type: "app.navigation",
  description: "Which page of the application is shown. Other capabilities appear and disappear with their page.",
  priority: 10,
  observations: {
    readPage: observationContract({
      description: "The page that is shown now.",
      output: closed({ page: { enum: PAGES } }, { required: ["page"] }),
    }),
  },
  actions: {
    goTo: actionContract({
      description: "Show another page. Filters are kept, and the browser's Back returns here.",
      input: closed({ page: { enum: PAGES } }, { required: ["page"], examples: [{ page: "customers" }] }),
      effect: "navigation",
      idempotent: true,
    }),
  },
});

// One contract, two instances: "open" and "paid".
export const tableContract = defineAgentComponentContract({
  type: "invoices.table",
  description:
    "A table of invoices with its own filters and selection. Instance open: not yet paid. Instance paid: settled.",
  observations: {
    readState: observationContract({
      // totalRows and matchingRows let the agent know what it has not been shown.
      description:
        "Filters, selection and the first 10 matching rows. Compare returnedRows with matchingRows and totalRows.",
      output: closed({
        filters: { type: "object", properties: filters },
        totalRows: { type: "integer", description: "Rows in this table without any filter." },
        matchingRows: { type: "integer", description: "Rows that match the filters." },
        returnedRows: { type: "integer", description: "Rows listed in this answer." },
        selectedIds: ids,
        rows: {
          type: "array",
          maxItems: 10,
          items: {
            type: "object",
            properties: {
              id: invoiceId,
              customer: { type: "string" },
              amount: { type: "number", description: "In euros." },
              date: { type: "string", format: "date", description: "Due date when open, day of payment when paid." },
            },
          },
        },
      }),
    }),
  },
  actions: {
    setFilters: actionContract({
      description: "Narrow this table. Pass only the keys you want to change; the others keep their value.",
      input: closed(filters, { examples: [{ search: "nordlicht" }] }),
      output: closed({ matchingRows: { type: "integer" } }),
      effect: "local-state",
      idempotent: true,
    }),
    setSelection: actionContract({
      description:
        "Select exactly these rows, replacing the selection. Only rows that match the filters can be selected.",
      input: closed({ ids }, { required: ["ids"], examples: [{ ids: ["INV-2041"] }] }),
      effect: "local-state",
      idempotent: true,
    }),
    clearSelection: actionContract({
      description: "Select no row of this table.",
      input: nothing,
      effect: "local-state",
      idempotent: true,
    }),
    writeReminder: actionContract({
      description:
        "Start a payment reminder for one invoice. Its capabilities (invoices.reminder) appear at the next step.",
      input: closed({ invoiceId }, { required: ["invoiceId"], examples: [{ invoiceId: "INV-2041" }] }),
      effect: "local-state",
    }),
  },
});

export const reminderContract = defineAgentComponentContract({
  type: "invoices.reminder",
  description:
    "A payment reminder that is being written. Exists only while the draft is open; sending is left to the person.",
  observations: {
    readDraft: observationContract({
      description: "The draft as it stands.",
      output: closed({ invoiceId, tone: { type: "string" }, message: { type: "string" } }),
    }),
  },
  actions: {
    setDraft: actionContract({
      description: "Change the draft. Pass only the keys you want to change.",
      input: closed(
        {
          tone: { enum: ["friendly", "firm"] },
          message: { type: "string", maxLength: 400, description: "Plain text." },
        },
        { examples: [{ tone: "firm", message: "Could you let us know when to expect payment?" }] },
      ),
      effect: "local-state",
      idempotent: true,
    }),
    closeDraft: actionContract({
      description: "Discard the draft and close it.",
      input: nothing,
      effect: "local-state",
      reversible: false,
      // What cannot be taken back is the user's to decide: the call waits for a person.
      confirmation: "required",
    }),
  },
});

export const customersContract = defineAgentComponentContract({
  type: "customers.list",
  description: "Every customer with the sum that is still open.",
  observations: {
    readState: observationContract({
      description: "All customers, largest open sum first.",
      output: closed({
        totalRows: { type: "integer" },
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: { customer: { type: "string" }, open: { type: "number", description: "In euros." } },
          },
        },
      }),
    }),
  },
  actions: {
    showInvoices: actionContract({
      description: "Go to the invoices page with the open invoices of one customer.",
      input: closed(
        { customer: { type: "string", minLength: 1, maxLength: 60 } },
        { required: ["customer"], examples: [{ customer: "Nordlicht Optik" }] },
      ),
      effect: "navigation",
      idempotent: true,
    }),
  },
});
