// The whole turn as a developer gets it: the tarball in an empty folder, a page's loop and a host in one process, no peer.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { installedFolder, runIn, write } from "./workplace.mjs";

let folder;
before(async () => {
  folder = await installedFolder();
});

test("viewcap/client and viewcap/host carry a turn over both planes, without any peer", async () => {
  await write(folder, {
    "turn.mjs": `
      import * as viewcap from "viewcap";
      import { runTurn } from "viewcap/client";
      import { createAgentRuntime, createCapabilityRegistry, defineGovernance, defineProcedure } from "viewcap/domain";
      import { createHostHandler, scriptedModel } from "viewcap/host";
      await viewcap.loadRuntime();
      const total = defineProcedure({
        meta: { agent: { description: "The total.", expose: { aiSdk: true }, sideEffect: "read", risk: "low" } },
        handler: () => ({ total: 7 }),
      });
      const runtime = createAgentRuntime({ governance: defineGovernance({ registry: createCapabilityRegistry({ total }) }) });
      const steps = [
        { calls: [{ tool: "domain_total" }] },
        { calls: [{ tool: "view_page__show", input: { total: 7 } }] },
        ({ lastResult }) => ({ text: JSON.stringify(lastResult("view_page__show")) }),
      ];
      const handler = createHostHandler({
        session: () => ({ id: "s", actor: { id: "a", kind: "user" } }),
        runtime,
        model: scriptedModel({ turns: [{ when: () => true, steps }] }),
      });
      const registry = viewcap.createAgentSurfaceRegistry({ environment: "test" });
      const input = viewcap.fromJsonSchema({ type: "object", properties: { total: { type: "integer" } } });
      let shown;
      const page = viewcap.defineAgentComponentContract({
        type: "page",
        description: "The page.",
        actions: { show: viewcap.actionContract({ description: "Shows.", input, effect: "local-state" }) },
      });
      registry.register(page.bind({ actions: { show: { execute: ({ total }) => { shown = total; } } } }));
      const { messages, status } = await runTurn({
        conversationId: "c", turnId: "t", messages: [{ role: "user", content: "go" }],
        registry, consumer: { id: "x", kind: "embedded" }, scopeFor: () => [], pathname: () => "/",
        endpoint: "http://localhost/agent/step", fetch: (url, init) => handler(new Request(url, init)),
      });
      console.log(JSON.stringify([status, shown, messages.at(-1).content]));
      registry.dispose();
    `,
  });
  const [status, shown, content] = JSON.parse(await runIn(folder, process.execPath, "turn.mjs"));
  assert.deepEqual([status, shown], ["completed", 7]);
  assert.deepEqual(content, [{ type: "text", text: '{"done":true}' }]);
});
