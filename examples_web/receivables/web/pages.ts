export const PAGES = ["invoices", "clients", "ageing", "approvals"] as const;
export type Page = (typeof PAGES)[number];
