// The part of a definition that is contract, as JSON text: what crosses, what an authority compares, what contracts are
// known by. Behaviour, policies among it, is no part of it.

import { AgentSurfaceDefinitionError, invalidDefinition } from "../errors.js";
import { jsonText, LOOSE_BOUNDS } from "../json/value.js";
import { isAgentSchema, standardOf, type StandardSchema } from "../schema/schema.js";
import { BEHAVIOUR, INSTANCE, KIND, TABLES, type Table } from "./entries.js";
import { isObject } from "./values.js";

export interface Literal {
  readonly type: string;
  readonly text: string;
  readonly key: string;
  readonly standards: ReadonlyMap<string, StandardSchema<unknown>>;
}

/** Throws AgentSurfaceDefinitionError; `expanded`: contract and behaviour are one object. */
export function literalContract(source: object, expanded: boolean): Literal {
  const type: unknown = Reflect.get(source, "type");
  const typeName = typeof type === "string" ? type : String(type);
  const standards = new Map<string, StandardSchema<unknown>>();
  const literal: Record<string, unknown> = { __proto__: null };
  for (const key of Object.keys(source)) {
    if (key === "policies" || (key === "bind" && !expanded)) continue;
    if (expanded && INSTANCE.has(key)) continue;
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
      if (key === "policies") {
        const place = `component "${type}", ${KIND[table]} "${name}"`;
        throw invalidDefinition(`${place}: policies have no place in a capability's contract; its binding has one`);
      }
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
