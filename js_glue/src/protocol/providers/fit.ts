// One schema made to fit one provider. What is rewritten never narrows what the tool accepts: the runtime checks every
// input against the original schema itself, so that whatever a rewriting lets through is refused there.

import {
  DEEPEST,
  isSchema,
  LISTS,
  MAPS,
  pointer,
  setOwn,
  SINGLE,
  tooDeep,
  type Finding,
  type Schema,
} from "./parts.js";
import type { Profile } from "./profiles.js";
import { unfolded } from "./unfold.js";

/** Where accepting more below accepts less above: what is rewritten below these has to go with them. */
const TURNING: Readonly<Record<string, readonly string[]>> = {
  not: ["not"],
  if: ["if", "then", "else"],
  oneOf: ["oneOf"],
};
const COMBINATORS = ["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref"];
const INT32 = 2 ** 31 - 1;

/** Changes `root`, which is the caller's own copy, and gives it back, or the schema that takes its place. */
export function fit(root: Schema, profile: Profile, found: Finding[]): Schema {
  const walk = new Walk(profile, found);
  const inline = !profile.references || root["$ref"] !== undefined;
  let schema = inline ? unfolded(root, found) : root;
  schema = walk.objectRoot(schema);
  walk.visit(schema, "", 0);
  return schema;
}

class Walk {
  readonly #profile: Profile;
  readonly #found: Finding[];

  constructor(profile: Profile, found: Finding[]) {
    this.#profile = profile;
    this.#found = found;
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
    if (tooDeep(this.#found, path, depth)) return;
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
      const before = this.#found.length;
      for (const [index, one] of list.entries()) this.visit(one, `${path}/${key}/${String(index)}`, depth + 1);
      this.#turn(schema, key, path, before);
    }
    for (const key of SINGLE) {
      const before = this.#found.length;
      this.visit(schema[key], `${path}/${key}`, depth + 1);
      this.#turn(schema, key, path, before);
    }
  }

  #turn(schema: Schema, key: string, path: string, before: number): void {
    if (this.#found.length === before) return;
    for (const gone of TURNING[key] ?? []) {
      if (schema[gone] === undefined) continue;
      delete schema[gone];
      this.#say(
        "rewrite",
        "turning",
        `${path}/${gone}`,
        "was left out: what was rewritten below would make it refuse more",
      );
    }
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

/** One object that accepts at least what the schema does: of what a branch says, only what all must hold stays. */
function merged(schema: Schema, branches: readonly string[]): Schema {
  const { properties, required, ...rest } = schema;
  const own: Schema = isSchema(properties) ? { ...properties } : {};
  const all: Schema = {};
  for (const key of branches) {
    for (const branch of [rest[key]].flat()) {
      const named: unknown = isSchema(branch) ? branch["properties"] : undefined;
      if (key === "not" || key === "if" || !isSchema(named)) continue;
      for (const [name, one] of Object.entries(named)) {
        if (Object.hasOwn(own, name)) continue;
        // Of several branches one is enough, and it may say nothing of this key: the key is named, its value is open.
        const certain = key === "allOf" && !Object.hasOwn(all, name);
        setOwn(all, name, certain ? one : described(one));
      }
    }
    delete rest[key];
  }
  if (branches.length > 0) delete rest["additionalProperties"];
  return { ...rest, properties: { ...own, ...all }, ...(Array.isArray(required) ? { required } : {}) };
}

function described(schema: unknown): Schema {
  const description: unknown = isSchema(schema) ? schema["description"] : undefined;
  return typeof description === "string" ? { description } : {};
}

function hasLargeInteger(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) > INT32;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return false;
  return Object.values(value).some((one) => hasLargeInteger(one, depth + 1));
}
