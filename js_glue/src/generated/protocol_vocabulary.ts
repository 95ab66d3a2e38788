// Generated from host_protocol/vocabulary/protocol.json by host_protocol/tools/generate_vocabulary.mjs. Do not edit.

/** The versions that are served. */
export const PROTOCOL_VERSIONS = [1, 2] as const;
/** The version of the host protocol that this package speaks. */
export const PROTOCOL_VERSION = 2;

/** Codes of the host protocol; HOST_ERROR_STATUS says the HTTP status of each. */
export const HOST_ERROR_CODES = [
  "PROTOCOL_VERSION_MISMATCH",
  "PROTOCOL_DECODE_ERROR",
  "CATALOG_TOO_LARGE",
  "CATALOG_COLLISION",
  "MODEL_NOT_CONFIGURED",
  "NOT_AUTHENTICATED",
  "NOT_AUTHORIZED",
  "ORIGIN_REFUSED",
  "RATE_LIMITED",
  "STEP_IN_PROGRESS",
  "HOST_ERROR",
  "MODEL_TIMEOUT",
  "MODEL_ERROR",
  "RUN_LIMIT_EXCEEDED",
  "TRANSPORT_FAILED",
  "NO_SUCH_TOOL",
] as const;
export type HostErrorCode = (typeof HOST_ERROR_CODES)[number];

/** Codes of the host protocol: the HTTP status that a response with such an error has; 0 where the code only occurs inside a stream. */
export const HOST_ERROR_STATUS: Readonly<Record<HostErrorCode, number>> = {
  PROTOCOL_VERSION_MISMATCH: 409,
  PROTOCOL_DECODE_ERROR: 400,
  CATALOG_TOO_LARGE: 413,
  CATALOG_COLLISION: 409,
  MODEL_NOT_CONFIGURED: 503,
  NOT_AUTHENTICATED: 401,
  NOT_AUTHORIZED: 403,
  ORIGIN_REFUSED: 403,
  RATE_LIMITED: 429,
  STEP_IN_PROGRESS: 409,
  HOST_ERROR: 500,
  MODEL_TIMEOUT: 0,
  MODEL_ERROR: 0,
  RUN_LIMIT_EXCEEDED: 0,
  TRANSPORT_FAILED: 0,
  NO_SUCH_TOOL: 0,
};

/** Limits that a host may set; the browser checks the defaults before it posts. */
export const CATALOG_LIMITS = {
  /** Tools that a page declares. */
  maxFrontendTools: 128,
  /** Tools of the server. */
  maxDomainTools: 128,
  /** Tools that the model is offered. */
  maxTotalTools: 192,
  /** Messages of a history. */
  maxMessages: 400,
  /** Bytes of a request's body. */
  maxBodyBytes: 8388608,
  /** Bytes of a frame, without its newline. */
  maxFrameBytes: 1048576,
} as const;

/** Bounds that are part of the protocol. Lengths are UTF-16 units. */
export const PROTOCOL_BOUNDS = {
  /** conversationId and turnId, at least 1. */
  maxIdUnits: 64,
  /** stepIndex, from 0. */
  maxStepIndex: 64,
  /** pathname, at least 1. */
  maxPathnameUnits: 512,
  /** modelId. */
  maxModelIdUnits: 128,
  /** catalog.scope. */
  maxScopeTokens: 32,
  /** A token of catalog.scope. */
  maxScopeTokenUnits: 64,
  /** catalog.frontendState. */
  maxStateEntries: 128,
  /** A wire name, at least 1. */
  maxWireNameUnits: 64,
  /** A capability id, at least 1. */
  maxCanonicalIdUnits: 128,
  /** A descriptor's description. */
  maxDescriptionUnits: 1000,
  /** A descriptor's effect. */
  maxEffectUnits: 64,
  /** unavailableReason. */
  maxReasonUnits: 300,
  /** A note of the volatile half. */
  maxNoteUnits: 300,
  /** frontendTools of version 1. */
  maxV1FrontendTools: 64,
  /** messages of version 1. */
  maxV1Messages: 200,
  /** Nested arrays and objects in a body or a frame. */
  maxJsonDepth: 128,
  /** A server tool's result as JSON. */
  maxToolResultBytes: 32768,
  /** Identical failures that stop a turn. */
  maxIdenticalFailures: 3,
  /** Failures in a row that stop a turn. */
  maxFailureRun: 4,
} as const;

/** Codes that stand where a tool's result would. */
export const TOOL_ANSWER_CODES = ["TOOL_OUTCOME_UNKNOWN", "TOOL_NOT_EXECUTED", "OUTPUT_TOO_LARGE"] as const;
export type ToolAnswerCode = (typeof TOOL_ANSWER_CODES)[number];

/** What a line of the response carries. */
export const FRAME_TYPES = [
  "step-start",
  "text-delta",
  "reasoning-delta",
  "tool-call",
  "tool-result",
  "inspector",
  "step-finish",
  "error",
] as const;
export type FrameType = (typeof FRAME_TYPES)[number];

/** Who runs a tool call. */
export const EXECUTORS = ["server", "browser"] as const;
export type Executor = (typeof EXECUTORS)[number];

/** Where an inspector frame's news comes from. */
export const INSPECTOR_LANES = ["runtime", "domain", "host"] as const;
export type InspectorLane = (typeof INSPECTOR_LANES)[number];

/** One tool a capability, or three that never change. */
export const CATALOG_MODES = ["direct", "meta"] as const;
export type CatalogMode = (typeof CATALOG_MODES)[number];

/** Why the browser left capabilities out. */
export const TRUNCATION_REASONS = ["budget", "limit", "undecodable"] as const;
export type TruncationReason = (typeof TRUNCATION_REASONS)[number];

/** Why a declaration is not offered, in the order of the rules; then the server's own, then the browser's. */
export const CATALOG_EVENTS = [
  "catalog.name-conflict",
  "catalog.collision",
  "catalog.not-admitted",
  "catalog.out-of-scope",
  "catalog.undecodable",
  "catalog.truncated",
] as const;
export type CatalogEvent = (typeof CATALOG_EVENTS)[number];

/** Roles of messages; system is the server's own and never in a body. */
export const MESSAGE_ROLES = ["user", "assistant", "tool"] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** Parts of a message that the protocol looks into; others pass through. */
export const KNOWN_PART_TYPES = ["text", "reasoning", "tool-call", "tool-result"] as const;
export type KnownPartType = (typeof KNOWN_PART_TYPES)[number];

/** The tools that the model is offered in meta mode. */
export const META_TOOLS = [
  {
    wireName: "surface_discover",
    description: "List what the page offers now: its components, their observations and actions, and operations.",
    inputSchema: {"type":"object","properties":{"scope":{"type":"array","items":{"type":"string"}}},"required":[],"additionalProperties":false},
  },
  {
    wireName: "surface_read",
    description: "Read one observation of a component.",
    inputSchema: {"type":"object","properties":{"capabilityId":{"type":"string"},"instanceId":{"type":"string"}},"required":["capabilityId"],"additionalProperties":false},
  },
  {
    wireName: "surface_act",
    description: "Carry out one action or operation, with the input that its schema asks for.",
    inputSchema: {"type":"object","properties":{"capabilityId":{"type":"string"},"instanceId":{"type":"string"},"input":{"type":"object","description":"What the capability's own schema asks for."},"invocationId":{"type":"string"},"confirmationId":{"type":"string"},"surfaceVersion":{"type":"string"}},"required":["capabilityId","input"],"additionalProperties":false},
  },
] as const;
