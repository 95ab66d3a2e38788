// Detached copies of what canonical JSON accepts (spec: domain.md §8.3), in two steps that a store can stand between:
//
//     flatten(record)        a tree of plain JSON and its marks: where a date was, where an array had nothing
//     restore(tree, marks)   the same value again; what was hashed is what is re-hashed and re-validated
//
// What only its toJSON can write comes back as what toJSON said. Keys without a value are dropped, as the hash drops
// them; shared references become copies; -0 becomes 0.

import { isObject } from "../../contract/values.js";

/** JSON Pointers into the tree. */
export interface Marks {
  readonly dates?: readonly string[];
  readonly absent?: readonly string[];
}
export interface Flat {
  readonly tree: unknown;
  /** Undefined where the tree says it all. */
  readonly marks: Marks | undefined;
}

/** The value has no copy: the sentence says what was found and where. */
export class NotFlatError extends Error {
  override readonly name = "NotFlatError";
}

// Far beyond what a call's input may hold (32 levels by default), and far from the end of the stack. The second bound
// is for values that share their parts so often that the copy would not end.
const MAX_DEPTH = 256;
const MAX_NODES = 4_000_000;

interface Walk {
  readonly dates: string[];
  readonly absent: string[];
  readonly open: Set<object>;
  nodes: number;
}

export function flatten(value: unknown): Flat {
  const walk: Walk = { dates: [], absent: [], open: new Set(), nodes: 0 };
  const tree = copyOf(walk, value, "");
  if (tree === undefined) throw refusal("", "is absent");
  const { dates, absent } = walk;
  if (dates.length === 0 && absent.length === 0) return { tree, marks: undefined };
  return { tree, marks: { ...(dates.length > 0 && { dates }), ...(absent.length > 0 && { absent }) } };
}

function copyOf(walk: Walk, value: unknown, path: string): unknown {
  if (++walk.nodes > MAX_NODES) throw refusal("", `has more than ${String(MAX_NODES)} parts`);
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw refusal(path, `is the number ${String(value)}, which JSON does not have`);
      return value + 0;
    case "object":
      return value === null ? null : copyOfObject(walk, value, path);
    default:
      throw refusal(path, `is of type ${typeof value}, which JSON does not have`);
  }
}

function copyOfObject(walk: Walk, value: object, path: string): unknown {
  if (walk.open.has(value)) throw refusal(path, "is part of a cycle");
  if (walk.open.size >= MAX_DEPTH) throw refusal(path, `is nested deeper than ${String(MAX_DEPTH)} levels`);
  const toJson: unknown = Reflect.get(value, "toJSON");
  walk.open.add(value);
  const copy = typeof toJson === "function" ? converted(walk, value, toJson, path) : membersOf(walk, value, path);
  walk.open.delete(value);
  return copy;
}

function converted(walk: Walk, value: object, toJson: Function, path: string): unknown {
  const json: unknown = Reflect.apply(toJson, value, [path.slice(path.lastIndexOf("/") + 1)]);
  if (isDate(value) && json === standardText(value)) {
    walk.dates.push(path);
    return json;
  }
  // What toJSON gave is asked for no second toJSON.
  return isObject(json) ? membersOf(walk, json, path) : copyOf(walk, json, path);
}

function membersOf(walk: Walk, value: object, path: string): unknown {
  if (Array.isArray(value)) return copyOfArray(walk, value, path);
  if (!isPlain(value)) throw refusal(path, "is a class instance; plain objects, arrays and dates are allowed");
  const copy = {};
  for (const key of Object.keys(value)) {
    const member = copyOf(walk, Reflect.get(value, key), `${path}/${escaped(key)}`);
    if (member !== undefined) define(copy, key, member);
  }
  return copy;
}

function copyOfArray(walk: Walk, value: readonly unknown[], path: string): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < value.length; index++) {
    const at = `${path}/${String(index)}`;
    const member = copyOf(walk, value[index], at);
    if (member === undefined) walk.absent.push(at);
    copy.push(member === undefined ? null : member);
  }
  return copy;
}

/** Puts back what the marks say, in the tree itself. Throws where a mark does not fit the tree. */
export function restore(tree: unknown, marks: Marks | undefined): unknown {
  for (const path of marks?.dates ?? []) {
    change(tree, path, (json) => {
      if (typeof json !== "string" && json !== null) throw refusal(path, "is marked as a date and holds none");
      return new Date(json ?? NaN);
    });
  }
  for (const path of marks?.absent ?? []) change(tree, path, () => undefined);
  return tree;
}

function change(tree: unknown, path: string, next: (found: unknown) => unknown): void {
  const keys = path.split("/").slice(1).map(unescaped);
  const last = keys.pop();
  let at: unknown = tree;
  for (const key of keys) at = isObject(at) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
  if (last === undefined || !isObject(at) || !Object.hasOwn(at, last))
    throw refusal(path, "is marked and is not there");
  define(at, last, next(Reflect.get(at, last)));
}

/** Assigning to a key named __proto__ would set a prototype. */
function define(owner: object, key: string, value: unknown): void {
  Object.defineProperty(owner, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Of any realm. */
function isDate(value: object): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]";
}
function standardText(date: Date): string | null {
  const time: unknown = Reflect.apply(Date.prototype.getTime, date, []);
  return typeof time === "number" && !Number.isNaN(time) ? new Date(time).toISOString() : null;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return isObject(prototype) && Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty");
}

const escaped = (key: string): string => key.replace(/~/g, "~0").replace(/\//g, "~1");
const unescaped = (key: string): string => key.replace(/~1/g, "/").replace(/~0/g, "~");

function refusal(path: string, what: string): NotFlatError {
  return new NotFlatError(`${path === "" ? "the value" : path.slice(0, 200)} ${what}`);
}
