// What TypeScript tells an author of a React component. Each @ts-expect-error is a mistake that must not compile.

import {
  actionContract,
  createAgentSurfaceRegistry,
  defineAgentComponentContract,
  fromJsonSchema,
  observationContract,
} from "viewcap";
import { AgentSurfaceProvider, useAgentComponent, useAgentSurface, useConfirmations } from "viewcap/react";

interface Filters {
  status: "open" | "paid";
}
const contract = defineAgentComponentContract({
  type: "invoices",
  description: "The invoices.",
  observations: {
    readRows: observationContract({ description: "Rows.", output: fromJsonSchema<string[]>({ type: "array" }) }),
  },
  actions: {
    setFilters: actionContract({
      description: "Sets.",
      input: fromJsonSchema<Filters>({ type: "object" }),
      effect: "local-state",
    }),
  },
});
const readRows = { read: () => ["a"] };
const setFilters = { execute: ({ status }: Filters) => status };

export function Invoices(): null {
  const ref = useAgentComponent(contract, {
    instanceId: "main",
    enabled: true,
    observations: { readRows: { read: () => ["a"], when: () => true } },
    actions: {
      setFilters: {
        execute: (input) => {
          const status: "open" | "paid" = input.status;
          return status;
        },
      },
    },
  });
  const id: string | undefined = ref.current?.registrationId;
  // @ts-expect-error the reference is the hook's to set
  ref.current = undefined;

  // @ts-expect-error a declared action is not bound
  useAgentComponent(contract, { observations: { readRows } });

  useAgentComponent(contract, {
    observations: { readRows },
    // @ts-expect-error the contract declares no such action
    actions: { setFilters, other: { execute: () => undefined } },
  });

  useAgentComponent(contract, {
    // @ts-expect-error the output is a list of strings
    observations: { readRows: { read: () => [1] } },
    actions: { setFilters },
  });

  useAgentComponent(contract, {
    observations: { readRows },
    // @ts-expect-error the input has no such member
    actions: { setFilters: { execute: (input) => input.colour } },
  });

  const { pending, resolve } = useConfirmations();
  const decided: boolean = resolve(pending[0]?.confirmationId ?? "", { approved: true });
  // @ts-expect-error a decision says whether it approves
  resolve("a", { reason: String(decided) });
  // @ts-expect-error there may be no registry yet
  useAgentSurface().getVersion();
  return id === undefined ? null : null;
}

const registry = createAgentSurfaceRegistry({ environment: "test" });
AgentSurfaceProvider({ registry, children: null });
AgentSurfaceProvider({ registry: undefined });
// @ts-expect-error a registry is made by createAgentSurfaceRegistry
AgentSurfaceProvider({ registry: {} });
