// From a definition to what crosses: the contract's JSON text, and the binding's entries by capability index.
//
// A contract object is checked and interned once per registry, however many instances bind it. The expanded form has no
// contract object of its own; it is split here, and its text is what it is known by.

import { AgentSurfaceDefinitionError, invalidDefinition } from "../errors.js";
import { jsonText, LOOSE_BOUNDS } from "../json/value.js";
import type { Runtime } from "../runtime/runtime.js";
import { isAgentSchema, standardOf, type StandardSchema } from "../schema/schema.js";
import { boundOf, isObject } from "./define.js";

/** What the registry calls of a capability. Read anew at every use, so that an author may swap a closure. */
export interface Entry {
  read?(ctx: object): unknown;
  execute?(input: unknown, ctx: object): unknown;
  when?(): unknown;
  unavailableReason?: unknown;
  precondition?(input: unknown, ctx: object): unknown;
}

export interface InternedContract {
  readonly id: number;
  readonly type: string;
  /** What the registration guard may see. */
  readonly description: string;
  readonly origin: string;
  readonly tags?: unknown;
  readonly meta?: unknown;
  readonly observationCount: number;
  /** Observations, then actions; a capability's index is its place here. */
  readonly names: readonly string[];
  readonly capabilityIds: readonly string[];
  /** By index: who validates the input in JavaScript. */
  readonly standards: readonly (StandardSchema<unknown> | undefined)[];
}

export interface Split {
  readonly contract: InternedContract;
  readonly entries: readonly Entry[];
  /** instanceId, parent, enabled, internal. */
  readonly fields: object;
}

const TABLES = ["observations", "actions"] as const;
type Table = (typeof TABLES)[number];
const KIND = { observations: "observation", actions: "action" } as const;
const BEHAVIOUR: Readonly<Record<Table, ReadonlySet<string>>> = {
  observations: new Set(["read", "when", "unavailableReason"]),
  actions: new Set(["execute", "when", "unavailableReason", "precondition"]),
};
const HANDLER = { observations: "read", actions: "execute" } as const;
const INSTANCE = new Set(["instanceId", "parent", "enabled", "internal"]);
const LATER = "policies are not part of this version";

export class ContractTable {
  readonly #runtime: Runtime;
  readonly #h: number;
  readonly #byObject = new WeakMap<object, InternedContract>();
  readonly #byText = new Map<string, InternedContract>();

  constructor(runtime: Runtime, h: number) {
    this.#runtime = runtime;
    this.#h = h;
  }

  /** Checks a definition and takes it apart; throws AgentSurfaceDefinitionError. */
  split(definition: unknown): Split {
    if (!isObject(definition)) throw invalidDefinition("a definition is an object");
    const bound = boundOf(definition);
    const contractSource = bound?.contract ?? definition;
    const binding = bound?.binding ?? definition;
    const contract = this.#contract(contractSource, bound === undefined);
    if (bound !== undefined) checkBindingFields(contract.type, binding);
    const entries = new Array<Entry>(contract.names.length);
    const last = contract.observationCount;
    bindTable(contract, binding, "observations", 0, last, bound === undefined, entries);
    bindTable(contract, binding, "actions", last, contract.names.length, bound === undefined, entries);
    for (const table of TABLES) refuseUndeclared(contract, binding, table);
    return { contract, entries, fields: binding };
  }

  #contract(source: object, expanded: boolean): InternedContract {
    const known = expanded ? undefined : this.#byObject.get(source);
    if (known !== undefined) return known;
    const literal = literalContract(source, expanded);
    const interned = this.#byText.get(literal.key) ?? this.#intern(source, literal);
    if (!expanded) this.#byObject.set(source, interned);
    return interned;
  }

  #intern(source: object, literal: Literal): InternedContract {
    let answer: unknown;
    try {
      answer = this.#runtime.answer(literal.text, (table) => table.internContract(this.#h));
    } catch (error) {
      throw naming(literal.type, error);
    }
    if (!isInternAnswer(answer)) throw new TypeError("unexpected answer of internContract");
    const field = (name: string): unknown => Reflect.get(source, name);
    const observations: unknown = field("observations");
    const contract: InternedContract = {
      id: answer.contract,
      type: literal.type,
      description: String(field("description")),
      origin: String(field("origin") ?? "first-party"),
      tags: field("tags"),
      meta: field("meta"),
      names: answer.capabilities,
      capabilityIds: answer.capabilities.map((name) => `view:${literal.type}.${name}`),
      observationCount: isObject(observations) ? Object.keys(observations).length : 0,
      standards: answer.capabilities.map((name) => literal.standards.get(name)),
    };
    // Standard Schemas are behaviour: equal texts may validate differently, so only contracts without them are shared.
    if (literal.standards.size === 0) this.#byText.set(literal.key, contract);
    return contract;
  }
}

interface Literal {
  readonly type: string;
  readonly text: string;
  readonly key: string;
  readonly standards: ReadonlyMap<string, StandardSchema<unknown>>;
}

