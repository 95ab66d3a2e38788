// Approvals as an MCP client meets them (spec: domain.md §13.2): what a suspended call is told besides its id, and the
// tool that goes on with what was approved. No tool decides (SI-4).

import { CapabilityError } from "../domain/capability_error.js";
import { checkToolName, toolEnvelope, type ToolEnvelope } from "../domain/tool_shapes.js";
import type { ApprovalRecord, ExecutionResult } from "../domain/types.js";

/** Where a person decides; one that throws or gives no text is as if there were none. */
export type ApprovalUrl = (
  record: ApprovalRecord,
) => string | null | undefined | PromiseLike<string | null | undefined>;

export interface MCPApprovals {
  readonly url?: ApprovalUrl;
  /** Adds a tool that resumes an approved call of the session's own actor. */
  readonly resumeTool?: boolean | { readonly name?: string; readonly description?: string };
}

export interface ResumeTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

const RESUME_SCHEMA = Object.freeze({
  type: "object",
  properties: Object.freeze({ approvalId: Object.freeze({ type: "string" }) }),
  required: Object.freeze(["approvalId"]),
  additionalProperties: false,
});

/** Undefined where it is off; an Error for a name that is no tool's or that a capability's tool has. */
export function resumeToolOf(
  approvals: MCPApprovals | undefined,
  taken: ReadonlyMap<string, unknown>,
): ResumeTool | undefined {
  const given = approvals?.resumeTool;
  if (given === undefined || given === false) return undefined;
  const { name = "approvals_resume", description = "Runs a call that was suspended, once it has been approved." } =
    given === true ? {} : given;
  checkToolName("mcp", name, "approvals.resumeTool");
  if (taken.has(name)) {
    throw new Error(
      `mcp: a capability's tool has the name ${JSON.stringify(name)} already; give approvals.resumeTool another name`,
    );
  }
  return { name, description, inputSchema: RESUME_SCHEMA };
}

/** The id that a resume tool was given, or the envelope that says that there is none. */
export function approvalIdOf(input: Readonly<Record<string, unknown>>): string | ToolEnvelope {
  const id: unknown = Object.hasOwn(input, "approvalId") ? input["approvalId"] : undefined;
  if (typeof id === "string" && id !== "") return id;
  const issue = { path: ["approvalId"], message: "must be a non-empty string" };
  const error = new CapabilityError({ code: "INPUT_INVALID", details: { issues: [issue] } });
  return toolEnvelope({ status: "failed", executionId: "", error });
}

/** The envelope with what a suspended call is told besides: until when, where, and how it goes on. */
export async function withApproval(
  envelope: ToolEnvelope,
  result: ExecutionResult | undefined,
  url: ApprovalUrl | undefined,
  resume: ResumeTool | undefined,
): Promise<ToolEnvelope> {
  if (envelope.status !== "approval-required" || result?.status !== "approval-required") return envelope;
  const expiresAt = isoTime(result.approval.expiresAt);
  const where = await urlOf(url, result.approval);
  const sentences = [
    envelope.message,
    ...(where === undefined ? [] : [`Open ${where} to decide it.`]),
    ...(resume === undefined ? [] : [`Once it is approved, call ${resume.name} with this approvalId.`]),
  ];
  return {
    ...envelope,
    message: sentences.join(" "),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(where !== undefined && { url: where }),
  };
}

async function urlOf(url: ApprovalUrl | undefined, record: ApprovalRecord): Promise<string | undefined> {
  try {
    const where: unknown = await url?.(record);
    return typeof where === "string" && where !== "" ? where : undefined;
  } catch {
    // The call is suspended already: without its id nobody could go on with it.
    return undefined;
  }
}

/** A store of the application's may give anything. */
function isoTime(time: number): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
