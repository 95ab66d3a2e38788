// What a model would see differently, one line per difference.

import { isObject, ownMember } from "../contract/values.js";

interface Entry {
  /** By a name that a reader knows: `view:invoices.set`, `component invoices`, `domain:approve`. */
  readonly [name: string]: unknown;
}

/** Part of the contract, and so of an authority's hash, but of no tool. */
const UNSEEN = /^\/(?:priority|origin|timeoutMs|concurrency|audit)\b/;

/** Lines, sorted by capability; none when both manifests say the same. */
export function differences(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return names.flatMap((name) => {
    if (!(name in now)) return [`- ${name} is gone`];
    if (!(name in old)) return [`+ ${name} is new`];
    return compared(old[name], now[name], "").map(
      (line) => `~ ${name} ${line}${UNSEEN.test(line) ? " (no model sees this)" : ""}`,
    );
  });
}

function entriesOf(manifest: unknown): Entry {
  const entries: Record<string, unknown> = { __proto__: null };
  const contracts = ownMember(manifest, "contracts");
  if (!isObject(contracts)) return entries;
  for (const name of Object.keys(contracts)) {
    const contract = ownMember(Reflect.get(contracts, name), "contract");
    if (name.startsWith("domain:")) {
      entries[name] = contract;
      continue;
    }
    const own: Record<string, unknown> = isObject(contract) ? { ...contract } : {};
    for (const table of ["observations", "actions"]) {
      const capabilities: unknown = own[table];
      delete own[table];
      if (!isObject(capabilities)) continue;
      for (const one of Object.keys(capabilities)) entries[`view:${name}.${one}`] = Reflect.get(capabilities, one);
    }
    entries[`component ${name}`] = own;
  }
  return entries;
}

function compared(before: unknown, after: unknown, path: string): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    const lines = keys.flatMap((key) => compared(ownMember(before, key), ownMember(after, key), `${path}/${key}`));
    if (lines.length > 0) return lines;
  }
  return [`${path}: ${shown(before)} → ${shown(after)}`];
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
