// The policies that have a say in one capability, in their order: the registry's, the component's, its own.
//
// A chain is made when it is first asked for and kept with the registration. Where nobody has policies everything is the
// one empty chain, and costs a look at its length. For a reference to a procedure the component is its owner.

import { UNGOVERNED, type AttachedPolicy } from "../contract/attach.js";
import type { InvokePolicyContext, Policy, PolicyContext } from "../contract/policy.js";
import type { AgentConsumer, JsonRecord } from "../contract/types.js";
import { isThenable, swallow } from "../contract/values.js";
import type { ConfirmationLevel, Effect, Environment, Plane } from "../generated/vocabulary.js";
import { toWellFormed } from "../json/value.js";
import { readHost, type Call } from "./call.js";
import type { RegistryCore } from "./core.js";
import { isPure } from "./policy_flags.js";
import type { Registration } from "./registration.js";

export interface PolicyChain {
  /** Those that vote on discovery. */
  readonly discovery: readonly AttachedPolicy[];
  /** Those that do nothing but vote. */
  readonly pure: readonly AttachedPolicy[];
  readonly authorize: readonly Policy[];
  readonly invoke: readonly Policy[];
  readonly confirmations: readonly AttachedPolicy[];
}

export type PolicyLevel = "registry" | "component" | "capability";

/** By capability index: the chain, and what its policies are told whoever asks. */
export interface ChainCache {
  readonly chains: (PolicyChain | undefined)[];
  readonly told: (ToldAlways | undefined)[];
}
type ToldAlways = Omit<PolicyContext, "consumer" | "host">;

const NONE: readonly AttachedPolicy[] = [];
/** The chain of a capability that nobody governs. */
export const NO_POLICIES: PolicyChain = Object.freeze({
  discovery: NONE,
  pure: NONE,
  authorize: NONE,
  invoke: NONE,
  confirmations: NONE,
});

export function makeChain(policies: readonly AttachedPolicy[]): PolicyChain {
  if (policies.length === 0) return NO_POLICIES;
  return {
    discovery: policies.filter(({ vote }) => vote !== undefined),
    pure: policies.filter(isPure),
    authorize: policies.filter(({ onAuthorize }) => onAuthorize !== undefined),
    invoke: policies.filter(({ onInvoke }) => onInvoke !== undefined),
    confirmations: policies.filter(({ confirmation }) => confirmation !== undefined),
  };
}

/** All policies of a capability with the level that each is attached to, in their order. */
export function levelsOf(
  core: RegistryCore,
  registration: Registration,
  index: number,
): readonly (readonly [PolicyLevel, readonly AttachedPolicy[]])[] {
  const { owner, governed } = registration;
  const { component, own } = governed.policies;
  const mine = own[index] ?? NONE;
  return [
    ["registry", core.settings.policies],
    ["component", owner === undefined ? component : owner.governed.policies.component],
    ["capability", owner === undefined ? mine : [...component, ...mine]],
  ];
}

/** Whether a registration brings discovery policies with it. */
export function hasVotes({ governed, owner }: Registration): boolean {
  if (governed.policies === UNGOVERNED && owner === undefined) return false;
  const { component, own } = governed.policies;
  return [owner?.governed.policies.component ?? NONE, component, ...own].some((list) =>
    list.some(({ vote }) => vote !== undefined),
  );
}

export function chainOf(core: RegistryCore, registration: Registration, index: number): PolicyChain {
  const { owner, governed } = registration;
  if (governed.policies === UNGOVERNED && (owner === undefined || owner.governed.policies === UNGOVERNED)) {
    return core.settings.chain;
  }
  const { chains } = cacheOf(registration);
  return (chains[index] ??= makeChain(levelsOf(core, registration, index).flatMap(([, policies]) => policies)));
}

function cacheOf(registration: Registration): ChainCache {
  return (registration.chains ??= { chains: [], told: [] });
}

/** What policies are told; frozen. A `context` of the registry that throws does so again in whoever looks at `host`. */
export function contextOf(
  core: RegistryCore,
  registration: Registration,
  index: number,
  consumer: AgentConsumer,
  host: HostReading,
): PolicyContext {
  return Object.freeze(new ToldContext(alwaysOf(core, registration, index), consumer, host));
}

/** Made for every policy of every call: fields and no spreading. */
class ToldContext implements PolicyContext {
  readonly capabilityId: string;
  declare readonly registrationId?: string;
  declare readonly componentType?: string;
  declare readonly instanceId?: string;
  declare readonly meta?: JsonRecord;
  declare readonly tags?: readonly string[];
  declare readonly internal?: unknown;
  readonly plane: Plane;
  readonly kind: PolicyContext["kind"];
  readonly effect: Effect;
  readonly confirmation: ConfirmationLevel;
  readonly consumer: AgentConsumer;
  readonly environment: Environment;
  readonly now: () => number;
  readonly #host: HostReading;

