// The cheap walk: a JSON value's copy, and the engine's own text of the copy. Text and copy say the same even where the
// value is a proxy that never answers twice alike.
//
// An object is copied by spreading, which keeps its hidden class: a third of what it costs member by member. Spreading
// runs getters, so the descriptors are looked at before; and what came out is looked at, not what was there before.

const CHEAP_DEPTH = 64;
const OTHERWISE = Symbol("not for the cheap walk");
// For places of an array it costs a sixth of a descriptor; a setter alone reads as undefined, which is refused anyway.
const lookupGetter: unknown = Reflect.get(Object.prototype, "__lookupGetter__");
const getDescriptor = Object.getOwnPropertyDescriptor;
const getPrototype = Object.getPrototypeOf;
const objectPrototype: unknown = Object.prototype;
const arrayPrototype: unknown = Array.prototype;

// A value that shares its parts many times over can be exponentially larger than it looks: the walk counts.
let nodesLeft = 0;

function copyOf(value: unknown, depth: number): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  // Adding 0 makes 0 of -0, as JSON does.
  if (typeof value === "number") return value - value === 0 ? value + 0 : OTHERWISE;
  if (typeof value !== "object" || depth === 0) return OTHERWISE;
  return Array.isArray(value) ? copyOfArray(value, depth - 1) : copyOfObject(value, depth - 1);
}

function copyOfArray(value: readonly unknown[], depth: number): unknown {
  if (getPrototype(value) !== arrayPrototype || typeof lookupGetter !== "function") return OTHERWISE;
  const length = value.length;
  if ((nodesLeft -= length) < 0) return OTHERWISE;
  const copy: unknown[] = [];
  for (let index = 0; index < length; index++) {
    if (Reflect.apply(lookupGetter, value, [index]) !== undefined) return OTHERWISE;
    const member = copyOf(value[index], depth);
    if (member === OTHERWISE) return OTHERWISE;
    copy.push(member);
  }
  return copy;
}

function copyOfObject(value: object, depth: number): unknown {
  const prototype: unknown = getPrototype(value);
  if (prototype !== objectPrototype && prototype !== null) return OTHERWISE;
  for (const key in value) {
    const property = getDescriptor(value, key);
    if (property === undefined || property.get !== undefined || property.set !== undefined) return OTHERWISE;
    if (--nodesLeft < 0) return OTHERWISE;
  }
  const copy: Record<string, unknown> = { ...value };
  // Spreading takes what JSON leaves out, and assigning to a key named __proto__ would set a prototype.
  if (Object.getOwnPropertySymbols(copy).length > 0) return OTHERWISE;
  for (const key in copy) {
    const member = copy[key];
    if (typeof member === "string" || typeof member === "boolean") continue;
    if (member === undefined) {
      delete copy[key];
      continue;
    }
    const own = copyOf(member, depth);
    if (own === OTHERWISE || key === "__proto__") return OTHERWISE;
    // Writing costs more than looking. Equal are 0 and -0, too.
    if (own !== member || own === 0) copy[key] = own;
  }
  return copy;
}

/** JSON.stringify asks these for `toJSON`; a page that defines one changes what it writes. */
function prototypesAreClean(): boolean {
  return !(
    "toJSON" in Object.prototype ||
    "toJSON" in Array.prototype ||
    "toJSON" in String.prototype ||
    "toJSON" in Number.prototype ||
    "toJSON" in Boolean.prototype
  );
}

/**
 * Copy and text of what is certainly a JSON value; undefined for everything else.
 * May throw what a proxy throws, and where the text is longer than a string can be.
 */
export function cheapCopy(
  value: unknown,
  maxDepth: number,
  maxNodes: number,
): { readonly text: string; readonly copy: unknown } | undefined {
  nodesLeft = maxNodes;
  const copy = copyOf(value, Math.min(CHEAP_DEPTH, maxDepth));
  if (copy === OTHERWISE || !prototypesAreClean()) return undefined;
  const text = JSON.stringify(copy);
  // A lone surrogate comes out as an escape in lower case, the only source of "\ud" besides an escaped backslash.
  return text.includes("\\ud") ? undefined : { text, copy };
}
