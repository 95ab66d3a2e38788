// The snapshot: the whole surface as deep-frozen JSON (spec: capabilities.md §6).

import type { ServerEffect } from "../contract/procedure.js";
import type { JsonRecord, ViewEffect } from "../contract/types.js";
import { invalidDefinition } from "../errors.js";
import type { ConfirmationLevel } from "../generated/vocabulary.js";
import { jsonText, LOOSE_BOUNDS, deepFreeze, toWellFormed } from "../json/value.js";
import type { JsonSchema } from "../schema/schema.js";
import { consumerOf } from "./consumer.js";
import type { RegistryCore } from "./core.js";
import { notesText } from "./procedures.js";
import { votesText } from "./votes.js";

interface CapabilitySnapshot {
  readonly capabilityId: string;
  readonly name: string;
  readonly description: string;
  readonly available: boolean;
  readonly unavailableReason?: string;
  readonly meta?: JsonRecord;
}
export interface ObservationSnapshot extends CapabilitySnapshot {
  readonly outputSchema: JsonSchema;
}
export interface ActionSnapshot extends CapabilitySnapshot {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly effect: ViewEffect;
  readonly idempotent: boolean;
  readonly reversible: boolean;
  readonly confirmation: ConfirmationLevel;
}
export interface ComponentSnapshot {
  readonly type: string;
  readonly instanceId: string;
  readonly registrationId: string;
  readonly description: string;
  readonly parent?: { readonly type: string; readonly instanceId?: string };
  readonly meta?: JsonRecord;
  readonly tags?: readonly string[];
  readonly observations: readonly ObservationSnapshot[];
  readonly actions: readonly ActionSnapshot[];
}
export interface ProcedureSnapshot {
  readonly procedureId: string;
  readonly description: string;
  /** What `describe` says of the state that it would act on. */
  readonly contextualNote?: string;
  /** What is left to the agent. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly effect: ServerEffect;
  readonly confirmation: ConfirmationLevel;
  readonly available: boolean;
  readonly unavailableReason?: string;
  readonly boundFields: readonly { readonly path: string; readonly locked: boolean; readonly source: "ui-state" }[];
  readonly registrationId: string;
  /** The component that it belongs to. */
  readonly context?: { readonly type: string; readonly instanceId: string };
  readonly meta?: JsonRecord;
}
export interface SurfaceSnapshot {
  readonly surfaceId: string;
  readonly surfaceVersion: string;
  /** ISO 8601. */
  readonly capturedAt: string;
  readonly route?: string;
  readonly components: readonly ComponentSnapshot[];
  readonly procedures: readonly ProcedureSnapshot[];
  readonly truncated?: { readonly droppedComponents: number; readonly droppedProcedures?: number };
}

export function takeSnapshot(core: RegistryCore, context: object = {}): SurfaceSnapshot {
  core.assertLive();
  const wanted = contextText(context);
  const consumer = consumerOf(Reflect.get(context, "consumer"), "snapshot");
  return snapshotOf(core, () => wanted + notesText(core) + votesText(core, consumer));
}

/** The author's functions run first, and the votes last of them: what the others mount is voted on too. */
export function snapshotOf(core: RegistryCore, members: () => string): SurfaceSnapshot {
  const route = routeOf(core);
  const gates = core.gates.changes();
  core.assertLive();
  const wanted = members();
  core.assertLive();
  const now = core.now();
  let text = `{"capturedAt":"${isoTime(now)}"`;
  if (gates !== "") text += `,"gates":${gates}`;
  if (route !== undefined) text += `,"route":${JSON.stringify(route)}`;
  const snapshot = deepFreeze(core.runtime.answer(`${text}${wanted}}`, (table) => table.snapshot(core.h, now)));
  if (core.listeners.size > 0 || core.outbox.audience.listens) core.outbox.take(true);
  if (!isSnapshot(snapshot)) throw new TypeError("unexpected answer of snapshot");
  return snapshot;
}

const MEMBERS = ["scope", "includeUnavailable", "budget"] as const;

function contextText(context: object): string {
  if (typeof context !== "object" || context === null) throw invalidDefinition("snapshot takes an object");
  const scope: unknown = Reflect.get(context, "scope");
  if (scope !== undefined) scopeText(scope);
  let text = "";
  for (const key of MEMBERS) {
    const value: unknown = Reflect.get(context, key);
    if (value === undefined) continue;
    const json = jsonText(value, LOOSE_BOUNDS);
    if ("problem" in json) throw invalidDefinition(`snapshot: ${key}: ${json.problem.message}`);
    text += `,"${key}":${json.text}`;
  }
  return text;
}

/** A scope that is not understood must not become "everything". */
export function scopeText(scope: unknown): string {
  if (Array.isArray(scope) && scope.every((prefix) => typeof prefix === "string")) {
    return toWellFormed(JSON.stringify(scope));
  }
  throw invalidDefinition("a scope is a list of component-type prefixes");
}

function routeOf(core: RegistryCore): string | undefined {
  try {
    const { route } = core.settings;
    const value: unknown = typeof route === "function" ? route() : route;
    return typeof value === "string" ? toWellFormed(value) : undefined;
  } catch {
    return undefined;
  }
}

function isoTime(ms: number): string {
  return new Date(Math.min(Math.max(ms, -8.64e15), 8.64e15)).toISOString();
}

function isSnapshot(value: unknown): value is SurfaceSnapshot {
  return typeof value === "object" && value !== null && "components" in value;
}
