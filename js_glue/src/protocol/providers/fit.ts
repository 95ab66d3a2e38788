// One schema made to fit one provider. What is rewritten never narrows what the tool accepts: the runtime checks every
// input against the original schema itself, so that whatever a rewriting lets through is refused there.

import type { Profile } from "./profiles.js";

export interface Finding {
  readonly rule: string;
  readonly severity: "drop" | "rewrite";
  /** JSON Pointer into the input schema; "" for the tool itself. */
  readonly path: string;
  readonly message: string;
}

type Schema = Record<string, unknown>;

/** Deeper than any provider takes, and than the runtime's own limit. */
const DEEPEST = 32;
const MAPS = ["properties", "$defs", "definitions", "patternProperties"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SINGLE = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
const COMBINATORS = ["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref"];
const INT32 = 2 ** 31 - 1;

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Changes `root`, which is the caller's own copy, and gives it back, or the schema that takes its place. */
export function fit(root: Schema, profile: Profile, found: Finding[]): Schema {
  const walk = new Walk(root, profile, found);
  const inline = !profile.references || root["$ref"] !== undefined;
  let schema = inline ? walk.inlined(root) : root;
  schema = walk.objectRoot(schema);
  walk.visit(schema, "", 0);
  return schema;
}

class Walk {
  readonly #profile: Profile;
  readonly #found: Finding[];
  readonly #definitions: Schema;

  constructor(root: Schema, profile: Profile, found: Finding[]) {
    this.#profile = profile;
    this.#found = found;
    this.#definitions = isSchema(root["$defs"]) ? root["$defs"] : {};
  }

  #say(severity: Finding["severity"], rule: string, path: string, message: string): void {
    this.#found.push({ rule, severity, path, message });
  }

  /** Providers want an object at the root, said plainly. */
  objectRoot(schema: Schema): Schema {
    const type = schema["type"];
    const branches = COMBINATORS.filter((key) => schema[key] !== undefined);
    const mayBeObject = type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
    if (!mayBeObject) {
      this.#say("drop", "root-object", "/type", `is ${JSON.stringify(type)}; the root of a tool's input is an object`);
      return schema;
    }
    if (type !== "object") {
      this.#say("rewrite", "root-object", "/type", 'became "object": a tool\'s input is nothing else');
      schema["type"] = "object";
    }
    if (branches.length === 0) return schema;
    for (const key of branches)
      this.#say("rewrite", "root-combinator", `/${key}`, "was taken apart: the root has none");
    return merged(schema, branches);
  }

  visit(schema: unknown, path: string, depth: number): void {
    if (!isSchema(schema)) return;
    if (depth > DEEPEST) return this.#say("drop", "depth", path, `lies deeper than ${String(DEEPEST)} levels`);
    this.#keywords(schema, path);
    this.#numbers(schema, path);
    this.#types(schema, path);
    this.#keys(schema, path);
    for (const key of MAPS) {
      const map = schema[key];
      if (!isSchema(map)) continue;
      for (const [name, one] of Object.entries(map)) this.visit(one, `${path}/${key}/${pointer(name)}`, depth + 1);
    }
    for (const key of LISTS) {
      const list = schema[key];
      if (!Array.isArray(list)) continue;
      for (const [index, one] of list.entries()) this.visit(one, `${path}/${key}/${String(index)}`, depth + 1);
    }
    for (const key of SINGLE) this.visit(schema[key], `${path}/${key}`, depth + 1);
  }

  #keywords(schema: Schema, path: string): void {
    for (const key of Object.keys(schema)) {
      if (!this.#profile.rejected.has(key)) continue;
      const value = schema[key];
      delete schema[key];
      this.#say("rewrite", "keyword", `${path}/${key}`, REPLACED[key]?.(schema, value) ?? "was left out");
    }
  }

  #numbers(schema: Schema, path: string): void {
    if (!this.#profile.int32) return;
    for (const [key, value] of Object.entries(schema)) {
      if (MAPS.includes(key) || LISTS.includes(key) || SINGLE.includes(key) || !hasLargeInteger(value, 0)) continue;
      delete schema[key];
      this.#say("rewrite", "int32", `${path}/${key}`, "was left out: it has an integer beyond 32 bits");
    }
  }

  #types(schema: Schema, path: string): void {
    const type = schema["type"];
    if (this.#profile.typeLists || !Array.isArray(type)) return;
    delete schema["type"];
    const alternatives = type.map((one: unknown) => ({ type: one }));
    const others = schema["anyOf"];
    if (others === undefined) schema["anyOf"] = alternatives;
    this.#say("rewrite", "type-list", `${path}/type`, others === undefined ? "became anyOf" : "was left out");
  }

  #keys(schema: Schema, path: string): void {
    const { keys } = this.#profile;
    const properties = schema["properties"];
    if (keys === undefined || !isSchema(properties)) return;
    const required: unknown = schema["required"];
    for (const name of Object.keys(properties)) {
      if (keys.test(name)) continue;
      const place = `${path}/properties/${pointer(name)}`;
      const needed = Array.isArray(required) && required.includes(name);
      const why = `does not fit ${keys.source}`;
      this.#say(
        needed ? "drop" : "rewrite",
        "property-key",
        place,
        needed ? `${why}, and is required` : `${why}: left out`,
      );
      delete properties[name];
      // What is no longer named must still be let through.
      delete schema["additionalProperties"];
    }
  }

  /** Every `$ref` replaced by what it stands for; one that leads back to itself has no end. */
  inlined(root: Schema): Schema {
    const open = new Set<string>();
    let left = 2000;
    const copy = (value: unknown, path: string): unknown => {
      if (left-- <= 0) return {};
      if (Array.isArray(value)) return value.map((one, index) => copy(one, `${path}/${String(index)}`));
      if (!isSchema(value)) return value;
      const target = value["$ref"];
      if (typeof target === "string") return this.#target(value, target, path, open, copy);
      const own: Schema = {};
      for (const [key, one] of Object.entries(value)) {
        if (key === "$defs" && path === "") continue;
        const data = key === "enum" || key === "const" || key === "default" || key === "examples";
        setOwn(own, key, data ? one : copy(one, `${path}/${pointer(key)}`));
      }
      return own;
    };
    const whole = copy(root, "");
    if (left <= 0) this.#say("drop", "reference", "", "its references unfold into too large a schema");
    if (root["$defs"] !== undefined) this.#say("rewrite", "reference", "/$defs", "was put where it is referred to");
    return isSchema(whole) ? whole : {};
  }

  #target(
    value: Schema,
    target: string,
    path: string,
    open: Set<string>,
    copy: (value: unknown, path: string) => unknown,
  ): unknown {
    const name = target.startsWith("#/$defs/") ? target.slice(8).replace(/~1/g, "/").replace(/~0/g, "~") : undefined;
    const found = name !== undefined && Object.hasOwn(this.#definitions, name) ? this.#definitions[name] : undefined;
    if (name === undefined || found === undefined || open.has(name)) {
      this.#say("drop", "reference", `${path}/$ref`, open.has(name ?? "") ? "leads back to itself" : "leads nowhere");
      return {};
    }
    open.add(name);
    const { $ref: _, $defs: __, ...beside } = value;
    const whole = copy(found, path);
    open.delete(name);
    return isSchema(whole) ? { ...whole, ...beside } : whole;
  }
}

