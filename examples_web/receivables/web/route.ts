// The URL is the state of the page: whoever changes it, the person or an agent, comes through navigate().
import { useLayoutEffect, useSyncExternalStore } from "react";
import type { Filters, InvoiceStatus, Sort } from "./operations.js";
import { PAGES, type Page } from "./pages.js";

export { PAGES, type Page } from "./pages.js";
const STATUSES: readonly InvoiceStatus[] = ["draft", "issued", "overdue", "paid"];
const SORTS: readonly Sort["by"][] = ["dueOn", "amount", "number", "client"];

const listeners = new Set<() => void>();
const current = (): string => location.pathname + location.search;
let committed = "";

addEventListener("popstate", () => listeners.forEach((tell) => tell()));

export function navigate(url: string): void {
  if (url === current()) return;
  history.pushState(null, "", url);
  listeners.forEach((tell) => tell());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The route that is rendered. */
export function useRoute(): URL {
  const url = useSyncExternalStore(subscribe, current);
  useLayoutEffect(() => {
    committed = url;
  }, [url]);
  return new URL(url, location.origin);
}

/** Whether what is on the screen is what the URL says. */
export const isCommitted = (): boolean => committed === current();

export function pageOf({ pathname }: URL): Page {
  return PAGES.find((page) => pathname === `/${page}`) ?? "invoices";
}

export interface InvoiceView {
  readonly filters: Filters;
  readonly sort: Sort;
  readonly page: number;
}

export function viewOf({ searchParams }: URL): InvoiceView {
  const text = (name: string): string | undefined => searchParams.get(name) || undefined;
  const minimum = Number(text("minimum"));
  return {
    filters: {
      status: STATUSES.find((one) => one === text("status")),
      clientId: text("client"),
      search: text("search")?.slice(0, 80),
      minimumAmount: Number.isInteger(minimum) && minimum > 0 ? minimum : undefined,
    },
    sort: {
      by: SORTS.find((one) => one === text("sort")) ?? "dueOn",
      direction: text("direction") === "desc" ? "desc" : "asc",
    },
    page: Math.max(1, Math.trunc(Number(text("page") ?? 1)) || 1),
  };
}

export function urlOf({ filters, sort, page }: InvoiceView): string {
  const query = new URLSearchParams();
  const set = (name: string, value: string | number | undefined, unless?: string | number): void => {
    if (value !== undefined && value !== "" && value !== unless) query.set(name, String(value));
  };
  set("status", filters.status);
  set("client", filters.clientId);
  set("search", filters.search);
  set("minimum", filters.minimumAmount);
  set("sort", sort.by, "dueOn");
  set("direction", sort.direction, "asc");
  set("page", page, 1);
  // What the page was opened with to be looked at stays.
  if (new URLSearchParams(location.search).has("double-exposed")) query.set("double-exposed", "");
  const text = query.toString();
  return `/invoices${text === "" ? "" : `?${text}`}`;
}
