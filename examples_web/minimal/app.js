// Start here. One registry for the page; components register when they mount and unregister when they unmount.
import { createAgentSurfaceRegistry, loadRuntime } from "/viewcap/entry.browser.js";
import { startConsole } from "./console.js";
import { navigationContract } from "./contracts.js";
import { mountCustomers } from "./customers.js";
import { mountReminder } from "./dialog.js";
import { byId, el } from "./dom.js";
import { createStore, TABLES } from "./store.js";
import { mountTable } from "./table.js";

const main = byId("main");

function start() {
  const registry = createAgentSurfaceRegistry({ environment: "development" });
  const store = createStore();
  const mounted = new Map();
  const app = { registry, store, remount };

  function mount(key) {
    if (key === "customers") mounted.set(key, mountCustomers(app, main));
    else if (key === "reminder") mounted.set(key, mountReminder(app, main));
    else {
      const place = el("div");
      main.insertBefore(place, key === "open" ? main.firstChild : main.querySelector("dialog"));
      const unmount = mountTable(app, place, key);
      mounted.set(key, () => (unmount(), place.remove()));
    }
  }

  function unmount(key) {
    mounted.get(key)();
    mounted.delete(key);
  }

  function remount(key) {
    unmount(key);
    mount(key);
    main.querySelector(`[aria-labelledby="${key}-title"] button`).focus();
  }

  /** What is mounted follows from the state, whoever changed it. */
  function render() {
    const onInvoices = store.page() === "invoices";
    const wanted = onInvoices ? [...TABLES, ...(store.draft() ? ["reminder"] : [])] : ["customers"];
    for (const key of [...mounted.keys()]) if (!wanted.includes(key)) unmount(key);
    for (const key of wanted) if (!mounted.has(key)) mount(key);
    for (const link of document.querySelectorAll("[data-page]")) {
      link.href = store.hrefOf(link.dataset.page);
      if (link.dataset.page === store.page()) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  registry.register(navigationContract.bind({
    observations: { readPage: { read: () => ({ page: store.page() }) } },
    actions: { goTo: { execute: ({ page }) => store.goTo(page) } },
  }));
  // The console listens before anything mounts, so that its log is complete, and renders after the page has.
  const agentConsole = startConsole(registry);
  render();
  store.subscribe(() => (render(), agentConsole.refresh()));
  agentConsole.refresh();
}

// The skip link moves the focus; the hash belongs to the application.
document.querySelector("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault();
  byId("console").focus();
});

try {
  await loadRuntime();
  start();
} catch (error) {
  main.append(el("p", { className: "error", role: "alert" }, `The page could not start: ${error.message}`));
  throw error;
}
