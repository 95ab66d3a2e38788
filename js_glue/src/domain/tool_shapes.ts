// What a tool of the domain plane looks like to a model, whatever carries it (spec: domain.md §13, shared rules): the
// envelope of a call, the texts of a listing, the names.
//
//     const tools = nameTools("mcp", capabilities, { registry, toolNaming });      // throws for names that cannot be
//     const envelope = await envelopeOf(() => runtime.invoke(id, input, options));  // never rejects

import { GENERIC_MESSAGE } from "../generated/domain_vocabulary.js";
import { outwardError, type OutwardErrorShape } from "./outward.js";
import type { AgentRuntimeLike, ApprovalRecord, CapabilityDescriptor, ExecutionResult } from "./types.js";

export type { OutwardErrorShape };

/** What a call answers; failed and cancelled look alike. */
export type ToolEnvelope = OkEnvelope | ApprovalEnvelope | ErrorEnvelope;
export interface OkEnvelope {
  readonly status: "ok";
  readonly data: unknown;
}
export interface ApprovalEnvelope {
  readonly status: "approval-required";
  readonly approvalId: string;
  readonly message: string;
}
export interface ErrorEnvelope {
  readonly status: "error";
  readonly error: OutwardErrorShape;
}

/** A tool's name by id; undefined: the default, the id with `_` for every `.`. */
export type ToolNaming = (id: string) => string | undefined;
/** Shapes a listing and nothing else: whoever names the capability can still call it (SI-2). */
export type ToolFilter = (descriptor: CapabilityDescriptor) => boolean;
export type ToolSurface = "aiSdk" | "mcp";

/** What is said of a failure that nothing may be said of (spec §9). */
export const CONCEALED: ErrorEnvelope = Object.freeze({
  status: "error",
  error: Object.freeze({ code: "INTERNAL_ERROR", message: GENERIC_MESSAGE, retryable: false }),
});

export function toolEnvelope(result: ExecutionResult): ToolEnvelope {
  switch (result.status) {
    case "completed":
      return { status: "ok", data: result.output };
    case "approval-required":
      return {
        status: "approval-required",
        approvalId: result.approval.id,
        message: approvalMessage(result.approval),
      };
    default:
      return { status: "error", error: outwardError(result.error) };
  }
}

/** The envelope of a call. Never rejects; what has no JSON text (a bigint, a cycle) is a failure like any other. */
export async function envelopeOf(call: () => Promise<ExecutionResult>): Promise<ToolEnvelope> {
  try {
    const envelope = toolEnvelope(await call());
    JSON.stringify(envelope);
    return envelope;
  } catch {
    return CONCEALED;
  }
}

export function approvalMessage({ reasons }: Pick<ApprovalRecord, "reasons">): string {
  return reasons.length === 0 ? "Awaiting approval." : `Awaiting approval: ${reasons.join("; ")}.`;
}

export function toolDescription({ description, requiresApproval }: CapabilityDescriptor): string {
  return requiresApproval === true ? `${description} Requires approval.` : description;
}

const NO_INPUT: Readonly<Record<string, unknown>> = Object.freeze({ type: "object" });

/** Deep-frozen and shared between listings. */
export function toolInputSchema({ inputSchema }: CapabilityDescriptor): Readonly<Record<string, unknown>> {
  return inputSchema ?? NO_INPUT;
}

interface NamingOptions {
  readonly registry: AgentRuntimeLike["registry"];
  readonly toolNaming: ToolNaming | undefined;
}

/** Each entry by the name of its tool; an Error for a name that no tool can have and for one that two would share. */
export function nameTools<Entry extends { readonly id: string }>(
  surface: ToolSurface,
  entries: readonly Entry[],
  options: NamingOptions,
): Map<string, Entry> {
  const named = new Map<string, Entry>();
  for (const entry of entries) {
    const name: unknown = toolName(surface, entry.id, options);
    checkToolName(surface, name, `capability ${JSON.stringify(entry.id)}`);
    const holder = named.get(name);
    if (holder !== undefined) {
      throw new Error(
        `${surface}: ${JSON.stringify(holder.id)} and ${JSON.stringify(entry.id)} would share the tool name ` +
          `${JSON.stringify(name)}; give one of them meta.agent.adapters.${surface}.toolName`,
      );
    }
    named.set(name, entry);
  }
  return named;
}

function toolName(surface: ToolSurface, id: string, { registry, toolNaming }: NamingOptions): unknown {
  const own = registry.get(id)?.meta.adapters?.[surface]?.toolName;
  return own ?? toolNaming?.(id) ?? id.replaceAll(".", "_");
}

/** Throws an Error unless every provider takes the name (decision 15). */
export function checkToolName(surface: ToolSurface, name: unknown, owner: string): asserts name is string {
  if (typeof name === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(name)) return;
  const found = typeof name === "string" ? JSON.stringify(name) : typeof name;
  throw new Error(`${surface}: the tool name of ${owner} must be 1 to 64 letters, digits, _ or -; found ${found}`);
}
