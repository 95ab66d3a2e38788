// Start here: one registry for the page; components register when they mount and unregister when they unmount.
// Then read contracts.js (what an agent reads), table.js (what it may do), store.js (where every change ends up),
// dialog.js (capabilities that come and go) and console.js (the agent's side).
import { createAgentSurfaceRegistry, loadRuntime } from "/viewcap/entry.browser.js";
import { createWebMcpAdapter } from "/viewcap/webmcp/index.js";
import "/viewcap/inspector/index.js";
import { AgentConsole } from "./console.js";
import { navigationContract } from "./contracts.js";
import { mountCustomers } from "./customers.js";
import { mountReminder } from "./dialog.js";
import { byId, el } from "./dom.js";
import { createStore, TABLES } from "./store.js";
import { mountTable } from "./table.js";

const main = byId("main");

await loadRuntime().catch((error) => {
  main.append(el("p", { className: "error", role: "alert" }, `The page could not start: ${error.message}`));
  throw error;
});

const registry = createAgentSurfaceRegistry({ environment: "development" });
const store = createStore();
const app = { registry, store, remount };

// One place for each component, so that a remounted one comes back where it was.
const places = Object.fromEntries(
  [...TABLES, "reminder", "customers"].map((key) => [key, el("div", { className: `place ${key}` })]),
);
main.append(...Object.values(places));
const mounted = new Map(); // key → unmount

function mount(key) {
  const place = places[key];
  if (key === "customers") mounted.set(key, mountCustomers(app, place));
  else if (key === "reminder") mounted.set(key, mountReminder(app, place));
  else mounted.set(key, mountTable(app, place, key));
}

function unmount(key) {
  mounted.get(key)();
  mounted.delete(key);
}

function remount(key) {
  unmount(key);
  mount(key);
  places[key].querySelector("button").focus();
}

/** What is mounted follows from the state, whoever changed it. */
function render() {
  const onInvoices = [...TABLES, ...(store.draft() ? ["reminder"] : [])];
  const wanted = store.page() === "invoices" ? onInvoices : ["customers"];
  for (const key of [...mounted.keys()]) if (!wanted.includes(key)) unmount(key);
  for (const key of wanted) if (!mounted.has(key)) mount(key);
  for (const link of document.querySelectorAll("[data-page]")) {
    link.href = store.hrefOf(link.dataset.page);
    if (link.dataset.page === store.page()) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

registry.register(
  navigationContract.bind({
    observations: { readPage: { read: () => ({ page: store.page() }) } },
    actions: { goTo: { execute: ({ page }) => store.goTo(page) } },
  }),
);

// The console subscribes before anything else mounts, so that its log is complete; it refreshes after the page has.
const agentConsole = new AgentConsole(registry);
render();
agentConsole.refresh();
store.subscribe(() => {
  render();
  agentConsole.refresh();
});

// A browser with an agent of its own sees the same capabilities; one without has no such API, and nothing happens.
createWebMcpAdapter({ consumer: { id: "browser", kind: "webmcp" } }).start(registry);
// What an agent sees of the page, for whoever builds it; closed it costs nothing.
document.querySelector("viewcap-inspector").registry = registry;

// The skip link moves the focus only: the hash belongs to the application.
document.querySelector("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault();
  byId("console").focus();
});
