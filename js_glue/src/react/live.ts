// A binding whose closures are always those of the newest commit.
//
// The registry is given functions that stay the same and look into the committed binding each time they are called, so
// a re-render changes nothing that the registry could notice. What is no such function is handed on as the author wrote
// it: the registry says what is wrong with it.

import { isObject, member } from "../contract/values.js";
import { livePolicies } from "./live_policies.js";

/** Gives what was committed last. */
type Source = () => unknown;

const METHODS = { observations: ["read"], actions: ["execute", "precondition"] } as const;
type Table = keyof typeof METHODS;

export function liveBinding(source: Source): unknown {
  const committed = source();
  if (!isObject(committed)) return committed;
  const live: Record<string, unknown> = {};
  for (const key of Object.keys(committed)) {
    const value: unknown = Reflect.get(committed, key);
    const table = key === "observations" || key === "actions" ? key : undefined;
    live[key] =
      table === undefined || !isObject(value) ? value : liveTable(() => member(source(), table), table, value);
  }
  if (live["policies"] !== undefined) {
    live["policies"] = livePolicies(() => member(source(), "policies"), live["policies"]);
  }
  return live;
}

function liveTable(source: Source, table: Table, committed: object): object {
  const live: Record<string, unknown> = { __proto__: null };
  for (const name of Object.keys(committed)) {
    const entry: unknown = Reflect.get(committed, name);
    live[name] = isObject(entry) ? liveEntry(() => member(source(), name), METHODS[table], entry) : entry;
  }
  return live;
}

function liveEntry(source: Source, methods: readonly string[], committed: object): object {
  const live: Record<string, unknown> = { ...committed };
  for (const name of methods) {
    if (isMissing(committed, name) && name !== "precondition") continue;
    delegate(live, name, source, undefined);
  }
  liveGate(live, source);
  if (live["policies"] !== undefined) {
    live["policies"] = livePolicies(() => member(source(), "policies"), live["policies"]);
  }
  return live;
}

/** `when` and its reason. A gate is always there: one that a later render adds must not need another registration. */
export function liveGate(live: Record<string, unknown>, source: Source): void {
  delegate(live, "when", source, true);
  const reason = live["unavailableReason"];
  if (reason !== undefined && typeof reason !== "string" && typeof reason !== "function") return;
  Object.defineProperty(live, "unavailableReason", {
    enumerable: true,
    get: () => member(source(), "unavailableReason"),
  });
}

/** Puts a function at `name` that calls what is committed there, or answers `absent` where nothing is. */
export function delegate(live: Record<string, unknown>, name: string, source: Source, absent: unknown): void {
  if (!isMissing(live, name) && typeof live[name] !== "function") return;
  live[name] = (...given: unknown[]): unknown => {
    const owner = source();
    const method = member(owner, name);
    if (method === undefined) return absent;
    if (typeof method !== "function") throw new TypeError(`${name} must be a function`);
    return Reflect.apply(method, owner, given);
  };
}

function isMissing(owner: object, name: string): boolean {
  return Reflect.get(owner, name) === undefined;
}
