// A dialog whose capabilities exist only while it is open. It is not modal, so that the console stays usable beside it.
import { reminderContract } from "./contracts.js";
import { INVOICES } from "./data.js";
import { el, formatAmount } from "./dom.js";

const TONES = [["friendly", "Friendly"], ["firm", "Firm"]];

export function mountReminder({ registry, store }, host) {
  const opener = document.activeElement;
  const invoice = INVOICES.find((row) => row.id === store.draft().invoiceId);

  const tones = TONES.map(([value, label]) => {
    const input = el("input", { type: "radio", name: "tone", value });
    input.addEventListener("change", () => store.setDraft({ tone: value }));
    return { input, node: el("label", {}, input, label) };
  });
  const message = el("textarea", { id: "message", rows: 3, maxLength: 400 });
  message.addEventListener("input", () => store.setDraft({ message: message.value }));

  const dialog = el("dialog", { className: "reminder", "aria-labelledby": "reminder-title" },
    el("h2", { id: "reminder-title" }, `Reminder for ${invoice.customer}`),
    el("p", { className: "quiet" }, `${invoice.id}, ${formatAmount(invoice.amount)}`),
    el("fieldset", { className: "tones" }, el("legend", {}, "Tone"), ...tones.map(({ node }) => node)),
    el("label", { htmlFor: "message" }, "Message"),
    message,
    el("div", { className: "buttons" }, el("button", { type: "button", onclick: () => store.closeDraft() }, "Close without sending")));
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") store.closeDraft();
  });

  function render() {
    const draft = store.draft();
    if (draft === null) return;
    for (const { input } of tones) input.checked = input.value === draft.tone;
    if (message.value !== draft.message) message.value = draft.message;
  }

  render();
  host.append(dialog);
  // show() would take the focus; it moves only for a person who opened the dialog from the table, never for an agent.
  dialog.setAttribute("open", "");
  const openedByPerson = host.contains(opener);
  if (openedByPerson) message.focus();

  const unsubscribe = store.subscribe(render);
  const registration = registry.register(reminderContract.bind({
    observations: { readDraft: { read: () => store.draft() } },
    actions: {
      setDraft: { execute: (patch) => store.setDraft(patch) },
      closeDraft: { execute: () => store.closeDraft() },
    },
  }));
  return () => {
    registration.unregister();
    unsubscribe();
    const hadFocus = dialog.contains(document.activeElement);
    dialog.remove();
    if (hadFocus && opener.isConnected) opener.focus();
  };
}
