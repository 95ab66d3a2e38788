// The options of a registry, checked: an unknown one is an author's mistake, never ignored.

import type { AuditSink } from "../audit/sink.js";
import { attach, type AttachedPolicy } from "../contract/attach.js";
import { isAuditSink, type Policy } from "../contract/policy.js";
import { authorityText, type CapabilityAuthority } from "../authority.js";
import { AgentSurfaceDefinitionError, invalidDefinition } from "../errors.js";
import {
  DEFAULT_LIMITS,
  DUPLICATE_SUFFIX_POLICIES,
  ENVIRONMENTS,
  type DuplicateSuffixPolicy,
  type Environment,
  type Limits,
} from "../generated/vocabulary.js";
import { freshSurfaceId } from "../ids.js";
import { jsonText, LOOSE_BOUNDS } from "../json/value.js";
import { makeChain, type PolicyChain } from "./policy_chain.js";
import { levelOf, policyFlags } from "./policy_flags.js";
import { makeClock, type RegistryClock, type TimeSource } from "./clock.js";

export interface RegistrationCandidate {
  readonly type: string;
  readonly instanceId: string;
  readonly origin: string;
  readonly description: string;
  readonly tags?: unknown;
  readonly meta?: unknown;
  readonly internal?: unknown;
}

/** Finite integers ≥ 1 (queue depths ≥ 0); spec: invocation.md §4. */
export type RegistryLimits = Partial<Limits>;

export interface RegistryOptions {
  /** Default: "production" with an authority, else "development" with one console warning. */
  readonly environment?: Environment;
  readonly authority?: CapabilityAuthority;
  /** What handlers see as `ctx.host`: a value, or a function that gives it. */
  readonly context?: unknown;
  /** Asked about every capability, before those of its component. */
  readonly policies?: readonly Policy[];
  readonly audit?: AuditSink;
  /** The registration guard: false or a throw rejects the candidate. */
  readonly onRegister?: (candidate: RegistrationCandidate) => unknown;
  readonly onDuplicateInstance?: "reject" | "replace";
  /** What happens where a component's capability is named like a procedure that the application has. */
  readonly duplicateSuffixPolicy?: DuplicateSuffixPolicy;
  /** Told in snapshots. */
  readonly route?: string | (() => string | undefined);
  readonly limits?: RegistryLimits;
  /** Milliseconds; replaces only the reading of time. */
  readonly now?: () => number;
  readonly clock?: TimeSource;
  readonly schemaProfile?: "portable" | "full";
}

export interface Settings {
  readonly production: boolean;
  readonly environment: Environment;
  readonly context: unknown;
  readonly policies: readonly AttachedPolicy[];
  /** Of a capability that has no policies but these. */
  readonly chain: PolicyChain;
  readonly audit: AuditSink | undefined;
  readonly onRegister: ((candidate: RegistrationCandidate) => unknown) | undefined;
  readonly replaces: boolean;
  readonly route: string | (() => string | undefined) | undefined;
  readonly clock: RegistryClock;
  readonly surfaceId: string;
  readonly bounds: { readonly maxDepth: number; readonly maxBytes: number };
  readonly maxOutputBytes: number;
  readonly policyTimeoutMs: number;
  readonly confirmationTtlMs: number;
  /** For createRegistry. */
  readonly text: string;
}

const KNOWN = new Set([
  "environment",
  "authority",
  "context",
  "policies",
  "audit",
  "onRegister",
  "onDuplicateInstance",
  "duplicateSuffixPolicy",
  "route",
  "limits",
  "now",
  "clock",
  "schemaProfile",
]);

