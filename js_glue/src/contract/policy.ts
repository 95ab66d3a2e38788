// Policies: what the application says about every call, beside what the component says about its own.
//
//     const officeHours: Policy = {
//       name: "officeHours",
//       onDiscovery: (ctx) => ({ decision: isOpen(ctx.now()) ? "expose" : "hide" }),
//     };
//
// A policy attaches to a registry, a component (in its contract or its binding) or a capability (in the binding), and is
// asked in that order. `onDiscovery` is synchronous; `onAuthorize` and `onInvoke` are an onion around the rest of the
// call. What a policy returns from the onion is ignored; what it throws decides (spec: capabilities.md §5, invocation.md).
//
// Demanding a confirmation and auditing are not hooks but marks, which the registry reads off the policy. The marks are
// symbols that every copy of the package shares.

import type { AuditSink } from "../audit/sink.js";
import {
  AUDIT_LEVELS,
  type AuditLevel,
  type ConfirmationLevel,
  type Effect,
  type Environment,
  type Plane,
} from "../generated/vocabulary.js";
import type { InvocationResult } from "../runtime/answers.js";
import type { AgentConsumer, JsonRecord } from "./types.js";
import { isFunctionOrAbsent } from "./values.js";

/** What the contract says of a capability. */
export interface CapabilityFacts {
  readonly plane: Plane;
  readonly kind: "observation" | "action" | "procedure";
  readonly effect: Effect;
  readonly confirmation: ConfirmationLevel;
  /** The component's members, and the capability's over them. */
  readonly meta?: JsonRecord;
  /** The component's and the capability's. */
  readonly tags?: readonly string[];
}

/** What a policy is told. Frozen. */
export interface PolicyContext extends CapabilityFacts {
  readonly capabilityId: string;
  /** Absent where a capability that is no longer mounted is spoken of. */
  readonly registrationId?: string;
  readonly componentType?: string;
  readonly instanceId?: string;
  /** The component's `internal`, which no agent ever sees. */
  readonly internal?: unknown;
  readonly consumer: AgentConsumer;
  /** The registry's `context`, one frozen reading per call, projection or snapshot. */
  readonly host: unknown;
  /** The registry's. */
  readonly environment: Environment;
  /** Milliseconds of the registry's clock. */
  readonly now: () => number;
}

export interface InvokePolicyContext extends PolicyContext {
  readonly invocationId: string;
  /** Validated and merged; frozen all the way down. */
  readonly effectiveInput: unknown;
}

export type DiscoveryDecision = "expose" | "disable" | "hide";

export interface DiscoveryVerdict {
  readonly decision: DiscoveryDecision;
  /** Told to the agent when the policy disables. */
  readonly reason?: string;
}

/** Goes on with the call; resolves to its result. The second use rejects. */
export type PolicyNext = () => Promise<InvocationResult>;

export interface Policy {
  /** For explanations and diagnostics. */
  readonly name: string;
  /** Synchronous. The most restrictive vote wins; a throw hides. */
  readonly onDiscovery?: (ctx: PolicyContext) => DiscoveryVerdict;
  /** Who may: the agent's input is not in its reach. */
  readonly onAuthorize?: (ctx: PolicyContext, next: PolicyNext) => unknown;
  /** Around the execution, with the effective input. */
  readonly onInvoke?: (ctx: InvokePolicyContext, next: PolicyNext) => unknown;
}

export interface ConfirmationRule {
  /** Absent: always. A throw counts as yes. */
  readonly if?: ((ctx: InvokePolicyContext) => unknown) | undefined;
  /** The sentence that the user is asked; absent: made from description and input. */
  readonly summary?: ((input: unknown) => unknown) | undefined;
}

export interface AuditRule {
  readonly sink?: AuditSink | undefined;
  readonly level?: AuditLevel | undefined;
}

const CONFIRMATION = /* @__PURE__ */ Symbol.for("viewcap.policy.confirmation");
const AUDIT = /* @__PURE__ */ Symbol.for("viewcap.policy.audit");

export function confirmationPolicy(name: string, rule: ConfirmationRule): Policy {
  return Object.freeze({ name, [CONFIRMATION]: Object.freeze({ ...rule }) });
}

export function auditPolicy(name: string, rule: AuditRule): Policy {
  return Object.freeze({ name, [AUDIT]: Object.freeze({ ...rule }) });
}

/** What a policy demands a confirmation for; undefined when it demands none. */
export function confirmationRuleOf(policy: object): ConfirmationRule | undefined {
  const rule: unknown = Reflect.get(policy, CONFIRMATION);
  return isConfirmationRule(rule) ? rule : undefined;
}

/** Where a policy wants records to go, and how much they tell; undefined when it audits nothing. */
export function auditRuleOf(policy: object): AuditRule | undefined {
  const rule: unknown = Reflect.get(policy, AUDIT);
  return isAuditRule(rule) ? rule : undefined;
}

function isConfirmationRule(rule: unknown): rule is ConfirmationRule {
  if (typeof rule !== "object" || rule === null) return false;
  return isFunctionOrAbsent(Reflect.get(rule, "if")) && isFunctionOrAbsent(Reflect.get(rule, "summary"));
}

function isAuditRule(rule: unknown): rule is AuditRule {
  if (typeof rule !== "object" || rule === null) return false;
  const sink: unknown = Reflect.get(rule, "sink");
  return (sink === undefined || isAuditSink(sink)) && isLevelOrAbsent(Reflect.get(rule, "level"));
}

export function isAuditSink(sink: unknown): sink is AuditSink {
  if (typeof sink !== "object" || sink === null) return false;
  return typeof Reflect.get(sink, "record") === "function" && isFunctionOrAbsent(Reflect.get(sink, "redact"));
}

export function isLevelOrAbsent(level: unknown): level is AuditLevel | undefined {
  return level === undefined || AUDIT_LEVELS.some((known) => known === level);
}
