// Which tools the browser is to have: what is available and exposed, the first by priority where there are too many.

import type { WireTarget } from "../protocol/names.js";
import { projectStep, ranksOf, type WireDescriptor } from "../protocol/project_step.js";
import type { AgentSurfaceRegistry } from "../registry/registry.js";
import type { MetaTool } from "../toolset/tool.js";
import { callOf, metaCallOf } from "./calls.js";
import type { WebMcpSettings } from "./options.js";
import type { Standing } from "./published.js";
import type { ModelContextTool, WithheldTool } from "./types.js";

export interface WantedTool extends Standing {
  readonly tool: Omit<ModelContextTool, "execute">;
}

export interface Wanted {
  readonly tools: ReadonlyMap<string, WantedTool>;
  readonly withheld: readonly WithheldTool[];
  /** Registrations that are there, published or not. */
  readonly live: ReadonlySet<string>;
}

/** `meta` are offered only where there are too many. */
export function wantedTools(
  registry: AgentSurfaceRegistry,
  settings: WebMcpSettings,
  meta: readonly MetaTool[],
  closed: AbortSignal,
): Wanted {
  const { consumer, scope, maxTools } = settings;
  const projection = projectStep(registry, { consumer, scope });
  const { descriptors, wireNames } = projection;
  const live = new Set([...wireNames.values()].map(({ registrationId }) => registrationId));
  const ranks = ranksOf(projection);
  const candidates = descriptors
    .map((descriptor, index) => ({ descriptor, priority: ranks[index]?.[0] ?? 0 }))
    .filter(({ descriptor }) => descriptor.available && exposed(settings, descriptor))
    .sort((one, other) => other.priority - one.priority);
  const more = candidates.length > maxTools ? meta : [];
  const chosen = candidates.slice(0, maxTools - more.length);
  const tools = new Map<string, WantedTool>();
  for (const { descriptor } of chosen) {
    const target = wireNames.get(descriptor.wireName);
    if (target !== undefined) tools.set(descriptor.wireName, direct(registry, settings, descriptor, target, closed));
  }
  for (const tool of more) {
    const { wireName: name, description, inputSchema } = tool;
    const reads = name !== "surface_act";
    const facts = { name, description, inputSchema, annotations: hints(reads, !reads) };
    tools.set(name, { tool: facts, canonicalId: name, text: JSON.stringify(facts), run: metaCallOf(tool) });
  }
  const left = candidates.slice(chosen.length).map(({ descriptor: { wireName, canonicalId } }) => {
    return { wireName, canonicalId, reason: "budget" } as const;
  });
  const nameless = projection.withheld.map(({ canonicalId }) => {
    return { wireName: "", canonicalId, reason: "undecodable" } as const;
  });
  return { tools, withheld: [...left, ...nameless], live };
}

/** One that throws exposes nothing. */
function exposed({ expose }: WebMcpSettings, descriptor: WireDescriptor): boolean {
  try {
    return expose === undefined || expose(descriptor) === true;
  } catch {
    return false;
  }
}

function direct(
  registry: AgentSurfaceRegistry,
  settings: WebMcpSettings,
  descriptor: WireDescriptor,
  target: WireTarget,
  closed: AbortSignal,
): WantedTool {
  const { wireName: name, canonicalId, description, inputSchema, effect, confirmation } = descriptor;
  const reads = effect === "read" || effect === "server-query";
  const annotations = hints(reads, confirmation === "required" || CONSEQUENTIAL.includes(effect));
  const tool = { name, description, inputSchema, annotations };
  const { registrationId } = target;
  const run = callOf(registry, settings, target, closed);
  return { tool, canonicalId, registrationId, text: JSON.stringify(tool), run };
}

const CONSEQUENTIAL = ["server-mutation", "external-side-effect", "destructive"];

/** What is read is the page's data, and may be anybody's words. */
function hints(readOnlyHint: boolean, consequentialHint: boolean): ModelContextTool["annotations"] {
  return { readOnlyHint, untrustedContentHint: readOnlyHint, consequentialHint };
}
