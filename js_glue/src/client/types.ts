// What goes into a turn, what it tells while it runs, and what comes out of it.

import type { AgentConsumer } from "../contract/types.js";
import type { CatalogMode, Executor, HostErrorCode, ToolAnswerCode } from "../generated/protocol_vocabulary.js";
import type { DomainTool, Frame, InspectorFrame, StepUsage, WireModelMessage } from "../protocol/types.js";
import type { TimeSource } from "../registry/clock.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { Fetch } from "./transport.js";

export interface TurnError {
  /** A newer host may have codes of its own. */
  readonly code: HostErrorCode | ToolAnswerCode | (string & {});
  readonly message: string;
}

export interface TurnCall {
  readonly toolCallId: string;
  readonly wireName: string;
  readonly canonicalId: string;
  readonly executor: Executor;
  readonly input: unknown;
}

export interface TurnResult extends Omit<TurnCall, "input"> {
  readonly ok: boolean;
  readonly result: unknown;
}

/** One that throws changes nothing; what it returns is nobody's business. */
export interface TurnEvents {
  onTextDelta?(text: string): void;
  onReasoningDelta?(text: string): void;
  /** Once for each call, of both planes: as soon as it is known. */
  onToolCall?(call: TurnCall): void;
  /** Once for each call that was told of. */
  onToolResult?(result: TurnResult): void;
  /** The server's tools, as each step has them. */
  onDomainCatalog?(tools: readonly DomainTool[]): void;
  /** A call of the server's changed something: what the page shows of it may be out of date. */
  onDomainMutation?(result: TurnResult): void;
  /** Once for each step whose provider reported something. */
  onUsage?(usage: StepUsage): void;
  /** Every frame of the host's, in its order: for an inspector. */
  onFrame?(frame: Frame): void;
  /** The server's frames of that type, and the turn's own reports of lane "runtime". */
  onInspector?(report: InspectorFrame): void;
  /** What the model says from here on is another message. */
  onAssistantMessageBoundary?(): void;
  /** Once for each error; the last one is the outcome's where the turn failed. */
  onError?(error: TurnError): void;
}

export interface RunTurnOptions {
  /** 1 to 64 code units. */
  readonly conversationId: string;
  /** 1 to 64 code units; another one for each turn of a conversation. */
  readonly turnId: string;
  /** The history, with the person's new message at its end. */
  readonly messages: readonly WireModelMessage[];
  readonly registry: AgentSurfaceRegistry;
  readonly consumer: AgentConsumer;
  /** Component-type prefixes that a route offers; empty: everything. */
  readonly scopeFor: (pathname: string) => readonly string[];
  /** The committed route. Asked at the beginning and after each navigation of the model's. */
  readonly pathname: () => string;
  /** direct (default): a tool for each capability. meta: three constant tools. */
  readonly mode?: CatalogMode | undefined;
  readonly endpoint: string | URL;
  /** Default: the platform's. */
  readonly fetch?: Fetch | undefined;
  /** Ends the turn as "cancelled". */
  readonly signal?: AbortSignal | undefined;
  /** `until`: whether the page has caught up with what a call did, such as: the committed route equals the URL. */
  readonly settle?: { readonly until?: (() => boolean) | undefined } | undefined;
  readonly events?: TurnEvents | undefined;
  /** A wish. */
  readonly modelId?: string | undefined;
  /** Of the turn's time limit; default: the platform's. */
  readonly clock?: TimeSource | undefined;
}

export interface TurnOutcome {
  /** The whole history: what was given, and what the turn added. Every call has its result. */
  readonly messages: readonly WireModelMessage[];
  readonly status: "completed" | "error" | "cancelled";
  /** Why, where the status is "error". */
  readonly error?: TurnError;
}
