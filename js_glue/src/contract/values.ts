// Looking at values whose shape nobody promised: what authors, agents and servers hand over.

import type { JsonRecord } from "./types.js";

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** An object that is no list. */
export function isRecord(value: unknown): value is JsonRecord {
  return isObject(value) && !Array.isArray(value);
}

/** Undefined where there is no such member, or nothing that could have one. Getters run, and may throw. */
export function member(owner: unknown, key: PropertyKey): unknown {
  return isObject(owner) ? Reflect.get(owner, key) : undefined;
}

/** The same without what is inherited. */
export function ownMember(owner: unknown, key: PropertyKey): unknown {
  return isObject(owner) && Object.hasOwn(owner, key) ? Reflect.get(owner, key) : undefined;
}

export function isFunctionOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "function";
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return typeof Reflect.get(value, "then") === "function";
}

/** The promise of a callback that must answer at once: what it comes to later is nobody's business. */
export function swallow(thenable: PromiseLike<unknown>): void {
  Promise.resolve(thenable).then(undefined, () => undefined);
}
