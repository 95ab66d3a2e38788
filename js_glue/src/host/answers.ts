// What stands for the result of a server tool, in the stream and for the model alike (spec: host-protocol.md, "Frames";
// domain.md §13).

import { CapabilityError } from "../domain/capability_error.js";
import { outwardError } from "../domain/outward.js";
import { toolEnvelope } from "../domain/tool_shapes.js";
import type { ExecutionResult } from "../domain/types.js";
import { PROTOCOL_BOUNDS } from "../generated/protocol_vocabulary.js";
import { notExecuted as neverRan } from "../protocol/not_executed.js";
import { wireValue } from "./wire_value.js";

export interface Answer {
  readonly ok: boolean;
  readonly result: unknown;
}

/** The common result envelope; of a request for approval also until when, of nothing that came out a null. */
export function envelopeOf(result: ExecutionResult): unknown {
  const envelope = toolEnvelope(result);
  if (result.status === "completed") return { ...envelope, data: result.output ?? null };
  if (result.status !== "approval-required") return envelope;
  return { ...envelope, expiresAt: new Date(result.approval.expiresAt).toISOString() };
}

export function errorEnvelope(error: CapabilityError): unknown {
  return { status: "error", error: outwardError(error) };
}

/** As it may be sent: at most 32 KiB of JSON. */
export function answerOf(result: ExecutionResult): Answer {
  const ok = result.status === "completed" || result.status === "approval-required";
  const wire = wireValue(envelopeOf(result));
  // It has run; only what came out of it is no JSON.
  if (wire === undefined) return { ok: false, result: errorEnvelope(new CapabilityError({ code: "OUTPUT_INVALID" })) };
  return wire.bytes > PROTOCOL_BOUNDS.maxToolResultBytes ? tooLarge(wire.bytes) : { ok, result: wire.value };
}

function tooLarge(bytes: number): Answer {
  const most = String(PROTOCOL_BOUNDS.maxToolResultBytes);
  const message = `The result has ${String(bytes)} bytes of JSON; at most ${most} are allowed. Ask for less.`;
  return failed("OUTPUT_TOO_LARGE", message, "with-changes");
}

/** It certainly never ran. */
export const notExecuted = (): Answer => ({ ok: false, result: neverRan() });

/** The model made the name up. */
export const noSuchTool = (): Answer => failed("NO_SUCH_TOOL", "There is no tool of that name.", "no");

function failed(code: string, message: string, retry: "no" | "with-changes"): Answer {
  return { ok: false, result: { error: { code, message, retry } } };
}
