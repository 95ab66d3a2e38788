// Meta mode: calls of the three constant tools. The step's map still says which registration a capability is.

import type { AgentConsumer } from "../contract/types.js";
import { isRecord } from "../contract/values.js";
import { isMetaTool, META_TOOL_NAMES } from "../protocol/meta_tools.js";
import type { StepProjection } from "../protocol/project_step.js";
import type { InvocationRequest } from "../registry/envelope.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { InvocationResult } from "../runtime/answers.js";
import { metaTools } from "../toolset/meta.js";
import type { Discovery } from "../toolset/tool.js";

export interface MetaCall {
  readonly registry: AgentSurfaceRegistry;
  readonly projection: StepProjection;
  readonly consumer: AgentConsumer;
  readonly scope: readonly string[];
  /** Carries out what an envelope asks for, under the turn's own invocation id. */
  invoke(request: InvocationRequest): Promise<InvocationResult>;
}

type MetaDispatch = (call: MetaCall, input: unknown) => Promise<InvocationResult | Discovery>;

/** Undefined for every other name. */
export function metaToolNamed(wireName: string): MetaDispatch | undefined {
  const at = META_TOOL_NAMES.findIndex((name) => name === wireName);
  if (at < 0) return undefined;
  return (call, input) => {
    const settings = { consumer: call.consumer, meta: true, waits: true, scope: call.scope, budget: undefined };
    const tools = metaTools(call.registry, settings, (request, { confirmationId }) =>
      // An id of the model's own would let it run a call twice, or join another.
      call.invoke({ ...request, registrationId: registrationOf(call.projection, request), confirmationId }),
    );
    const tool = tools[at];
    if (tool === undefined) throw new Error(`no tool is called ${wireName}`);
    return tool.execute(input);
  };
}

/** Where the map knows exactly one; else the registry says what is amiss. */
function registrationOf(projection: StepProjection, request: InvocationRequest): string | undefined {
  const { capabilityId, instanceId } = request;
  let found: string | undefined;
  for (const target of projection.wireNames.values()) {
    if (target.canonicalId !== capabilityId) continue;
    if (instanceId !== undefined && target.instanceId !== instanceId) continue;
    if (found !== undefined) return undefined;
    found = target.registrationId;
  }
  return found;
}

export interface CallIdentity {
  readonly canonicalId: string;
  readonly input: unknown;
}

/** What a call is about: in meta mode not the tool, but the capability that its envelope names. */
export function identityOf(wireName: string, canonicalId: string, input: unknown): CallIdentity {
  if (!isMetaTool(wireName) || !isRecord(input)) return { canonicalId, input };
  const { capabilityId, instanceId, input: inner = {} } = input;
  if (typeof capabilityId !== "string") return { canonicalId, input };
  return { canonicalId: capabilityId, input: instanceId === undefined ? inner : { instanceId, input: inner } };
}
