// <viewcap-inspector>: what an agent sees of this page, and what became of its calls (spec: js-api.md).
//
//     <viewcap-inspector></viewcap-inspector>
//     const inspector = document.querySelector("viewcap-inspector");
//     inspector.registry = registry; inspector.consumer = consumer;
//     runTurn({ …, events: { onFrame: (frame) => inspector.push(frame) } });
//
// Closed it costs nothing: it listens to nothing and renders nothing; what is pushed is kept, a few hundred lines of it.
// Open it renders at most four times a second and only what changed; it looks at the whole surface when something was
// mounted, and a second after the last availability moved.

import { isRecord } from "../contract/values.js";
import type { AgentConsumer } from "../contract/types.js";
import type { Frame } from "../protocol/types.js";
import { FRAME_TYPES } from "../generated/protocol_vocabulary.js";
import type { PendingConfirmation } from "../registry/confirmations.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { AuditEvent, SurfaceEvent } from "../runtime/answers.js";
import { InspectorModel, type CatalogRow, type TimelineLine } from "./model.js";
import { STYLE } from "./style.js";
import { catalogItem, element, MOST_ROWS, pendingItem, pretty, timelineItem } from "./view.js";

const TABS = ["Catalog", "Timeline", "Pending", "Drops"] as const;
type Tab = (typeof TABS)[number];
const RENDER_MS = 250;
const QUIET_MS = 1_000;

