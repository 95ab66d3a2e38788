// A dialog whose capabilities exist only while it is open. It is not modal, so that the console stays usable beside it.
import { reminderContract } from "./contracts.js";
import { INVOICES } from "./data.js";
import { byId, el, formatAmount } from "./dom.js";

const TONES = [
  ["friendly", "Friendly"],
  ["firm", "Firm"],
];

/** Mounts the dialog of the store's draft into `host`; the returned function unmounts it. */
export function mountReminder({ registry, store }, host) {
  const opener = document.activeElement;
  const { dialog, message, render } = createReminderView(store);
  host.append(dialog);
  // show() would take the focus; it moves only for a person who opened the dialog from the table, never for an agent.
  dialog.setAttribute("open", "");
  if (byId("main").contains(opener)) message.focus();

  const unsubscribe = store.subscribe(render);
  const registration = registry.register(
    reminderContract.bind({
      observations: { readDraft: { read: () => store.draft() } },
      actions: {
        setDraft: { execute: (patch) => store.setDraft(patch) },
        closeDraft: { execute: () => store.closeDraft() },
      },
    }),
  );
  return () => {
    registration.unregister();
    unsubscribe();
    const hadFocus = dialog.contains(document.activeElement);
    dialog.remove();
    if (hadFocus && opener.isConnected) opener.focus();
  };
}

function createReminderView(store) {
  const { id, customer, amount } = INVOICES.find((row) => row.id === store.draft().invoiceId);
  const tones = TONES.map(([value]) => el("input", { type: "radio", name: "tone", value }));
  for (const tone of tones) tone.addEventListener("change", () => store.setDraft({ tone: tone.value }));
  const message = el("textarea", { id: "message", rows: 3, maxLength: 400 });
  message.addEventListener("input", () => store.setDraft({ message: message.value }));
  const close = el("button", { type: "button", onclick: () => store.closeDraft() }, "Close without sending");

  const dialog = el(
    "dialog",
    { "aria-labelledby": "reminder-title" },
    el("h2", { id: "reminder-title" }, `Reminder for ${customer}`),
    el("p", { className: "quiet" }, `${id}, ${formatAmount(amount)}`),
    el(
      "fieldset",
      { className: "tones" },
      el("legend", {}, "Tone"),
      ...tones.map((tone, index) => el("label", {}, tone, TONES[index][1])),
    ),
    el("label", { htmlFor: "message" }, "Message"),
    message,
    el("div", { className: "buttons" }, close),
  );
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") store.closeDraft();
  });

  function render() {
    const draft = store.draft();
    if (draft === null) return;
    for (const tone of tones) tone.checked = tone.value === draft.tone;
    if (message.value !== draft.message) message.value = draft.message;
  }

  render();
  return { dialog, message, render };
}
