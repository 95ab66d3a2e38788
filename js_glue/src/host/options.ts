// A host's options, checked once; what is wrong with them is a TypeError when the handler is made.

import { isFunctionOrAbsent, isRecord, member } from "../contract/values.js";
import { CATALOG_LIMITS } from "../generated/protocol_vocabulary.js";
import { gateOf, type Gate } from "./gate.js";
import type { HostLimits, HostOptions, HostSession } from "./types.js";

const DEFAULT_LIMITS: HostLimits = {
  ...CATALOG_LIMITS,
  modelSteps: 5,
  silenceMs: 45_000,
  stepMs: 180_000,
  requestsPerMinute: 120,
  runningSteps: 8,
};

type Given<S extends HostSession> = Pick<
  HostOptions<S>,
  "session" | "runtime" | "model" | "system" | "auditFeed" | "approvals"
>;
type Needed<S extends HostSession> = Required<
  Pick<HostOptions<S>, "authorize" | "contextFor" | "scopeFor" | "audit" | "onError">
>;

export interface Settings<S extends HostSession> extends Given<S>, Needed<S> {
  readonly limits: HostLimits;
  readonly gate: Gate;
  /** Domain ids that a page may reference. */
  readonly admitted: readonly string[];
  readonly paths: { readonly step: string; readonly approvals: string };
}

const FUNCTIONS = ["authorize", "contextFor", "scopeFor", "audit", "onError"] as const;

export function settingsOf<S extends HostSession>(options: HostOptions<S>): Settings<S> {
  if (!isRecord(options)) throw new TypeError("createHostHandler takes { session, runtime, model, … }");
  if (typeof options.session !== "function") throw new TypeError("createHostHandler: session must be a function");
  for (const method of ["invoke", "describe", "resume"]) {
    if (typeof member(options.runtime, method) !== "function") {
      throw new TypeError("createHostHandler: runtime must be what createAgentRuntime gave");
    }
  }
  for (const name of FUNCTIONS) {
    if (!isFunctionOrAbsent(options[name])) throw new TypeError(`createHostHandler: ${name} must be a function`);
  }
  checkModel(options.model);
  const { paths, approvals } = options;
  if (approvals !== undefined && typeof member(approvals, "mayDecide") !== "function") {
    throw new TypeError("createHostHandler: approvals needs mayDecide(session, record)");
  }
  return {
    ...options,
    authorize: options.authorize ?? (() => true),
    contextFor: options.contextFor ?? (() => ({})),
    scopeFor: options.scopeFor ?? (() => []),
    audit: options.audit ?? (() => undefined),
    onError: options.onError ?? ((error, where) => console.error(`viewcap host: ${where}`, error)),
    limits: limitsOf(options.limits),
    gate: gateOf(options.origins, options.hosts),
    admitted: admittedBy(options.frontendManifest),
    paths: { step: pathOf(paths?.step ?? "/agent/step"), approvals: pathOf(paths?.approvals ?? "/agent/approvals") },
  };
}

function checkModel(model: unknown): void {
  if (model === undefined || typeof model === "function" || typeof member(model, "stream") === "function") return;
  throw new TypeError("createHostHandler: model must be a HostModel; aiSdkModel(languageModel) makes one");
}

function limitsOf(given: unknown): HostLimits {
  if (given === undefined) return DEFAULT_LIMITS;
  if (!isRecord(given)) throw new TypeError("createHostHandler: limits must be an object");
  const limits: Record<keyof HostLimits, number> = { ...DEFAULT_LIMITS };
  for (const name of limitNames()) {
    const value: unknown = given[name] ?? limits[name];
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > 2 ** 30) {
      throw new TypeError(`createHostHandler: limits.${name} must be an integer from 1 to 2^30`);
    }
    limits[name] = value;
  }
  return limits;
}

function limitNames(): readonly (keyof HostLimits)[] {
  const isName = (name: string): name is keyof HostLimits => name in DEFAULT_LIMITS;
  return Object.keys(DEFAULT_LIMITS).filter(isName);
}

function admittedBy(manifest: unknown): readonly string[] {
  if (manifest === undefined) return [];
  const contracts = member(manifest, "contracts");
  const names: readonly unknown[] | undefined = Array.isArray(manifest)
    ? manifest
    : isRecord(contracts)
      ? Object.keys(contracts)
      : undefined;
  if (names === undefined) {
    throw new TypeError("createHostHandler: frontendManifest must be what `viewcap contracts compile` wrote, or ids");
  }
  return names.filter((name) => typeof name === "string").filter((name) => name.startsWith("domain:"));
}

function pathOf(path: unknown): string {
  if (typeof path === "string" && /^\/[\w./~-]*[\w.~-]$/.test(path)) return path;
  throw new TypeError("createHostHandler: a path starts with a slash, ends with none, and has no parameters");
}
