// The inspector's DOM, made by hand: text goes in as text. At most a few hundred rows are ever made.

import type { PendingConfirmation } from "../registry/confirmations.js";
import type { CatalogRow, TimelineLine } from "./model.js";

/** A filter finds the rest. */
export const MOST_ROWS = 200;

type Child = Node | string;

export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** What is folded is written when somebody opens it. */
function folded(summary: Child[], detail: unknown): HTMLElement {
  // With spaces: who copies a line, or has it read aloud, gets words.
  const words = summary.flatMap((one) => [one, " "]);
  const details = element("details", {}, element("summary", {}, ...words));
  details.addEventListener("toggle", () => {
    if (details.querySelector("pre") === null) details.append(element("pre", { tabindex: "0" }, pretty(detail)));
  });
  return element("li", {}, details);
}

export function pretty(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? "undefined";
  } catch {
    return String(value);
  }
}

export function catalogItem({ id, outcome, effect, reason, holder, registrationId, detail }: CatalogRow): HTMLElement {
  return folded(
    [
      element("code", {}, id),
      element("span", { class: outcome }, outcome),
      element("span", { class: "quiet" }, effect),
      element("span", { class: "quiet" }, [holder, registrationId].filter(Boolean).join(" · ")),
      element("span", {}, reason),
    ],
    detail,
  );
}

export function timelineItem({ at, source, what, about, durationMs, data, drop }: TimelineLine): HTMLElement {
  const took = durationMs === undefined ? "" : `${durationMs.toFixed(1)} ms`;
  return folded(
    [
      element("span", { class: "quiet" }, `${(at / 1000).toFixed(3)} s`),
      element("span", { class: "quiet" }, source),
      element("code", drop ? { class: "drop" } : {}, what),
      element("span", {}, about),
      element("span", { class: "quiet" }, took),
    ],
    data,
  );
}

export function pendingItem(
  { confirmationId, capabilityId, summary, input }: PendingConfirmation,
  decide: (approved: boolean) => void,
): HTMLElement {
  const button = (text: string, approved: boolean): HTMLElement => {
    const made = element("button", { type: "button" }, text);
    made.addEventListener("click", () => decide(approved));
    return made;
  };
  return element(
    "li",
    { "data-confirmation": confirmationId },
    element("code", {}, capabilityId),
    element("p", {}, summary),
    element("pre", { tabindex: "0" }, pretty(input)),
    button("Approve", true),
    " ",
    button("Deny", false),
  );
}
