// What a call of a published tool does: the registry's one pipeline, and a person asked through the page's own dialog.

import { invokeAndWait } from "../toolset/confirmed.js";
import { metaTools } from "../toolset/meta.js";
import { freshInvocationId } from "../ids.js";
import type { WireTarget } from "../protocol/names.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { InvocationResult } from "../runtime/answers.js";
import type { MetaTool } from "../toolset/tool.js";
import type { WebMcpSettings } from "./options.js";
import { failed, type Run } from "./published.js";
import type { WebMcpResult } from "./types.js";

/** Asks through the page's own dialog where that is needed; `closed` ends the wait when the adapter stops. */
export function callOf(
  registry: AgentSurfaceRegistry,
  { consumer }: WebMcpSettings,
  { canonicalId: capabilityId, registrationId }: WireTarget,
  closed: AbortSignal,
): Run {
  return async (input, signal) => {
    const request = { invocationId: freshInvocationId(), capabilityId, registrationId, input };
    const options = signal === undefined ? { consumer } : { consumer, signal };
    return resultOf(await invokeAndWait(registry, request, options, closed));
  };
}

/** The three constant tools, whose calls wait for a person as the others do. */
export function metaToolsOf(
  registry: AgentSurfaceRegistry,
  { consumer, scope = [] }: WebMcpSettings,
  closed: AbortSignal,
): readonly MetaTool[] {
  const settings = { consumer, scope, meta: true, waits: true, budget: undefined };
  return metaTools(registry, settings, (request, { invocationId, confirmationId, signal }) =>
    invokeAndWait(registry, { ...request, invocationId, confirmationId }, { consumer, signal }, closed),
  );
}

export function metaCallOf(tool: MetaTool): Run {
  return async (input, signal) => {
    const answer = await tool.execute(input, { signal });
    return "status" in answer ? resultOf(answer) : { status: "ok", output: answer };
  };
}

function resultOf(result: InvocationResult): WebMcpResult {
  if (result.status === "ok") {
    return result.output === undefined ? { status: "ok" } : { status: "ok", output: result.output };
  }
  const { code, message, retry, details } = result.error;
  return failed(code, message, retry, details);
}
