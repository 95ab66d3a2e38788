// The second page: it unmounts both tables, and with them everything that an agent could do there.
import { customersContract } from "./contracts.js";
import { INVOICES } from "./data.js";
import { el, formatAmount } from "./dom.js";

function openSums() {
  const sums = new Map(INVOICES.map((row) => [row.customer, 0]));
  for (const row of INVOICES) if (row.table === "open") sums.set(row.customer, sums.get(row.customer) + row.amount);
  return [...sums].map(([customer, open]) => ({ customer, open })).sort((a, b) => b.open - a.open);
}

export function mountCustomers({ registry, store }, host) {
  const rows = openSums();
  const isKnown = (customer) => rows.some((row) => row.customer === customer);

  const section = el(
    "section",
    { className: "panel", "aria-labelledby": "customers-title" },
    el(
      "header",
      { className: "panel-head" },
      el("h2", { id: "customers-title" }, "Customers ", el("span", { className: "count" }, rows.length)),
    ),
    el(
      "table",
      { "aria-labelledby": "customers-title" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Customer"),
          el("th", { scope: "col", className: "amount" }, "Open"),
          el("th", { scope: "col" }, el("span", { className: "hidden" }, "Invoices")),
        ),
      ),
      el(
        "tbody",
        {},
        ...rows.map(({ customer, open }) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, el("span", { className: "customer" }, customer)),
            el("td", { className: "amount" }, formatAmount(open)),
            el(
              "td",
              { className: "act" },
              el(
                "button",
                {
                  type: "button",
                  className: "plain",
                  ariaLabel: `Open invoices of ${customer}`,
                  onclick: () => store.showCustomer(customer),
                },
                "Invoices",
              ),
            ),
          ),
        ),
      ),
    ),
  );
  host.append(section);

  const registration = registry.register(
    customersContract.bind({
      observations: { readState: { read: () => ({ totalRows: rows.length, rows }) } },
      actions: {
        // This action ends its own component. Its effect is "navigation", so the unmount does not fail it.
        showInvoices: {
          precondition: ({ customer }) =>
            isKnown(customer) ? undefined : { message: "No customer has this name. Use a name from readState." },
          execute: ({ customer }) => store.showCustomer(customer),
        },
      },
    }),
  );
  return () => {
    registration.unregister();
    section.remove();
  };
}
