// The scripted model of the demo: it stands in for a language model when there is no key. It decides nothing beforehand:
// each step reads the results that the tools have given, and copes with refusals and with tools that are not offered.
import { scriptedModel } from "viewcap/host";

const VIEW = {
  readState: "view_invoices__pending__readState",
  setFilters: "view_invoices__pending__setFilters",
  clearFilters: "view_invoices__pending__clearFilters",
  sort: "view_invoices__pending__sort",
  selectRows: "view_invoices__pending__selectRows",
  goTo: "view_app__navigation__goTo",
};
const CHASE = "domain_update-collection-status";

export const euros = (cents) =>
  `€${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

const failureOf = (value) => (typeof value === "object" && value !== null ? value.error : undefined);
/** A server tool answers `{status, data}`, one of the page with its output. */
const dataOf = (value) => (value?.status === "ok" && "data" in value ? value.data : value);
const refused = (error) => ({ text: `That was refused (${error.code}): ${error.message}` });

/** The calls, or a sentence where one of their tools is not offered here. */
function ask(view, calls, reasoning) {
  const missing = calls.filter(({ tool }) => !view.tools.includes(tool)).map(({ tool }) => tool);
  if (missing.length > 0) return { text: `I cannot do that here: ${missing.join(", ")} is not offered.` };
  return { ...(reasoning && { reasoning }), calls };
}

/** What `say` makes of the latest result of the tool, or why there is none. */
function told(tool, say) {
  return (view) => {
    const value = view.lastResult(tool);
    if (value === undefined) return { text: "There is no result to speak of." };
    const error = failureOf(value);
    return error ? refused(error) : say(dataOf(value), view);
  };
}

const one = (tool, input, say) => [
  (view) => ask(view, [{ tool, input: typeof input === "function" ? input(view) : input }]),
  told(tool, say),
];
const numberIn = (view) => /INV-\d+/i.exec(view.user)?.[0].toUpperCase();

/** Finds the invoice by its number, then calls the tool with its id. */
function byNumber(tool, say) {
  return [
    (view) => ask(view, [{ tool: "domain_list-invoices", input: { search: numberIn(view) } }]),
    told("domain_list-invoices", ({ rows }, view) => {
      const found = rows.find(({ number }) => number === numberIn(view));
      if (found === undefined) return { text: `There is no invoice ${String(numberIn(view))}.` };
      return ask(view, [{ tool, input: { invoiceId: found.id } }]);
    }),
    told(tool, (value) =>
      value.status === "approval-required"
        ? { text: value.message.replace("Awaiting approval", "That waits for your approval") }
        : { text: say(value) },
    ),
  ];
}

const overdue = [
  (view) =>
    ask(
      view,
      [
        { tool: "domain_receivables-summary", input: {} },
        { tool: VIEW.setFilters, input: { status: "overdue" } },
      ],
      "The totals come from the server; the table should show the same, so I filter it, too.",
    ),
  (view) => {
    const error = failureOf(view.lastResult(VIEW.setFilters));
    return error ? refused(error) : ask(view, [{ tool: VIEW.readState, input: {} }]);
  },
  told(VIEW.readState, ({ total, totalAmount }, view) => {
    const summary = view.lastResult("domain_receivables-summary");
    if (failureOf(summary)) return refused(failureOf(summary));
    const { overdue: sum } = dataOf(summary);
    const agrees = sum.count === total && sum.amount === totalAmount;
    const both = agrees ? "The table shows the same ones." : `The table shows ${String(total)}, ${euros(totalAmount)}.`;
    return { text: `${String(sum.count)} invoices are overdue, ${euros(sum.amount)} in all. ${both}` };
  }),
];

const chase = [
  (view) => {
    if (!view.tools.includes(CHASE)) return { text: "Open an invoice's chase dialog first; then I can record that." };
    const status =
      ["promise", "dispute", "escalate", "remind"].find((word) =>
        view.user.toLowerCase().includes(word.slice(0, -1)),
      ) ?? "remind";
    const input = { status: status === "promise" ? "promised" : status === "remind" ? "reminded" : `${status}d` };
    return ask(view, [{ tool: CHASE, input: /locked/i.test(view.user) ? { ...input, invoiceId: "i1001" } : input }]);
  },
  told(CHASE, ({ number, collectionStatus }) => ({ text: `Recorded: ${number} is ${collectionStatus}.` })),
];

const ageing = [
  (view) => ask(view, [{ tool: VIEW.goTo, input: { page: "ageing" } }]),
  (view) => {
    const error = failureOf(view.lastResult(VIEW.goTo));
    return error
      ? refused(error)
      : ask(view, [
          { tool: "domain_collections-aging", input: {} },
          { tool: "view_ageing__buckets__readState", input: {} },
        ]);
  },
  told("domain_collections-aging", ({ buckets }) => ({
    text: buckets.map(({ bucket, count, amount }) => `${bucket}: ${String(count)} (${euros(amount)})`).join("; "),
  })),
];

const largest = [
  (view) => ask(view, [{ tool: VIEW.readState, input: {} }]),
  told(VIEW.readState, ({ rows }, view) => {
    const [top] = [...rows].sort((a, b) => b.amount - a.amount);
    return top === undefined
      ? { text: "The table is empty." }
      : ask(view, [{ tool: VIEW.selectRows, input: { numbers: [top.number] } }]);
  }),
  told(VIEW.selectRows, () => ({ text: "The largest invoice of this page is selected." })),
];

const approvalNews = [
  (view) => ({ text: /"error"/.test(view.user) ? "That was not carried out." : "Done, after your approval." }),
];

export function demoScript({ paceMs = 0 } = {}) {
  return scriptedModel({
    paceMs,
    turns: [
      { when: /^Approval \S+/, steps: approvalNews },
      { when: /\bissue\b.*INV-\d+/i, steps: byNumber("domain_issue-invoice", ({ number }) => `${number} is issued.`) },
      {
        when: /\bdelete\b.*INV-\d+/i,
        steps: byNumber("domain_delete-invoice", ({ deleted }) => `${deleted} is deleted.`),
      },
      {
        when: /INV-\d+.*\bpaid\b|\bpaid\b.*INV-\d+/i,
        steps: byNumber("domain_mark-invoice-paid", ({ number }) => `${number} is paid.`),
      },
      { when: /\b(promise|remind|escalat|disput)/i, steps: chase },
      { when: /overdue/i, steps: overdue },
      { when: /\bag(e)?ing\b/i, steps: ageing },
      { when: /\bclients?\b/i, steps: one(VIEW.goTo, { page: "clients" }, () => ({ text: "Here are the clients." })) },
      {
        when: /\bsort\b/i,
        steps: one(VIEW.sort, { by: "amount", direction: "desc" }, () => ({
          text: "Sorted by amount, the largest first.",
        })),
      },
      { when: /\bclear\b/i, steps: one(VIEW.clearFilters, {}, () => ({ text: "All filters are cleared." })) },
      { when: /\bselect\b/i, steps: largest },
      {
        when: /\bcreate\b/i,
        steps: one("domain_create-invoice", { clientId: "c1", amount: 125_000 }, ({ number, client }) => ({
          text: `Drafted ${number} for ${client}.`,
        })),
      },
    ],
    otherwise: {
      text: "I follow a script. Ask me what is overdue, for the ageing, to sort, clear or select, to issue or delete INV-…, or to record a promise while a chase dialog is open.",
    },
  });
}
