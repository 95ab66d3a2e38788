// The domain plane's runtime as a TypeScript author meets it: ids, inputs and outputs follow from the procedures.
import {
  createAgentRuntime,
  createCapabilityRegistry,
  defineGovernance,
  defineProcedure,
  fromJsonSchema,
  unwrap,
  type Actor,
  type CapabilityIdOf,
} from "viewcap/domain";
import { z } from "zod";

const agent = { description: "x", expose: { direct: true }, sideEffect: "read", risk: "low" } as const;
const definitions = {
  invoices: {
    list: defineProcedure({
      input: z.object({ page: z.number().default(1) }),
      meta: { agent },
      handler: ({ input }) => ({ rows: [`row of page ${input.page.toFixed()}`] }),
    }),
    count: defineProcedure({
      input: fromJsonSchema<{ status: "open" | "paid" }>({ type: "object" }),
      meta: { agent },
      handler: ({ input }) => (input.status === "open" ? 1 : 2),
    }),
  },
};
const registry = createCapabilityRegistry(definitions);
const runtime = createAgentRuntime({ governance: defineGovernance({ registry }) });
const actor: Actor = { id: "a", kind: "user" };

type Ids = CapabilityIdOf<typeof definitions>;
const id: Ids = "invoices.list";
// @ts-expect-error no such capability
const wrong: Ids = "invoices.delete";

const rows: string[] = unwrap(await runtime.invoke("invoices.list", {}, { actor })).rows;
const count: number = unwrap(await runtime.invoke("invoices.count", { status: "paid" }, { actor }));
// @ts-expect-error a page is a number
await runtime.invoke("invoices.list", { page: "1" }, { actor });
// @ts-expect-error the output is a number
const text: string = unwrap(await runtime.invoke("invoices.count", { status: "paid" }, { actor }));
// @ts-expect-error an actor is needed
await runtime.invoke("invoices.list", {}, {});
// An id that is only known at run time takes and gives what nobody knows.
const unknownOutput: unknown = unwrap(await runtime.invoke(String(id), { anything: 1 }, { actor }));

const result = await runtime.invoke("invoices.list", {}, { actor, surface: "mcp" });
if (result.status === "approval-required") result.approval.inputHash.toLowerCase();
else if (result.status !== "completed") result.error.publicMessage.trim();

export { count, rows, text, unknownOutput, wrong };
