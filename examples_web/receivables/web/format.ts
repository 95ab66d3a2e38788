const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "EUR" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

export const euros = (cents: number): string => money.format(cents / 100);
export const date = (iso: string | null): string => (iso === null ? "–" : day.format(new Date(iso)));
