// What the rewriting of schemas is made of: their shape, where schemas lie in a schema, and what is found.

export interface Finding {
  readonly rule: string;
  readonly severity: "drop" | "rewrite";
  /** JSON Pointer into the input schema; "" for the tool itself. */
  readonly path: string;
  readonly message: string;
}

export type Schema = Record<string, unknown>;

/** Deeper than any provider takes, and than the runtime's own limit. */
export const DEEPEST = 32;
export const MAPS = ["properties", "$defs", "definitions", "patternProperties", "dependencies", "dependentSchemas"];
export const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
export const SINGLE = [
  "items",
  "additionalProperties",
  "additionalItems",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
];

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether that is deeper than anything may lie; then the tool is dropped. */
export function tooDeep(found: Finding[], path: string, depth: number): boolean {
  if (depth <= DEEPEST) return false;
  found.push({ rule: "depth", severity: "drop", path, message: `lies deeper than ${String(DEEPEST)} levels` });
  return true;
}

export function setOwn(target: Schema, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

export function pointer(key: string): string {
  return key.replace(/~/g, "~0").replace(/\//g, "~1");
}
