/** Makes one element: `el("button", { type: "button", onclick: save }, "Save")`. Keys that are no DOM property become attributes. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

export const byId = (id) => document.getElementById(id);

const euros = new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR", maximumFractionDigits: 0 });
export const formatAmount = (amount) => euros.format(amount);

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
export const formatDay = (date) => day.format(new Date(date));
