// Ids and wire names (spec: capabilities.md §2), computed by the module.

import { AgentSurfaceDefinitionError, invalidDefinition } from "./errors.js";
import { isWellFormed } from "./json/value.js";
import { liveRuntime } from "./runtime/load.js";
import { Conversion } from "./runtime/table.js";

export type ParsedCapabilityId =
  | { readonly plane: "view"; readonly componentType: string; readonly name: string }
  | { readonly plane: "domain"; readonly path: string };

export interface WireNameEntry {
  readonly id: string;
  readonly instanceId?: string | undefined;
}

/** Both ways JSON; null stands for "no value". */
function convert(name: keyof typeof Conversion, value: unknown): unknown {
  return liveRuntime(name).answer(JSON.stringify(value), (table) => table.convert(Conversion[name]));
}

/** The parts of a capability id; undefined for everything that is none. */
export function parseCapabilityId(id: unknown): ParsedCapabilityId | undefined {
  liveRuntime("parseCapabilityId");
  if (typeof id !== "string" || !isWellFormed(id)) return undefined;
  const parsed = convert("parseCapabilityId", id);
  return isParsed(parsed) ? parsed : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
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
  return textOf(convert("wireName", id)) ?? "";
}

/** With an instance qualifier; `level` 0 to 2 picks the length of the hash where a name is shortened. */
export function encodeWireNameForInstance(id: string, instanceId?: string, level: 0 | 1 | 2 = 0): string {
  assertId(id);
  const name = textOf(convert("wireNameForInstance", [id, instanceId ?? "", level]));
  if (name !== undefined) return name;
  throw new AgentSurfaceDefinitionError(
    "INVALID_ID",
    "no wire name: the instance id or the level (0 to 2) is malformed",
  );
}

/** One name per entry of a catalog, in order; undefined for an entry that has to be withheld. */
export function assignWireNames(entries: readonly WireNameEntry[]): (string | undefined)[] {
  if (!Array.isArray(entries)) throw invalidDefinition("assignWireNames takes a list of entries");
  const list = entries.map(({ id, instanceId }) => {
    assertId(id);
    return { id, instanceId };
  });
  const names = convert("assignWireNames", list);
  return Array.isArray(names) ? names.map(textOf) : [];
}

/** The id of a faithfully encoded name; undefined for every other one: a plausible wrong id is worse than none. */
export function decodeWireName(name: unknown): string | undefined {
  liveRuntime("decodeWireName");
  return typeof name === "string" && isWellFormed(name) ? textOf(convert("decodeWireName", name)) : undefined;
}
