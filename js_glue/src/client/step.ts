// One step as the page hears it: frames become events, and the end of the response what the history gets.

import { isRecord, member } from "../contract/values.js";
import { createFrameDecoder, createResponseAccumulator } from "../protocol/index.js";
import type { DomainTool, Frame, PendingToolCall, WireModelMessage } from "../protocol/types.js";
import { StepCalls } from "./calls.js";
import type { Listeners } from "./listeners.js";
import { readChunks, transportFailed } from "./transport.js";
import type { TurnCall, TurnError } from "./types.js";

export interface StepOutcome {
  readonly messages: readonly WireModelMessage[];
  /** For the browser to carry out; open in the messages. */
  readonly pending: readonly PendingToolCall[];
  /** Ends the turn. */
  readonly failure: TurnError | undefined;
}

/** The server's calls, as they settle. */
export type ServerSettled = (call: TurnCall, ok: boolean, result: unknown) => void;

/** How long a response may stay open behind its step-finish. */
const GRACE_MS = 1_000;
const DECODE_ERROR = "PROTOCOL_DECODE_ERROR";

export class Step {
  readonly calls: StepCalls;
  readonly #listeners: Listeners;
  readonly #serverSettled: ServerSettled;
  readonly #accumulator = createResponseAccumulator();
  readonly #sideEffects = new Map<string, DomainTool["sideEffect"]>();
  #finished = false;
  /** Lines that were none; decoding went on. */
  #faults = 0;

  constructor(listeners: Listeners, serverSettled: ServerSettled) {
    this.calls = new StepCalls(listeners);
    this.#listeners = listeners;
    this.#serverSettled = serverSettled;
  }

  /** Reads to the end of the response, wherever that is. */
  async read(response: Response, signal: AbortSignal): Promise<StepOutcome> {
    const enough = new AbortController();
    const stop = (): void => enough.abort();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    let grace: ReturnType<typeof setTimeout> | undefined;
    const decoder = createFrameDecoder((frame) => this.#take(frame));
    try {
      const whole = await readChunks(response, enough.signal, (chunk) => {
        decoder.push(chunk);
        if (this.#finished) grace ??= setTimeout(stop, GRACE_MS);
        return true;
      });
      // What a broken connection left of a line is no line.
      if (whole) decoder.finish();
      return this.#outcome();
    } finally {
      clearTimeout(grace);
      signal.removeEventListener("abort", stop);
      decoder.dispose();
      this.#accumulator.dispose();
    }
  }

  #take(frame: Frame): void {
    if (this.#finished && frame.type !== "error" && frame.type !== "inspector") return;
    this.#accumulator.push(frame);
    this.#listeners.tell("onFrame", frame);
    switch (frame.type) {
      case "step-start":
        for (const { wireName, sideEffect } of frame.domainTools) this.#sideEffects.set(wireName, sideEffect);
        return this.#listeners.tell("onDomainCatalog", frame.domainTools);
      case "text-delta":
        return this.#listeners.tell("onTextDelta", frame.text);
      case "reasoning-delta":
        return this.#listeners.tell("onReasoningDelta", frame.text);
      case "tool-call":
        return this.#announce(frame);
      case "tool-result":
        return this.#answer(frame.toolCallId, frame.ok, frame.result);
      case "inspector":
        return this.#listeners.tell("onInspector", frame);
      case "error":
        if (frame.error.code === DECODE_ERROR) this.#faults++;
        return this.#listeners.error(frame.error);
      case "step-finish":
        this.#finished = true;
        if (frame.usage !== undefined) this.#listeners.tell("onUsage", frame.usage);
    }
  }

  #announce({ toolCallId, wireName, canonicalId, executor, input }: TurnCall): void {
    this.calls.announce({ toolCallId, wireName, canonicalId, executor, input });
  }

  /** The server answers its own calls only, and each once. */
  #answer(toolCallId: string, ok: boolean, result: unknown): void {
    const call = this.calls.open(toolCallId);
    if (call?.executor !== "server") return;
    const told = this.calls.answer(call, ok, result);
    this.#serverSettled(call, ok, result);
    if (ok && this.#isMutation(call.wireName, result)) this.#listeners.tell("onDomainMutation", told);
  }

  /** What is not declared as reading counts as a write; one that waits for a person has changed nothing yet. */
  #isMutation(wireName: string, result: unknown): boolean {
    const sideEffect = this.#sideEffects.get(wireName);
    return sideEffect !== "read" && sideEffect !== "none" && member(result, "status") !== "approval-required";
  }

  #outcome(): StepOutcome {
    const { messages, pending, errors } = this.#accumulator.finish();
    const failure = this.#failure(errors);
    const asked = new Set(pending.map(({ toolCallId }) => toolCallId));
    const left = new Set(this.calls.allOpen().filter(({ toolCallId }) => !asked.has(toolCallId)));
    if (left.size > 0) {
      const results = resultsIn(messages);
      for (const call of left) this.#answerFrom(call, results);
    }
    return { messages, pending, failure };
  }

  /** A result that no frame told of: the history has one. */
  #answerFrom(call: TurnCall, results: ReadonlyMap<string, unknown>): void {
    const result = results.get(call.toolCallId);
    const ok = results.has(call.toolCallId) && !(isRecord(result) && "error" in result);
    if (call.executor === "server") this.#answer(call.toolCallId, ok, result);
    else this.calls.answer(call, ok, result);
  }

  #failure(errors: readonly TurnError[]): TurnError | undefined {
    const said = errors.find(({ code }) => code !== DECODE_ERROR);
    if (said !== undefined) return said;
    if (!this.#finished) return transportFailed("The response ended before its step-finish.");
    return errors.length > this.#faults ? errors[errors.length - 1] : undefined;
  }
}

function resultsIn(messages: readonly WireModelMessage[]): ReadonlyMap<string, unknown> {
  const results = new Map<string, unknown>();
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      const id = member(part, "toolCallId");
      if (part.type === "tool-result" && typeof id === "string")
        results.set(id, member(member(part, "output"), "value"));
    }
  }
  return results;
}
