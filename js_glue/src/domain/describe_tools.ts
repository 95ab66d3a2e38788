// The domain half of a catalog: the entries that `composeCatalog` merges with a page's declarations (spec:
// host-protocol.md, "Catalog composition").
//
//     const domainTools = await describeDomainTools(runtime, { actor, context, scope: { tags: ["invoices"] } });
//
// What the host protocol carries is read by a model that the host calls itself, so it lists what is exposed on `aiSdk`,
// the surface on which such a host also invokes; `surface` says otherwise. Per actor and per step, never to be shared.

import { toolDescription, toolInputSchema } from "./tool_shapes.js";
import type { AgentRuntimeLike, DescribeOptions, ExposureSurface, SideEffect } from "./types.js";
import { encodeWireName } from "./wire_name.js";

export interface DescribeDomainToolsOptions extends DescribeOptions {
  /** Default "aiSdk". */
  readonly surface?: ExposureSurface;
}

export interface DomainToolEntry {
  readonly wireName: string;
  /** `domain:` and the id of the capability. */
  readonly canonicalId: string;
  /** The model reads this alone, so it also says that an approval is needed. */
  readonly description: string;
  /** Deep-frozen and shared between listings. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly requiresApproval: boolean;
  readonly sideEffect: SideEffect;
}

/** In registry order. Rejects as `runtime.describe` does. */
export async function describeDomainTools(
  runtime: AgentRuntimeLike,
  options: DescribeDomainToolsOptions,
): Promise<DomainToolEntry[]> {
  const { surface = "aiSdk", ...asking } = options;
  const descriptors = await runtime.describe(surface, asking);
  return descriptors.map((descriptor) => {
    const canonicalId = `domain:${descriptor.id}`;
    return {
      wireName: encodeWireName(canonicalId),
      canonicalId,
      description: toolDescription(descriptor),
      inputSchema: toolInputSchema(descriptor),
      requiresApproval: descriptor.requiresApproval === true,
      sideEffect: descriptor.sideEffect,
    };
  });
}
