// POST of a decision (spec: host-protocol.md, "Frames": approvals). Who decides is the session's actor; who runs is the
// actor that asked, with a context of its own, on the surface that it asked on. An approval resumes there and then, and
// the response is the envelope.

import { isRecord } from "../contract/values.js";
import { CapabilityError } from "../domain/capability_error.js";
import type { ApprovalRecord, Context } from "../domain/types.js";
import type { CapabilityErrorCode } from "../generated/domain_vocabulary.js";
import { answerOf, errorEnvelope } from "./answers.js";
import { readBody } from "./body.js";
import { tellerOf } from "./host_audit.js";
import type { Settings } from "./options.js";
import { jsonResponse, Refusal } from "./refusal.js";
import type { HostSession } from "./types.js";

interface Decision {
  readonly status: "approved" | "rejected";
  readonly comment?: string;
}

const MOST_BYTES = 16_384;
const LONGEST_COMMENT = 1000;

export async function answerApproval<S extends HostSession>(
  settings: Settings<S>,
  session: S,
  request: Request,
  approvalId: string,
): Promise<Response> {
  const decision = decisionOf(await readBody(request, Math.min(MOST_BYTES, settings.limits.maxBodyBytes)));
  const record = await settings.runtime.approvals.get(approvalId);
  // Whose it is not sees no difference to one that is not there.
  if (record?.surface !== "aiSdk" || (await settings.approvals?.mayDecide(session, record)) !== true) {
    throw new Refusal("NOT_AUTHORIZED", "This session may not decide such an approval.");
  }
  const envelope = await decided(settings, session, record, decision);
  return jsonResponse(envelope);
}

async function decided<S extends HostSession>(
  settings: Settings<S>,
  session: S,
  record: ApprovalRecord,
  decision: Decision,
): Promise<unknown> {
  const { runtime, approvals } = settings;
  // Before the decision: what fails here has decided nothing.
  const context = await settings.contextFor(record.actor, session);
  const approving = decision.status === "approved";
  const own = record.actor.id === session.actor.id;
  const run = async (): Promise<unknown> => resumed(settings, record, context);
  // Decided so, the record would be of no use to anybody else.
  if (approving && own && approvals?.selfApproval !== true) return failure("APPROVAL_SELF_APPROVAL");
  if (record.status === "pending") {
    try {
      await runtime.approvals.decide(record.id, { ...decision, approver: session.actor });
      tellerOf(settings, session)("approval.decided", { approvalId: record.id, decision: decision.status });
    } catch (error) {
      // Another decision, or the deadline, came first: what the record says now is the answer.
      const now = await runtime.approvals.get(record.id);
      if (now === null || now.status === "pending") throw error;
      return approving ? run() : failure(tooLate(now.status));
    }
  }
  // One that was approved and not run yet, because a server stopped in between, runs now; only once in any case.
  if (approving) return run();
  return failure(record.status === "pending" ? "APPROVAL_REJECTED" : tooLate(record.status));
}

async function resumed<S extends HostSession>(
  { runtime }: Settings<S>,
  record: ApprovalRecord,
  context: Context,
): Promise<unknown> {
  const expectedActor = { id: record.actor.id, kind: record.actor.kind };
  return answerOf(await runtime.resume(record.id, { context, expectedActor, expectedSurface: "aiSdk" })).result;
}

function tooLate(status: ApprovalRecord["status"]): CapabilityErrorCode {
  return status === "expired" ? "APPROVAL_EXPIRED" : status === "rejected" ? "APPROVAL_REJECTED" : "APPROVAL_CONSUMED";
}

const failure = (code: CapabilityErrorCode): unknown => errorEnvelope(new CapabilityError({ code }));

function decisionOf(body: Uint8Array): Decision {
  const { decision, comment } = objectIn(body);
  if (decision !== "approved" && decision !== "rejected") {
    throw malformed('A decision is "approved" or "rejected".', "/decision");
  }
  if (comment === undefined) return { status: decision };
  if (typeof comment === "string" && comment.length <= LONGEST_COMMENT) return { status: decision, comment };
  throw malformed(`A comment is a string of at most ${String(LONGEST_COMMENT)} characters.`, "/comment");
}

function objectIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw malformed("The body is no JSON in UTF-8.");
  }
  if (isRecord(value)) return value;
  throw malformed("The body must be an object.", "");
}

function malformed(message: string, path?: string): Refusal {
  return new Refusal("PROTOCOL_DECODE_ERROR", message, path === undefined ? {} : { path });
}
