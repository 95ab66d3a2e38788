// The turn loop in the browser (spec: host-protocol.md): project, post, read, carry out, until the model is done.
//
// Nothing is kept on the server between two steps: the messages are the state. So whatever happens, every call in them
// has its result when the turn ends.

import { createLoopGuard, createStepEncoder, projectStep, repairHistory } from "../protocol/index.js";
import type { StepProjection } from "../protocol/project_step.js";
import type { WireModelMessage } from "../protocol/types.js";
import { carryOut } from "./browser_calls.js";
import type { CallIdentity } from "./meta.js";
import type { TurnSettings } from "./options.js";
import { Step } from "./step.js";
import { post } from "./transport.js";
import { failureOf, runLimit } from "./turn_errors.js";
import { TurnTime } from "./turn_time.js";
import type { TurnError, TurnOutcome } from "./types.js";

const MOST_STEPS = 8;
const TURN_MS = 180_000;

type TurnEnd = Omit<TurnOutcome, "messages">;

export class Turn {
  readonly #settings: TurnSettings;
  readonly #encoder = createStepEncoder();
  readonly #guard = createLoopGuard();
  readonly #time: TurnTime;
  /** Ends what is under way. */
  readonly #stop = new AbortController();
  /** Why the turn ends, as soon as that is known; the first reason counts. */
  #end: TurnEnd | undefined;
  #messages: readonly WireModelMessage[];
  #route: string;
  #scope: readonly string[];
  #trimmed = false;

  constructor(settings: TurnSettings, route: string, scope: readonly string[]) {
    this.#settings = settings;
    this.#messages = [...settings.messages];
    this.#route = route;
    this.#scope = scope;
    const seconds = String(TURN_MS / 1000);
    this.#time = new TurnTime(settings.clock, TURN_MS, () => {
      this.#fail(runLimit(`The turn took more than ${seconds} seconds; it was stopped.`));
      this.#stop.abort();
    });
  }

  async run(): Promise<TurnOutcome> {
    const { signal, listeners } = this.#settings;
    const cancel = (): void => {
      this.#end ??= { status: "cancelled" };
      this.#stop.abort();
    };
    if (signal?.aborted === true) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      for (let index = 0; this.#end === undefined; index++) await this.#step(index);
    } catch (error) {
      this.#fail(failureOf(error));
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#time.end();
      this.#encoder.dispose();
      this.#guard.dispose();
    }
    if (this.#end?.error !== undefined) listeners.error(this.#end.error);
    return { messages: [...this.#messages], ...(this.#end ?? { status: "completed" }) };
  }

  #fail(error: TurnError): void {
    this.#end ??= { status: "error", error };
  }

  async #step(index: number): Promise<void> {
    const { registry, consumer, mode, listeners, fetch, endpoint, conversationId, turnId, until } = this.#settings;
    const { signal } = this.#stop;
    const scope = this.#scope;
    const projection = projectStep(registry, { consumer, scope });
    const posted = await post({ fetch, endpoint, body: this.#body(index, projection), signal });
    if ("failure" in posted) return this.#fail(posted.failure);
    const step = new Step(listeners, (call, ok, result) => this.#record(call, ok, result));
    const { messages, pending, failure } = await step.read(posted.response, signal);
    if (failure !== undefined) this.#fail(failure);
    else if (pending.length === 0) this.#end ??= { status: "completed" };
    else if (index + 1 === MOST_STEPS)
      this.#fail(runLimit(`The turn took its ${String(MOST_STEPS)} steps; it was stopped.`));
    this.#messages = [...this.#messages, ...messages];
    if (pending.length === 0) return;
    const results = await carryOut(pending, {
      ...{ registry, consumer, conversationId, turnId, projection, scope, until, signal },
      meta: mode === "meta",
      calls: step.calls,
      person: (decision) => this.#time.person(decision),
      goesOn: () => this.#end === undefined,
      settled: (call, ok, value) => this.#record(call, ok, value),
      navigated: () => this.#follow(),
    });
    this.#messages = [...this.#messages, results];
    if (this.#end === undefined) listeners.tell("onAssistantMessageBoundary");
  }

  /** Both planes, in the order of settlement. */
  #record({ canonicalId, input }: CallIdentity, ok: boolean, result: unknown): void {
    try {
      const verdict = this.#guard.record({ canonicalId, input, ok, result });
      if (verdict !== null) this.#fail({ code: verdict.code, message: verdict.message });
    } catch (error) {
      this.#fail(failureOf(error));
    }
  }

  /** Where the model went, the next step looks. */
  #follow(): void {
    try {
      const route = this.#settings.pathname();
      this.#scope = this.#settings.scopeFor(route);
      this.#route = route;
    } catch (error) {
      console.warn("viewcap: the route after a navigation is not known; the turn stays where it was", error);
    }
  }

  #body(stepIndex: number, projection: StepProjection): Uint8Array<ArrayBuffer> {
    const { listeners } = this.#settings;
    const body = this.#encoded(stepIndex, projection);
    const { trimmedMessages } = this.#encoder;
    if (trimmedMessages > 0 && !this.#trimmed) {
      this.#trimmed = true;
      const summary = `The history is over the limits: its oldest ${String(trimmedMessages)} messages are not sent.`;
      listeners.report("history-trimmed", summary, { messages: trimmedMessages });
    }
    return body;
  }

  /** A history that was saved in the middle of something is made legal once, before anything is sent. */
  #encoded(stepIndex: number, projection: StepProjection): Uint8Array<ArrayBuffer> {
    try {
      return this.#encode(stepIndex, projection, this.#messages);
    } catch (error) {
      if (stepIndex > 0 || failureOf(error).code !== "PROTOCOL_DECODE_ERROR") throw error;
      const repaired = repairHistory(this.#messages);
      this.#encoder.reset();
      const body = this.#encode(stepIndex, projection, repaired);
      this.#messages = repaired;
      return body;
    }
  }

  #encode(
    stepIndex: number,
    projection: StepProjection,
    messages: readonly WireModelMessage[],
  ): Uint8Array<ArrayBuffer> {
    const { conversationId, turnId, mode, modelId } = this.#settings;
    const pathname = this.#route;
    const scope = this.#scope.length === 0 ? undefined : this.#scope;
    return this.#encoder.encode({
      conversationId,
      turnId,
      stepIndex,
      pathname,
      messages,
      projection,
      mode,
      scope,
      modelId,
    });
  }
}