/** How a rejected keyword is said otherwise; whatever it loses the runtime still checks. */
const REPLACED: Readonly<Record<string, (schema: Schema, value: unknown) => string | undefined>> = {
  const: (schema, value) => {
    if (typeof value !== "string") return undefined;
    schema["enum"] ??= [value];
    schema["type"] ??= "string";
    return "became enum";
  },
  exclusiveMinimum: (schema, value) => bound(schema, "minimum", value, 1),
  exclusiveMaximum: (schema, value) => bound(schema, "maximum", value, -1),
};

/** Exact for integers; for other numbers the border itself is let through. */
function bound(schema: Schema, key: "minimum" | "maximum", value: unknown, step: 1 | -1): string | undefined {
  if (typeof value !== "number") return undefined;
  const exact = schema["type"] === "integer" && Number.isSafeInteger(value);
  const limit = exact ? value + step : value;
  const other = schema[key];
  if (typeof other !== "number" || (step > 0 ? limit > other : limit < other)) schema[key] = limit;
  return `became ${key}`;
}

/** One object that accepts at least what all its branches do. */
function merged(schema: Schema, branches: readonly string[]): Schema {
  const { properties, required, ...rest } = schema;
  const all: Schema = isSchema(properties) ? { ...properties } : {};
  for (const key of branches) {
    for (const branch of [rest[key]].flat()) {
      const own: unknown = isSchema(branch) ? branch["properties"] : undefined;
      if (key === "not" || key === "if" || !isSchema(own)) continue;
      // Two branches that say different things of a key say nothing certain of it.
      for (const [name, one] of Object.entries(own)) setOwn(all, name, Object.hasOwn(all, name) ? {} : one);
    }
    delete rest[key];
  }
  delete rest["additionalProperties"];
  return { ...rest, properties: all, ...(Array.isArray(required) ? { required } : {}) };
}

function setOwn(target: Schema, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

function hasLargeInteger(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) > INT32;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return false;
  return Object.values(value).some((one) => hasLargeInteger(one, depth + 1));
}

function pointer(key: string): string {
  return key.replace(/~/g, "~0").replace(/\//g, "~1");
}
