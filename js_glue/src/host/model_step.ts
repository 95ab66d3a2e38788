// One model step: the stream of a model becomes frames at once, and one message of the assistant in the end
// (spec: host-protocol.md, "Frames", "The turn loop": 45 s of silence).

import { isRecord } from "../contract/values.js";
import type { HostErrorCode } from "../generated/protocol_vocabulary.js";
import { LongTimer } from "../domain/long_timer.js";
import { TextPieces } from "../json/text_pieces.js";
import type { FinishReason, HostModel, ModelPart, ModelRequest, ModelUsage } from "./model/types.js";
import { wireValue } from "./wire_value.js";

/** A part of the assistant's message, as the history keeps it. */
export type AssistantPart = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface ModelCall {
  readonly toolCallId: unknown;
  readonly toolName: unknown;
  readonly input: unknown;
}

export interface StepListener {
  text(type: "text" | "reasoning", text: string): void;
  /** Gives the part that stands in the history for the call. */
  call(call: ModelCall): AssistantPart;
}

export interface ModelOutcome {
  readonly parts: readonly AssistantPart[];
  readonly reason: FinishReason;
  readonly usage: ModelUsage | undefined;
  readonly failure: { readonly code: HostErrorCode; readonly message: string; readonly cause?: unknown } | undefined;
}

type TextPart = Extract<ModelPart, { readonly type: "text" | "reasoning" }>;
type Request = Omit<ModelRequest, "signal">;
type Failure = NonNullable<ModelOutcome["failure"]>;

export class ModelStep {
  readonly #listener: StepListener;
  readonly #parts: AssistantPart[] = [];
  readonly #pieces = new TextPieces();
  #open: { readonly type: "text" | "reasoning"; text: string; data: unknown } | undefined;
  #reason: FinishReason = "other";
  #usage: ModelUsage | undefined;

  constructor(listener: StepListener) {
    this.#listener = listener;
  }

  /** Never rejects. `over` aborts when the whole request is over time. */
  async run(model: HostModel, request: Request, silenceMs: number, over: AbortSignal): Promise<ModelOutcome> {
    const stopped = new AbortController();
    const { promise, resolve } = settled<Failure | undefined>();
    const silence = new Silence(silenceMs, () => resolve(timedOut(silenceMs)));
    const tooLong = (): void => resolve(overTime());
    if (over.aborted) tooLong();
    over.addEventListener("abort", tooLong, { once: true });
    const reading = this.#read(model, { ...request, signal: stopped.signal }, silence);
    reading.then(
      () => resolve(undefined),
      (cause: unknown) => resolve({ ...FAILED, cause }),
    );
    const failure = await promise;
    silence.end();
    over.removeEventListener("abort", tooLong);
    stopped.abort();
    this.#close();
    return { parts: [...this.#parts], reason: failure ? "error" : this.#reason, usage: this.#usage, failure };
  }

  async #read(model: HostModel, request: ModelRequest, silence: Silence): Promise<void> {
    for await (const part of await model.stream(request)) {
      // What comes after the end of the step belongs to nobody.
      if (request.signal.aborted) return;
      silence.heard();
      this.#take(part);
    }
  }

  #take(part: ModelPart): void {
    if (!isRecord(part)) return;
    if (part.type === "text" || part.type === "reasoning") this.#text(part);
    else if (part.type === "tool-call") {
      this.#close();
      const call = this.#listener.call(part);
      this.#parts.push(withData(call, part.providerData));
    } else if (part.type === "finish") {
      this.#reason = REASONS.find((one) => one === part.reason) ?? "other";
      this.#usage = isRecord(part.usage) ? part.usage : undefined;
    }
  }

  #text({ type, text, begins, providerData }: TextPart): void {
    if (typeof text !== "string") return;
    if (begins === true || this.#open?.type !== type) this.#close();
    const open = (this.#open ??= { type, text: "", data: undefined });
    if (isRecord(providerData)) open.data = providerData;
    this.#say(open, this.#pieces.push(text));
  }

  #say(open: { readonly type: "text" | "reasoning"; text: string }, text: string): void {
    if (text === "") return;
    open.text += text;
    this.#listener.text(open.type, text);
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#say(open, this.#pieces.rest());
    this.#open = undefined;
    // Reasoning without text may still be what a provider wants back.
    if (open.text !== "" || open.data !== undefined) {
      this.#parts.push(withData({ type: open.type, text: open.text }, open.data));
    }
  }
}

const REASONS: readonly FinishReason[] = ["stop", "length", "content-filter", "tool-calls", "error", "other"];
const FAILED: Failure = { code: "MODEL_ERROR", message: "The model could not answer." };

const timedOut = (ms: number): Failure => ({
  code: "MODEL_TIMEOUT",
  message: `The model was silent for ${String(ms)} ms.`,
});

export const overTime = (): Failure => ({
  code: "RUN_LIMIT_EXCEEDED",
  message: "The step took longer than it may.",
});

function withData(part: AssistantPart, data: unknown): AssistantPart {
  const providerOptions = isRecord(data) ? wireValue(data)?.value : undefined;
  return providerOptions === undefined ? part : { ...part, providerOptions };
}

function settled<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

/** Fires once nothing was heard for so long. */
class Silence {
  readonly #ms: number;
  readonly #fire: () => void;
  #timer: LongTimer;

  constructor(ms: number, fire: () => void) {
    this.#ms = ms;
    this.#fire = fire;
    this.#timer = new LongTimer(ms, fire);
  }

  heard(): void {
    this.#timer.cancel();
    this.#timer = new LongTimer(this.#ms, this.#fire);
  }

  end(): void {
    this.#timer.cancel();
  }
}
