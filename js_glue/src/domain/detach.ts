// Copies that nobody else can change: what was validated and hashed is what runs (spec: domain.md SI-6).

const MAX_DEPTH = 200;

/**
 * Plain objects, arrays and dates are copied all the way down; everything else (a Map, a class instance, a function) is
 * the same thing as before, because no copy of it would be one. May throw what a proxy throws.
 */
export function detach(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((member: unknown) => detach(member, depth - 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return copyOf(value, prototype, depth - 1);
  return value instanceof Date ? new Date(value) : value;
}

function copyOf(value: object, prototype: object | null, depth: number): object {
  const copy: Record<PropertyKey, unknown> = { ...value };
  if (prototype === null) Object.setPrototypeOf(copy, null);
  for (const key in copy) {
    const member = copy[key];
    if (typeof member !== "object" || member === null) continue;
    // Assigning to a key named __proto__ would set a prototype.
    Object.defineProperty(copy, key, {
      value: detach(member, depth),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}