export function readOptions(options: RegistryOptions): Settings {
  if (typeof options !== "object" || options === null) throw invalidDefinition("the options are an object");
  for (const key of Object.keys(options)) {
    if (!KNOWN.has(key)) throw invalidDefinition(`option "${key}" is unknown; allowed are ${[...KNOWN].join(", ")}`);
  }
  const { onDuplicateInstance: duplicate, onRegister, audit, route } = options;
  oneOf("onDuplicateInstance", duplicate, ["reject", "replace"]);
  oneOf("duplicateSuffixPolicy", options.duplicateSuffixPolicy, DUPLICATE_SUFFIX_POLICIES);
  oneOf("schemaProfile", options.schemaProfile, ["portable", "full"]);
  check("onRegister", onRegister, onRegister === undefined || typeof onRegister === "function", "a function");
  check("audit", audit, audit === undefined || isAuditSink(audit), "a sink: { record(event), redact? }");
  check("route", route, ["undefined", "string", "function"].includes(typeof route), "a string or a function");
  const authority = options.authority === undefined ? undefined : authorityText(options.authority);
  const environment = environmentOf(options.environment, authority !== undefined);
  const surfaceId = freshSurfaceId();
  const policies = attach(options.policies, 'option "policies"');
  const limit = limitReader(options.limits);
  return {
    production: environment === "production",
    environment,
    context: options.context,
    policies,
    chain: makeChain(policies),
    audit,
    onRegister,
    replaces: duplicate === "replace",
    route,
    clock: makeClock(options.now, options.clock),
    surfaceId,
    bounds: { maxDepth: limit("maxInputDepth"), maxBytes: limit("maxInputBytes") },
    maxOutputBytes: limit("maxOutputBytes"),
    policyTimeoutMs: limit("policyTimeoutMs"),
    confirmationTtlMs: limit("confirmationTtlMs"),
    text: optionsText({ surfaceId, environment, ...literalOptions(options, policies) }, authority),
  };
}

function literalOptions(options: RegistryOptions, own: readonly AttachedPolicy[]): Record<string, unknown> {
  const { limits, schemaProfile, onDuplicateInstance, duplicateSuffixPolicy } = options;
  const { policies, discovery } = policyFlags(own);
  // All that vote, not only those that do nothing else: they also say whether what is gone may be spoken of.
  const given = { limits, schemaProfile, onDuplicateInstance, duplicateSuffixPolicy };
  return { ...given, policies, votes: discovery, auditLevel: levelOf(own) };
}

function optionsText(literal: Record<string, unknown>, authority: string | undefined): string {
  const json = jsonText(literal, LOOSE_BOUNDS);
  if ("problem" in json) throw invalidDefinition(`option ${json.problem.message}`);
  return authority === undefined ? json.text : `${json.text.slice(0, -1)},"authority":${authority}}`;
}

type UsedLimit = "confirmationTtlMs" | "maxInputDepth" | "maxInputBytes" | "maxOutputBytes" | "policyTimeoutMs";

/** The module checks the limits; a value that is none never gets to be used. */
function limitReader(limits: unknown): (name: UsedLimit) => number {
  return (name) => {
    const value: unknown = typeof limits === "object" && limits !== null ? Reflect.get(limits, name) : undefined;
    return typeof value === "number" && Number.isFinite(value) ? value : DEFAULT_LIMITS[name];
  };
}

let warned = false;

function environmentOf(given: Environment | undefined, authority: boolean): Environment {
  oneOf("environment", given, ENVIRONMENTS);
  if (given === "production" && !authority) {
    throw invalidDefinition('environment "production" needs an authority: createCapabilityAuthority(manifest)');
  }
  if (given !== undefined) return given;
  if (authority) return "production";
  if (!warned) {
    warned = true;
    console.warn('viewcap: no authority and no environment given, so this is "development": any contract is accepted');
  }
  return "development";
}

function oneOf(name: string, value: unknown, allowed: readonly string[]): void {
  const fits = value === undefined || (typeof value === "string" && allowed.includes(value));
  check(name, value, fits, allowed.map((word) => `"${word}"`).join(" or "));
}

function check(name: string, value: unknown, fits: boolean, allowed: string): void {
  if (fits) return;
  const found = typeof value === "string" ? `"${value}"` : typeof value;
  throw new AgentSurfaceDefinitionError("INVALID_DEFINITION", `option "${name}" is ${found}; ${allowed} is allowed`);
}
