// Ids and wire names (spec: capabilities.md §2), computed by the module.

import { AgentSurfaceDefinitionError, invalidDefinition } from "./errors.js";
import { isWellFormed } from "./json/value.js";
import { liveRuntime } from "./runtime/load.js";

export type ParsedCapabilityId =
  | { readonly plane: "view"; readonly componentType: string; readonly name: string }
  | { readonly plane: "domain"; readonly path: string };

export interface WireNameEntry {
  readonly id: string;
  readonly instanceId?: string | undefined;
}

function convert(who: string, name: string, text: string): string {
  return liveRuntime(who).call(text, (table, passed) => table.convert(name, passed));
}

/** The parts of a capability id; undefined for everything that is none. */
export function parseCapabilityId(id: unknown): ParsedCapabilityId | undefined {
  const runtime = liveRuntime("parseCapabilityId");
  if (typeof id !== "string" || id === "" || id.length > 128 || !isWellFormed(id)) return undefined;
  const answer = runtime.call(id, (table, text) => table.convert("parseCapabilityId", text));
  const parsed: unknown = answer === "" ? undefined : JSON.parse(answer);
  return isParsed(parsed) ? parsed : undefined;
}

function isParsed(value: unknown): value is ParsedCapabilityId {
  return typeof value === "object" && value !== null && "plane" in value;
}

function assertId(id: unknown): asserts id is string {
  if (parseCapabilityId(id) !== undefined) return;
  const found = typeof id === "string" ? JSON.stringify(id) : typeof id;
  throw new AgentSurfaceDefinitionError("INVALID_ID", `${found} is no capability id`);
}

/** The wire name of a capability on its own. */
export function encodeWireName(id: string): string {
  assertId(id);
  return convert("encodeWireName", "wireName", id);
}

/** With an instance qualifier; `level` 0 to 2 picks the length of the hash where a name is shortened. */
export function encodeWireNameForInstance(id: string, instanceId?: string, level: 0 | 1 | 2 = 0): string {
  assertId(id);
  return convert("encodeWireNameForInstance", "wireNameForInstance", JSON.stringify({ id, instanceId, level }));
}

/** One name per entry of a catalog, in order; undefined for an entry that has to be withheld. */
export function assignWireNames(entries: readonly WireNameEntry[]): (string | undefined)[] {
  if (!Array.isArray(entries)) throw invalidDefinition("assignWireNames takes a list of entries");
  const list = entries.map(({ id, instanceId }) => {
    assertId(id);
    return { id, instanceId };
  });
  const names: unknown = JSON.parse(convert("assignWireNames", "assignWireNames", JSON.stringify(list)));
  if (!Array.isArray(names)) return [];
  return names.map((name: unknown) => (typeof name === "string" && name !== "" ? name : undefined));
}

/** The id of a faithfully encoded name; undefined for every other one: a plausible wrong id is worse than none. */
export function decodeWireName(name: unknown): string | undefined {
  const runtime = liveRuntime("decodeWireName");
  if (typeof name !== "string" || name === "" || name.length > 64 || !isWellFormed(name)) return undefined;
  const id = runtime.call(name, (table, text) => table.convert("decodeWireName", text));
  return id === "" ? undefined : id;
}
