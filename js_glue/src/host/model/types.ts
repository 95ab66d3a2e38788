// The model as the host sees it: one answer as a stream of parts. Two implementations: aiSdkModel and scriptedModel.
//
//     const model: HostModel = { stream: async function* () { yield { type: "text", text: "Hello." }; … } };
//
// The host does the rest: it runs server tools and asks again, suspends at browser tools, caps, counts, times out. What
// a model throws is reported to the host's `onError` and reaches the page as MODEL_ERROR, without its text.

import type { WireModelMessage } from "../../protocol/types.js";

export interface HostModel {
  /** One model step. `signal` aborts when nobody waits for it any more: after silence, and when the step is over time. */
  stream(request: ModelRequest): AsyncIterable<ModelPart> | PromiseLike<AsyncIterable<ModelPart>>;
}

export interface ModelRequest {
  /** The server's own; no request can carry one. */
  readonly system?: string;
  /** The conversation, what this request has added to it, and the state of the page's capabilities at the end. */
  readonly messages: readonly WireModelMessage[];
  /** The stable half of the catalog: the same bytes for the same mounts, so that a provider's cache holds. */
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What a provider wants back with the part in the next request; kept in the history as `providerOptions`. */
type ProviderData = Readonly<Record<string, unknown>>;

export type ModelPart =
  | {
      readonly type: "text" | "reasoning";
      /** A piece; pieces of one type that follow each other are one part of the message. */
      readonly text: string;
      /** A new part begins with this piece. */
      readonly begins?: true;
      readonly providerData?: ProviderData;
    }
  | {
      readonly type: "tool-call";
      readonly toolCallId: string;
      readonly toolName: string;
      /** A value; what is no JSON is passed on as the text that it was, and refused where it is validated. */
      readonly input: unknown;
      readonly providerData?: ProviderData;
    }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly usage?: ModelUsage };

export type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

/** As the provider reported it. Absent is absent: never a zero that nobody measured. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Parts of inputTokens and outputTokens, never added to them. */
  readonly cachedInputTokens?: number;
  readonly reasoningTokens?: number;
}
