// For whom: the consumer of a projection or a snapshot, as its author's code gave it.

import type { AgentConsumer } from "../contract/types.js";
import { invalidDefinition } from "../errors.js";
import { CONSUMER_KINDS } from "../generated/vocabulary.js";
import { isWellFormed } from "../json/value.js";

export const ANONYMOUS: AgentConsumer = Object.freeze({ id: "anonymous", kind: "embedded" });
const LONGEST_ID = 128;
/** Most steps are for the same consumer as the one before. */
let last: AgentConsumer = ANONYMOUS;

/** A frozen copy; absent: the anonymous one. Throws INVALID_DEFINITION. */
export function consumerOf(given: unknown, who: string): AgentConsumer {
  if (given === undefined) return ANONYMOUS;
  if (typeof given !== "object" || given === null) throw invalidDefinition(`${who}: consumer is { id, kind }`);
  const id: unknown = Reflect.get(given, "id");
  const kind: unknown = Reflect.get(given, "kind");
  const grants: unknown = Reflect.get(given, "grants");
  if (typeof id !== "string" || id.length > LONGEST_ID || !isWellFormed(id)) {
    throw invalidDefinition(`${who}: consumer.id is a well-formed string of at most ${String(LONGEST_ID)} code units`);
  }
  if (last.id === id && last.kind === kind && grants === undefined && last.grants === undefined) return last;
  const known = CONSUMER_KINDS.find((word) => word === kind);
  if (known === undefined) {
    throw invalidDefinition(`${who}: consumer.kind is ${shown(kind)}; allowed are ${CONSUMER_KINDS.join(", ")}`);
  }
  if (grants === undefined) return (last = Object.freeze({ id, kind: known }));
  if (!Array.isArray(grants) || !grants.every((grant) => typeof grant === "string")) {
    throw invalidDefinition(`${who}: consumer.grants is a list of strings`);
  }
  return Object.freeze({ id, kind: known, grants: Object.freeze([...grants]) });
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : typeof value;
}

export function consumerKey({ kind, id }: AgentConsumer): string {
  return `${kind}:${id}`;
}
