// Which values may stand in a history as a tool's result (spec: host-protocol.md, "Step request").

import { isObject } from "../contract/values.js";
import { PROTOCOL_BOUNDS } from "../generated/protocol_vocabulary.js";

/** A result lies in its part, the part in a list, the list in a message, the message in a list, that in the body. */
const LEVELS_AROUND = 6;

/** Whether a value is shallow enough for a message; a request that is deeper is refused, and so each one after it. */
export function fitsHistory(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = LEVELS_AROUND; ; depth++) {
    const below: unknown[] = [];
    let containers = 0;
    for (const one of level) {
      if (!isObject(one)) continue;
      containers++;
      for (const member of Object.values(one)) if (isObject(member)) below.push(member);
    }
    if (containers === 0) return true;
    if (depth >= PROTOCOL_BOUNDS.maxJsonDepth) return false;
    level = below;
  }
}
