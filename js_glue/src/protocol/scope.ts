// Scopes: which part of the surface is spoken of. A requested scope can only narrow the floor that a host set, and
// shapes discovery alone: a call never looks at it (spec: capabilities.md §6).

export interface ResolvedScope {
  /** Empty: unscoped. */
  readonly scope: readonly string[];
  /** Requested prefixes that lie outside the floor. */
  readonly rejected: readonly string[];
}

/** Whether `token` is `prefix` or lies below it, on segment boundaries. */
function liesIn(token: string, prefix: string): boolean {
  return token === prefix || token.startsWith(`${prefix}.`);
}

/**
 * What a request leaves of the floor. A requested token stays when it lies in the floor, a token of the floor when it
 * lies in a requested one; no request, or one of which nothing stays, gives the floor. An empty floor holds everything.
 */
export function resolveScope(floor: readonly string[], requested?: readonly string[]): ResolvedScope {
  if (requested === undefined || requested.length === 0) return { scope: [...floor], rejected: [] };
  if (floor.length === 0) return { scope: [...new Set(requested)], rejected: [] };
  const kept = new Set<string>();
  const rejected: string[] = [];
  for (const token of new Set(requested)) {
    const below = floor.filter((prefix) => liesIn(prefix, token));
    if (floor.some((prefix) => liesIn(token, prefix))) kept.add(token);
    else for (const prefix of below) kept.add(prefix);
    if (!kept.has(token) && below.length === 0) rejected.push(token);
  }
  return { scope: kept.size === 0 ? [...floor] : [...kept], rejected };
}
