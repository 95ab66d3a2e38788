// One component, mounted twice: the table of open invoices and the table of paid ones.
import { tableContract } from "./contracts.js";
import { TODAY } from "./data.js";
import { el, formatAmount, formatDay } from "./dom.js";
import { SORTS } from "./store.js";

const TEXT = {
  open: { title: "Open invoices", date: "Due" },
  paid: { title: "Paid invoices", date: "Paid" },
};
const RETURNED_ROWS = 10;

/** What the agent may do with this table. Handlers read live state when they are called; none keeps a copy. */
function bindTable(store, instanceId) {
  const unknownIds = (ids) => {
    const shown = new Set(store.rows(instanceId).map((row) => row.id));
    const unknown = ids.filter((id) => !shown.has(id));
    if (unknown.length > 0) return { message: "Some ids are not among the matching rows.", details: { ids: unknown } };
  };
  return tableContract.bind({
    instanceId,
    observations: {
      readState: {
        read: () => {
          const rows = store.rows(instanceId);
          const returned = rows.slice(0, RETURNED_ROWS).map(({ id, customer, amount, date }) => ({ id, customer, amount, date }));
          return {
            filters: store.filters(instanceId),
            totalRows: store.total(instanceId),
            matchingRows: rows.length,
            returnedRows: returned.length,
            selectedIds: store.selection(instanceId),
            rows: returned,
          };
        },
      },
    },
    actions: {
      setFilters: {
        execute: (patch) => {
          store.setFilters(instanceId, patch);
          return { matchingRows: store.rows(instanceId).length };
        },
      },
      setSelection: {
        precondition: ({ ids }) => unknownIds(ids),
        execute: ({ ids }) => store.setSelection(instanceId, ids),
      },
      clearSelection: {
        when: () => store.selection(instanceId).length > 0,
        unavailableReason: "No row is selected.",
        execute: () => store.setSelection(instanceId, []),
      },
      writeReminder: {
        when: () => instanceId === "open" && store.draft() === null,
        unavailableReason: () => (instanceId === "paid" ? "Paid invoices need no reminder." : "A reminder is already being written."),
        precondition: ({ invoiceId }) => unknownIds([invoiceId]),
        execute: ({ invoiceId }) => store.startDraft(invoiceId),
      },
    },
  });
}

/** Mounts a table into `host`; the returned function unmounts it. The capabilities live exactly as long as the DOM does. */
export function mountTable({ registry, store, remount }, host, instanceId) {
  const text = TEXT[instanceId];
  const name = (field) => `${instanceId}-${field}`;
  const setFilters = (patch, options) => store.setFilters(instanceId, patch, options);

  // The first keystroke makes a history entry, the following ones refine it: Back leaves the search as a whole.
  let typing = false;
  const onType = (patch) => {
    setFilters(patch, { replace: typing });
    typing = true;
  };
  const stopTyping = () => (typing = false);

  const search = el("input", { id: name("search"), type: "search", autocomplete: "off", placeholder: "Number or customer" });
  search.addEventListener("input", () => onType({ search: search.value }));
  search.addEventListener("blur", stopTyping);
  const minAmount = el("input", { id: name("min"), type: "number", min: 0, step: 100, placeholder: "0" });
  minAmount.addEventListener("input", () => onType({ minAmount: Math.max(0, minAmount.valueAsNumber || 0) }));
  minAmount.addEventListener("blur", stopTyping);
  const sort = el("select", { id: name("sort") }, ...SORTS.map((key) => el("option", { value: key }, key[0].toUpperCase() + key.slice(1))));
  sort.addEventListener("change", () => setFilters({ sort: sort.value }));

  const count = el("span", { className: "count" });
  const chosen = el("span", { className: "quiet" });
  const body = el("tbody");
  const field = (label, control) => el("div", { className: "field" }, el("label", { htmlFor: control.id }, label), control);
  const section = el("section", { className: "panel", "aria-labelledby": name("title") },
    el("header", { className: "panel-head" },
      el("h2", { id: name("title") }, text.title, " ", count),
      el("button", { type: "button", className: "plain", title: "Unmount this table and mount it again", onclick: () => remount(instanceId) }, "Remount table")),
    el("div", { className: "filters" }, field("Search", search), field("From €", minAmount), field("Sort by", sort)),
    el("table", { "aria-labelledby": name("title") },
      el("thead", {}, el("tr", {},
        el("th", { scope: "col", className: "pick" }, el("span", { className: "hidden" }, "Selected")),
        el("th", { scope: "col" }, "Customer"),
        el("th", { scope: "col" }, text.date),
        el("th", { scope: "col", className: "amount" }, "Amount"),
        ...(instanceId === "open" ? [el("th", { scope: "col" }, el("span", { className: "hidden" }, "Reminder"))] : []))),
      body),
    el("p", { className: "panel-foot" }, chosen));

  function toggle(id, on) {
    const rest = store.selection(instanceId).filter((other) => other !== id);
    store.setSelection(instanceId, on ? [...rest, id] : rest);
  }

  function rowElement(row) {
    const late = instanceId === "open" && row.date < TODAY;
    const pick = el("input", { type: "checkbox", value: row.id, ariaLabel: `Select ${row.id}, ${row.customer}` });
    pick.addEventListener("change", () => toggle(row.id, pick.checked));
    const remind = el("button", { type: "button", className: "plain", ariaLabel: `Remind ${row.customer} of ${row.id}`,
      onclick: () => store.startDraft(row.id) }, "Remind");
    return el("tr", {},
      el("td", { className: "pick" }, pick),
      el("th", { scope: "row" }, el("span", { className: "customer" }, row.customer), el("span", { className: "number" }, row.id)),
      el("td", { className: late ? "date late" : "date" }, formatDay(row.date), ...(late ? [el("span", { className: "number" }, "overdue")] : [])),
      el("td", { className: "amount" }, formatAmount(row.amount)),
      ...(instanceId === "open" ? [el("td", { className: "act" }, remind)] : []));
  }

  let shownIds = null;
  function render() {
    const rows = store.rows(instanceId);
    const filters = store.filters(instanceId);
    const selection = store.selection(instanceId);
    const ids = rows.map((row) => row.id).join();
    // Rows are rebuilt only when they differ, so that a checkbox keeps the keyboard focus when it is toggled.
    if (ids !== shownIds) {
      shownIds = ids;
      body.replaceChildren(...rows.map(rowElement));
      if (rows.length === 0) body.append(el("tr", {}, el("td", { colSpan: 5, className: "empty" }, "No invoice matches these filters.")));
    }
    for (const pick of body.querySelectorAll("input")) {
      pick.checked = selection.includes(pick.value);
      pick.closest("tr").classList.toggle("selected", pick.checked);
    }
    if (search.value !== filters.search) search.value = filters.search;
    if ((minAmount.valueAsNumber || 0) !== filters.minAmount) minAmount.value = filters.minAmount || "";
    sort.value = filters.sort;
    count.textContent = `${rows.length} of ${store.total(instanceId)}`;
    const sum = rows.filter((row) => selection.includes(row.id)).reduce((total, row) => total + row.amount, 0);
    chosen.textContent = selection.length > 0 ? `${selection.length} selected, ${formatAmount(sum)}` : "None selected";
  }

  render();
  host.append(section);
  const unsubscribe = store.subscribe(render);
  const registration = registry.register(bindTable(store, instanceId));
  return () => {
    registration.unregister();
    unsubscribe();
    section.remove();
  };
}
