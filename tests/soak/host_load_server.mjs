// The server of host_load.test.mjs, a process of its own: started with --expose-gc, it says how much it holds when asked.
import { createServer } from "node:http";
import {
  createAgentRuntime,
  createCapabilityRegistry,
  defineGovernance,
  defineProcedure,
} from "../../js_glue/dist/domain/index.js";
import { createHostHandler, readCookie, scriptedModel, toNodeListener } from "../../js_glue/dist/host/index.js";

const whoami = defineProcedure({
  meta: { agent: { description: "Who asks.", expose: { aiSdk: true }, sideEffect: "read", risk: "low", tags: ["me"] } },
  handler: ({ context }) => ({ actor: context.agent.actor.id, secret: `secret of ${context.agent.actor.id}` }),
});
const runtime = createAgentRuntime({
  governance: defineGovernance({ registry: createCapabilityRegistry({ whoami }) }),
});

// Each request: the server's tool, then the page's; the conversation goes on with the page's answer.
const model = scriptedModel({
  turns: [
    {
      when: () => true,
      steps: Array.from({ length: 100 }, (_, at) =>
        at % 2 === 0
          ? { calls: [{ tool: "domain_whoami" }] }
          : ({ lastResult }) => ({
              text: `I speak to ${lastResult("domain_whoami").data.actor}.`,
              calls: [{ tool: "view_page__read", input: { at } }],
            }),
      ),
    },
  ],
});
const handler = createHostHandler({
  session: (request) => {
    const id = readCookie(request, "sid");
    return id === undefined ? undefined : { id, actor: { id: `actor-${id}`, kind: "user" } };
  },
  runtime,
  model,
  limits: { requestsPerMinute: 1_000_000 },
});
const server = createServer(toNodeListener(handler));
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
process.on("message", async () => {
  await handler.idle();
  for (let round = 0; round < 4; round++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send({ bytes: heapUsed + external });
});
process.on("disconnect", () => process.exit());
