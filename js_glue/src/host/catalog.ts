// The catalog of one step, for this actor alone (spec: host-protocol.md, "Catalog composition"); never kept.

import { isRecord } from "../contract/values.js";
import { describeDomainTools } from "../domain/describe_tools.js";
import type { Context } from "../domain/types.js";
import type { Executor } from "../generated/protocol_vocabulary.js";
import { composeCatalog, resolveScope } from "../protocol/index.js";
import type { CatalogReport, ComposedTool, DecodedStep, DomainTool } from "../protocol/types.js";
import type { ModelTool } from "./model/types.js";
import type { Settings } from "./options.js";
import { Refusal } from "./refusal.js";
import type { HostSession } from "./types.js";

export interface OfferedTool {
  readonly wireName: string;
  readonly canonicalId: string;
  readonly executor: Executor;
  /** Declared to change nothing; whatever is not counts as a write. */
  readonly reads: boolean;
}

export interface StepCatalog {
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly forModel: readonly ModelTool[];
  readonly domainTools: readonly DomainTool[];
  readonly scope: readonly string[];
  readonly stateBlock: string | undefined;
  readonly reports: readonly CatalogReport[];
}

export async function catalogOf<S extends HostSession>(
  settings: Settings<S>,
  session: S,
  context: Context,
  step: DecodedStep,
): Promise<StepCatalog> {
  const { runtime, scopeFor, admitted, limits } = settings;
  const floor = scopeFor(step.pathname, session);
  const { scope } = resolveScope(floor, step.requestedScope);
  const { actor } = session;
  const asking = { actor, context, ...(scope.length === 0 ? {} : { scope: { tags: scope } }) };
  const domainTools = await describeDomainTools(runtime, asking);
  const composed = composeCatalog({ step, domainTools, admitted, scopeFloor: floor, limits });
  if (!composed.ok) throw new Refusal(composed.error.code, composed.error.message, { status: composed.status });
  return {
    tools: new Map(composed.tools.map((tool) => [tool.wireName, offered(tool)])),
    forModel: composed.tools.map(({ wireName, description, inputSchema }) => ({
      name: wireName,
      description,
      inputSchema: isRecord(inputSchema) ? inputSchema : {},
    })),
    domainTools: composed.domainTools,
    scope: composed.scope,
    stateBlock: composed.stateBlock,
    reports: composed.reports,
  };
}

function offered({ wireName, canonicalId, executor, sideEffect }: ComposedTool): OfferedTool {
  return { wireName, canonicalId, executor, reads: sideEffect === "none" || sideEffect === "read" };
}