function literalContract(source: object, expanded: boolean): Literal {
  const type: unknown = Reflect.get(source, "type");
  const typeName = typeof type === "string" ? type : String(type);
  const standards = new Map<string, StandardSchema<unknown>>();
  const literal: Record<string, unknown> = { __proto__: null };
  for (const key of Object.keys(source)) {
    if (key === "bind" && !expanded) continue;
    if (expanded && INSTANCE.has(key)) continue;
    if (key === "policies") throw invalidDefinition(`component "${typeName}": ${LATER}`);
    literal[key] = Reflect.get(source, key);
  }
  for (const table of TABLES) {
    const capabilities = literal[table];
    if (isObject(capabilities)) literal[table] = literalTable(typeName, table, capabilities, expanded, standards);
  }
  const json = jsonText(literal, LOOSE_BOUNDS);
  if ("problem" in json) {
    const { path, message } = json.problem;
    const code = path === "/type" ? "INVALID_ID" : "INVALID_DEFINITION";
    throw new AgentSurfaceDefinitionError(code, `component "${typeName}": ${message} (JSON values are allowed)`);
  }
  const external = standards.size === 0 ? "" : `,"external":${JSON.stringify([...standards.keys()])}`;
  return { type: typeName, text: `{"contract":${json.text}${external}}`, key: json.text, standards };
}

function literalTable(
  type: string,
  table: Table,
  capabilities: object,
  expanded: boolean,
  standards: Map<string, StandardSchema<unknown>>,
): object {
  const literal: Record<string, unknown> = { __proto__: null };
  for (const name of Object.keys(capabilities)) {
    const source: unknown = Reflect.get(capabilities, name);
    literal[name] = isObject(source) && !Array.isArray(source) ? {} : source;
    if (!isObject(source)) continue;
    const copy: Record<string, unknown> = { __proto__: null };
    for (const key of Object.keys(source)) {
      if (expanded && BEHAVIOUR[table].has(key)) continue;
      if (key === "policies") throw invalidDefinition(`component "${type}", ${KIND[table]} "${name}": ${LATER}`);
      const value: unknown = Reflect.get(source, key);
      copy[key] = key === "input" || key === "output" ? literalSchema(type, table, name, key, value) : value;
      if (key === "input" && isAgentSchema(value)) {
        const standard = standardOf(value);
        if (standard !== undefined) standards.set(name, standard);
      }
    }
    literal[name] = copy;
  }
  return literal;
}

function literalSchema(type: string, table: Table, name: string, field: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (isAgentSchema(value)) return value.jsonSchema;
  throw invalidDefinition(
    `component "${type}", ${KIND[table]} "${name}": ${field} is no schema; make one with fromJsonSchema or fromStandardSchema`,
  );
}

function checkBindingFields(type: string, binding: object): void {
  for (const key of Object.keys(binding)) {
    if (INSTANCE.has(key) || key === "observations" || key === "actions") continue;
    const why = key === "policies" ? LATER : `"${key}" has no place in a binding`;
    throw invalidDefinition(`component "${type}": ${why}`);
  }
}

/** The entries of one table, by capability index; runs at every mount, so the explanations are elsewhere. */
function bindTable(
  contract: InternedContract,
  binding: object,
  table: Table,
  from: number,
  to: number,
  expanded: boolean,
  into: Entry[],
): void {
  if (from === to) return;
  const entries: unknown = Reflect.get(binding, table);
  const own = isFields(entries) ? entries : {};
  for (let index = from; index < to; index++) {
    const name = contract.names[index] ?? "";
    const entry = Object.hasOwn(own, name) ? own[name] : undefined;
    if (!isEntry(entry, table, expanded)) throw explain(contract.type, table, name, entry, expanded);
    into[index] = entry;
  }
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

function isFunctionOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "function";
}

/** Why a binding's entry is none. */
function explain(type: string, table: Table, name: string, entry: unknown, expanded: boolean): Error {
  return invalidDefinition(`component "${type}", ${KIND[table]} "${name}": ${fault(table, entry, expanded)}`);
}

function fault(table: Table, entry: unknown, expanded: boolean): string {
  if (!isObject(entry)) return "is declared by the contract but not bound";
  for (const key in entry) {
    if (expanded || BEHAVIOUR[table].has(key)) continue;
    return key === "policies" ? LATER : `"${key}" has no place in a binding; the contract says it`;
  }
  const handler = HANDLER[table];
  if (typeof Reflect.get(entry, handler) !== "function") return `${handler} must be a function`;
  for (const key of ["when", "precondition"]) {
    if (!isFunctionOrAbsent(Reflect.get(entry, key))) return `${key} must be a function`;
  }
  return "unavailableReason must be a string or a function";
}

function refuseUndeclared(contract: InternedContract, binding: object, table: Table): void {
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

/** Makes sure that an author's mistake names the component. */
export function naming(type: string, error: unknown): unknown {
  if (!(error instanceof AgentSurfaceDefinitionError) || error.message.includes(type)) return error;
  return new AgentSurfaceDefinitionError(error.code, `component "${type}": ${error.message}`);
}

function isInternAnswer(
  answer: unknown,
): answer is { readonly contract: number; readonly capabilities: readonly string[] } {
  return isObject(answer) && "contract" in answer && "capabilities" in answer;
}
