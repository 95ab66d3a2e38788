// One component, mounted twice: the table of open invoices and the table of paid ones.
import { tableContract } from "./contracts.js";
import { createTableView } from "./table_view.js";

const RETURNED_ROWS = 10;

/** Mounts a table into `host`; the returned function unmounts it. The capabilities live exactly as long as the DOM does. */
export function mountTable({ registry, store, remount }, host, instanceId) {
  const view = createTableView(store, instanceId, () => remount(instanceId));
  host.append(view.element);
  const unsubscribe = store.subscribe(view.render);
  const registration = registry.register(bindTable(store, instanceId));
  return () => {
    registration.unregister();
    unsubscribe();
    view.element.remove();
  };
}

/** The behaviour behind the contract. Handlers read live state when they are called; none keeps a copy. */
function bindTable(store, instanceId) {
  return tableContract.bind({
    instanceId,
    observations: {
      readState: { read: () => readTable(store, instanceId) },
    },
    actions: {
      setFilters: {
        execute: (patch) => {
          store.setFilters(instanceId, patch);
          return { matchingRows: store.rows(instanceId).length };
        },
      },
      setSelection: {
        precondition: ({ ids }) => refuseUnknown(store, instanceId, ids),
        execute: ({ ids }) => store.setSelection(instanceId, ids),
      },
      clearSelection: {
        when: () => store.selection(instanceId).length > 0,
        unavailableReason: "No row is selected.",
        execute: () => store.setSelection(instanceId, []),
      },
      writeReminder: {
        when: () => instanceId === "open" && store.draft() === null,
        unavailableReason: () =>
          instanceId === "paid" ? "Paid invoices need no reminder." : "A reminder is already being written.",
        precondition: ({ invoiceId }) => refuseUnknown(store, instanceId, [invoiceId]),
        execute: ({ invoiceId }) => store.startDraft(invoiceId),
      },
    },
  });
}

/** An answer that is cut says so: how many rows there are, how many match, how many are listed. */
function readTable(store, instanceId) {
  const rows = store.rows(instanceId);
  const listed = rows.slice(0, RETURNED_ROWS).map(({ id, customer, amount, date }) => ({ id, customer, amount, date }));
  return {
    filters: store.filters(instanceId),
    totalRows: store.total(instanceId),
    matchingRows: rows.length,
    returnedRows: listed.length,
    selectedIds: store.selection(instanceId),
    rows: listed,
  };
}

function refuseUnknown(store, instanceId, ids) {
  const known = new Set(store.rows(instanceId).map((row) => row.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return undefined;
  return { message: "Some ids are not among the matching rows.", details: { ids: unknown } };
}
