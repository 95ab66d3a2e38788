// The exact walker of JSON values: iterative, so that 100,000 nested arrays are an ordinary input.

import type { JsonBounds, JsonProblem, JsonText } from "./value.js";

interface Level {
  readonly container: object;
  readonly array: boolean;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  index: number;
  written: boolean;
}

interface Walk {
  readonly bounds: JsonBounds;
  readonly levels: Level[];
  readonly open: Set<object>;
  readonly parts: string[];
  bytes: number;
}

class Refusal {
  readonly problem: JsonProblem;
  constructor(problem: JsonProblem) {
    this.problem = problem;
  }
}

const SKIP = Symbol("an undefined member");

export function exactText(value: unknown, bounds: JsonBounds): JsonText {
  const walk: Walk = { bounds, levels: [], open: new Set(), parts: [], bytes: 0 };
  try {
    enter(walk, value);
    while (walk.levels.length > 0) step(walk);
    return { text: walk.parts.join("") };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.problem };
    return { problem: problemAt(walk, "could not be read: it threw", "value") };
  }
}

function step(walk: Walk): void {
  const level = walk.levels[walk.levels.length - 1];
  if (level === undefined) return;
  if (level.index >= level.length) {
    write(walk, level.array ? "]" : "}");
    walk.open.delete(level.container);
    walk.levels.pop();
    return;
  }
  const key = level.keys === undefined ? level.index : (level.keys[level.index] ?? "");
  level.index++;
  const value = memberOf(walk, level, key);
  if (value === SKIP) return;
  if (level.written) write(walk, ",");
  level.written = true;
  if (typeof key === "string") write(walk, `${quote(walk, key)}:`);
  enter(walk, value);
}

function memberOf(walk: Walk, level: Level, key: string | number): unknown {
  const property = Object.getOwnPropertyDescriptor(level.container, key);
  if (property === undefined) return refuse(walk, level.array ? "is a hole in a sparse array" : "is missing");
  if (property.get !== undefined || property.set !== undefined) return refuse(walk, "is an accessor");
  const value: unknown = property.value;
  if (value === undefined) return level.array ? refuse(walk, "is undefined inside an array") : SKIP;
  return value;
}

function enter(walk: Walk, value: unknown): void {
  switch (typeof value) {
    case "string":
      return write(walk, quote(walk, value));
    case "boolean":
      return write(walk, value ? "true" : "false");
    case "number":
      if (!Number.isFinite(value)) refuse(walk, `is the number ${String(value)}, which JSON does not have`);
      return write(walk, Object.is(value, -0) ? "0" : String(value));
    case "object":
      return value === null ? write(walk, "null") : open(walk, value);
    default:
      refuse(walk, `is of type ${typeof value}, which JSON does not have`);
  }
}

function open(walk: Walk, value: object): void {
  if (walk.open.has(value)) refuse(walk, "is part of a cycle");
  if (walk.levels.length >= walk.bounds.maxDepth) {
    refuse(walk, `is nested deeper than ${String(walk.bounds.maxDepth)} levels`, "depth");
  }
  const array = Array.isArray(value);
  if (!(array ? isPlainArray(value) : isPlainObject(value))) {
    refuse(walk, "is a class instance; plain objects and arrays are allowed");
  }
  if (typeof inherited(value, "toJSON") === "function") refuse(walk, "has a toJSON method");
  const keys = array ? undefined : Object.keys(value);
  const length = keys === undefined ? lengthOf(value) : keys.length;
  walk.open.add(value);
  write(walk, array ? "[" : "{");
  walk.levels.push({ container: value, array, keys, length, index: 0, written: false });
}

/** A data property somewhere on the chain; an accessor is not run. */
function inherited(value: object, key: string): unknown {
  for (let at: object | null = value; at !== null; at = prototypeOf(at)) {
    const property = Object.getOwnPropertyDescriptor(at, key);
    if (property !== undefined) return property.value;
  }
  return undefined;
}

function lengthOf(value: object): number {
  const length: unknown = Reflect.get(value, "length");
  return typeof length === "number" ? length : 0;
}

function prototypeOf(value: object): object | null {
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype === "object" ? prototype : null;
}

/** Of this realm or of another one (a frame, a test runner's sandbox), but of no class. */
function isPlainObject(value: object): boolean {
  const prototype = prototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return prototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty");
}

function isPlainArray(value: object): boolean {
  const prototype = prototypeOf(value);
  if (prototype === Array.prototype) return true;
  if (prototype === null || !Object.hasOwn(prototype, "copyWithin")) return false;
  const above = prototypeOf(prototype);
  return above !== null && prototypeOf(above) === null;
}

function quote(walk: Walk, text: string): string {
  if (/\p{Surrogate}/u.test(text)) refuse(walk, "holds a lone surrogate");
  return JSON.stringify(text);
}

function write(walk: Walk, text: string): void {
  walk.bytes += text.length;
  if (walk.bytes > walk.bounds.maxBytes) {
    refuse(walk, `makes the value larger than ${String(walk.bounds.maxBytes)} bytes`, "size");
  }
  walk.parts.push(text);
}

function refuse(walk: Walk, what: string, kind: JsonProblem["kind"] = "value"): never {
  throw new Refusal(problemAt(walk, what, kind));
}

function problemAt(walk: Walk, what: string, kind: JsonProblem["kind"]): JsonProblem {
  const path = pointer(walk.levels);
  return { path, message: `${path === "" ? "the value" : path} ${what}`, kind };
}

/** The place of the member that was read last. A path into 100,000 levels names the first few. */
function pointer(levels: readonly Level[]): string {
  let path = "";
  for (const level of levels) {
    if (level.index === 0) break;
    const at = level.index - 1;
    const key = level.keys === undefined ? String(at) : (level.keys[at] ?? "");
    path += `/${key
      .replace(/~/g, "~0")
      .replace(/\//g, "~1")
      .replace(/\p{Surrogate}/gu, "\ufffd")}`;
    if (path.length > 120) return `${path.slice(0, 120).replace(/\p{Surrogate}/gu, "")}…`;
  }
  return path;
}
