// What an author may write a record of procedures as: a plain object, a Map, or an array of [key, value] pairs.

export interface RecordEntry {
  readonly key: string;
  /** Runs the author's getter, once, and may throw. */
  read(): unknown;
}

/** In the record's own order; undefined for what is no record. Symbols and what is not enumerable are no entries. */
export function entriesOf(value: unknown): RecordEntry[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : pairsOf(value);
  if (value instanceof Map) return pairsOf([...Map.prototype.entries.call(value)]);
  if (!isPlain(value)) return undefined;
  return Object.keys(value).map((key) => ({ key, read: (): unknown => Reflect.get(value, key) }));
}

/** Every item must be a pair with a text first; an empty array is a list of nothing, not a record. */
function pairsOf(list: readonly unknown[]): RecordEntry[] | undefined {
  const entries: RecordEntry[] = [];
  for (const item of list) {
    if (!Array.isArray(item) || item.length !== 2) return undefined;
    const [key, value]: readonly unknown[] = item;
    if (typeof key !== "string") return undefined;
    entries.push({ key, read: () => value });
  }
  return entries;
}

/** An object literal of any realm, an object without prototype, or a module's namespace. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  if (typeof prototype !== "object") return false;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}
