// A saved history made legal (spec: host-protocol.md, "Step request").

import { invalidDefinition } from "../errors.js";
import { trusted } from "../runtime/answers.js";
import { liveRuntime } from "../runtime/load.js";
import { Conversion } from "../runtime/table.js";
import { textOf } from "./exchange.js";
import type { WireModelMessage } from "./types.js";

/**
 * Every open call is answered TOOL_OUTCOME_UNKNOWN, a result without a call goes. The same array when nothing was wrong;
 * a new one of new messages otherwise.
 */
export function repairHistory(messages: readonly WireModelMessage[]): readonly WireModelMessage[] {
  const runtime = liveRuntime("repairHistory");
  if (!Array.isArray(messages)) throw invalidDefinition("repairHistory takes an array of messages");
  const text = textOf(messages, "repairHistory");
  const repaired = runtime.text(text, (table) => table.convert(Conversion.repairHistory));
  return repaired === text ? messages : trusted<readonly WireModelMessage[]>(repaired);
}
