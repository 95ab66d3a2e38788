// A language model of the `ai` package (version 6: LanguageModelV3, and V2 of older providers) as the host's model.
//
//     createHostHandler({ model: aiSdkModel(openai("gpt-5")), … })
//
// Only the provider's own streaming is used, and none of the package's code: the loop, the tools and the limits are the
// host's. Tools carry no `execute`. What a provider runs itself, its tools' results, sources and files stay out.

import { isRecord, member } from "../../contract/values.js";
import { promptOf, type PromptMessage } from "./prompt.js";
import type { FinishReason, HostModel, ModelPart, ModelRequest, ModelUsage } from "./types.js";

/** What is needed of a LanguageModelV3 or V2. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string;
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

/** Settings of a call that providers know: temperature, maxOutputTokens, providerOptions, headers … */
export type AiSdkSettings = Readonly<Record<string, unknown>>;

interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly object[];
  readonly toolChoice?: { readonly type: "auto" };
  readonly abortSignal: AbortSignal;
}

/** TypeError for what is no language model: a model's name alone needs a provider. */
export function aiSdkModel(model: AiSdkLanguageModel, settings: AiSdkSettings = {}): HostModel {
  const version = member(model, "specificationVersion");
  const doStream = member(model, "doStream");
  if ((version !== "v3" && version !== "v2") || typeof doStream !== "function") {
    throw new TypeError('aiSdkModel takes a language model of specification "v3" or "v2", as a provider makes it');
  }
  return {
    async *stream(request) {
      const answer: unknown = await Reflect.apply(doStream, model, [{ ...settings, ...optionsOf(request) }]);
      yield* partsOf(member(answer, "stream"));
    },
  };
}

function optionsOf({ system, messages, tools, signal }: ModelRequest): CallOptions {
  const offered = tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    inputSchema,
  }));
  return {
    prompt: promptOf(system, messages),
    ...(offered.length === 0 ? {} : { tools: offered, toolChoice: { type: "auto" } }),
    abortSignal: signal,
  };
}

async function* partsOf(stream: unknown): AsyncGenerator<ModelPart> {
  if (!(stream instanceof ReadableStream)) throw new TypeError("doStream() gave no stream");
  const reader: ReadableStreamDefaultReader<unknown> = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const part = partOf(value);
      if (part !== undefined) yield part;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function partOf(part: unknown): ModelPart | undefined {
  if (!isRecord(part)) return undefined;
  const data = isRecord(part["providerMetadata"]) ? { providerData: part["providerMetadata"] } : {};
  switch (part["type"]) {
    case "text-delta":
      return { type: "text", text: String(part["delta"]), ...data };
    case "reasoning-delta":
      return { type: "reasoning", text: String(part["delta"]), ...data };
    case "text-start":
      return { type: "text", text: "", begins: true, ...data };
    case "reasoning-start":
      return { type: "reasoning", text: "", begins: true, ...data };
    // Signatures come with the end of a text that is there already.
    case "reasoning-end":
      return { type: "reasoning", text: "", ...data };
    case "text-end":
      return { type: "text", text: "", ...data };
    case "tool-call":
      return part["providerExecuted"] === true ? undefined : { ...callOf(part), ...data };
    case "finish":
      return { type: "finish", reason: reasonOf(part["finishReason"]), ...usageOf(part["usage"]) };
    case "error":
      throw new Error("the provider reported an error", { cause: part["error"] });
    default:
      return undefined;
  }
}

function callOf({ toolCallId, toolName, input }: Readonly<Record<string, unknown>>) {
  return {
    type: "tool-call",
    toolCallId: String(toolCallId ?? ""),
    toolName: String(toolName),
    input: parsed(input),
  } as const;
}

/** A call without arguments is one with none; a text that is no JSON goes on as it is, and is refused as an input. */
function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  if (input.trim() === "") return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

const REASONS: readonly FinishReason[] = ["stop", "length", "content-filter", "tool-calls", "error", "other"];

/** V3 has { unified, raw }, V2 the word alone. */
function reasonOf(reason: unknown): FinishReason {
  const word = isRecord(reason) ? reason["unified"] : reason;
  return REASONS.find((one) => one === word) ?? "other";
}

/** V3 nests the counts, V2 does not. A count that the provider left out is none. */
function usageOf(usage: unknown): { readonly usage?: ModelUsage } {
  const [input, output] = [member(usage, "inputTokens"), member(usage, "outputTokens")];
  const inputTokens = isRecord(input) ? input["total"] : input;
  const outputTokens = isRecord(output) ? output["total"] : output;
  if (typeof inputTokens !== "number" || typeof outputTokens !== "number") return {};
  const cached = isRecord(input) ? input["cacheRead"] : member(usage, "cachedInputTokens");
  const reasoning = isRecord(output) ? output["reasoning"] : member(usage, "reasoningTokens");
  return {
    usage: {
      inputTokens,
      outputTokens,
      ...(typeof cached === "number" ? { cachedInputTokens: cached } : {}),
      ...(typeof reasoning === "number" ? { reasoningTokens: reasoning } : {}),
    },
  };
}
