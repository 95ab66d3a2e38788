// What policies are told of a capability, out of the contract's own text.

import { deepFreeze } from "../json/value.js";
import { CONFIRMATION_LEVELS, EFFECTS, type ConfirmationLevel } from "../generated/vocabulary.js";
import { KIND, TABLES } from "./entries.js";
import type { CapabilityFacts } from "./policy.js";
import type { JsonRecord } from "./types.js";
import { isObject, isRecord, ownMember } from "./values.js";

/** The facts of a component's capabilities by index, parsed from the contract's JSON text when first asked for. */
export function factsOf(text: string): () => readonly CapabilityFacts[] {
  let facts: readonly CapabilityFacts[] | undefined;
  return () => (facts ??= read(JSON.parse(text)));
}

function read(contract: unknown): readonly CapabilityFacts[] {
  const facts: CapabilityFacts[] = [];
  for (const table of TABLES) {
    const capabilities = ownMember(contract, table);
    if (!isObject(capabilities)) continue;
    for (const name of Object.keys(capabilities)) {
      const one = ownMember(capabilities, name);
      const meta = { ...record(contract, "meta"), ...record(one, "meta") };
      const tags = [...labels(contract), ...labels(one)];
      facts.push({
        plane: "view",
        kind: KIND[table],
        effect: EFFECTS.find((word) => word === ownMember(one, "effect")) ?? "read",
        confirmation: CONFIRMATION_LEVELS.find((word) => word === ownMember(one, "confirmation")) ?? "never",
        ...(Object.keys(meta).length === 0 ? {} : { meta }),
        ...(tags.length === 0 ? {} : { tags }),
      });
    }
  }
  deepFreeze(facts);
  return facts;
}

const BY_EFFECT: Readonly<Record<string, ConfirmationLevel>> = {
  "server-query": "never",
  "server-mutation": "optional",
  "external-side-effect": "required",
  destructive: "required",
};

/** Of a reference to a procedure: its one capability. */
export function procedureFacts(text: string, raised: ConfirmationLevel | undefined): () => readonly CapabilityFacts[] {
  let facts: readonly CapabilityFacts[] | undefined;
  return () => (facts ??= readProcedure(ownMember(JSON.parse(text), "procedure"), raised));
}

function readProcedure(contract: unknown, raised: ConfirmationLevel | undefined): readonly CapabilityFacts[] {
  const effect = EFFECTS.find((word) => word === ownMember(contract, "effect")) ?? "server-query";
  const stated = CONFIRMATION_LEVELS.find((word) => word === ownMember(contract, "confirmation"));
  const own = stated ?? BY_EFFECT[effect] ?? "never";
  const confirmation =
    raised !== undefined && CONFIRMATION_LEVELS.indexOf(raised) > CONFIRMATION_LEVELS.indexOf(own) ? raised : own;
  const meta = record(contract, "meta");
  const facts: CapabilityFacts[] = [
    {
      plane: "domain",
      kind: "procedure",
      effect,
      confirmation,
      ...(Object.keys(meta).length === 0 ? {} : { meta }),
    },
  ];
  deepFreeze(facts);
  return facts;
}

function record(from: unknown, key: string): JsonRecord {
  const value = ownMember(from, key);
  return isRecord(value) ? value : {};
}

function labels(from: unknown): readonly string[] {
  const tags = ownMember(from, "tags");
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}
