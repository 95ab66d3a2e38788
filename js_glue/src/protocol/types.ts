// What crosses between a page and its host (spec: host-protocol.md): requests, catalogs, frames.

import type {
  CatalogEvent,
  CatalogMode,
  Executor,
  HostErrorCode,
  InspectorLane,
  ToolAnswerCode,
  TruncationReason,
} from "../generated/protocol_vocabulary.js";
import type { ConfirmationLevel, Plane } from "../generated/vocabulary.js";
import type { JsonSchema } from "../schema/schema.js";
import type { WireDescriptor, WireState } from "./project_step.js";

export interface TextPart {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

/** Of an assistant's message. */
export interface ToolCallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** Of a tool's message. */
export interface ToolResultPart {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: "json"; readonly value: unknown };
}

/** The protocol looks into text, reasoning, tool-call and tool-result; other parts pass through. */
export type MessagePart =
  TextPart | ToolCallPart | ToolResultPart | (Readonly<Record<string, unknown>> & { readonly type: string });

export interface WireModelMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string | readonly MessagePart[];
}

/** Limits that a host may set; CATALOG_LIMITS has the defaults. Integers from 1 to 2^30. */
export interface ProtocolLimits {
  readonly maxFrontendTools: number;
  readonly maxDomainTools: number;
  readonly maxTotalTools: number;
  readonly maxMessages: number;
  readonly maxBodyBytes: number;
  readonly maxFrameBytes: number;
}

export interface HostError {
  /** A newer host may have codes of its own. */
  readonly code: HostErrorCode | ToolAnswerCode | (string & {});
  readonly message: string;
}

/** A request that was refused: `status` is the HTTP status, `path` a JSON Pointer into the body. */
export interface StepRefusal {
  readonly ok: false;
  readonly status: number;
  readonly error: { readonly code: HostErrorCode; readonly message: string; readonly path?: string };
}

/** A legal request within every bound; version 1 is normalised. */
export interface DecodedStep {
  /** As it was sent: 1 or 2. */
  readonly protocolVersion: number;
  readonly conversationId: string;
  readonly turnId: string;
  readonly stepIndex: number;
  /** "/" in version 1, which has none. */
  readonly pathname: string;
  readonly modelId?: string;
  readonly messages: readonly WireModelMessage[];
  readonly catalogMode: CatalogMode;
  readonly requestedScope?: readonly string[];
  readonly frontendTools: readonly WireDescriptor[];
  readonly frontendState: readonly WireState[];
  readonly truncated?: { readonly dropped: number; readonly reason: TruncationReason };
}

/** A tool of the server, as `describeDomainTools` gives it. Without `sideEffect` it counts as a write. */
export interface DomainTool {
  readonly wireName: string;
  readonly canonicalId: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly requiresApproval: boolean;
  readonly sideEffect?: string;
}

/** The stable half of one tool, as the model is offered it. */
export interface ComposedTool {
  readonly wireName: string;
  readonly canonicalId: string;
  readonly plane: Plane;
  readonly executor: Executor;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Of the server's tools. */
  readonly requiresApproval?: boolean;
  readonly sideEffect?: string;
  /** Of the page's. */
  readonly effect?: string;
  readonly confirmation?: ConfirmationLevel;
}

export interface CatalogReport {
  readonly eventType: CatalogEvent;
  readonly wireName: string;
  readonly canonicalId: string;
  readonly message: string;
}

export interface CatalogArguments {
  readonly step: DecodedStep;
  readonly domainTools: readonly DomainTool[];
  /** Domain ids that the server's frontend manifest lets a page reference. */
  readonly admitted: readonly string[];
  /** Empty or absent: unscoped. */
  readonly scopeFloor?: readonly string[] | undefined;
  readonly limits?: Partial<ProtocolLimits> | undefined;
}

export interface ComposedCatalog {
  readonly ok: true;
  /** Domain, then frontend (or the meta tools). */
  readonly tools: readonly ComposedTool[];
  /** The volatile half: one message behind the conversation. Absent when there is nothing to say. */
  readonly stateBlock?: string;
  /** What a step-start frame carries. */
  readonly domainTools: readonly DomainTool[];
  readonly scope: readonly string[];
  /** Requested tokens that lie outside the floor. */
  readonly scopeRejected: readonly string[];
  readonly reports: readonly CatalogReport[];
}

/** Absent where the provider reported nothing. The optional two are parts of their parents, never added to them. */
export interface StepUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  /** Model steps that were reported. */
  readonly reportedSteps: number;
  readonly cachedInputTokens?: number;
  readonly reasoningTokens?: number;
}

export interface PendingToolCall {
  readonly toolCallId: string;
  readonly wireName: string;
  readonly canonicalId: string;
  readonly input: unknown;
}

export interface StepStartFrame {
  readonly type: "step-start";
  readonly stepId: string;
  readonly turnId: string;
  readonly conversationId: string;
  readonly domainTools: readonly DomainTool[];
  readonly catalogMode: CatalogMode;
  readonly scope: readonly string[];
}

export interface DeltaFrame {
  readonly type: "text-delta" | "reasoning-delta";
  readonly text: string;
}

export interface ToolCallFrame extends PendingToolCall {
  readonly type: "tool-call";
  readonly executor: Executor;
}

export interface ToolResultFrame extends Omit<PendingToolCall, "input"> {
  readonly type: "tool-result";
  readonly ok: boolean;
  readonly result: unknown;
}

export interface InspectorFrame {
  readonly type: "inspector";
  readonly lane: InspectorLane;
  readonly eventType: string;
  readonly summary: string;
  readonly correlation?: unknown;
  readonly data?: unknown;
}

export interface StepFinishFrame {
  readonly type: "step-finish";
  readonly stepId: string;
  readonly finishReason: string;
  readonly responseMessages: readonly WireModelMessage[];
  readonly pendingToolCalls: readonly PendingToolCall[];
  readonly usage?: StepUsage;
}

export interface ErrorFrame {
  readonly type: "error";
  readonly error: HostError;
}

export type Frame =
  StepStartFrame | DeltaFrame | ToolCallFrame | ToolResultFrame | InspectorFrame | StepFinishFrame | ErrorFrame;

/** What a response comes to. */
export interface ResponseOutcome {
  /** To append to the history. */
  readonly messages: readonly WireModelMessage[];
  /** For the browser to carry out; open in the messages. */
  readonly pending: readonly PendingToolCall[];
  readonly usage?: StepUsage;
  readonly errors: readonly HostError[];
}

/** A call of either plane that has its result. */
export interface SettledCall {
  readonly canonicalId: string;
  readonly input: unknown;
  readonly ok: boolean;
  /** `result.error.retry` says whether it may be repeated. */
  readonly result?: unknown;
}

export interface LoopVerdict {
  readonly code: "RUN_LIMIT_EXCEEDED";
  readonly message: string;
  readonly canonicalId: string;
}
