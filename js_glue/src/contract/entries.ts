// The entries of a binding: what the registry calls of each capability, checked against the contract.

import { invalidDefinition } from "../errors.js";
import { attach, type AttachedPolicy } from "./attach.js";
import { isFunctionOrAbsent, isObject } from "./values.js";

/** What the registry calls of a capability. Read anew at every use, so that an author may swap a closure. */
export interface Entry {
  read?(ctx: object): unknown;
  execute?(input: unknown, ctx: object): unknown;
  when?(): unknown;
  unavailableReason?: unknown;
  precondition?(input: unknown, ctx: object): unknown;
  /** Of a reference to a procedure: what the page adds to the input, and what it says of its state. */
  bind?(): unknown;
  describe?(): unknown;
}

export const TABLES = ["observations", "actions"] as const;
export type Table = (typeof TABLES)[number];
export const KIND = { observations: "observation", actions: "action" } as const;
export const BEHAVIOUR: Readonly<Record<Table, ReadonlySet<string>>> = {
  observations: new Set(["read", "when", "unavailableReason", "policies"]),
  actions: new Set(["execute", "when", "unavailableReason", "precondition", "policies"]),
};
export const INSTANCE: ReadonlySet<string> = new Set([
  "instanceId",
  "parent",
  "enabled",
  "internal",
  "policies",
  "procedures",
]);
const HANDLER = { observations: "read", actions: "execute" } as const;

/** What a binding is checked against. */
interface Declared {
  readonly type: string;
  readonly names: readonly string[];
  readonly observationCount: number;
}

export interface Bindings {
  /** By capability index. */
  readonly entries: readonly Entry[];
  /** By capability index; undefined when no capability has policies of its own. */
  readonly policies: readonly (readonly AttachedPolicy[])[] | undefined;
}

/** Runs at every mount. Throws AgentSurfaceDefinitionError; `expanded`: contract and behaviour are one object. */
export function bindEntries(contract: Declared, binding: object, expanded: boolean): Bindings {
  const last = contract.observationCount;
  const entries = new Array<Entry>(contract.names.length);
  let policies = bindTable(contract, binding, "observations", 0, last, expanded, entries);
  policies = bindTable(contract, binding, "actions", last, contract.names.length, expanded, entries, policies);
  for (const table of TABLES) refuseUndeclared(contract, binding, table);
  return { entries, policies };
}

export function checkBindingFields(type: string, binding: object): void {
  for (const key of Object.keys(binding)) {
    if (INSTANCE.has(key) || key === "observations" || key === "actions") continue;
    throw invalidDefinition(`component "${type}": "${key}" has no place in a binding`);
  }
}

function bindTable(
  contract: Declared,
  binding: object,
  table: Table,
  from: number,
  to: number,
  expanded: boolean,
  into: Entry[],
  found?: (readonly AttachedPolicy[])[],
): (readonly AttachedPolicy[])[] | undefined {
  if (from === to) return found;
  let policies = found;
  const entries: unknown = Reflect.get(binding, table);
  const own = isFields(entries) ? entries : {};
  for (let index = from; index < to; index++) {
    const name = contract.names[index] ?? "";
    const entry = Object.hasOwn(own, name) ? own[name] : undefined;
    if (!isEntry(entry, table, expanded)) throw explain(contract.type, table, name, entry, expanded);
    into[index] = entry;
    if (!("policies" in entry) || entry.policies === undefined) continue;
    policies ??= contract.names.map(() => []);
    policies[index] = attach(entry.policies, `component "${contract.type}", ${KIND[table]} "${name}"`);
  }
  return policies;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return isObject(value);
}

function isEntry(entry: unknown, table: Table, expanded: boolean): entry is Entry {
  if (!isFields(entry)) return false;
  if (typeof (table === "actions" ? entry["execute"] : entry["read"]) !== "function") return false;
  if (!isFunctionOrAbsent(entry["when"]) || !isFunctionOrAbsent(entry["precondition"])) return false;
  const reason = entry["unavailableReason"];
  if (typeof reason !== "string" && !isFunctionOrAbsent(reason)) return false;
  if (expanded) return true;
  for (const key in entry) if (!BEHAVIOUR[table].has(key)) return false;
  return true;
}

/** Why a binding's entry is none. */
function explain(type: string, table: Table, name: string, entry: unknown, expanded: boolean): Error {
  return invalidDefinition(`component "${type}", ${KIND[table]} "${name}": ${fault(table, entry, expanded)}`);
}

function fault(table: Table, entry: unknown, expanded: boolean): string {
  if (!isObject(entry)) return "is declared by the contract but not bound";
  for (const key in entry) {
    if (expanded || BEHAVIOUR[table].has(key)) continue;
    return `"${key}" has no place in a binding; the contract says it`;
  }
  const handler = HANDLER[table];
  if (typeof Reflect.get(entry, handler) !== "function") return `${handler} must be a function`;
  for (const key of ["when", "precondition"]) {
    if (!isFunctionOrAbsent(Reflect.get(entry, key))) return `${key} must be a function`;
  }
  return "unavailableReason must be a string or a function";
}

function refuseUndeclared(contract: Declared, binding: object, table: Table): void {
  const entries: unknown = Reflect.get(binding, table);
  if (entries === undefined) return;
  if (!isObject(entries)) throw invalidDefinition(`component "${contract.type}": ${table} must be an object`);
  const count = contract.observationCount;
  const expected = table === "observations" ? count : contract.names.length - count;
  const names = Object.keys(entries);
  // All declared ones are bound by now, so equal counts leave no room for another.
  if (names.length === expected) return;
  const declared = new Set(table === "observations" ? contract.names.slice(0, count) : contract.names.slice(count));
  const stray = names.find((name) => !declared.has(name)) ?? "";
  throw invalidDefinition(
    `component "${contract.type}": ${KIND[table]} "${stray}" is bound but the contract does not declare it`,
  );
}
