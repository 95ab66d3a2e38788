// Manifests as the contract compiler writes them, made here by other means.

import { createHash } from "node:crypto";

/** RFC 8785 for what contracts hold: sorted keys, JSON.stringify's numbers and strings. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

export const sha256 = (value) => createHash("sha256").update(canonical(value)).digest("hex");

/** The manifest of literal contracts: schemas in place, no functions. */
export function manifestOf(...contracts) {
  const entries = contracts.map((contract) => [contract.type ?? contract.id, { sha256: sha256(contract), contract }]);
  const all = Object.fromEntries(entries);
  return { format: 1, contracts: all, sha256: sha256(all) };
}
