// One invocation on this side of the boundary: its promise, its signal, and the text of its input.

import type { AgentConsumer, HandlerContext } from "../contract/types.js";
import { jsonCopy, type JsonValue } from "../json/value.js";
import type { InvocationResult, PlanAnswer } from "../runtime/answers.js";
import type { Registration } from "./registration.js";

/** What the caller sent, ready to cross. */
export interface Envelope {
  readonly text: string;
  readonly capabilityId: string;
  readonly invocationId: string;
  readonly input: JsonValue | undefined;
  readonly consumer: AgentConsumer;
  readonly signal: AbortSignal | undefined;
}

const NO_INPUT: JsonValue = { text: "{}" };

export class Call {
  readonly inv: number;
  readonly registration: Registration;
  readonly index: number;
  admitLater: boolean;
  readonly refused: boolean;
  readonly timeoutMs: number;
  readonly invocationId: string;
  readonly envelope: Envelope;
  settled = false;
  /** The module was told that the gates are still running. */
  heldBack = false;
  /** Somebody waits: the handler's promise, the queue, or an asynchronous validation. */
  pending = false;
  result: InvocationResult | undefined;
  defect: Error | undefined;
  /** The public registry: not to be collected, and so disposed, under a call in flight. */
  owner: object | undefined;
  #input: JsonValue;
  #promise: Promise<InvocationResult> | undefined;
  #resolve: ((result: InvocationResult) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;
  #controller: AbortController | undefined;
  #aborted = false;
  #unwatch: (() => void) | undefined;

  constructor(plan: PlanAnswer, registration: Registration, envelope: Envelope) {
    this.inv = plan[2];
    this.registration = registration;
    this.index = plan[4];
    this.admitLater = plan[5] !== 0;
    this.refused = plan[6] !== 0;
    this.timeoutMs = plan[7];
    this.invocationId = envelope.invocationId;
    this.envelope = envelope;
    this.#input = envelope.input ?? NO_INPUT;
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

  /** What a Standard Schema made of the input. */
  replaceInput(input: JsonValue): void {
    this.#input = input;
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
  readonly #call: Call;

  constructor(call: Call, host: unknown) {
    const { contract, registrationId } = call.registration;
    this.capabilityId = contract.capabilityIds[call.index] ?? "";
    this.registrationId = registrationId;
    if (call.isAction) this.invocationId = call.invocationId;
    this.consumer = call.envelope.consumer;
    this.host = host;
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
