// What can go wrong, by who made the mistake: an agent's call (AgentSurfaceError), an author's definition
// (AgentSurfaceDefinitionError), a value that does not fit a schema (AgentSchemaError), a misuse of the registry
// (AgentSurfaceDefectError), a module that is not there yet or no longer (RuntimeNotLoadedError, RuntimeDeadError).

import type { AgentCapabilityErrorCode, RetryHint } from "./generated/vocabulary.js";

export type Retry = RetryHint;
export { AGENT_CAPABILITY_ERROR_CODES, type AgentCapabilityErrorCode } from "./generated/vocabulary.js";

export interface AgentSurfaceErrorPayload {
  readonly code: AgentCapabilityErrorCode;
  readonly message: string;
  readonly retry?: Retry;
  readonly details?: Readonly<Record<string, unknown>>;
}

// Two copies of the package may meet on one page: an error is known by this mark, not by its class.
const MARK = Symbol.for("viewcap.AgentSurfaceError");

/** Thrown by a handler or a precondition to say how the call failed; any other exception stays unknown to the agent. */
export class AgentSurfaceError extends Error {
  override readonly name = "AgentSurfaceError";
  readonly code: AgentCapabilityErrorCode;
  readonly retry: Retry | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly [MARK] = true;

  constructor(payload: AgentSurfaceErrorPayload) {
    super(payload.message);
    this.code = payload.code;
    this.retry = payload.retry;
    this.details = payload.details;
  }
}

export function isAgentSurfaceError(value: unknown): value is AgentSurfaceError {
  return typeof value === "object" && value !== null && Reflect.get(value, MARK) === true;
}

/** An author's mistake in a contract, a binding, a schema or an option; `code` says which kind. */
export class AgentSurfaceDefinitionError extends Error {
  override readonly name = "AgentSurfaceDefinitionError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function invalidDefinition(message: string): AgentSurfaceDefinitionError {
  return new AgentSurfaceDefinitionError("INVALID_DEFINITION", message);
}

export interface SchemaIssue {
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
}

/** A value does not fit a schema. */
export class AgentSchemaError extends Error {
  override readonly name = "AgentSchemaError";
  readonly issues: readonly SchemaIssue[];
  constructor(issues: readonly SchemaIssue[]) {
    const first = issues[0];
    super(first === undefined ? "the value does not fit the schema" : `${first.path || "the value"}: ${first.message}`);
    this.issues = issues;
  }
}

/** A misuse of a registry, or an output that is no JSON value outside production. */
export class AgentSurfaceDefectError extends Error {
  override readonly name = "AgentSurfaceDefectError";
}

export class RuntimeNotLoadedError extends Error {
  override readonly name = "RuntimeNotLoadedError";
  constructor(what: string) {
    super(`${what} needs the WebAssembly module: await loadRuntime() first`);
  }
}

/** The module trapped or ran out of memory; what lived in it is gone. */
export class RuntimeDeadError extends Error {
  override readonly name = "RuntimeDeadError";
  constructor(cause?: unknown) {
    super("the WebAssembly module has failed and its registries are gone: call loadRuntime() again", { cause });
  }
}
