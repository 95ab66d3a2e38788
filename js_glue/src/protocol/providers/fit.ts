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
const MAPS = ["properties", "$defs", "definitions", "patternProperties", "dependencies", "dependentSchemas"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
const SINGLE = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
/** Where accepting more below accepts less above: what is rewritten below these has to go with them. */
const TURNING: Readonly<Record<string, readonly string[]>> = {
  not: ["not"],
  if: ["if", "then", "else"],
  oneOf: ["oneOf"],
};
const COMBINATORS = ["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref"];
const INT32 = 2 ** 31 - 1;
const MOST_UNFOLDED = 500;

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
  /** By reference. */
  readonly #definitions: Map<string, unknown>;

  constructor(root: Schema, profile: Profile, found: Finding[]) {
    this.#profile = profile;
    this.#found = found;
    this.#definitions = new Map();
    for (const key of ["$defs", "definitions"]) {
      const map = root[key];
      if (!isSchema(map)) continue;
      for (const [name, one] of Object.entries(map)) this.#definitions.set(`#/${key}/${name}`, one);
    }
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

  /** Every `$ref` replaced by what it stands for; one that leads back to itself has no end. */
  inlined(root: Schema): Schema {
    const open = new Set<string>();
    let unfolded = 0;
    const schemaOf = (value: unknown, path: string): unknown => {
      if (!isSchema(value)) return value;
      const target = value["$ref"];
      if (typeof target === "string") return follow(value, target, path);
      const own: Schema = {};
      for (const [key, one] of Object.entries(value)) {
        if (path === "" && (key === "$defs" || key === "definitions")) continue;
        setOwn(own, key, keywordOf(key, one, `${path}/${pointer(key)}`));
      }
      return own;
    };
    const keywordOf = (key: string, value: unknown, path: string): unknown => {
      if (MAPS.includes(key) && isSchema(value)) {
        const map: Schema = {};
        for (const [name, one] of Object.entries(value)) setOwn(map, name, schemaOf(one, `${path}/${pointer(name)}`));
        return map;
      }
      if (LISTS.includes(key) && Array.isArray(value)) {
        return value.map((one, index) => schemaOf(one, `${path}/${String(index)}`));
      }
      return SINGLE.includes(key) ? schemaOf(value, path) : value;
    };
    const follow = (value: Schema, target: string, path: string): unknown => {
      const endless = open.has(target);
      if (endless || !this.#definitions.has(target) || ++unfolded > MOST_UNFOLDED) {
        const why = endless
          ? "leads back to itself"
          : unfolded > MOST_UNFOLDED
            ? "unfolds without measure"
            : "leads nowhere";
        this.#say("drop", "reference", `${path}/$ref`, why);
        return {};
      }
      open.add(target);
      const whole = schemaOf(this.#definitions.get(target), path);
      open.delete(target);
      return isSchema(whole) ? besides(whole, value) : whole;
    };
    const whole = schemaOf(root, "");
    if (this.#definitions.size > 0) this.#say("rewrite", "reference", "/$defs", "was put where it is referred to");
    return isSchema(whole) ? whole : {};
  }
}

/** A reference's annotations win over those of what it stands for; nothing else stands beside a reference. */
function besides(whole: Schema, reference: Schema): Schema {
  const own: Schema = { ...whole };
  for (const key of ["description", "title", "default", "examples", "deprecated"]) {
    if (Object.hasOwn(reference, key)) own[key] = reference[key];
  }
  return own;
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
