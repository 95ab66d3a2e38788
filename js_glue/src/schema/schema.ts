// Schemas: literal JSON Schema and the TypeScript type that it stands for.
//
//     const Filters = fromJsonSchema<{ status: "open" | "paid" }>({ type: "object", … });
//     Filters.parse(value);            // a JSON copy, or AgentSchemaError; needs the module
//
// A schema made from a Standard Schema validates in JavaScript, with its own library; its JSON Schema is what an agent
// sees. Making a schema needs no module; the module checks it against the profile when a contract that uses it is
// registered, or at the first `parse`.

import { AgentSchemaError, invalidDefinition, type SchemaIssue } from "../errors.js";
import { jsonCopy, jsonText, LOOSE_BOUNDS, deepFreeze, toWellFormed } from "../json/value.js";
import { liveRuntime } from "../runtime/load.js";
import { issuesIn, programIn } from "./program.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface AgentSchema<out T> {
  /** Deep-frozen literal JSON Schema. */
  readonly jsonSchema: JsonSchema;
  /** The value as the schema's type, a copy; throws AgentSchemaError. */
  readonly parse: (value: unknown) => T;
}

/** What this package needs of a Standard Schema (standardschema.dev). */
export interface StandardSchema<out T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>;
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}
export type StandardResult<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

// Known by mark and not by class: schemas of another copy of the package work here too.
const STANDARD = Symbol.for("viewcap.standardSchema");

/** A schema from literal JSON Schema. `T` is the author's word for what the schema accepts. */
export function fromJsonSchema<T = unknown>(schema: JsonSchema): AgentSchema<T> {
  const jsonSchema = schemaCopy(schema, "fromJsonSchema");
  const self: AgentSchema<T> = { jsonSchema, parse: (value: unknown): T => parseInModule<T>(self, value) };
  return Object.freeze(self);
}

/** A schema whose validation is a Standard Schema's; `jsonSchema` is what the agent reads. */
export function fromStandardSchema<T>(
  schema: StandardSchema<T>,
  options: { readonly jsonSchema: JsonSchema },
): AgentSchema<T> {
  const standard: unknown = schema["~standard"];
  if (typeof standard !== "object" || standard === null || typeof Reflect.get(standard, "validate") !== "function") {
    throw invalidDefinition('fromStandardSchema needs an object with "~standard".validate');
  }
  const self = {
    jsonSchema: schemaCopy(options.jsonSchema, "fromStandardSchema"),
    parse: (value: unknown): T => {
      const result = schema["~standard"].validate(value);
      if (result instanceof Promise) {
        result.catch(() => undefined);
        throw new AgentSchemaError([{ path: "", message: "this schema validates asynchronously; parse cannot wait" }]);
      }
      if (result.issues !== undefined) throw new AgentSchemaError(standardIssues(result.issues));
      return result.value;
    },
    [STANDARD]: schema,
  };
  return Object.freeze(self);
}

/** The closed object without members: the input of an action that needs none. */
export const emptyObjectSchema: AgentSchema<Record<string, never>> = /* @__PURE__ */ fromJsonSchema({
  type: "object",
  properties: {},
  additionalProperties: false,
});

export function isAgentSchema(value: unknown): value is AgentSchema<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "parse") === "function" &&
    Reflect.get(value, "jsonSchema") !== undefined
  );
}

/** The Standard Schema behind a schema, if there is one. */
export function standardOf(schema: AgentSchema<unknown>): StandardSchema<unknown> | undefined {
  const standard: unknown = Reflect.get(schema, STANDARD);
  return isStandard(standard) ? standard : undefined;
}

function isStandard(value: unknown): value is StandardSchema<unknown> {
  return value !== undefined;
}

/** Issues with JSON Pointer paths, at most 20. */
export function standardIssues(issues: readonly StandardIssue[]): SchemaIssue[] {
  return issues.slice(0, 20).map((issue) => ({
    path: (issue.path ?? []).map((part) => `/${pointerPart(typeof part === "object" ? part.key : part)}`).join(""),
    message: toWellFormed(String(issue.message)),
  }));
}

function pointerPart(key: PropertyKey): string {
  return toWellFormed(String(key)).replace(/~/g, "~0").replace(/\//g, "~1");
}

function schemaCopy(schema: unknown, who: string): JsonSchema {
  const json = jsonText(schema, LOOSE_BOUNDS);
  if ("problem" in json) throw invalidDefinition(`${who}: the schema is no JSON value: ${json.problem.message}`);
  const copy: unknown = deepFreeze(jsonCopy(json));
  if (!isSchema(copy)) throw invalidDefinition(`${who}: a schema is a JSON object`);
  return copy;
}

function isSchema(value: unknown): value is JsonSchema {
  // A boolean schema is refused by the profile, with keyword and place, where the schema is used.
  return (typeof value === "object" && value !== null && !Array.isArray(value)) || typeof value === "boolean";
}

function parseInModule<T>(schema: AgentSchema<T>, value: unknown): T {
  const runtime = liveRuntime("parse");
  const program = programIn(runtime, schema, runtime.variant === "full");
  const json = jsonText(value, LOOSE_BOUNDS);
  if ("problem" in json) throw new AgentSchemaError([{ path: json.problem.path, message: json.problem.message }]);
  const issues = issuesIn(runtime, program, json.text);
  if (issues.length > 0) throw new AgentSchemaError(issues);
  const copy = jsonCopy(json);
  if (!isValidated<T>(copy)) throw new TypeError("a JSON value is never undefined");
  return copy;
}

/** The schema stands for `T`, and the module found the value to fit it. */
function isValidated<T>(value: unknown): value is T {
  return value !== undefined;
}
