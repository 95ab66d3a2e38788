// The three tools that the model is offered in meta mode, whatever is mounted (spec: host-protocol.md).

import { META_TOOLS } from "../generated/protocol_vocabulary.js";

export const [DISCOVER, READ, ACT] = META_TOOLS;
export const META_TOOL_NAMES = /* @__PURE__ */ Object.freeze([DISCOVER.wireName, READ.wireName, ACT.wireName] as const);

export function isMetaTool(wireName: string): boolean {
  return META_TOOLS.some((tool) => tool.wireName === wireName);
}
