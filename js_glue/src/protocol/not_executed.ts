// What stands in a history in the place of the result of a call that certainly never ran (spec: host-protocol.md,
// "Frames"), on both sides of the protocol.

import type { ToolAnswerCode } from "../generated/protocol_vocabulary.js";

interface ToolAnswer {
  readonly error: { readonly code: ToolAnswerCode; readonly message: string; readonly retry: "yes" };
}

export function notExecuted(): ToolAnswer {
  return { error: { code: "TOOL_NOT_EXECUTED", message: "This call was not carried out.", retry: "yes" } };
}
