// References put in place, for providers that know none.

import { isSchema, LISTS, MAPS, pointer, setOwn, SINGLE, tooDeep, type Finding, type Schema } from "./parts.js";

const MOST_UNFOLDED = 500;

/**
 * Every `$ref` replaced by what it stands for; one that leads back to itself has no end. What definitions unfold to may be
 * far deeper than they are, so it is here that depth is bounded first.
 */
export function unfolded(root: Schema, found: Finding[]): Schema {
  const definitions = definitionsOf(root);
  const say = (severity: Finding["severity"], path: string, message: string): void =>
    void found.push({ rule: "reference", severity, path, message });
  const open = new Set<string>();
  let count = 0;
  const schemaOf = (value: unknown, path: string, depth: number): unknown => {
    if (!isSchema(value)) return value;
    if (tooDeep(found, path, depth)) return {};
    const target = value["$ref"];
    if (typeof target === "string") return follow(value, target, path, depth);
    const own: Schema = {};
    for (const [key, one] of Object.entries(value)) {
      if (path === "" && (key === "$defs" || key === "definitions")) continue;
      setOwn(own, key, keywordOf(key, one, `${path}/${pointer(key)}`, depth + 1));
    }
    return own;
  };
  const keywordOf = (key: string, value: unknown, path: string, depth: number): unknown => {
    if (MAPS.includes(key) && isSchema(value)) {
      const map: Schema = {};
      for (const [name, one] of Object.entries(value))
        setOwn(map, name, schemaOf(one, `${path}/${pointer(name)}`, depth));
      return map;
    }
    if (LISTS.includes(key) && Array.isArray(value)) {
      return value.map((one, index) => schemaOf(one, `${path}/${String(index)}`, depth));
    }
    return SINGLE.includes(key) ? schemaOf(value, path, depth) : value;
  };
  const follow = (value: Schema, target: string, path: string, depth: number): unknown => {
    const endless = open.has(target);
    if (endless || !definitions.has(target) || ++count > MOST_UNFOLDED) {
      const why = endless
        ? "leads back to itself"
        : count > MOST_UNFOLDED
          ? "unfolds without measure"
          : "leads nowhere";
      say("drop", `${path}/$ref`, why);
      return {};
    }
    open.add(target);
    const whole = schemaOf(definitions.get(target), path, depth);
    open.delete(target);
    return isSchema(whole) ? besides(whole, value) : whole;
  };
  const whole = schemaOf(root, "", 0);
  if (definitions.size > 0) say("rewrite", "/$defs", "was put where it is referred to");
  return isSchema(whole) ? whole : {};
}

/** By reference. */
function definitionsOf(root: Schema): ReadonlyMap<string, unknown> {
  const definitions = new Map<string, unknown>();
  for (const key of ["$defs", "definitions"]) {
    const map = root[key];
    if (!isSchema(map)) continue;
    for (const [name, one] of Object.entries(map)) definitions.set(`#/${key}/${name}`, one);
  }
  return definitions;
}

/** A reference's annotations win over those of what it stands for; nothing else stands beside a reference. */
function besides(whole: Schema, reference: Schema): Schema {
  const own: Schema = { ...whole };
  for (const key of ["description", "title", "default", "examples", "deprecated"]) {
    if (Object.hasOwn(reference, key)) own[key] = reference[key];
  }
  return own;
}
