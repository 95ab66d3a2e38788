// The table: filters, order, selection, paging. The person's controls and the agent's capabilities call the same setters.
import { useState, type ReactElement } from "react";
import { useAgentComponent } from "viewcap/react";
import { ChaseDialog } from "./chase_dialog.js";
import { invoicesContract } from "./contracts.js";
import { useRecords } from "./data.js";
import { date, euros } from "./format.js";
import { operations, type Filters, type Invoice, type InvoiceStatus, type Sort, type User } from "./operations.js";
import { navigate, urlOf, viewOf, type InvoiceView } from "./route.js";

const STATUSES: readonly InvoiceStatus[] = ["draft", "issued", "overdue", "paid"];
const COLUMNS: readonly (readonly [Sort["by"], string])[] = [
  ["number", "Number"],
  ["client", "Client"],
  ["amount", "Amount"],
  ["dueOn", "Due"],
];
const STILL_LOADING = "Still loading.";

export function InvoicesPage({ url, user }: { url: URL; user: User }): ReactElement {
  const view = viewOf(url);
  const { filters, sort, page } = view;
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [open, setOpen] = useState<Invoice | undefined>(undefined);
  const { data, loading, error } = useRecords(JSON.stringify(view), () =>
    operations["list-invoices"]({ ...filters, sort, page, pageSize: 10 }),
  );
  const clients = useRecords("clients", () => operations["list-clients"]({})).data ?? [];
  const rows = data?.rows ?? [];
  const shown = selected.filter((number) => rows.some((row) => row.number === number));

  // Always from the URL as it is now: two changes in a row both count.
  const change = (make: (now: InvoiceView) => Partial<InvoiceView>): void => {
    const now = viewOf(new URL(location.href));
    navigate(urlOf({ ...now, page: 1, ...make(now) }));
  };
  const setFilters = (given: Filters): void => change((now) => ({ filters: { ...now.filters, ...given } }));
  const clearFilters = (): void => change(() => ({ filters: {} }));
  const setSort = (given: Sort): void => change(() => ({ sort: given }));

  const gate = { when: () => !loading, unavailableReason: STILL_LOADING };
  useAgentComponent(invoicesContract, {
    observations: {
      readState: {
        ...gate,
        read: () => ({
          total: data?.total ?? 0,
          totalAmount: data?.totalAmount ?? 0,
          page,
          pageSize: data?.pageSize ?? 10,
          rows: rows.map(({ number, client, amount, dueOn, status, collectionStatus, daysOverdue }) => {
            return { number, client, amount, dueOn, status, collectionStatus, daysOverdue };
          }),
          selected: shown,
        }),
      },
      readFilters: { read: () => ({ filters: withoutAbsent(filters), sort }) },
    },
    actions: {
      setFilters: { execute: setFilters },
      clearFilters: { execute: clearFilters },
      sort: { execute: setSort },
      selectRows: {
        ...gate,
        precondition: ({ numbers }) => {
          const unknown = numbers.filter((number) => !rows.some((row) => row.number === number));
          if (unknown.length === 0) return undefined;
          const there = rows.map(({ number }) => number);
          return {
            message: `Not on this page: ${unknown.join(", ")}. It shows ${there.join(", ")}.`,
            details: { there },
          };
        },
        execute: ({ numbers }) => setSelected(numbers),
      },
    },
  });

  return (
    <section aria-labelledby="invoices-title">
      <header className="page-head">
        <h1 id="invoices-title">Invoices</h1>
        <p className="quiet" data-total={data?.total} aria-live="polite">
          {data === undefined ? "…" : `${String(data.total)} invoices, ${euros(data.totalAmount)}`}
          {shown.length > 0 && `, ${String(shown.length)} selected`}
        </p>
      </header>
      <FilterBar filters={filters} clients={clients} onChange={setFilters} onClear={clearFilters} />
      {error !== undefined && <p role="alert">{error}</p>}
      <div className="table-box" aria-busy={loading}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Selected</span>
              </th>
              {COLUMNS.map(([by, label]) => (
                <SortHead key={by} by={by} label={label} sort={sort} onSort={setSort} />
              ))}
              <th scope="col">Status</th>
              <th scope="col">Collection</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                selected={shown.includes(row.number)}
                onSelect={(on) => setSelected(on ? [...shown, row.number] : shown.filter((one) => one !== row.number))}
                onOpen={() => setOpen(row)}
              />
            ))}
          </tbody>
        </table>
        {data?.total === 0 && <p className="quiet empty">No invoice matches.</p>}
      </div>
      <Pager
        page={page}
        pages={Math.max(1, Math.ceil((data?.total ?? 0) / (data?.pageSize ?? 10)))}
        onPage={(to) => change(() => ({ page: to }))}
      />
      {open !== undefined && (
        <ChaseDialog
          invoice={rows.find(({ id }) => id === open.id) ?? open}
          user={user}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}

function withoutAbsent(filters: Filters): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

interface FilterBarProps {
  readonly filters: Filters;
  readonly clients: readonly { readonly id: string; readonly name: string }[];
  onChange(filters: Filters): void;
  onClear(): void;
}

function FilterBar({ filters, clients, onChange, onClear }: FilterBarProps): ReactElement {
  const none = Object.values(filters).every((value) => value === undefined);
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        Status
        <select
          value={filters.status ?? ""}
          onChange={({ target }) => onChange({ status: STATUSES.find((one) => one === target.value) })}
        >
          <option value="">All</option>
          {STATUSES.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </label>
      <label>
        Client
        <select
          value={filters.clientId ?? ""}
          onChange={({ target }) => onChange({ clientId: target.value || undefined })}
        >
          <option value="">All</option>
          {clients.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Search
        <input
          type="search"
          value={filters.search ?? ""}
          maxLength={80}
          onChange={({ target }) => onChange({ search: target.value || undefined })}
        />
      </label>
      <button type="button" disabled={none} onClick={onClear}>
        Clear
      </button>
    </form>
  );
}

interface SortHeadProps {
  readonly by: Sort["by"];
  readonly label: string;
  readonly sort: Sort;
  onSort(sort: Sort): void;
}

function SortHead({ by, label, sort, onSort }: SortHeadProps): ReactElement {
  const on = sort.by === by;
  const next = on && sort.direction === "asc" ? "desc" : "asc";
  return (
    <th
      scope="col"
      aria-sort={!on ? "none" : sort.direction === "asc" ? "ascending" : "descending"}
      className={by === "amount" ? "number" : ""}
    >
      <button type="button" className="plain" onClick={() => onSort({ by, direction: next })}>
        {label}
        <span aria-hidden="true">{!on ? "" : sort.direction === "asc" ? " ↑" : " ↓"}</span>
      </button>
    </th>
  );
}

interface RowProps {
  readonly row: Invoice;
  readonly selected: boolean;
  onSelect(on: boolean): void;
  onOpen(): void;
}

function Row({ row, selected, onSelect, onOpen }: RowProps): ReactElement {
  return (
    <tr aria-selected={selected} data-number={row.number}>
      <td>
        <input
          type="checkbox"
          aria-label={`Select ${row.number}`}
          checked={selected}
          onChange={({ target }) => onSelect(target.checked)}
        />
      </td>
      <th scope="row">{row.number}</th>
      <td>{row.client}</td>
      <td className="number">{euros(row.amount)}</td>
      <td>
        {date(row.dueOn)}
        {row.daysOverdue > 0 && <span className="quiet"> · {row.daysOverdue} d late</span>}
      </td>
      <td>
        <span className={`badge ${row.status}`}>{row.status}</span>
      </td>
      <td>{row.collectionStatus === "none" ? <span className="quiet">–</span> : row.collectionStatus}</td>
      <td>
        <button type="button" onClick={onOpen} aria-label={`Open ${row.number}`}>
          Open
        </button>
      </td>
    </tr>
  );
}

function Pager({ page, pages, onPage }: { page: number; pages: number; onPage(page: number): void }): ReactElement {
  return (
    <nav className="pager" aria-label="Pages of the table">
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>
        Page {page} of {pages}
      </span>
      <button type="button" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