/** On a server there is nothing to extend; nobody makes one there. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? class {};

export class ViewcapInspector extends Base {
  readonly #model = new InspectorModel();
  #registry: AgentSurfaceRegistry | undefined;
  #consumer: AgentConsumer | undefined;
  #ends: (() => void)[] = [];
  #tab: Tab = "Catalog";
  #filter = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stale = true;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  readonly #made = new WeakMap<object, HTMLElement>();
  #list: HTMLElement | undefined;

  get registry(): AgentSurfaceRegistry | undefined {
    return this.#registry;
  }
  set registry(registry: AgentSurfaceRegistry | undefined) {
    this.#registry = registry;
    this.#reopen();
  }

  /** For whom the catalog is shown; default: the anonymous one. */
  get consumer(): AgentConsumer | undefined {
    return this.#consumer;
  }
  set consumer(consumer: AgentConsumer | undefined) {
    this.#consumer = consumer;
    this.#stale = true;
    this.#soon();
  }

  get open(): boolean {
    return this.hasAttribute("open");
  }
  set open(open: boolean) {
    this.toggleAttribute("open", open);
  }

  /** A frame of a host; anything else is passed over. */
  push(frame: Frame): void {
    if (!isRecord(frame) || !FRAME_TYPES.some((type) => type === frame.type)) return;
    this.#model.frame(frame);
    if (frame.type !== "text-delta" && frame.type !== "reasoning-delta") this.#soon();
  }

  /** So that it can be one of a registry's audit sinks. */
  record(event: AuditEvent): void {
    this.#model.audit(event);
    this.#soon();
  }

  static readonly observedAttributes = ["open"];
  attributeChangedCallback(): void {
    if (this.isConnected) this.#reopen();
  }
  connectedCallback(): void {
    if (this.shadowRoot === null) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
    }
    this.#reopen();
  }
  disconnectedCallback(): void {
    this.#close();
  }

  #close(): void {
    for (const end of this.#ends.splice(0)) end();
    clearTimeout(this.#timer);
    clearTimeout(this.#quiet);
    this.#timer = undefined;
    this.#list = undefined;
  }

  #reopen(): void {
    const { shadowRoot: root } = this;
    if (root === null || !this.isConnected) return;
    this.#close();
    if (!this.open) {
      const button = element("button", { type: "button" }, "viewcap");
      button.addEventListener("click", () => {
        this.open = true;
        root.querySelector("input")?.focus();
      });
      root.replaceChildren(button);
      return;
    }
    root.replaceChildren(this.#frame());
    const registry = this.#registry;
    if (registry !== undefined) {
      try {
        this.#ends.push(registry.subscribe((event) => this.#heard(event)));
        this.#ends.push(registry.confirmations.subscribe(() => this.#soon()));
      } catch {
        // Disposed of: there is nothing to hear.
      }
    }
    this.#stale = true;
    this.#render();
  }

  #heard(event: SurfaceEvent): void {
    if (event.type === "availability-changed") {
      if (!this.#model.move(event)) this.#stale = true;
      clearTimeout(this.#quiet);
      this.#quiet = setTimeout(() => {
        this.#stale = true;
        this.#soon();
      }, QUIET_MS);
    } else if (event.type !== "surface-changed") {
      this.#model.event(event);
      if (event.type.startsWith("component-")) this.#stale = true;
    }
    this.#soon();
  }

  #soon(): void {
    if (this.#list === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#render();
    }, RENDER_MS);
  }

  #frame(): HTMLElement {
    const filter = element("input", { type: "search", "aria-label": "Filter", placeholder: "Filter" });
    if (filter instanceof HTMLInputElement) {
      filter.value = this.#filter;
      filter.addEventListener("input", () => {
        this.#filter = filter.value;
        this.#render();
      });
    }
    const tabs = TABS.map((tab) => {
      const button = element(
        "button",
        { type: "button", role: "tab", "aria-selected": String(tab === this.#tab) },
        tab,
      );
      button.addEventListener("click", () => {
        this.#tab = tab;
        for (const one of tabs) one.setAttribute("aria-selected", String(one === button));
        this.#render();
      });
      return button;
    });
    const copy = element("button", { type: "button" }, "Copy JSON");
    copy.addEventListener("click", () => void this.#copy(copy));
    const close = element("button", { type: "button", "aria-label": "Close" }, "✕");
    close.addEventListener("click", () => {
      this.open = false;
      this.shadowRoot?.querySelector("button")?.focus();
    });
    const tablist = element("span", { role: "tablist", "aria-label": "Views" }, ...tabs);
    this.#list = element("ul", { class: "list", "aria-label": "Entries", tabindex: "0" });
    const panel = element("section", { class: "panel", "aria-label": "viewcap inspector" });
    panel.append(element("header", {}, element("strong", {}, "viewcap"), tablist, filter, copy, close), this.#list);
    panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close.click();
    });
    return panel;
  }

  /** What the tab shows, all of it. */
  #entries(): readonly Entry[] {
    if (this.#tab === "Timeline") return this.#model.timeline(this.#filter);
    if (this.#tab === "Drops") return this.#model.drops(this.#filter);
    if (this.#tab === "Pending") return this.#pending();
    this.#look();
    return this.#model.rows(this.#filter);
  }

  #look(): void {
    if (!this.#stale || this.#registry === undefined) return;
    this.#stale = false;
    try {
      this.#model.look(this.#registry, this.#consumer);
    } catch {
      // The last look stays: the registry is gone.
    }
  }

  #pending(): readonly PendingConfirmation[] {
    try {
      return this.#registry?.confirmations.pending() ?? [];
    } catch {
      return [];
    }
  }

  async #copy(button: HTMLElement): Promise<void> {
    const text = pretty(this.#entries());
    await navigator.clipboard.writeText(text).then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = "Not permitted"),
    );
    setTimeout(() => (button.textContent = "Copy JSON"), 1500);
  }

  #render(): void {
    const list = this.#list;
    if (list === undefined) return;
    const entries = this.#entries();
    const items = entries.slice(0, MOST_ROWS).map((entry) => this.#itemOf(entry));
    if (entries.length > MOST_ROWS) {
      items.push(
        element("li", { class: "note" }, `${String(entries.length - MOST_ROWS)} more; the filter finds them.`),
      );
    }
    if (entries.length === 0) items.push(element("li", { class: "note" }, "Nothing here."));
    // Only what differs is touched: what is unfolded, or has the focus, stays.
    const staying = new Set<Element>(items);
    for (const child of [...list.children]) if (!staying.has(child)) child.remove();
    for (const [index, item] of items.entries()) {
      const there = list.children[index];
      if (there !== item) list.insertBefore(item, there ?? null);
    }
  }

  #itemOf(entry: Entry): HTMLElement {
    const known = this.#made.get(entry);
    if (known !== undefined) return known;
    const item = this.#makeItem(entry);
    this.#made.set(entry, item);
    return item;
  }

  #makeItem(entry: Entry): HTMLElement {
    if ("key" in entry) return catalogItem(entry);
    if ("source" in entry) return timelineItem(entry);
    const { confirmationId } = entry;
    return pendingItem(entry, (approved) => void this.#registry?.confirmations.resolve(confirmationId, { approved }));
  }
}

type Entry = CatalogRow | TimelineLine | PendingConfirmation;

/** Once; under another name where the page has one of its own. Nothing where there are no custom elements. */
export function defineInspector(name = "viewcap-inspector"): void {
  if (typeof customElements === "undefined" || customElements.get(name) !== undefined) return;
  customElements.define(name, name === "viewcap-inspector" ? ViewcapInspector : class extends ViewcapInspector {});
}
