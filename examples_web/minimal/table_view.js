// The table as a person sees it. Nothing here knows of agents: controls call the store's setters, render() reads it back.
import { TODAY } from "./data.js";
import { el, formatAmount, formatDay } from "./dom.js";
import { SORTS } from "./store.js";

const TEXT = {
  open: { title: "Open invoices", date: "Due" },
  paid: { title: "Paid invoices", date: "Paid" },
};

/** Makes the view of one instance: {element, render}. */
export function createTableView(store, instanceId, onRemount) {
  const filters = filterControls(store, instanceId);
  const count = el("span", { className: "count" });
  const chosen = el("p", { className: "panel-foot quiet" });
  const body = el("tbody");
  let shownIds = null;

  function render() {
    const rows = store.rows(instanceId);
    const selection = store.selection(instanceId);
    const ids = rows.map((row) => row.id).join();
    // Rows are rebuilt only when they differ, so that a checkbox keeps the keyboard focus when it is toggled.
    if (ids !== shownIds) {
      shownIds = ids;
      body.replaceChildren(...(rows.length > 0 ? rows.map((row) => rowElement(store, instanceId, row)) : [emptyRow()]));
    }
    for (const pick of body.querySelectorAll("input")) {
      pick.checked = selection.includes(pick.value);
      pick.closest("tr").classList.toggle("selected", pick.checked);
    }
    filters.render();
    count.textContent = `${rows.length} of ${store.total(instanceId)}`;
    const sum = rows.filter((row) => selection.includes(row.id)).reduce((total, row) => total + row.amount, 0);
    chosen.textContent = selection.length > 0 ? `${selection.length} selected, ${formatAmount(sum)}` : "None selected";
  }

  render();
  const titleId = `${instanceId}-title`;
  const remount = {
    type: "button",
    className: "plain",
    title: "Unmount this table and mount it again",
    onclick: onRemount,
  };
  const element = el(
    "section",
    { className: "panel", "aria-labelledby": titleId },
    el(
      "header",
      { className: "panel-head" },
      el("h2", { id: titleId }, TEXT[instanceId].title, " ", count),
      el("button", remount, "Remount table"),
    ),
    filters.element,
    el("table", { "aria-labelledby": titleId }, headElement(instanceId), body),
    chosen,
  );
  return { element, render };
}

function filterControls(store, instanceId) {
  // The first keystroke makes a history entry, the following ones refine it: Back leaves the search as a whole.
  let typing = false;
  const onType = (patch) => {
    store.setFilters(instanceId, patch, { replace: typing });
    typing = true;
  };
  const control = (tag, name, props, ...children) => {
    const node = el(tag, { id: `${instanceId}-${name}`, ...props }, ...children);
    node.addEventListener("blur", () => (typing = false));
    return node;
  };
  const search = control("input", "search", { type: "search", autocomplete: "off", placeholder: "Number or customer" });
  search.addEventListener("input", () => onType({ search: search.value }));
  const minAmount = control("input", "min", { type: "number", min: 0, step: 100, placeholder: "0" });
  minAmount.addEventListener("input", () => onType({ minAmount: Math.max(0, minAmount.valueAsNumber || 0) }));
  const options = SORTS.map((key) => el("option", { value: key }, key[0].toUpperCase() + key.slice(1)));
  const sort = control("select", "sort", {}, ...options);
  sort.addEventListener("change", () => store.setFilters(instanceId, { sort: sort.value }));

  function render() {
    const filters = store.filters(instanceId);
    if (search.value !== filters.search) search.value = filters.search;
    if ((minAmount.valueAsNumber || 0) !== filters.minAmount) minAmount.value = filters.minAmount || "";
    sort.value = filters.sort;
  }

  const field = (label, node) => el("div", { className: "field" }, el("label", { htmlFor: node.id }, label), node);
  const fields = [field("Search", search), field("From €", minAmount), field("Sort by", sort)];
  return { element: el("div", { className: "filters" }, ...fields), render };
}

function headElement(instanceId) {
  const unseen = (text) => el("span", { className: "hidden" }, text);
  const head = (className, content) => el("th", { scope: "col", className }, content);
  const cells = [
    head("pick", unseen("Selected")),
    head("", "Customer"),
    head("date", TEXT[instanceId].date),
    head("amount", "Amount"),
  ];
  if (instanceId === "open") cells.push(head("act", unseen("Reminder")));
  return el("thead", {}, el("tr", {}, ...cells));
}

function rowElement(store, instanceId, row) {
  const { id, customer, date, amount } = row;
  const pick = el("input", { type: "checkbox", value: id, ariaLabel: `Select ${id}, ${customer}` });
  pick.addEventListener("change", () => {
    const others = store.selection(instanceId).filter((other) => other !== id);
    store.setSelection(instanceId, pick.checked ? [...others, id] : others);
  });
  const small = (text) => el("span", { className: "number" }, text);
  const cells = [
    el("td", { className: "pick" }, pick),
    el("th", { scope: "row" }, el("span", { className: "customer" }, customer), small(id)),
    el("td", { className: "date" }, formatDay(date)),
    el("td", { className: "amount" }, formatAmount(amount)),
  ];
  if (instanceId === "open") {
    if (date < TODAY) cells[2].append(small("overdue"));
    const remind = { type: "button", className: "plain", ariaLabel: `Remind ${customer} of ${id}` };
    cells.push(
      el("td", { className: "act" }, el("button", { ...remind, onclick: () => store.startDraft(id) }, "Remind")),
    );
  }
  return el("tr", {}, ...cells);
}

const emptyRow = () => el("tr", {}, el("td", { colSpan: 5, className: "empty" }, "No invoice matches these filters."));
