// The options of an adapter, checked; and where its tools go.

import { isFunctionOrAbsent, isObject, member } from "../contract/values.js";
import { invalidDefinition } from "../errors.js";
import { META_TOOL_NAMES } from "../protocol/meta_tools.js";
import { consumerOf } from "../registry/consumer.js";
import type { ModelContextLike, WebMcpOptions } from "./types.js";

const KNOWN = ["consumer", "scope", "expose", "budget", "onReport", "target"];
const MOST_TOOLS = 40;

export interface WebMcpSettings extends WebMcpOptions {
  readonly maxTools: number;
}

export function readWebMcpOptions(options: WebMcpOptions): WebMcpSettings {
  const refused = (what: string) => invalidDefinition(`createWebMcpAdapter: ${what}`);
  if (!isObject(options)) throw refused("takes { consumer, scope?, expose?, budget?, onReport?, target? }");
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw refused(`"${unknown}" is unknown; allowed are ${KNOWN.join(", ")}`);
  if (!isObject(options.consumer)) throw refused("consumer is missing; { id, kind } says for whom the tools are");
  consumerOf(options.consumer, "createWebMcpAdapter");
  for (const name of ["expose", "onReport"] as const) {
    if (!isFunctionOrAbsent(options[name])) throw refused(`${name} is ${typeof options[name]}; a function is allowed`);
  }
  const maxTools = options.budget?.maxTools ?? MOST_TOOLS;
  const least = META_TOOL_NAMES.length + 1;
  if (!Number.isInteger(maxTools) || maxTools < least) {
    throw refused(`budget.maxTools is ${String(maxTools)}; an integer from ${String(least)} is allowed`);
  }
  if (options.target !== undefined && !isModelContext(options.target)) throw refused("target has no registerTool");
  return { ...options, maxTools };
}

function isModelContext(value: unknown): value is ModelContextLike {
  return typeof member(value, "registerTool") === "function";
}

/** Undefined in a browser without the API, and where there is none. */
export function modelContextOf({ target }: WebMcpSettings): ModelContextLike | undefined {
  if (target !== undefined) return target;
  for (const owner of ["document", "navigator"]) {
    const found = member(member(globalThis, owner), "modelContext");
    if (isModelContext(found)) return found;
  }
  return undefined;
}
