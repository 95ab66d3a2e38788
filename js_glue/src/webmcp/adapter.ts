// The live surface as the browser's own tools (spec: js-api.md, viewcap/webmcp).
//
//     const adapter = createWebMcpAdapter({ consumer: { id: "browser", kind: "browser-agent" } });
//     adapter.start(registry);      // and stop() when the page ends
//
// The browser's API is slow to change and tells everybody of each change, so it is touched only for what differs, once a
// task. It forgets no mistakes either: a name that is taken rejects, a call in flight breaks when its tool goes, and a
// rejection that nobody handles is the page's error. Each of these is met here.

import { member } from "../contract/values.js";
import { invalidDefinition } from "../errors.js";
import { coreOf } from "../registry/internals.js";
import { nextTask } from "../registry/next_task.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { SurfaceEvent } from "../runtime/answers.js";
import type { MetaTool } from "../toolset/tool.js";
import { metaToolsOf } from "./calls.js";
import { modelContextOf, readWebMcpOptions, type WebMcpSettings } from "./options.js";
import { PublishedTool } from "./published.js";
import type { ModelContextLike, WebMcpOptions, WebMcpReport, WithheldTool } from "./types.js";
import { wantedTools, type Wanted, type WantedTool } from "./wanted.js";

/** A name may be free again a task later: another adapter of the page is on its way out. */
const TRIES = 3;

interface Refused extends Omit<WithheldTool, "wireName"> {
  readonly text: string;
  readonly tries: number;
}

export class WebMcpAdapter {
  readonly #settings: WebMcpSettings;
  readonly #published = new Map<string, PublishedTool>();
  /** Names that the browser refused, by what they were refused with. */
  readonly #refused = new Map<string, Refused>();
  #registry: AgentSurfaceRegistry | undefined;
  #meta: readonly MetaTool[] = [];
  #context: ModelContextLike | undefined;
  #closed = new AbortController();
  #unsubscribe: (() => void) | undefined;
  #scheduled = false;
  #off = false;
  #told = "";

  constructor(options: WebMcpOptions) {
    this.#settings = readWebMcpOptions(options);
  }

  /** Publishes at once. The same registry again changes nothing; another one, without a stop() between, is refused. */
  start(registry: AgentSurfaceRegistry): void {
    coreOf(registry, "createWebMcpAdapter");
    if (this.#registry === registry) return;
    if (this.#registry !== undefined) throw invalidDefinition("createWebMcpAdapter: stop() it before another registry");
    this.#registry = registry;
    this.#closed = new AbortController();
    this.#meta = metaToolsOf(registry, this.#settings, this.#closed.signal);
    this.#off = false;
    this.#context = modelContextOf(this.#settings);
    if (this.#context === undefined) return this.#report();
    this.#unsubscribe = registry.subscribe((event) => {
      if (CHANGES.includes(event.type)) this.#schedule();
    });
    this.#reconcile();
  }

  /** Takes every tool away; one that runs ends first. */
  stop(): void {
    if (this.#registry === undefined) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#registry = undefined;
    for (const tool of [...this.#published.values()]) tool.retire();
    this.#closed.abort();
    this.#refused.clear();
    this.#told = "";
  }

  /** Once a task, whatever happened in it. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    void nextTask().then(() => {
      this.#scheduled = false;
      this.#reconcile();
    });
  }

  #reconcile(): void {
    const registry = this.#registry;
    if (registry === undefined || this.#off) return;
    let wanted: Wanted;
    try {
      wanted = wantedTools(registry, this.#settings, this.#meta, this.#closed.signal);
    } catch {
      // The registry was disposed of, or its module died: there is nothing left to offer.
      return this.stop();
    }
    for (const [name, tool] of [...this.#published]) {
      if (wanted.tools.get(name)?.text !== tool.text && !tool.retiring) tool.retire(wanted.live);
    }
    for (const [name, want] of wanted.tools) this.#offer(name, want);
    this.#report(wanted);
  }

  #offer(name: string, want: WantedTool): void {
    const known = this.#published.get(name);
    if (known?.text === want.text) return known.renew(want);
    // The old one still runs: its end brings the next reconciliation.
    if (known !== undefined) return;
    const refused = this.#refused.get(name);
    if (refused !== undefined && refused.text === want.text && refused.tries >= TRIES) return;
    this.#publish(name, want);
  }

  #publish(name: string, want: WantedTool): void {
    const tool = new PublishedTool(want, () => {
      if (this.#published.get(name) === tool) this.#published.delete(name);
      this.#schedule();
    });
    this.#published.set(name, tool);
    const { signal } = tool;
    const taken = (): void => void (tool.gone || this.#refused.delete(name));
    try {
      const registered = this.#context?.registerTool({ ...want.tool, execute: tool.execute }, { signal });
      // Also of a registration that was superseded meanwhile: its rejection is nobody's error.
      Promise.resolve(registered).then(taken, (error: unknown) => this.#rejected(name, tool, error));
    } catch (error) {
      this.#rejected(name, tool, error);
    }
  }

  #rejected(name: string, tool: PublishedTool, error: unknown): void {
    if (tool.gone) return;
    this.#published.delete(name);
    const kind = String(member(error, "name"));
    if (kind === "NotAllowedError" || kind === "SecurityError") return this.#turnOff();
    const tries = (this.#refused.get(name)?.tries ?? 0) + 1;
    const reason = kind === "InvalidStateError" ? "name-taken" : "refused";
    this.#refused.set(name, { text: tool.text, canonicalId: tool.canonicalId, tries, reason });
    this.#schedule();
  }

  /** Asking again would be refused again, until somebody starts it anew. */
  #turnOff(): void {
    if (this.#off) return;
    this.#off = true;
    for (const tool of [...this.#published.values()]) tool.retire();
    this.#report();
  }

  #report(wanted?: Wanted): void {
    const { onReport } = this.#settings;
    if (onReport === undefined) return;
    const names = [...this.#refused].filter(([name, { text }]) => wanted?.tools.get(name)?.text === text);
    const refused = names.map(([wireName, { canonicalId, reason }]) => ({ wireName, canonicalId, reason }));
    const published = [...this.#published].filter(([, tool]) => !tool.retiring).map(([name]) => name);
    const channel = this.#context === undefined ? "missing" : this.#off ? "off" : "open";
    const report: WebMcpReport = { channel, published, withheld: [...(wanted?.withheld ?? []), ...refused] };
    const text = JSON.stringify(report);
    if (text === this.#told) return;
    this.#told = text;
    try {
      onReport(report);
    } catch (error) {
      console.error("viewcap: onReport of a WebMCP adapter threw", error);
    }
  }
}

const CHANGES: readonly SurfaceEvent["type"][] = [
  "surface-changed",
  "availability-changed",
  "component-registered",
  "component-unregistered",
];

/** INVALID_DEFINITION for options that cannot be. Nothing happens before start(). */
export function createWebMcpAdapter(options: WebMcpOptions): WebMcpAdapter {
  return new WebMcpAdapter(options);
}
