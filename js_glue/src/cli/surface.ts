// Contracts on a registry that is thrown away: what the module says of them, and what a model would be shown.

import { bind } from "../contract/define.js";
import { literalContract } from "../contract/literal.js";
import { isProcedureContract, literalProcedure } from "../contract/procedure.js";
import { isObject } from "../contract/values.js";
import { createAgentSurfaceRegistry, type AgentSurfaceRegistry } from "../registry/registry.js";
import { projectStep, type StepProjection } from "../protocol/project_step.js";
import { liveRuntime } from "../runtime/load.js";
import { Conversion } from "../runtime/table.js";
import { CliError, type Found } from "./collect.js";

export type Profile = "portable" | "full";

/** Every contract checked by the module itself; CliError names all that are refused, with module and export. */
function registered(all: readonly Found[], schemaProfile: Profile): AgentSurfaceRegistry {
  const registry = createAgentSurfaceRegistry({ environment: "test", schemaProfile });
  const problems: string[] = [];
  for (const found of all) {
    try {
      if (found.kind === "component") registry.register(bind(shown(found.contract), stubsOf(found.contract)));
      else if (isProcedureContract(found.contract)) {
        registry.registerProcedure(found.contract, { path: found.name.slice("domain:".length) }, {});
      }
    } catch (error) {
      problems.push(`${found.place}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length === 0) return registry;
  registry.dispose();
  throw new CliError(problems.join("\n"));
}

/** Without its policies: whom they hide it from depends on the application's state, which is not here. */
function shown(contract: object): object {
  return Object.fromEntries(Object.entries(contract).filter(([key]) => key !== "policies"));
}

function stubsOf(contract: object): object {
  const stubs = (table: string, stub: object): object => {
    const declared: unknown = Reflect.get(contract, table);
    return Object.fromEntries(isObject(declared) ? Object.keys(declared).map((name) => [name, stub]) : []);
  };
  return {
    observations: stubs("observations", { read: () => null }),
    actions: stubs("actions", { execute: () => undefined }),
  };
}

/** The manifest of the contracts, parsed. */
export function manifestOf(all: readonly Found[], schemaProfile: Profile): unknown {
  registered(all, schemaProfile).dispose();
  const literals = all.map(({ kind, contract }) =>
    kind === "component" ? literalContract(contract, false).key : JSON.stringify(literalProcedure(contract)),
  );
  return liveRuntime("manifest").answer(`[${literals.join()}]`, (table) => table.convert(Conversion.manifest));
}

/** What a model is shown when every contract is mounted once. */
export function projectionOf(all: readonly Found[], schemaProfile: Profile): StepProjection {
  const registry = registered(all, schemaProfile);
  const step = projectStep(registry, { consumer: { id: "inspect", kind: "other" } });
  registry.dispose();
  return step;
}
