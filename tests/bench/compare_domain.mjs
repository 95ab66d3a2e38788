// The governed domain plane: a read that does nothing under two synchronous policies, and a listing of 300 capabilities
// under two; each beside a plain function that validates with ajv and asks the two policies.

import Ajv from "ajv";
import {
  allow,
  createAgentRuntime,
  createCapabilityRegistry,
  defineGovernance,
  definePolicy,
  defineProcedure,
  fromJsonSchema,
} from "viewcap/domain";
import { compare, report } from "./measure.mjs";

const schema = {
  type: "object",
  properties: { id: { type: "string" }, page: { type: "integer", minimum: 1 } },
  required: ["id"],
  additionalProperties: false,
};
const meta = {
  description: "Reads one thing",
  expose: { direct: true },
  sideEffect: "read",
  risk: "low",
  tags: ["things"],
};
const read = () =>
  defineProcedure({ input: fromJsonSchema(schema), meta: { agent: meta }, handler: ({ input }) => ({ id: input.id }) });
const definitions = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`thing${at}`, read()]));

const tenant = ({ context }) => (context.tenant === "t1" ? allow() : { type: "deny" });
const known = ({ actor }) => (actor.kind === "user" ? allow() : { type: "deny" });
const phases = { phases: ["discovery", "invocation"] };
const runtime = createAgentRuntime({
  governance: defineGovernance({
    registry: createCapabilityRegistry(definitions),
    policies: [definePolicy("tenant", tenant, phases), definePolicy("known", known, phases)],
  }),
});

const actor = { id: "u1", kind: "user" };
const context = { tenant: "t1" };
const input = { id: "a", page: 2 };
const options = { actor, context };

const validate = new Ajv().compile(schema);
const handlers = Object.entries(definitions).map(([id, procedure]) => ({ id, meta, handler: procedure.handler }));
const byId = new Map(handlers.map((entry) => [entry.id, entry]));

async function plainInvoke(id, given) {
  const entry = byId.get(id);
  if (entry === undefined || !validate(given)) return { status: "failed" };
  const request = { phase: "invocation", capability: entry, surface: "direct", actor, context, input: given };
  for (const policy of [tenant, known]) if ((await policy(request)).type !== "allow") return { status: "failed" };
  const output = await entry.handler({ input: given, context: { ...context } });
  return { status: "completed", executionId: crypto.randomUUID(), output };
}

async function plainDescribe() {
  const listed = [];
  for (const entry of handlers) {
    const request = { phase: "discovery", capability: entry, surface: "direct", actor, context };
    let open = true;
    for (const policy of [tenant, known]) if ((await policy(request)).type !== "allow") open = false;
    if (open) listed.push({ id: entry.id, ...entry.meta, inputSchema: schema });
  }
  return listed;
}

const one = await runtime.invoke("thing7", input, options);
const all = await runtime.describe("direct", options);
if (one.status !== "completed" || all.length !== 300 || (await plainDescribe()).length !== 300) {
  throw new Error("the two sides disagree");
}

const repeat = (run) => async (count) => {
  for (let at = 0; at < count; at++) await run();
};
const times = await compare({
  invoke: repeat(() => runtime.invoke("thing7", input, options)),
  plainInvoke: repeat(() => plainInvoke("thing7", input)),
});
const listings = await compare(
  { describe: repeat(() => runtime.describe("direct", options)), plainDescribe: repeat(plainDescribe) },
  { rounds: 61 },
);

report({
  figures: {
    domain_invoke_us: times.invoke,
    plain_domain_invoke_us: times.plainInvoke,
    domain_describe_300_us: listings.describe,
    plain_domain_describe_300_us: listings.plainDescribe,
  },
});
