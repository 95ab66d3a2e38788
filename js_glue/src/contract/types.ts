// The types of contracts and bindings. A contract is everything that the agent reads; a binding is behaviour only, and
// has no place for a description, a schema or an effect.

import type { AuditLevel, ConfirmationLevel, ConsumerKind, Origin } from "../generated/vocabulary.js";
import type { AgentSchema } from "../schema/schema.js";
import type { Policy } from "./policy.js";
import type { BoundProcedure } from "./procedure.js";

export interface AgentConsumer {
  /** At most 128 code units. */
  readonly id: string;
  readonly kind: ConsumerKind;
  readonly grants?: readonly string[];
}

export type ViewEffect = "local-state" | "navigation";
export type JsonRecord = Readonly<Record<string, unknown>>;

interface CapabilityFields {
  /** At most 300 characters, written for the agent. */
  readonly description: string;
  readonly meta?: JsonRecord;
  readonly tags?: readonly string[];
  readonly timeoutMs?: number;
}

export interface ObservationContract<out Output = unknown> extends CapabilityFields {
  readonly output: AgentSchema<Output>;
}

/** Which calls wait for each other; without it all actions of one instance do. */
export type Concurrency = (
  | { readonly mode: "instance" | "capability" }
  | { readonly mode: "key"; readonly key: string }
  | { readonly mode: "parallel"; readonly max: number }
) & {
  /** How many may wait; default: the registry's actionQueueDepth. */
  readonly queueDepth?: number;
};

export interface ActionContract<out Input = unknown, out Output = unknown> extends CapabilityFields {
  readonly input: AgentSchema<Input>;
  readonly output?: AgentSchema<Output>;
  readonly effect: ViewEffect;
  readonly idempotent?: boolean;
  readonly reversible?: boolean;
  readonly confirmation?: ConfirmationLevel;
  readonly audit?: AuditLevel;
  readonly concurrency?: Concurrency;
}

export type Observations = Readonly<Record<string, ObservationContract>>;
export type Actions = Readonly<Record<string, ActionContract>>;

export interface ComponentContractFields<O extends Observations, A extends Actions> {
  /** Component type, such as "invoices.pending". */
  readonly type: string;
  /** At most 500 characters. */
  readonly description: string;
  readonly meta?: JsonRecord;
  readonly origin?: Origin | (string & {});
  readonly priority?: number;
  readonly tags?: readonly string[];
  /** Of the component; behaviour, so no part of what the agent reads and of what an authority compares. */
  readonly policies?: readonly Policy[];
  readonly observations?: O;
  readonly actions?: A;
}

export interface AgentComponentContract<O extends Observations, A extends Actions> extends ComponentContractFields<
  O,
  A
> {
  /** Contract and behaviour together: what `register` takes. */
  bind(binding: ComponentBinding<O, A>): AgentComponentDefinition;
}

/** What a handler is told about the call. */
export interface HandlerContext {
  readonly capabilityId: string;
  readonly registrationId: string;
  /** Actions only. */
  readonly invocationId?: string;
  readonly consumer: AgentConsumer;
  /** The registry's `context`, one frozen reading per call. */
  readonly host: unknown;
  /** Aborts on timeout, cancellation, unmount and dispose. */
  readonly signal: AbortSignal;
  /** What a person approved, where one was asked. */
  readonly confirmation?: HandlerConfirmation;
}

export interface HandlerConfirmation {
  readonly id: string;
  /** Milliseconds of the registry's clock. */
  readonly approvedAt: number;
}

export interface PreconditionFailure {
  readonly message: string;
  readonly details?: JsonRecord;
}

interface Gate {
  /** Evaluated now, at every projection and call; truthy is available. Synchronous. */
  readonly when?: () => unknown;
  readonly unavailableReason?: string | (() => string);
  /** Of this capability, after those of the registry and the component. */
  readonly policies?: readonly Policy[];
}

export interface ObservationBinding<in out Output = unknown> extends Gate {
  readonly read: (ctx: HandlerContext) => Output | Promise<Output>;
}

export interface ActionBinding<in out Input = unknown, in out Output = unknown> extends Gate {
  readonly execute: (input: Input, ctx: HandlerContext) => Output | Promise<Output>;
  /** Synchronous; nothing: go ahead. */
  readonly precondition?: (input: Input, ctx: HandlerContext) => PreconditionFailure | null | undefined | void;
}

type InputOf<C> = C extends { readonly input: AgentSchema<infer T> } ? T : unknown;
type OutputOf<C> = C extends { readonly output?: AgentSchema<infer T> } ? T : unknown;

type ObservationBindings<O extends Observations> = {
  readonly [K in keyof O]: ObservationBinding<OutputOf<O[K]>>;
};
type ActionBindings<A extends Actions> = {
  readonly [K in keyof A]: ActionBinding<InputOf<A[K]>, OutputOf<A[K]>>;
};
type WhenAny<T, Field> = [keyof T] extends [never] ? Partial<Field> : Field;

export interface InstanceFields {
  /** A-Z a-z 0-9 - _, at most 128; default "default". */
  readonly instanceId?: string;
  readonly parent?: { readonly type: string; readonly instanceId?: string };
  readonly enabled?: boolean;
  /** For the registration guard and for policies only; never leaves the page. */
  readonly internal?: unknown;
  /** Of this component, after those of its contract. */
  readonly policies?: readonly Policy[];
  /** Procedures of the server that it binds, for as long as it is mounted; bindAgentProcedure makes them. */
  readonly procedures?: readonly BoundProcedure[];
}

export type ComponentBinding<O extends Observations, A extends Actions> = InstanceFields &
  WhenAny<O, { readonly observations: ObservationBindings<O> }> &
  WhenAny<A, { readonly actions: ActionBindings<A> }>;

/** An observation with its behaviour, as the expanded form has it. Method types: a list of them may be mixed. */
export interface ObservationDefinition extends ObservationContract {
  read(ctx: HandlerContext): unknown;
  when?(): unknown;
  readonly unavailableReason?: string | (() => string);
  readonly policies?: readonly Policy[];
}
export interface ActionDefinition extends ActionContract {
  execute(input: never, ctx: HandlerContext): unknown;
  when?(): unknown;
  readonly unavailableReason?: string | (() => string);
  readonly policies?: readonly Policy[];
  precondition?(input: never, ctx: HandlerContext): PreconditionFailure | null | undefined | void;
}

/** Contract and behaviour in one object. */
export interface AgentComponentDefinition extends InstanceFields {
  readonly type: string;
  readonly description: string;
  readonly meta?: JsonRecord;
  readonly origin?: Origin | (string & {});
  readonly priority?: number;
  readonly tags?: readonly string[];
  readonly observations?: Readonly<Record<string, ObservationDefinition>>;
  readonly actions?: Readonly<Record<string, ActionDefinition>>;
}
