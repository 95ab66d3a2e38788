// What the inspector knows: the surface as explainSurface tells it, and a bounded timeline of events, audit and frames.
// No DOM here.

import { member } from "../contract/values.js";
import { explainSurface, type ExplainedCapability } from "../explain/index.js";
import type { AgentConsumer } from "../contract/types.js";
import type { DomainTool, Frame } from "../protocol/types.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { AuditEvent, SurfaceEvent } from "../runtime/answers.js";

/** Lines that are kept; older ones go. */
const MOST_LINES = 500;

export interface CatalogRow {
  readonly key: string;
  readonly id: string;
  readonly plane: "view" | "domain";
  readonly outcome: "available" | "unavailable" | "hidden";
  readonly effect: string;
  readonly reason: string;
  /** Who holds it: type and instance, or the server. */
  readonly holder: string;
  /** Another mount is another one. */
  readonly registrationId: string;
  readonly detail: unknown;
}

export interface TimelineLine {
  /** Milliseconds since the page began. */
  readonly at: number;
  readonly source: "event" | "audit" | "frame";
  readonly what: string;
  readonly about: string;
  readonly durationMs?: number;
  readonly data: unknown;
  /** Something was left out, refused or doubled. */
  readonly drop: boolean;
}

const DROPS = /^(?:catalog\.|audit\.missed|history-trimmed|collision-suspected|component-rejected)/;

export class InspectorModel {
  #rows: CatalogRow[] = [];
  #domain: readonly CatalogRow[] = [];
  readonly #places = new Map<string, number>();
  readonly #lines: TimelineLine[] = [];
  readonly #started = new Map<string, number>();

  /** Every capability that is mounted, the hidden ones too. A row that says the same stays the same object. */
  look(registry: AgentSurfaceRegistry, consumer: AgentConsumer | undefined): void {
    const before = new Map(this.#rows.map((row) => [row.key, row]));
    this.#rows = explainSurface(registry, { consumer }).capabilities.map((one) => {
      const row = rowOf(one);
      const known = before.get(row.key);
      return known !== undefined && JSON.stringify(known) === JSON.stringify(row) ? known : row;
    });
    this.#places.clear();
    for (const [index, { key }] of this.#rows.entries()) this.#places.set(key, index);
  }

  /** An availability that moved, in its place. Why, and who votes, only the next look says; false for no such row. */
  move({ registrationId, capabilityId, available }: SurfaceEvent & { readonly type: "availability-changed" }): boolean {
    const place = this.#places.get(`${registrationId} ${capabilityId}`);
    const row = place === undefined ? undefined : this.#rows[place];
    if (place === undefined || row === undefined || row.outcome === "hidden") return false;
    const outcome = available ? "available" : "unavailable";
    this.#rows[place] = { ...row, outcome, reason: "", detail: "Look again in a moment." };
    return true;
  }

  rows(filter: string): readonly CatalogRow[] {
    const all = [...this.#rows, ...this.#domain];
    return filtered(
      all,
      filter,
      (row) => `${row.id} ${row.outcome} ${row.effect} ${row.holder} ${row.registrationId} ${row.reason}`,
    );
  }

  /** Newest first. */
  timeline(filter: string): readonly TimelineLine[] {
    return filtered(this.#lines, filter, ({ source, what, about }) => `${source} ${what} ${about}`).toReversed();
  }

  drops(filter: string): readonly TimelineLine[] {
    return this.timeline(filter).filter(({ drop }) => drop);
  }

  event(event: SurfaceEvent): void {
    const about = [member(event, "capabilityId"), member(event, "componentType"), member(event, "confirmationId")];
    this.#add(
      "event",
      event.type,
      about.find((one) => typeof one === "string"),
      member(event, "durationMs"),
      event,
    );
  }

  audit(event: AuditEvent): void {
    this.#add("audit", event.type, event.capabilityId ?? event.registrationId, event.durationMs, event);
  }

  frame(frame: Frame): void {
    const { type } = frame;
    // A word each would push everything else out.
    if (type === "text-delta" || type === "reasoning-delta") return;
    if (type === "step-start") this.#domain = frame.domainTools.map(domainRowOf);
    const what = type === "inspector" ? frame.eventType : type;
    this.#add("frame", what, this.#aboutFrame(frame), this.#took(frame), frame);
  }

  #aboutFrame(frame: Frame): string {
    const data = member(frame, "data");
    const places = [member(frame, "canonicalId"), member(data, "canonicalId"), member(data, "capabilityId")];
    const more = [member(frame, "summary"), member(member(frame, "error"), "code"), member(frame, "finishReason")];
    return String([...places, ...more].find((one) => typeof one === "string" && one !== "") ?? "");
  }

  /** Of a call or a step, where its beginning was seen. */
  #took(frame: Frame): number | undefined {
    // No frame tells of its end: that is the page's own.
    if (frame.type === "tool-call" && frame.executor === "browser") return undefined;
    const begins = frame.type === "tool-call" || frame.type === "step-start";
    const id = "toolCallId" in frame ? frame.toolCallId : "stepId" in frame ? frame.stepId : undefined;
    if (id === undefined) return undefined;
    const start = this.#started.get(id);
    if (begins) this.#started.set(id, performance.now());
    else this.#started.delete(id);
    return begins || start === undefined ? undefined : performance.now() - start;
  }

  #add(source: TimelineLine["source"], what: string, about: unknown, duration: unknown, data: unknown): void {
    const line = { at: performance.now(), source, what, about: typeof about === "string" ? about : "", data };
    const took = typeof duration === "number" ? { durationMs: duration } : {};
    this.#lines.push({ ...line, ...took, drop: DROPS.test(what) });
    if (this.#lines.length > MOST_LINES) this.#lines.splice(0, this.#lines.length - MOST_LINES);
  }
}

function rowOf(one: ExplainedCapability): CatalogRow {
  const { capabilityId: id, registrationId, outcome, effect, reason = "", componentType, instanceId } = one;
  const plane = id.startsWith("domain:") ? "domain" : "view";
  const holder = componentType === undefined ? "procedure" : `${componentType} #${instanceId ?? "default"}`;
  const { causes, votes } = one;
  return {
    key: `${registrationId} ${id}`,
    id,
    plane,
    outcome,
    effect,
    reason,
    holder,
    registrationId,
    detail: { causes, votes },
  };
}

function domainRowOf(tool: DomainTool): CatalogRow {
  const { canonicalId: id, sideEffect: effect = "write", requiresApproval } = tool;
  return {
    key: `server ${id}`,
    id,
    plane: "domain",
    outcome: "available",
    effect,
    reason: requiresApproval ? "Needs an approval." : "",
    holder: "server",
    registrationId: "",
    detail: tool,
  };
}

function filtered<T>(list: readonly T[], filter: string, text: (one: T) => string): readonly T[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return list;
  return list.filter((one) => words.every((word) => text(one).toLowerCase().includes(word)));
}
