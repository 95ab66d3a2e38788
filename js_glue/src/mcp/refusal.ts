// Protocol errors of this adapter. The SDK sends the message, the code and the data of whatever a handler throws, so
// nothing may be thrown to it but what was written here (SI-9).

import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { isCapabilityError } from "../domain/capability_error.js";
import { outwardError } from "../domain/outward.js";
import { CONCEALED } from "../domain/tool_shapes.js";

export class Refusal extends McpError {}

export function notIdentified(why: string): Refusal {
  return new Refusal(ErrorCode.InvalidRequest, why);
}

/** Of a CapabilityError its outward shape, as data too; of anything else that something failed. */
export function failure(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const outward = isCapabilityError(error) ? outwardError(error) : CONCEALED.error;
  return new Refusal(ErrorCode.InternalError, outward.message, outward);
}

/** What `handle` answers; whatever it throws becomes a refusal, and `onError` alone hears of its cause. */
export async function refusing<Answer>(
  onError: (error: Error) => void,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof Refusal)) onError(error instanceof Error ? error : new Error("not an Error was thrown"));
    throw failure(error);
  }
}
