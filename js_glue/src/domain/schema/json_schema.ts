// JSON Schema for the wire, from either kind of schema (spec: domain.md §11).
//
//     toJsonSchema(z.object({ page: z.number().default(1) }))      // input shape: page is optional
//     registerSchemaConverter("acme", (schema) => schema.describe());
//
// Results are deep-frozen and shared: one conversion per schema object, however often it is listed (decision 21). A
// failure is not kept, so the next call tries again. Converters are looked up in this order: registered for the vendor,
// carried by the schema itself, built in for the vendor.

import { isRecord, member } from "../../contract/values.js";
import { deepFreeze, jsonCopy, jsonText, LOOSE_BOUNDS } from "../../json/value.js";
import { isAgentSchema, type JsonSchema } from "../../schema/schema.js";
import { BUILT_IN, carriedConversion, type SchemaConverter } from "./converters.js";
import { isLate } from "./issues.js";
import type { DomainSchema } from "./schema.js";
import { NO_SCHEMA } from "./validate.js";

const registered = new Map<string, SchemaConverter>();
let converted = new WeakMap<object, JsonSchema>();

/**
 * Replaces every earlier converter of the vendor, the built-in one included, and forgets every conversion. TypeError for
 * a vendor that is no non-empty string and for a converter that is no function.
 */
export function registerSchemaConverter(vendor: string, convert: SchemaConverter): void {
  if (typeof vendor !== "string" || vendor === "") {
    throw new TypeError("registerSchemaConverter: the vendor must be a non-empty string");
  }
  if (typeof convert !== "function") {
    throw new TypeError(`registerSchemaConverter: the converter of ${JSON.stringify(vendor)} must be a function`);
  }
  registered.set(vendor, convert);
  converted = new WeakMap();
}

/** Deep-frozen. TypeError for what is no schema or has no vendor; an Error that says why where it cannot be converted. */
export function toJsonSchema(schema: DomainSchema): JsonSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) {
    throw new TypeError(`toJsonSchema: ${NO_SCHEMA}`);
  }
  const known = converted.get(schema);
  if (known !== undefined) return known;
  // The author's converter may register another one: what it makes then belongs to a cache that is gone.
  const cache = converted;
  const fresh = frozenCopy(...conversionOf(schema));
  cache.set(schema, fresh);
  return fresh;
}

/**
 * The same for a schema that a model's tool advertises: its root must be an object (decision 15). Both model surfaces
 * ask here, at registry build, at runtime construction and in every listing.
 */
export function toAdvertisedSchema(schema: DomainSchema): JsonSchema {
  const json = toJsonSchema(schema);
  if (json["type"] === "object") return json;
  throw new Error(
    `a tool's input is an object, so the root of its JSON Schema must have "type": "object"; ` +
      `found ${rootOf(json)}. Put the value into a field of an object.`,
  );
}

function rootOf(json: JsonSchema): string {
  if (json["type"] !== undefined) return `"type": ${JSON.stringify(json["type"])}`;
  const keys = Object.keys(json).filter((key) => !key.startsWith("$") || key === "$ref");
  return keys.length === 0
    ? "no type"
    : `no type, but ${keys
        .slice(0, 5)
        .map((key) => JSON.stringify(key))
        .join(", ")}`;
}

/** What was converted, and by whom: for the sentence of a failure. */
function conversionOf(schema: DomainSchema): [made: unknown, who: string] {
  const standard: unknown = Reflect.get(schema, "~standard");
  if (standard === undefined && isAgentSchema(schema)) return [schema.jsonSchema, "the literal schema"];
  const vendor = member(standard, "vendor");
  if (typeof vendor !== "string" || vendor === "") {
    throw new TypeError(`toJsonSchema: ${NO_SCHEMA}; found one whose "~standard".vendor is no non-empty string`);
  }
  const who = `the converter of ${JSON.stringify(vendor)}`;
  const own = registered.get(vendor);
  if (own !== undefined) return [Reflect.apply(own, undefined, [schema]), who];
  const carried = carriedConversion(schema);
  if (carried !== undefined) return [carried(), who];
  const builtIn = BUILT_IN.get(vendor);
  if (builtIn !== undefined) return [builtIn(schema), who];
  throw new Error(
    `no converter to JSON Schema is known for schemas of ${JSON.stringify(vendor)}: ` +
      `call registerSchemaConverter(${JSON.stringify(vendor)}, convert)`,
  );
}

function frozenCopy(made: unknown, who: string): JsonSchema {
  if (isLate(made)) throw new Error(`${who} answered a promise; a converter answers at once`);
  const json = isRecord(made) ? jsonText(made, LOOSE_BOUNDS) : { problem: { message: "it is no object", path: "" } };
  if ("problem" in json) {
    const { path, message } = json.problem;
    throw new Error(`${who} must answer a JSON Schema object: ${path === "" ? "" : `${path} `}${message}`);
  }
  const copy: unknown = deepFreeze(jsonCopy(json));
  if (!isRecord(copy)) throw new TypeError("the copy of an object is an object");
  return copy;
}
