// What TypeScript tells an author of procedures and policies. Each @ts-expect-error is a mistake that must not compile.

import { os } from "@orpc/server";
import * as v from "valibot";
import { fromJsonSchema } from "viewcap";
import {
  agentProcedure,
  definePolicy,
  defineProcedure,
  deny,
  requireApproval,
  type AgentMeta,
  type AgentPolicy,
  type CapabilityIdOf,
  type InferInput,
  type InferOutput,
  type InputOf,
  type OutputOf,
  type ProcedureMiddleware,
} from "viewcap/domain";
import { z } from "zod";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

// Zod: a caller gives the input shape, the handler gets what validation gives.
const close = defineProcedure({
  input: z.object({ ledger: z.string(), page: z.number().default(1) }),
  output: z.object({ closed: z.boolean() }),
  meta: { agent: { description: "Closes.", expose: { mcp: true }, sideEffect: "write", risk: "high" } },
  use: [
    async ({ next }) => next({ context: { tenant: "t" } }),
    ({ context, next }) => {
      const execution: string | undefined = context.agent?.executionId;
      return execution === undefined ? next() : next({ context: { execution } });
    },
  ],
  handler: async ({ input, context, signal }) => {
    same<typeof input, { ledger: string; page: number }>(true);
    const tenant: string = context.tenant;
    const aborted: boolean = signal.aborted;
    return { closed: tenant !== "" && !aborted && input.page > 0 };
  },
});
same<InferInput<typeof close>, { ledger: string; page?: number | undefined }>(true);
same<InferOutput<typeof close>, { closed: boolean }>(true);

// Valibot and literal JSON Schema.
const greet = defineProcedure({
  input: v.object({ name: v.optional(v.string(), "you") }),
  output: v.string(),
  handler: ({ input }) => input.name,
});
same<InferInput<typeof greet>, { name?: string | undefined }>(true);
same<InferOutput<typeof greet>, string>(true);
const literal = defineProcedure({
  input: fromJsonSchema<{ a: string }>({ type: "object" }),
  handler: async ({ input }) => input.a.length,
});
same<InferInput<typeof literal>, { a: string }>(true);
same<InferOutput<typeof literal>, number>(true);

// Without schemas: anything in, what the handler gives out.
const bare = defineProcedure({ handler: () => 5 });
same<InferInput<typeof bare>, unknown>(true);
same<InferOutput<typeof bare>, number>(true);

// The application's own context, by name or by middleware of oRPC.
interface AppContext {
  db: { get(id: number): string };
}
const own = defineProcedure({
  input: z.object({ id: z.number() }),
  handler: ({ input, context }: { input: { id: number }; context: AppContext }) => context.db.get(input.id),
});
same<InferOutput<typeof own>, string>(true);
const withUser = os
  .$context<AppContext>()
  .middleware(({ context, next }) => next({ context: { user: context.db.get(1) } }));
const both = defineProcedure({ use: [withUser], handler: ({ context }) => context.user });
same<InferOutput<typeof both>, string>(true);
const early: ProcedureMiddleware = (_options, _input, output) => output(1);
defineProcedure({ use: [early], handler: () => 1 });

// @ts-expect-error the output schema does not take what the handler gives
defineProcedure({ output: z.object({ closed: z.boolean() }), handler: () => ({ closed: "yes" }) });

// @ts-expect-error there is no handler
defineProcedure({ input: z.object({}) });

// @ts-expect-error a schema is made by fromJsonSchema
defineProcedure({ input: { type: "object" }, handler: () => 1 });

defineProcedure({
  // @ts-expect-error there is no such surface
  meta: { agent: { description: "D.", expose: { web: true }, sideEffect: "read", risk: "low" } },
  handler: () => 1,
});

// oRPC: the builder stays what it is, `agent` is checked.
const READ: AgentMeta = { description: "Reads.", expose: { aiSdk: true }, sideEffect: "read", risk: "low" };
const counted = agentProcedure(os.input(z.object({ n: z.number().default(3) })))
  .meta({ agent: READ })
  .output(z.object({ at: z.string().transform(Number) }))
  .handler(({ input }) => ({ at: String(input.n) }));
same<InferInput<typeof counted>, { n?: number | undefined }>(true);
same<InferOutput<typeof counted>, { at: number }>(true);
const after = agentProcedure(os.handler(() => 5)).meta({ agent: READ });
same<InferOutput<typeof after>, number>(true);
os.$meta<{ agent?: AgentMeta }>({}).meta({ agent: READ });

// @ts-expect-error there is no such side effect
agentProcedure(os).meta({ agent: { ...READ, sideEffect: "reads" } });

// @ts-expect-error a description is missing
agentProcedure(os).meta({ agent: { expose: {}, sideEffect: "read", risk: "low" } });

// @ts-expect-error a misspelt field
agentProcedure(os).meta({ agent: { ...READ, timeout: 5 } });

// Ids of nested records of both kinds, and what is at them.
const procedures = { ledgers: { close, archive: { greet } }, counted, 5: { bare } };
type Procedures = typeof procedures;
same<CapabilityIdOf<Procedures>, "ledgers.close" | "ledgers.archive.greet" | "counted" | "5.bare">(true);
same<InputOf<Procedures, "ledgers.archive.greet">, { name?: string | undefined }>(true);
same<OutputOf<Procedures, "ledgers.close">, { closed: boolean }>(true);
same<OutputOf<Procedures, "counted">, { at: number }>(true);
same<CapabilityIdOf<Map<string, typeof close>>, string>(true);
same<OutputOf<Map<string, typeof close>, "any">, unknown>(true);

// @ts-expect-error there is no such capability
const wrong: CapabilityIdOf<Procedures> = "ledgers.open";
void wrong;

// Policies.
const policy: AgentPolicy = definePolicy(
  "owners-only",
  async ({ actor, input }) => (input === undefined || actor.kind === "user" ? { type: "allow" } : deny("NOT_OWNER")),
  { phases: ["invocation", "execution"] },
);
void policy;

// @ts-expect-error there is no such decision
definePolicy("p", () => ({ type: "permit" }));

// @ts-expect-error there is no such phase
definePolicy("p", () => deny(), { phases: ["sometimes"] });

// @ts-expect-error an approval needs a reason
requireApproval({ approvalType: "finance" });
