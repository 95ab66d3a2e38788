// The server's operations as the page calls them: one oRPC client for the person and for the contextual reference.
import { createORPCClient, type Client as OrpcClient, type NestedClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";

export type InvoiceStatus = "draft" | "issued" | "overdue" | "paid";
export type CollectionStatus = "reminded" | "promised" | "disputed" | "escalated";

export interface Invoice {
  readonly id: string;
  readonly number: string;
  readonly clientId: string;
  readonly client: string;
  /** Cents. */
  readonly amount: number;
  readonly issuedOn: string | null;
  readonly dueOn: string;
  readonly status: InvoiceStatus;
  readonly daysOverdue: number;
  readonly collectionStatus: string;
  readonly promisedOn: string | null;
  readonly note: string | null;
}
export interface Filters {
  readonly status?: InvoiceStatus | undefined;
  readonly clientId?: string | undefined;
  readonly search?: string | undefined;
  /** Cents. */
  readonly minimumAmount?: number | undefined;
}
export interface Sort {
  readonly by: "dueOn" | "amount" | "number" | "client";
  readonly direction: "asc" | "desc";
}
export interface InvoicePage {
  readonly rows: readonly Invoice[];
  readonly total: number;
  readonly totalAmount: number;
  readonly page: number;
  readonly pageSize: number;
}
export interface Sum {
  readonly count: number;
  readonly amount: number;
}
export interface Summary {
  readonly asOf: string;
  readonly open: Sum;
  readonly overdue: Sum;
  readonly dueThisWeek: Sum;
  readonly paidThisMonth: Sum;
}
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly openInvoices: number;
  readonly openAmount: number;
}
export interface Aging {
  readonly asOf: string;
  readonly buckets: readonly (Sum & { readonly bucket: string })[];
  readonly clients: readonly { readonly client: string; readonly open: number; readonly overdue: number }[];
}
type Call<I, O> = OrpcClient<Record<never, never>, I, O, Error>;

export interface Operations extends Record<string, NestedClient<Record<never, never>>> {
  readonly "list-invoices": Call<Filters & { sort?: Sort; page?: number; pageSize?: number }, InvoicePage>;
  readonly "list-clients": Call<object, readonly Client[]>;
  readonly "issue-invoice": Call<{ invoiceId: string }, Invoice>;
  readonly "mark-invoice-paid": Call<{ invoiceId: string }, Invoice>;
  readonly "delete-invoice": Call<{ invoiceId: string }, unknown>;
  readonly "update-collection-status": Call<
    { invoiceId: string; status: CollectionStatus; promisedOn?: string; note?: string },
    Invoice
  >;
  readonly "receivables-summary": Call<object, Summary>;
  readonly "collections-aging": Call<object, Aging>;
}

const link = new RPCLink({ url: () => new URL("/rpc", location.href) });
export const operations: Operations = createORPCClient(link);

export interface User {
  readonly id: string;
  readonly name: string;
  readonly role: "collector" | "analyst";
}
export interface Approval {
  readonly id: string;
  readonly capabilityId: string;
  readonly input: unknown;
  readonly reasons: readonly string[];
  readonly expiresAt: number;
}

async function answer<T>(response: Response): Promise<T> {
  const value: T & { error?: string } = await response.json();
  if (!response.ok) throw new Error(value.error ?? "The server refused that.");
  return value;
}

const post = (path: string, body: unknown): Promise<Response> =>
  fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

export async function signIn(user: string): Promise<User> {
  return (await answer<{ user: User }>(await post("/api/session", { user }))).user;
}
/** Who is signed in; Maria when nobody is. */
export async function currentUser(): Promise<User> {
  const { user } = await answer<{ user: User | null }>(await fetch("/api/session"));
  return user ?? signIn("maria");
}
export const pendingApprovals = async (): Promise<readonly Approval[]> => answer(await fetch("/api/approvals"));
/** The envelope of the call that was decided. */
export const decide = async (id: string, decision: "approved" | "rejected"): Promise<unknown> =>
  (await post(`/agent/approvals/${encodeURIComponent(id)}`, { decision })).json();
