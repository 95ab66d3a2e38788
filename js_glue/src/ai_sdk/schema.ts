// A JSON Schema as the AI SDK takes it, without loading the AI SDK: it knows its own schemas by a registered symbol.
// There is no `validate`, so that the runtime gets raw arguments and answers INPUT_INVALID itself (spec: domain.md §13).
// A Standard Schema would do without the symbol, but the AI SDK closes such a schema's objects, and the one here is
// shared and frozen (decision 21).

import type { Schema } from "ai";

const SCHEMA = Symbol.for("vercel.ai.schema");

export function rawSchema(jsonSchema: Readonly<Record<string, unknown>>): Schema<unknown> {
  const made = { [SCHEMA]: true, _type: undefined, jsonSchema, validate: undefined };
  if (!isSchema(made)) throw new TypeError("a schema of the AI SDK carries its symbol");
  return made;
}

/** As the AI SDK looks at it. */
function isSchema(value: object): value is Schema<unknown> {
  return SCHEMA in value && "jsonSchema" in value && "validate" in value;
}
