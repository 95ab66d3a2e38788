// The application's state and its only setters. A person's click and an agent's action end in the same function here,
// so whatever holds for one holds for the other: history, validation, rendering.
import { INVOICES } from "./data.js";

export const PAGES = ["invoices", "customers"];
export const TABLES = ["open", "paid"];
export const SORTS = ["date", "amount", "customer"];
const DEFAULT_FILTERS = Object.freeze({ search: "", minAmount: 0, sort: "date" });

/** The URL holds what should survive reload and answer to Back: the page and each table's filters. */
export function parseHash(hash) {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const params = new URLSearchParams(query);
  const filtersOf = (table) => {
    const minAmount = Number(params.get(`${table}.minAmount`));
    const sort = params.get(`${table}.sort`);
    return {
      search: params.get(`${table}.search`) ?? DEFAULT_FILTERS.search,
      minAmount: minAmount > 0 && Number.isFinite(minAmount) ? minAmount : DEFAULT_FILTERS.minAmount,
      sort: SORTS.includes(sort) ? sort : DEFAULT_FILTERS.sort,
    };
  };
  return {
    page: PAGES.includes(path) ? path : "invoices",
    filters: Object.fromEntries(TABLES.map((table) => [table, filtersOf(table)])),
  };
}

export function formatHash({ page, filters }) {
  const params = new URLSearchParams();
  for (const table of TABLES) {
    for (const [key, value] of Object.entries(filters[table])) {
      if (value !== DEFAULT_FILTERS[key]) params.set(`${table}.${key}`, value);
    }
  }
  return `#/${page}${params.size > 0 ? `?${params}` : ""}`;
}

const compare = {
  date: (a, b) => a.date.localeCompare(b.date),
  amount: (a, b) => b.amount - a.amount,
  customer: (a, b) => a.customer.localeCompare(b.customer) || a.date.localeCompare(b.date),
};

export function createStore() {
  let place = parseHash(location.hash);
  let selected = { open: [], paid: [] };
  let draft = null;
  const listeners = new Set();
  let scheduled = false;

  // Views follow in a later task, all changes of one task together. An action that closes its own component has
  // therefore settled before the component is gone.
  function changed() {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      for (const listener of [...listeners]) listener();
    });
  }

  function moveTo(next, { replace = false } = {}) {
    const hash = formatHash(next);
    if (hash === formatHash(place)) return;
    history[replace ? "replaceState" : "pushState"](null, "", hash);
    place = next;
    changed();
  }

  addEventListener("popstate", () => {
    place = parseHash(location.hash);
    changed();
  });

  const rows = (table) => {
    const { search, minAmount, sort } = place.filters[table];
    const wanted = search.trim().toLowerCase();
    return INVOICES.filter((row) => row.table === table && row.amount >= minAmount)
      .filter((row) => `${row.id} ${row.customer}`.toLowerCase().includes(wanted))
      .sort(compare[sort]);
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    page: () => place.page,
    hrefOf: (page) => formatHash({ ...place, page }),
    filters: (table) => place.filters[table],
    rows,
    total: (table) => INVOICES.filter((row) => row.table === table).length,
    /** Selection speaks only of rows that the table shows. */
    selection: (table) =>
      rows(table)
        .map((row) => row.id)
        .filter((id) => selected[table].includes(id)),
    draft: () => draft,

    goTo: (page) => moveTo({ ...place, page }),
    setFilters(table, patch, options) {
      const filters = { ...place.filters, [table]: { ...place.filters[table], ...patch } };
      moveTo({ ...place, filters }, options);
    },
    showCustomer(customer) {
      moveTo({ page: "invoices", filters: { ...place.filters, open: { ...DEFAULT_FILTERS, search: customer } } });
    },
    setSelection(table, ids) {
      selected = { ...selected, [table]: [...ids] };
      changed();
    },
    startDraft(invoiceId) {
      draft = { invoiceId, tone: "friendly", message: "" };
      changed();
    },
    setDraft(patch) {
      draft = { ...draft, ...patch };
      changed();
    },
    closeDraft() {
      draft = null;
      changed();
    },
  };
}