  constructor(always: ToldAlways, consumer: AgentConsumer, host: HostReading) {
    this.capabilityId = always.capabilityId;
    if (always.registrationId !== undefined) this.registrationId = always.registrationId;
    if (always.componentType !== undefined) this.componentType = always.componentType;
    if (always.instanceId !== undefined) this.instanceId = always.instanceId;
    if (always.meta !== undefined) this.meta = always.meta;
    if (always.tags !== undefined) this.tags = always.tags;
    if (always.internal !== undefined) this.internal = always.internal;
    this.plane = always.plane;
    this.kind = always.kind;
    this.effect = always.effect;
    this.confirmation = always.confirmation;
    this.consumer = consumer;
    this.environment = always.environment;
    this.now = always.now;
    this.#host = host;
  }

  /** A `context` of the registry that throws does so again in whoever looks. */
  get host(): unknown {
    return this.#host.value;
  }
}

class InvokeContext extends ToldContext implements InvokePolicyContext {
  readonly invocationId: string;
  readonly #call: Call;

  constructor(always: ToldAlways, call: Call, host: HostReading) {
    super(always, call.envelope.consumer, host);
    this.invocationId = call.invocationId;
    this.#call = call;
  }

  get effectiveInput(): unknown {
    return this.#call.frozenInput;
  }
}

function alwaysOf(core: RegistryCore, registration: Registration, index: number): ToldAlways {
  const { told } = cacheOf(registration);
  return (told[index] ??= toldAlways(core, registration, index));
}

function toldAlways(core: RegistryCore, registration: Registration, index: number): ToldAlways {
  const { contract, registrationId } = registration;
  const facts = contract.facts()[index] ?? READS;
  const component = facts.kind === "procedure" ? registration.owner : registration;
  const { internal } = (component ?? registration).governed;
  return {
    capabilityId: contract.capabilityIds[index] ?? "",
    registrationId,
    ...(component === undefined
      ? {}
      : { componentType: component.contract.type, instanceId: component.governed.instanceId }),
    ...facts,
    ...(internal === undefined ? {} : { internal }),
    environment: core.settings.environment,
    now: core.settings.clock.read,
  };
}
const READS = { plane: "view", kind: "observation", effect: "read", confirmation: "never" } as const;

/** What a registry's policies are told of a capability that is no longer mounted; undefined when nobody knows it. */
export function formerContext(
  core: RegistryCore,
  capabilityId: string,
  consumer: AgentConsumer,
  host: HostReading,
): PolicyContext | undefined {
  const known = core.contracts.known(capabilityId);
  const facts = known?.contract.facts()[known.index];
  if (known === undefined || facts === undefined) return undefined;
  const { environment, clock } = core.settings;
  const component = facts.kind === "procedure" ? {} : { componentType: known.contract.type };
  const always = { capabilityId, ...component, ...facts, environment, now: clock.read };
  return Object.freeze(new ToldContext(always, consumer, host));
}

/** One frozen reading of the registry's `context`, made when somebody first looks. */
export class HostReading {
  readonly #read: () => unknown;
  #reading: { readonly value: unknown } | { readonly error: unknown } | undefined;

  constructor(read: () => unknown) {
    this.#read = read;
  }

  get value(): unknown {
    const reading = (this.#reading ??= this.#take());
    if ("value" in reading) return reading.value;
    throw reading.error;
  }

  #take(): { readonly value: unknown } | { readonly error: unknown } {
    try {
      return { value: this.#read() };
    } catch (error) {
      return { error };
    }
  }
}

/** A reading of its own for a projection or a snapshot. */
export function hostReading(core: RegistryCore): HostReading {
  return new HostReading(() => readHost(core.settings.context));
}

/** For a call: its one reading. */
export function policyContext(core: RegistryCore, call: Call): PolicyContext {
  return contextOf(core, call.registration, call.index, call.envelope.consumer, call.host(core));
}

export function invokeContext(core: RegistryCore, call: Call): InvokePolicyContext {
  const always = alwaysOf(core, call.registration, call.index);
  return (call.invokeContext ??= Object.freeze(new InvokeContext(always, call, call.host(core))));
}

/** The summary of the first rules that demand a confirmation of this call; undefined when none does. */
export function firedRule(core: RegistryCore, call: Call): { readonly summary?: string } | undefined {
  const context = invokeContext(core, call);
  let fired: { readonly summary?: string } | undefined;
  for (const { confirmation } of call.chain.confirmations) {
    if (confirmation === undefined || !fires(confirmation.if, context)) continue;
    fired = summaryOf(confirmation.summary, context.effectiveInput);
    if (fired.summary !== undefined) return fired;
  }
  return fired;
}

type Condition = ((ctx: InvokePolicyContext) => unknown) | undefined;

/** A condition that throws, or answers later, has fired. */
function fires(condition: Condition, context: InvokePolicyContext): boolean {
  if (condition === undefined) return true;
  try {
    const answer = condition(context);
    if (isThenable(answer)) swallow(answer);
    return Boolean(answer);
  } catch {
    return true;
  }
}

function summaryOf(summary: ((input: unknown) => unknown) | undefined, input: unknown): { readonly summary?: string } {
  if (summary === undefined) return {};
  try {
    const text = summary(input);
    if (isThenable(text)) swallow(text);
    return typeof text === "string" && text !== "" ? { summary: toWellFormed(text) } : {};
  } catch {
    return {};
  }
}
