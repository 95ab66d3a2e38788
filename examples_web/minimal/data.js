// The invoices. A real page would fetch them; the rest of the example would not change.
export const TODAY = "2026-03-31";

const open = [
  ["INV-2041", "Nordlicht Optik", 4820, "2026-02-27"],
  ["INV-2044", "Atelier Brandt", 960, "2026-03-04"],
  ["INV-2047", "Casa Verde Foods", 12400, "2026-03-10"],
  ["INV-2052", "Kestrel Logistics", 7315, "2026-03-18"],
  ["INV-2053", "Nordlicht Optik", 2190, "2026-03-21"],
  ["INV-2058", "Mühlbach & Sons", 540, "2026-03-28"],
  ["INV-2061", "Kestrel Logistics", 18950, "2026-04-02"],
  ["INV-2063", "Osei Textiles", 3275, "2026-04-06"],
  ["INV-2064", "Casa Verde Foods", 890, "2026-04-09"],
  ["INV-2069", "Atelier Brandt", 1480, "2026-04-14"],
  ["INV-2070", "Linnea Clinics", 9640, "2026-04-15"],
  ["INV-2072", "Osei Textiles", 6120, "2026-04-22"],
].map(([id, customer, amount, date]) => ({ id, customer, amount, date, table: "open" }));

const paid = [
  ["INV-1998", "Linnea Clinics", 8800, "2026-02-03"],
  ["INV-2003", "Kestrel Logistics", 15200, "2026-02-09"],
  ["INV-2010", "Atelier Brandt", 720, "2026-02-16"],
  ["INV-2017", "Osei Textiles", 4410, "2026-02-24"],
  ["INV-2022", "Nordlicht Optik", 3950, "2026-03-02"],
  ["INV-2029", "Casa Verde Foods", 11080, "2026-03-12"],
  ["INV-2036", "Mühlbach & Sons", 615, "2026-03-25"],
].map(([id, customer, amount, date]) => ({ id, customer, amount, date, table: "paid" }));

/** Dates are the due date of an open invoice and the day of payment of a paid one; amounts are whole euros. */
export const INVOICES = Object.freeze([...open, ...paid]);
