// What TypeScript tells an author. Each @ts-expect-error is a mistake that must not compile.

import {
  actionContract,
  createAgentSurfaceRegistry,
  defineAgentComponentContract,
  emptyObjectSchema,
  fromJsonSchema,
  fromStandardSchema,
  observationContract,
  type AgentSchema,
  type InvocationResult,
} from "viewcap";
import { projectStep } from "viewcap/protocol";

interface Filters {
  status: "open" | "paid";
  page?: number;
}
const filters = fromJsonSchema<Filters>({ type: "object" });
const rows = fromJsonSchema<string[]>({ type: "array" });

const contract = defineAgentComponentContract({
  type: "invoices",
  description: "The invoices.",
  observations: { readRows: observationContract({ description: "Rows.", output: rows }) },
  actions: {
    setFilters: actionContract({ description: "Sets.", input: filters, output: rows, effect: "local-state" }),
    clear: actionContract({ description: "Clears.", input: emptyObjectSchema, effect: "local-state" }),
  },
});

const readRows = { read: () => ["a"] };
const setFilters = { execute: ({ status }: Filters) => [status] };
const clear = { execute: () => undefined };

// Fine: complete, inferred, asynchronous where the author likes.
contract.bind({
  instanceId: "main",
  observations: { readRows: { read: async (ctx) => [ctx.capabilityId] } },
  actions: {
    setFilters: {
      when: () => true,
      unavailableReason: () => "Not now.",
      precondition: (input) => (input.page === 0 ? { message: "No such page." } : undefined),
      execute: async (input, ctx) => {
        const status: "open" | "paid" = input.status;
        const aborted: boolean = ctx.signal.aborted;
        return [status, String(aborted)];
      },
    },
    clear,
  },
});

// @ts-expect-error a declared action is not bound
contract.bind({ observations: { readRows }, actions: { setFilters } });

// @ts-expect-error the observations are missing
contract.bind({ actions: { setFilters, clear } });

contract.bind({
  observations: { readRows },
  // @ts-expect-error the contract declares no such action
  actions: { setFilters, clear, other: { execute: () => undefined } },
});

contract.bind({
  observations: { readRows },
  // @ts-expect-error a binding has no place for a description
  actions: { setFilters, clear: { description: "Mine.", execute: () => undefined } },
});

contract.bind({
  observations: { readRows },
  // @ts-expect-error a binding has no place for an effect
  actions: { setFilters, clear: { effect: "navigation", execute: () => undefined } },
});

contract.bind({
  observations: { readRows },
  // @ts-expect-error a binding has no place for a schema
  actions: { setFilters, clear: { input: filters, execute: () => undefined } },
});

contract.bind({
  // @ts-expect-error the output is a list of strings
  observations: { readRows: { read: () => [1] } },
  actions: { setFilters, clear },
});

contract.bind({
  observations: { readRows },
  // @ts-expect-error the input has no such member
  actions: { setFilters: { execute: (input) => [input.colour] }, clear },
});

contract.bind({
  observations: { readRows },
  // @ts-expect-error the output of the action is a list of strings
  actions: { setFilters: { execute: () => 7 }, clear },
});

// @ts-expect-error an action needs an effect
actionContract({ description: "Goes.", input: filters });

// @ts-expect-error a view action has no server effect
actionContract({ description: "Goes.", input: filters, effect: "server-mutation" });

// @ts-expect-error a literal schema is no schema
actionContract({ description: "Goes.", input: { type: "object" }, effect: "local-state" });

// @ts-expect-error a component needs a description
defineAgentComponentContract({ type: "invoices" });

// A contract without actions binds without them.
defineAgentComponentContract({
  type: "clock",
  description: "A clock.",
  observations: { time: observationContract({ description: "Time.", output: fromJsonSchema<number>({}) }) },
}).bind({ observations: { time: { read: () => 1 } } });

createAgentSurfaceRegistry({ policies: [{ name: "open", onDiscovery: () => ({ decision: "expose" }) }] });
// @ts-expect-error a verdict is one of three words
createAgentSurfaceRegistry({ policies: [{ name: "open", onDiscovery: () => ({ decision: "maybe" }) }] });

const registry = createAgentSurfaceRegistry({ environment: "test" });

export async function use(): Promise<string> {
  const result: InvocationResult = await registry.invoke({ capabilityId: "view:invoices.clear" });
  // @ts-expect-error an error has no output: narrow by status first
  result.output;
  if (result.status === "error") return result.error.code;
  const target = projectStep(registry, { consumer: { id: "a", kind: "test" } }).wireNames.get("view_invoices__clear");
  // @ts-expect-error the map of names is read-only
  projectStep(registry, { consumer: { id: "a", kind: "test" } }).wireNames.set("a", target);
  return target?.registrationId ?? "";
}

registry.subscribe((event) => {
  if (event.type === "availability-changed") return event.available;
  // @ts-expect-error only a change of availability says whether it is available
  return event.available;
});

// A Standard Schema's type is the output of its validation.
const standard: AgentSchema<number> = fromStandardSchema(
  { "~standard": { version: 1, vendor: "test", validate: () => ({ value: 1 }) } },
  { jsonSchema: { type: "integer" } },
);
export const one: number = standard.parse(1);
