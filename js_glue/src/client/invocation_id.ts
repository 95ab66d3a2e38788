// The id of a call within all conversations: a redelivered call never executes twice, and an id that a provider uses
// again in another turn is another call (spec: host-protocol.md, "The turn loop").

import { liveRuntime } from "../runtime/load.js";
import { Conversion } from "../runtime/table.js";

/** What the registry takes for an invocation id. */
const LONGEST = 128;

export function invocationIdOf(conversationId: string, turnId: string, toolCallId: string): string {
  const id = `${conversationId}/${turnId}/${toolCallId}`;
  if (id.length <= LONGEST) return id;
  return String(liveRuntime("runTurn").answer(JSON.stringify(id), (table) => table.convert(Conversion.sha256)));
}
