// What the page under measurement declares: components with eight capabilities each, described as an application would.
//
// The same plain data feeds every side: viewcap's contracts, the hand-written registry, the WebMCP polyfill.

const kEntities = [
  "invoices",
  "customers",
  "payments",
  "reminders",
  "contracts",
  "orders",
  "shipments",
  "products",
  "suppliers",
  "returns",
  "tickets",
  "projects",
  "timesheets",
  "expenses",
  "budgets",
  "accounts",
  "journals",
  "assets",
  "licenses",
  "campaigns",
  "leads",
  "quotes",
  "surveys",
  "employees",
  "vacancies",
];
const kViews = ["pending", "archive", "board", "report"];

const period = {
  type: "object",
  properties: { from: { type: "string", format: "date" }, to: { type: "string", format: "date" } },
  additionalProperties: false,
};

const selection = (plural) => ({
  type: "object",
  properties: {
    ids: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 64 },
      maxItems: 200,
      description: `Ids of ${plural}, as read from the rows`,
    },
    mode: { enum: ["replace", "add", "remove"], description: "How the ids combine with what is selected now" },
  },
  required: ["ids"],
  additionalProperties: false,
});

const filters = (plural) => ({
  type: "object",
  properties: {
    status: { enum: ["open", "overdue", "paid", "disputed"], description: "Keep rows with this status" },
    search: { type: "string", maxLength: 120, description: `Words to find in the name or number of the ${plural}` },
    minAmount: { type: "number", minimum: 0, description: "Smallest amount, in the account's currency" },
    due: { ...period, description: "Both ends are included" },
  },
  additionalProperties: false,
});

const sorting = {
  type: "object",
  properties: {
    column: { enum: ["number", "name", "amount", "dueDate", "status"], description: "The column to order by" },
    direction: { enum: ["ascending", "descending"], description: "Ascending when absent" },
  },
  required: ["column"],
  additionalProperties: false,
};

const opening = (plural) => ({
  type: "object",
  properties: {
    id: { type: "string", minLength: 1, maxLength: 64, description: `One id of the ${plural} that are listed` },
  },
  required: ["id"],
  additionalProperties: false,
});

const paging = {
  type: "object",
  properties: {
    page: { type: "integer", minimum: 1, maximum: 10000, description: "The first page is 1" },
    size: { enum: [25, 50, 100], description: "Rows on one page, 50 when absent" },
  },
  required: ["page"],
  additionalProperties: false,
};

const list = {
  type: "object",
  properties: { rows: { type: "array", items: { type: "object" } }, total: { type: "integer" } },
};

function capabilities(plural) {
  return {
    observations: {
      rows: {
        description: `The ${plural} that the table shows now, in the order of the table, with id, name, amount and status.`,
        output: list,
      },
      selection: {
        description: `The ids of the ${plural} that the person has selected, in the order in which they were selected.`,
        output: list,
      },
      summary: {
        description: `Totals over the ${plural} that pass the filters: number, sum of their amounts, and how many are overdue.`,
        output: list,
      },
    },
    actions: {
      setFilters: {
        description: `Narrow the table of ${plural}. Pass only the keys that you want to change.`,
        input: filters(plural),
        effect: "local-state",
      },
      select: {
        description: `Select ${plural} by id. It only prepares what the table's buttons act on.`,
        input: selection(plural),
        effect: "local-state",
      },
      sort: {
        description: `Order the table of ${plural} by one column. The order is kept until it is changed again.`,
        input: sorting,
        effect: "local-state",
      },
      showPage: {
        description: `Turn to a page of the table of ${plural}. A page beyond the last one shows the last one.`,
        input: paging,
        effect: "local-state",
      },
      open: {
        description: `Open the detail view of one of the ${plural}. The back button returns to the table.`,
        input: opening(plural),
        effect: "navigation",
      },
    },
  };
}

/** `count` component contracts of eight capabilities, each of its own type. At most 100. */
export function contracts(count) {
  const all = [];
  for (const view of kViews) {
    for (const entity of kEntities) {
      all.push({
        type: `${entity}.${view}`,
        description: `The ${view} table of ${entity}, with filters, selection and paging`,
        ...capabilities(entity),
      });
    }
  }
  if (count > all.length) throw new Error(`at most ${all.length} contracts, asked for ${count}`);
  return all.slice(0, count);
}

/**
 * Behaviour for one instance of a contract. `open` is a live switch: `select` and `open` are available while it is true.
 * Handlers do nothing and answer `answer`.
 */
export function behaviour(contract, { open = { now: true }, answer = { applied: true } } = {}) {
  const when = () => open.now;
  const observations = {};
  const actions = {};
  for (const name of Object.keys(contract.observations)) observations[name] = { read: () => ({ rows: [], total: 0 }) };
  for (const name of Object.keys(contract.actions)) actions[name] = { execute: () => answer };
  actions.setFilters.when = () => true;
  actions.select = { ...actions.select, when, unavailableReason: "Nothing is listed" };
  return { observations, actions };
}

export const consumer = { id: "bench", kind: "test" };

/** 60 bytes as JSON, valid for `setFilters`. */
export const smallInput = { status: "overdue", search: "Nordwind", minAmount: 1250.55 };

const statuses = ["open", "overdue", "paid", "disputed"];
const customers = ["Nordwind Logistik GmbH", "Café Müller", "Atelier Sørensen", "Blue Harbor Ltd"];
/** Rows of a table, 117 bytes each. */
export const rows = (count) =>
  Array.from({ length: count }, (_, index) => ({
    id: `inv-${10_000 + index}`,
    customer: customers[index % 4],
    amount: 100 + index * 1.25,
    due: `2026-0${1 + (index % 9)}-1${index % 10}`,
    status: statuses[index % 4],
    selected: index % 3 === 0,
  }));
