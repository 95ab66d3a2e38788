// Policies on who may: they hide at discovery what they refuse at a call (spec: capabilities.md §5, "Built in").

import type { Policy, PolicyContext } from "../contract/policy.js";
import { isThenable, member, swallow } from "../contract/values.js";
import { AgentSurfaceError, invalidDefinition } from "../errors.js";
import { ENVIRONMENTS, type Environment } from "../generated/vocabulary.js";

const EXPOSE = Object.freeze({ decision: "expose" } as const);
const HIDE = Object.freeze({ decision: "hide" } as const);

/** Hides what `may` does not answer with true, and refuses it with the error of `refusal`. A throw is a no. */
function gate(name: string, may: (ctx: PolicyContext) => unknown, refusal: () => AgentSurfaceError): Policy {
  const allowed = (ctx: PolicyContext): boolean => {
    try {
      return may(ctx) === true;
    } catch {
      return false;
    }
  };
  return Object.freeze<Policy>({
    name,
    onDiscovery: (ctx) => (allowed(ctx) ? EXPOSE : HIDE),
    onAuthorize: (ctx, next) => {
      if (!allowed(ctx)) throw refusal();
      return next();
    },
  });
}

function notAuthorized(): AgentSurfaceError {
  return new AgentSurfaceError({
    code: "NOT_AUTHORIZED",
    message: "The user of this page may not do this.",
    retry: "no",
    details: { origin: "client" },
  });
}

/** For signed-in users only: `host[key]`, by default `host.user`, is truthy. Else NOT_AUTHENTICATED. */
export function authenticated({ key = "user" }: { readonly key?: string } = {}): Policy {
  return gate(
    "authenticated",
    ({ host }) => Boolean(member(host, key)),
    () =>
      new AgentSurfaceError({ code: "NOT_AUTHENTICATED", message: "Nobody is signed in on this page.", retry: "no" }),
  );
}

/** For users of whom `check(host, permission)` answers true. Else NOT_AUTHORIZED. */
export function hasPermission<P>(permission: P, check: (host: unknown, permission: P) => unknown): Policy {
  if (typeof check !== "function") throw invalidDefinition("hasPermission: check must be a function");
  return gate("hasPermission", ({ host }) => Boolean(settled(check(host, permission))), notAuthorized);
}

export interface TenantBoundary {
  /** Whose data the page works on. */
  current(host: unknown): unknown;
  /** Whose data the capability belongs to. */
  expected(ctx: PolicyContext): unknown;
}

/** For capabilities of the tenant that the page works on; no tenant at all is none. Else NOT_AUTHORIZED. */
export function tenantBoundary(boundary: TenantBoundary): Policy {
  if (typeof boundary?.current !== "function" || typeof boundary.expected !== "function") {
    throw invalidDefinition("tenantBoundary: current and expected must be functions");
  }
  const same = (ctx: PolicyContext): boolean => {
    const current = settled(boundary.current(ctx.host));
    return current !== undefined && current !== null && Object.is(current, settled(boundary.expected(ctx)));
  };
  return gate("tenantBoundary", same, notAuthorized);
}

/** A check that answers later has not said yes. */
function settled(answer: unknown): unknown {
  if (!isThenable(answer)) return answer;
  swallow(answer);
  return undefined;
}

/** Only in these environments; elsewhere the capability does not exist: CAPABILITY_NOT_FOUND. */
export function environment(allowed: Environment | readonly Environment[]): Policy {
  const list: readonly unknown[] = Array.isArray(allowed) ? [...allowed] : [allowed];
  const stray = list.find((one) => !ENVIRONMENTS.some((known) => known === one));
  if (stray !== undefined || list.length === 0) {
    throw invalidDefinition(
      `environment: found ${JSON.stringify(stray ?? allowed)}; allowed are ${ENVIRONMENTS.join(", ")}`,
    );
  }
  return Object.freeze<Policy>({
    name: "environment",
    onDiscovery: (ctx) => (list.includes(ctx.environment) ? EXPOSE : HIDE),
  });
}
