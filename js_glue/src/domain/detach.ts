// Copies that nobody else can change: what was validated and hashed is what runs (spec: domain.md SI-6).
//
// Plain objects, arrays and dates are copied all the way down, each once, so that parts that are shared, or that hold
// themselves, stay so and cost no more. Everything else (a Map, a class instance, a function) is the same thing as
// before, because no copy of it would be one.

/** May throw what a proxy throws. */
export function detach(value: unknown): unknown {
  return copyAll(value, (copy) => copy);
}

/** The same, frozen as far as it is a copy: what belongs to others is not frozen for them. */
export function frozenCopy(value: unknown): unknown {
  return copyAll(value, Object.freeze);
}

function copyAll(value: unknown, finish: (copy: object) => object): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copies = new Map<object, object>();
  // A list and no recursion: depth is the caller's choice.
  const open: object[] = [];
  const copyOf = (source: object): object => {
    const known = copies.get(source);
    if (known !== undefined) return known;
    const copy = shallow(source);
    if (copy === undefined) return source;
    copies.set(source, copy);
    open.push(copy);
    return copy;
  };
  const root = copyOf(value);
  for (let copy = open.pop(); copy !== undefined; copy = open.pop()) {
    replaceParts(copy, copyOf);
    finish(copy);
  }
  return root;
}

function replaceParts(owner: object, copyOf: (part: object) => object): void {
  if (Array.isArray(owner)) {
    const list: unknown[] = owner;
    for (let at = 0; at < list.length; at++) {
      const part = list[at];
      if (typeof part === "object" && part !== null) list[at] = copyOf(part);
    }
    return;
  }
  for (const key of Object.keys(owner)) {
    const part: unknown = Reflect.get(owner, key);
    // Assigning to a key named __proto__ would set a prototype.
    if (typeof part === "object" && part !== null) Object.defineProperty(owner, key, { value: copyOf(part) });
  }
}

/** Undefined for what no copy can be made of. Getters become what they gave. */
function shallow(source: object): object | undefined {
  if (Array.isArray(source)) return Array.from<unknown>(source);
  const prototype: unknown = Object.getPrototypeOf(source);
  if (prototype === Object.prototype) return { ...source };
  if (prototype === null) return Object.setPrototypeOf({ ...source }, null);
  return source instanceof Date ? new Date(source) : undefined;
}
