// The server's side of the protocol (spec: host-protocol.md). The full module has it, Node's default; the lean one of
// browsers does not, and says so.

import { AgentSurfaceDefinitionError, invalidDefinition } from "../errors.js";
import { CATALOG_LIMITS } from "../generated/protocol_vocabulary.js";
import { isObject, isRecord } from "../contract/values.js";
import { isWellFormed, jsonText, LOOSE_BOUNDS } from "../json/value.js";
import { trusted } from "../runtime/answers.js";
import { liveRuntime } from "../runtime/load.js";
import type { ModuleTable } from "../runtime/table.js";
import { textOf } from "./exchange.js";
import type { WireState } from "./project_step.js";
import type { CatalogArguments, ComposedCatalog, DecodedStep, Frame, ProtocolLimits, StepRefusal } from "./types.js";

/** The text that a function of the full module leaves. */
function asked(what: string, text: string | Uint8Array, use: (table: ModuleTable) => number | undefined): string {
  const runtime = liveRuntime(what);
  if (runtime.variant === "lean") {
    throw new AgentSurfaceDefinitionError(
      "UNSUPPORTED_VARIANT",
      `${what} is the server's: it needs loadRuntime({ variant: "full" }), Node's default; the lean variant is loaded`,
    );
  }
  runtime.checked(text, (table) => use(table) ?? 0);
  return runtime.left();
}

function refused(message: string, path?: string): StepRefusal {
  const error = { code: "PROTOCOL_DECODE_ERROR", message, ...(path === undefined ? {} : { path }) } as const;
  return { ok: false, status: 400, error };
}

/**
 * A body as it came: bytes, text, or a value that somebody parsed already. Never throws for what a client sent.
 * `limits`: maxBodyBytes, maxFrontendTools and maxMessages count here.
 */
export function decodeStepRequest(
  body: Uint8Array | string | object,
  limits: Partial<ProtocolLimits> = {},
): { readonly ok: true; readonly step: DecodedStep } | StepRefusal {
  const { maxBodyBytes, maxFrontendTools, maxMessages } = { ...CATALOG_LIMITS, ...limits };
  for (const limit of [maxBodyBytes, maxFrontendTools, maxMessages]) {
    if (Number.isInteger(limit) && limit >= 1 && limit <= 2 ** 30) continue;
    throw invalidDefinition("decodeStepRequest: a limit is an integer from 1 to 2^30");
  }
  let text: string | Uint8Array;
  if (body instanceof Uint8Array) text = body;
  else if (typeof body === "string") {
    if (!isWellFormed(body)) return refused("The body holds a lone surrogate, which is no UTF-8.");
    text = body;
  } else {
    const json = jsonText(body, LOOSE_BOUNDS);
    if ("problem" in json) return refused(`The body is no JSON: ${json.problem.message}.`, json.problem.path);
    text = json.text;
  }
  return trusted(
    asked("decodeStepRequest", text, (table) => table.decodeStepRequest?.(maxBodyBytes, maxFrontendTools, maxMessages)),
  );
}

/**
 * The catalog of one step, for one actor; pure, and never to be kept. Refuses with CATALOG_TOO_LARGE and, in version 1,
 * CATALOG_COLLISION.
 */
export function composeCatalog(args: CatalogArguments): ComposedCatalog | StepRefusal {
  if (!isRecord(args) || !isObject(args.step)) {
    throw invalidDefinition("composeCatalog takes { step, domainTools, admitted, scopeFloor?, limits? }");
  }
  // The merge looks at no message, and a history is by far the longest part.
  const text = textOf({ ...args, step: { ...args.step, messages: [] } }, "composeCatalog");
  return trusted(asked("composeCatalog", text, (table) => table.composeCatalog?.()));
}

/** The volatile half as one message: a line for each tool of `tools` that is unavailable or has a note. */
export function renderCapabilityState(
  state: readonly WireState[],
  tools: readonly { readonly wireName: string }[],
): string | undefined {
  if (!Array.isArray(state) || !Array.isArray(tools)) throw invalidDefinition("renderCapabilityState takes two arrays");
  const names = tools.map(({ wireName }) => ({ wireName }));
  const text = textOf({ state, tools: names }, "renderCapabilityState");
  const block = asked("renderCapabilityState", text, (table) => table.renderStateBlock?.());
  return block === "" ? undefined : block;
}

/**
 * The frame's line, newline included. One that would be longer than maxFrameBytes becomes a shorter one that says so:
 * a tool's result OUTPUT_TOO_LARGE, anything else an error frame. PROTOCOL_DECODE_ERROR for what is no frame.
 */
export function encodeFrame(frame: Frame, limits: Pick<Partial<ProtocolLimits>, "maxFrameBytes"> = {}): string {
  const { maxFrameBytes = CATALOG_LIMITS.maxFrameBytes } = limits;
  return asked("encodeFrame", textOf(frame, "encodeFrame"), (table) => table.encodeFrame?.(maxFrameBytes));
}
