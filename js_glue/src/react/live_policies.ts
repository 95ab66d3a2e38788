// The policies of a binding, with the closures of the newest commit.
//
// The registry reads a policy once, when it attaches. Its hooks are handed over as functions that stay the same; how many
// policies there are, their names and which hooks they have are part of what a registration is, so that a render which
// changes those registers anew. A hook that is not there any more throws, which hides and denies.

import { isObject, member } from "../contract/values.js";

const HOOKS = ["onDiscovery", "onAuthorize", "onInvoke"];

export function livePolicies(source: () => unknown, policies: unknown): unknown {
  if (!Array.isArray(policies)) return policies;
  const given: readonly unknown[] = policies;
  return given.map((policy, at) => livePolicy(() => member(source(), at), policy));
}

function livePolicy(source: () => unknown, policy: unknown): unknown {
  if (!isObject(policy)) return policy;
  const live: Record<PropertyKey, unknown> = { ...policy, name: member(policy, "name") };
  for (const hook of HOOKS) {
    const found = member(policy, hook);
    if (found !== undefined) live[hook] = call(found, source, hook);
  }
  // What a policy demands beside its hooks is a rule under a symbol: functions and data.
  for (const mark of Object.getOwnPropertySymbols(policy)) {
    const rule = member(policy, mark);
    if (!isObject(rule)) continue;
    const entries = Object.entries(rule);
    live[mark] = Object.fromEntries(
      entries.map(([key, value]: [string, unknown]) => [key, call(value, () => member(source(), mark), key)]),
    );
  }
  return live;
}

function call(found: unknown, source: () => unknown, name: string): unknown {
  if (typeof found !== "function") return found;
  return (...told: unknown[]): unknown => {
    const owner = source();
    const method = member(owner, name);
    if (typeof method !== "function") throw new TypeError(`the policy's ${name} is gone`);
    return Reflect.apply(method, owner, told);
  };
}

/** What of a binding's policies cannot change without another registration, as one text. */
export function policyShape(binding: unknown): string {
  let shape = shapeOf("", member(binding, "policies"));
  for (const table of ["observations", "actions"]) {
    const entries = member(binding, table);
    if (!isObject(entries)) continue;
    for (const name of Object.keys(entries))
      shape += shapeOf(`${table}.${name}`, member(member(entries, name), "policies"));
  }
  return shape;
}

export function shapeOf(place: string, policies: unknown): string {
  if (!Array.isArray(policies)) return "";
  const given: readonly unknown[] = policies;
  const kinds = given.map((policy) => [
    String(member(policy, "name")),
    ...HOOKS.filter((hook) => member(policy, hook) !== undefined),
    ...(isObject(policy) ? Object.getOwnPropertySymbols(policy).map(String) : []),
  ]);
  return JSON.stringify([place, kinds]);
}
