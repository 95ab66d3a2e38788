// From nested records of procedures to the text that the module builds a registry from (spec: domain.md §3; the format
// is that of wasm/domain/include/domain/registry.h).
//
//     const { text, capabilities } = walk({ ledgers: { close: closeLedger, list: listLedgers } });
//
// Depth first, in the order in which a record lists its keys. For a plain object that is the order of writing, except
// that JavaScript puts keys that look like integers first, ascending: an author who wants another order gives a Map or an
// array of [key, value] pairs, which keep theirs (decision 10). All three nest in each other.
//
// Whatever an author's value does, it becomes a node of the walk; only `defs` that are no record throw.

import { isWellFormed } from "../json/value.js";
import { readAgentMeta } from "./agent_meta.js";
import { findProcedure, isStreamSchema, type ProcedureView } from "./procedures/read.js";
import { entriesOf, type RecordEntry } from "./records.js";
import type { DomainSchema } from "./schema/schema.js";
import type { AgentPolicy, NormalizedAgentMeta } from "./types.js";
import { factRecord, factText, textFact, valueFacts } from "./value_facts.js";

/** One procedure with `meta.agent`; its position is that of the built registry's capability. */
export interface WalkedCapability {
  readonly path: readonly string[];
  readonly procedure: object;
  /** Frozen, with its defaults. It is what the type says once the module has accepted the walk. */
  readonly meta: NormalizedAgentMeta;
  /** `meta.policies` with composites expanded, as the module numbers them. */
  readonly policies: readonly AgentPolicy[];
  readonly inputSchema?: DomainSchema;
  readonly outputSchema?: DomainSchema;
}

export interface Walk {
  readonly text: string;
  readonly capabilities: readonly WalkedCapability[];
}

const MAX_DEPTH = 64;
const MAX_ENTRIES = 100_000;
const TOO_MANY = "more than 100000 entries";
const REPEATED = "a second entry under the same key";

/** TypeError when `defs` is no object, or an array that is no list of pairs. */
export function walk(defs: unknown): Walk {
  if (typeof defs !== "object" || defs === null || (Array.isArray(defs) && entriesOf(defs) === undefined)) {
    const found = defs === null ? "null" : Array.isArray(defs) ? "an array of something else" : `a ${typeof defs}`;
    throw new TypeError(
      `procedures are given as an object, a Map or an array of [key, value] pairs of procedures; found ${found}`,
    );
  }
  const walker = new Walker();
  walker.take(defs, []);
  return { text: `{"nodes":[${walker.nodes.join(",")}]}`, capabilities: walker.capabilities };
}

class Walker {
  readonly nodes: string[] = [];
  readonly capabilities: WalkedCapability[] = [];
  /** Records that are being walked: one that holds itself has no bottom. */
  readonly #open = new Set<unknown>();
  #left = MAX_ENTRIES;

  take(value: unknown, path: readonly string[]): void {
    try {
      const found = findProcedure(value);
      if (found.kind === "procedure") return this.#addProcedure(found.view, path);
      if (found.kind !== "other") return this.#add(path, found.kind);
      const entries = entriesOf(value);
      if (entries === undefined) return this.#add(path, "leaf", { found: leafFacts(value) });
      this.#enter(value, entries, path);
    } catch {
      this.#add(path, "leaf", { found: factText("unreadable") });
    }
  }

  #enter(record: unknown, entries: readonly RecordEntry[], path: readonly string[]): void {
    if (this.#open.has(record) || path.length >= MAX_DEPTH) return this.#add(path, "leaf", { found: factText("deep") });
    this.#open.add(record);
    const seen = new Set<string>();
    for (const { key, read } of entries) {
      if (--this.#left < 0) {
        // Said once, at the first that is too much.
        if (this.#left === -1) this.#add([...path, key], "leaf", { found: textFact(TOO_MANY) });
        break;
      }
      this.#takeEntry(key, read, [...path, key], seen.has(key));
      seen.add(key);
    }
    this.#open.delete(record);
  }

  #takeEntry(key: string, read: () => unknown, path: readonly string[], isRepeated: boolean): void {
    // What is below has no id, so it is not looked at.
    if (key === "" || key.includes(".") || !isWellFormed(key)) return this.#add(path, "segment");
    if (isRepeated) return this.#add(path, "leaf", { found: textFact(REPEATED) });
    let value: unknown;
    try {
      value = read();
    } catch {
      return this.#add(path, "leaf", { found: factText("unreadable") });
    }
    this.take(value, path);
  }

  #addProcedure(view: ProcedureView, path: readonly string[]): void {
    const agent = readAgentMeta(view.meta);
    const { procedure, inputSchema, outputSchema } = view;
    this.#add(path, "procedure", { meta: agent?.text, input: sideOf(inputSchema), output: sideOf(outputSchema) });
    // A root has no id; the module refuses it.
    if (agent === undefined || path.length === 0) return;
    const { meta, policies } = agent;
    this.capabilities.push(
      Object.freeze({
        path: Object.freeze(path),
        procedure,
        meta,
        policies,
        ...(inputSchema === undefined ? {} : { inputSchema }),
        ...(outputSchema === undefined ? {} : { outputSchema }),
      }),
    );
  }

  #add(path: readonly string[], kind: string, facts: Readonly<Record<string, string | undefined>> = {}): void {
    this.nodes.push(factRecord({ path: `[${path.map(textFact).join(",")}]`, kind: `"${kind}"`, ...facts }));
  }
}

/** Of a container the problem says what it is; what is in it is nobody's business. */
function leafFacts(value: unknown): string {
  if (typeof value !== "object" || value === null) return valueFacts(value);
  return Array.isArray(value) ? "[]" : "{}";
}

function sideOf(schema: DomainSchema | undefined): string {
  if (schema === undefined) return '"none"';
  return isStreamSchema(schema) ? '"stream"' : '"schema"';
}
