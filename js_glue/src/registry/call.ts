// One invocation on this side of the boundary: its promise, its signal, and the text of its input.

import type { Entry } from "../contract/intern.js";
import type { AgentConsumer, HandlerConfirmation, HandlerContext } from "../contract/types.js";
import type { InvokePolicyContext } from "../contract/policy.js";
import { deepFreeze, jsonCopy, type JsonValue } from "../json/value.js";
import type { InvocationResult, PlanAnswer } from "../runtime/answers.js";
import type { RegistryCore } from "./core.js";
import { HostReading, NO_POLICIES, type PolicyChain } from "./policy_chain.js";
import { NOBODY, type Registration } from "./registration.js";

/** What the caller sent, ready to cross. */
export interface Envelope {
  readonly text: string;
  readonly capabilityId: string;
  readonly invocationId: string;
  /** "" for none. */
  readonly confirmationId: string;
  readonly input: JsonValue | undefined;
  readonly consumer: AgentConsumer;
  readonly signal: AbortSignal | undefined;
}

const NO_INPUT: JsonValue = { text: "{}" };

export class Call {
  readonly inv: number;
  readonly invocationId: string;
  readonly envelope: Envelope;
  registration: Registration = NOBODY;
  chain: PolicyChain = NO_POLICIES;
  index = 0;
  admitLater = true;
  refused = false;
  needsConfirmation = false;
  timeoutMs = 0;
  settled = false;
  /** The registry's epoch when the call came: another one says that author code called in meanwhile. */
  epoch = 0;
  /** Author code made it wait: everything is asked again before the handler. */
  waited = false;
  /** The module was told that the gates are still running. */
  heldBack = false;
  /** Somebody waits: the handler's promise, a policy, the queue, or an asynchronous validation. */
  pending = false;
  confirmation: HandlerConfirmation | undefined;
  result: InvocationResult | undefined;
  defect: Error | undefined;
  /** The public registry: not to be collected, and so disposed, under a call in flight. */
  owner: object | undefined;
  #input: JsonValue;
  /** The agent's part, where a binding adds to it. */
  #agent: JsonValue | undefined;
  #host: HostReading | undefined;
  #frozenInput: { readonly value: unknown } | undefined;
  /** What policies around the execution are told; the same for all of them. */
  invokeContext: InvokePolicyContext | undefined;
  #promise: Promise<InvocationResult> | undefined;
  #resolve: ((result: InvocationResult) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;
  #controller: AbortController | undefined;
  #aborted = false;
  #unwatch: (() => void) | undefined;

  constructor(inv: number, envelope: Envelope) {
    this.inv = inv;
    this.invocationId = envelope.invocationId;
    this.envelope = envelope;
    this.#input = envelope.input ?? NO_INPUT;
  }

  adopt(plan: PlanAnswer, registration: Registration, chain: PolicyChain): void {
    this.registration = registration;
    this.chain = chain;
    this.index = plan[4];
    this.admitLater = plan[5] !== 0;
    this.refused = plan[6] !== 0;
    this.timeoutMs = plan[7];
    this.needsConfirmation = plan[8] !== 0;
  }

  /** Undefined once the component is gone. */
  get entry(): Entry | undefined {
    return this.registration.entries?.[this.index];
  }

  /** One frozen reading of the registry's `context` per call. */
  host(core: RegistryCore): HostReading {
    return (this.#host ??= new HostReading(() => readHost(core.settings.context)));
  }

  /** Before the last look: it is taken at the page as it is then. */
  forgetHost(): void {
    this.#host = undefined;
  }

  context(core: RegistryCore): CallContext {
    // Without policies nobody has looked yet, and nobody else will.
    return new CallContext(this, this.#host === undefined ? readHost(core.settings.context) : this.#host.value);
  }

  get isAction(): boolean {
    return this.index >= this.registration.contract.observationCount;
  }

  /** As it was validated; every look is a copy of its own. */
  get input(): unknown {
    return JSON.parse(this.#input.text);
  }

  /** The handler's copy: the one that was made when the text was, given away once. */
  takeInput(): unknown {
    const input = this.#input;
    this.#input = { text: input.text };
    return jsonCopy(input);
  }

  /** The effective input for policies, frozen all the way down. */
  get frozenInput(): unknown {
    return (this.#frozenInput ??= { value: deepFreeze(this.input) }).value;
  }

  get inputText(): string {
    return this.#input.text;
  }

  get agentText(): string {
    return (this.#agent ?? this.#input).text;
  }

  /** What a Standard Schema made of the input. */
  replaceInput(input: JsonValue): void {
    this.#input = input;
  }

  /** The agent's part and the bound one together. */
  bindInput(input: JsonValue): void {
    this.#agent ??= this.#input;
    this.#input = input;
    this.#frozenInput = undefined;
  }

  get promise(): Promise<InvocationResult> {
    if (this.#promise !== undefined) return this.#promise;
    if (this.defect !== undefined) return (this.#promise = Promise.reject(this.defect));
    if (this.result !== undefined) return (this.#promise = Promise.resolve(this.result));
    return (this.#promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    }));
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#controller?.abort();
  }

  /** Calls back once when the caller's signal aborts before the call has settled. */
  watch(cancel: () => void): void {
    const signal = this.envelope.signal;
    if (signal === undefined || this.#unwatch !== undefined) return;
    signal.addEventListener("abort", cancel, { once: true });
    this.#unwatch = () => signal.removeEventListener("abort", cancel);
  }

  finish(result: InvocationResult | undefined, defect: Error | undefined): void {
    this.settled = true;
    this.result = result;
    this.defect = defect;
    this.owner = undefined;
    this.#unwatch?.();
    if (defect !== undefined) this.#reject?.(defect);
    else if (result !== undefined) this.#resolve?.(result);
  }
}

/** What a handler is told. The signal is made when it is first asked for: most handlers never do. */
export class CallContext implements HandlerContext {
  readonly capabilityId: string;
  readonly registrationId: string;
  declare readonly invocationId?: string;
  readonly consumer: AgentConsumer;
  readonly host: unknown;
  declare readonly confirmation?: HandlerConfirmation;
  readonly #call: Call;

  constructor(call: Call, host: unknown) {
    const { contract, registrationId } = call.registration;
    this.capabilityId = contract.capabilityIds[call.index] ?? "";
    this.registrationId = registrationId;
    if (call.isAction) this.invocationId = call.invocationId;
    this.consumer = call.envelope.consumer;
    this.host = host;
    if (call.confirmation !== undefined) this.confirmation = call.confirmation;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}

/** One frozen reading of the registry's `context`. May throw: the author's function runs here. */
export function readHost(context: unknown): unknown {
  const value: unknown = typeof context === "function" ? Reflect.apply(context, undefined, []) : context;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.freeze({ ...value }) : value;
}
