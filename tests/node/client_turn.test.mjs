// The turn loop: project, post, read, carry out, again; its limits, and what it leaves in the history.

import assert from "node:assert/strict";
import { test } from "node:test";
import { projectStep } from "viewcap/protocol";
import { runTurn } from "viewcap/client";
import { asks, call, consumer, GO, page, resultsOf, ROWS, says, SET, turn, USER } from "./client_host.mjs";
import { failure, fakeClock, makeRegistry, ready, schema, tableContract, viewcap } from "./support.mjs";

await ready;

test("a turn posts the step request of the protocol and appends what the model said", async () => {
  const { registry } = page();
  const { descriptors } = projectStep(registry, { consumer });
  const shown = structuredClone(descriptors);
  const { outcome, requests } = await turn([says("Hi.")], {
    ...{ registry, conversationId: "conv", turnId: "turn", pathname: () => "/invoices" },
    ...{ scopeFor: () => ["invoices"], modelId: "fast" },
  });
  const [{ headers, method, url, ...body }] = requests;
  assert.deepEqual([method, url, headers["content-type"]], ["POST", "/agent/chat", "application/json"]);
  assert.deepEqual(body, {
    ...{ protocolVersion: 2, conversationId: "conv", turnId: "turn", stepIndex: 0, pathname: "/invoices" },
    ...{ modelId: "fast", messages: [USER] },
    catalog: { mode: "direct", scope: ["invoices"], frontendTools: shown, frontendState: [] },
  });
  const said = { role: "assistant", content: [{ type: "text", text: "Hi." }] };
  assert.deepEqual(outcome, { messages: [USER, said], status: "completed" });
});

test("the value given to the model is the output, {done: true} where there is none, {error} on failure", async () => {
  const { registry } = page({
    read: () => ({ rows: 3 }),
    goTo: () => {
      throw new viewcap.AgentSurfaceError({ code: "PRECONDITION_FAILED", message: "No.", retry: "with-changes" });
    },
  });
  const script = [asks(call("a", ROWS), call("b", SET), call("c", GO)), says("Done.")];
  const { outcome, requests } = await turn(script, { registry });
  const values = resultsOf(outcome.messages);
  assert.deepEqual([values.a, values.b], [{ rows: 3 }, { done: true }]);
  assert.deepEqual(Object.keys(values.c), ["error"]);
  assert.equal(values.c.error.code, "PRECONDITION_FAILED");
  assert.deepEqual(resultsOf(requests[1].messages), values);
  assert.deepEqual([requests[1].stepIndex, requests[1].turnId], [1, "t"]);
});

test("a handler that breaks the contract and throws is contained as EXECUTION_FAILED, not to be retried", async () => {
  const read = () => new Map();
  const set = () => {
    throw new Error("secret");
  };
  const { outcome } = await turn([asks(call("a", ROWS), call("b", SET)), says("Done.")], page({ read, set }));
  assert.equal(outcome.status, "completed");
  const { a, b } = resultsOf(outcome.messages);
  assert.deepEqual([a.error.code, a.error.retry], ["EXECUTION_FAILED", "no"]);
  assert.equal(b.error.code, "EXECUTION_FAILED");
  assert.ok(!JSON.stringify(outcome).includes("secret"));
});

test("an output that is nested deeper than a message may be is a failure of that call and of no later step", async () => {
  let deep = 1;
  for (let level = 0; level < 200; level++) deep = [deep];
  const { outcome } = await turn([asks(call("a", ROWS)), says("Done.")], page({ read: () => deep }));
  assert.equal(outcome.status, "completed");
  assert.equal(resultsOf(outcome.messages).a.error.details.reason, "output-too-large");
});

test("the catalog is projected anew for each step", async () => {
  const surface = page({ set: () => void surface.handle.update({ availability: { goTo: { available: false } } }) });
  const { requests } = await turn([asks(call("a", SET)), says("Done.")], surface);
  const [before, after] = requests.map(({ catalog }) => catalog.frontendTools.find(({ wireName }) => wireName === GO));
  assert.deepEqual([before.available, after.available], [true, false]);
  assert.deepEqual(
    requests[1].catalog.frontendState.map(({ wireName }) => wireName),
    [GO],
  );
});

test("a call is dispatched by the map of that step's catalog, with its registration id: a remount is stale", async () => {
  let calls = 0;
  const surface = page({ set: () => void calls++ });
  const remount = (body, response) => {
    surface.handle.unregister();
    surface.registry.register(surface.definition);
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.end(
      asks(call("a", SET))
        .map((frame) => `${JSON.stringify(frame)}\n`)
        .join(""),
    );
  };
  const { outcome } = await turn([remount, says("Done.")], surface);
  const { a } = resultsOf(outcome.messages);
  assert.deepEqual(failure({ status: "error", error: a.error }).code, "STALE_CAPABILITY");
  assert.equal(calls, 0);
});

test("the answer for a name not in the map is CAPABILITY_NOT_FOUND, to be retried after a refresh", async () => {
  const { outcome } = await turn([asks(call("a", "view_nothing__here"), call("b", "surface_act")), says("Done.")]);
  for (const { error } of Object.values(resultsOf(outcome.messages))) {
    assert.deepEqual([error.code, error.retry], ["CAPABILITY_NOT_FOUND", "after-refresh"]);
  }
});

test("the calls of one step run one after the other in the model's order", async () => {
  const log = [];
  const set = async ({ n }) => {
    log.push(`start ${n}`);
    await new Promise((resolve) => setTimeout(resolve, 20 - 5 * n));
    log.push(`end ${n}`);
  };
  const calls = [1, 2, 3, 4].map((n) => call(`id${n}`, SET, { n }));
  const { outcome } = await turn([asks(...calls), says("Done.")], page({ set }));
  assert.deepEqual(
    log,
    [1, 2, 3, 4].flatMap((n) => [`start ${n}`, `end ${n}`]),
  );
  assert.deepEqual(Object.keys(resultsOf(outcome.messages)), ["id1", "id2", "id3", "id4"]);
});

test("a turn takes at most eight steps: calls of the eighth will not run, and the turn ends with RUN_LIMIT_EXCEEDED", async () => {
  let runs = 0;
  const script = Array.from({ length: 12 }, (_, n) => asks(call(`id${n}`, SET, { n })));
  const { outcome, requests } = await turn(script, page({ set: () => void runs++ }));
  assert.deepEqual([requests.length, runs], [8, 7]);
  assert.deepEqual([outcome.status, outcome.error.code], ["error", "RUN_LIMIT_EXCEEDED"]);
  assert.equal(resultsOf(outcome.messages).id7.error.code, "TOOL_NOT_EXECUTED");
  assert.deepEqual(
    requests.map(({ stepIndex }) => stepIndex),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
});

test("a turn that is done with its eighth step is completed", async () => {
  const script = Array.from({ length: 7 }, (_, n) => asks(call(`id${n}`, SET, { n })));
  const { outcome, requests } = await turn([...script, says("Done.")]);
  assert.deepEqual([outcome.status, requests.length], ["completed", 8]);
});

test("a turn takes at most 180 seconds, also while a call runs, which is told by its signal", async () => {
  const clock = fakeClock();
  let aborted = false;
  const set = (_, { signal }) => {
    signal.addEventListener("abort", () => (aborted = true));
    void clock.advance(179_999).then(() => clock.advance(1));
    return new Promise(() => undefined);
  };
  const surface = page({ set });
  const { outcome } = await turn([asks(call("a", SET), call("b", SET))], { ...surface, clock });
  assert.deepEqual([outcome.status, outcome.error.code, aborted], ["error", "RUN_LIMIT_EXCEEDED", true]);
  const { a, b } = resultsOf(outcome.messages);
  assert.deepEqual([a.error.code, b.error.code], ["CANCELLED", "TOOL_NOT_EXECUTED"]);
});

test("a turn takes at most 180 seconds, also while the server is silent", async () => {
  const clock = fakeClock();
  const silent = (body, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(`${JSON.stringify({ type: "text-delta", text: "Wait" })}\n`);
    setTimeout(() => void clock.advance(180_000), 20);
  };
  const { outcome } = await turn([silent], { clock });
  assert.deepEqual([outcome.status, outcome.error.code], ["error", "RUN_LIMIT_EXCEEDED"]);
  assert.deepEqual(outcome.messages[1], { role: "assistant", content: [{ type: "text", text: "Wait" }] });
});

test("after a successful navigation the route, and so the scope, of the next step follows", async () => {
  let path = "/invoices";
  const { registry } = page({ goTo: ({ to }) => void (path = to) });
  const script = [asks(call("a", GO, { to: "/customers" })), says("Done.")];
  const { requests } = await turn(script, { registry, pathname: () => path, scopeFor: (route) => [route.slice(1)] });
  assert.deepEqual(
    requests.map(({ pathname, catalog }) => [pathname, catalog.scope, catalog.frontendTools.length]),
    [
      ["/invoices", ["invoices"], 3],
      ["/customers", ["customers"], 0],
    ],
  );
});

test("the route of a navigation is read once the page has absorbed it", async () => {
  let path = "/a";
  const { registry } = page({ goTo: () => void setTimeout(() => (path = "/b"), 60) });
  const options = { registry, pathname: () => path, settle: { until: () => path === "/b" } };
  const { requests } = await turn([asks(call("a", GO)), says("Done.")], options);
  assert.deepEqual(
    requests.map(({ pathname }) => pathname),
    ["/a", "/b"],
  );
});

test("a navigation that failed moves neither route nor scope", async () => {
  let path = "/a";
  const goTo = () => {
    path = "/b";
    throw new Error("no such page");
  };
  const { requests } = await turn([asks(call("a", GO)), says("Done.")], { ...page({ goTo }), pathname: () => path });
  assert.deepEqual(
    requests.map(({ pathname }) => pathname),
    ["/a", "/a"],
  );
});

test("a route change made by the user in mid-turn does not follow", async () => {
  let path = "/a";
  const { requests } = await turn([asks(call("a", SET)), says("Done.")], {
    ...page({ set: () => void (path = "/b") }),
    pathname: () => path,
  });
  assert.deepEqual(
    requests.map(({ pathname }) => pathname),
    ["/a", "/a"],
  );
});

test("after a call whose effect is not read the next one waits until the page has absorbed it", async () => {
  let shown = "old";
  const { registry } = page({
    read: () => shown,
    set: () => void setTimeout(() => (shown = "new"), 40),
  });
  const { outcome } = await turn([asks(call("a", SET), call("b", ROWS)), says("Done.")], {
    registry,
    settle: { until: () => shown === "new" },
  });
  assert.equal(resultsOf(outcome.messages).b, "new");
});

test("a turn that was cancelled before it began posts nothing", async () => {
  const { outcome, requests } = await turn([says("Hi.")], { signal: AbortSignal.abort() });
  assert.deepEqual([outcome, requests.length], [{ messages: [USER], status: "cancelled" }, 0]);
});

test("a cancelled turn answers the calls that will not run with TOOL_NOT_EXECUTED", async () => {
  const controller = new AbortController();
  const set = () => controller.abort();
  const calls = [call("a", SET), call("b", SET), call("c", ROWS)];
  const { outcome, requests, of } = await turn([asks(...calls)], { ...page({ set }), signal: controller.signal });
  assert.deepEqual([outcome.status, outcome.error, requests.length], ["cancelled", undefined, 1]);
  const { b, c } = resultsOf(outcome.messages);
  assert.deepEqual([b.error.code, c.error.code, c.error.retry], ["TOOL_NOT_EXECUTED", "TOOL_NOT_EXECUTED", "yes"]);
  assert.deepEqual(
    of("onToolResult").map(([, { toolCallId }]) => toolCallId),
    ["a", "b", "c"],
  );
  assert.deepEqual(of("onError"), []);
});

test("a history over the limits loses its oldest whole turns from the request, never from the returned history", async () => {
  const old = Array.from({ length: 250 }, (_, n) => [
    { role: "user", content: `question ${n}` },
    { role: "assistant", content: `answer ${n}` },
  ]).flat();
  const messages = [...old, USER];
  const script = [asks(call("a", SET)), asks(call("b", SET, { n: 1 })), says("Done.")];
  const { outcome, requests, of } = await turn(script, { messages });
  assert.equal(outcome.status, "completed");
  assert.deepEqual(outcome.messages.slice(0, 501), messages);
  for (const { messages: sent } of requests) {
    assert.ok(sent.length <= 400 && sent[0].role === "user");
    assert.ok(sent.some(({ content }) => content === "Hello"));
  }
  const reports = of("onInspector").filter(([, { eventType }]) => eventType === "history-trimmed");
  assert.deepEqual(
    reports.map(([, { lane, data }]) => [lane, data]),
    [["runtime", { messages: 102 }]],
  );
});

test("one turn that is over the limits by itself is refused before anything is posted", async () => {
  const messages = [USER, ...Array.from({ length: 400 }, () => ({ role: "assistant", content: "more" }))];
  const { outcome, requests } = await turn([], { messages });
  assert.deepEqual([outcome.status, outcome.error.code, requests.length], ["error", "CATALOG_TOO_LARGE", 0]);
  assert.deepEqual(outcome.messages, messages);
});

test("a field over its bounds is refused before anything is posted", async () => {
  for (const wrong of [{ conversationId: "" }, { turnId: "t".repeat(65) }, { pathname: () => "/".repeat(513) }]) {
    const { outcome, requests } = await turn([], wrong);
    assert.deepEqual([outcome.status, outcome.error.code, requests.length], ["error", "PROTOCOL_DECODE_ERROR", 0]);
  }
});

test("a history that was saved with an open call is made legal before it is posted", async () => {
  const open = { role: "assistant", content: [{ type: "tool-call", toolCallId: "old", toolName: SET, input: {} }] };
  const { outcome, requests } = await turn([says("Hi.")], { messages: [USER, open, USER] });
  assert.equal(outcome.status, "completed");
  assert.equal(resultsOf(requests[0].messages).old.error.code, "TOOL_OUTCOME_UNKNOWN");
  assert.deepEqual(outcome.messages.slice(0, -1), requests[0].messages);
});

test("more tools than a request may hold are cut by the encoder, and said so", async () => {
  const registry = makeRegistry();
  const contract = tableContract({}, { type: "many", observations: {} });
  for (let n = 0; n < 130; n++) {
    registry.register(contract.bind({ instanceId: `i${n}`, actions: { set: { execute: () => undefined } } }));
  }
  const { outcome, requests } = await turn([says("Hi.")], { registry });
  assert.equal(outcome.status, "completed");
  const { frontendTools, truncated } = requests[0].catalog;
  assert.deepEqual([frontendTools.length, truncated], [128, { dropped: 2, reason: "limit" }]);
});

test("a registry that ends in mid-turn ends the turn, with every call answered", async () => {
  const surface = page({ set: () => surface.registry.dispose() });
  const { outcome } = await turn([asks(call("a", SET), call("b", SET, { n: 1 })), says("Done.")], surface);
  assert.deepEqual([outcome.status, outcome.error.code], ["error", "HOST_ERROR"]);
  assert.deepEqual(Object.keys(resultsOf(outcome.messages)), ["a", "b"]);
});

test("options that cannot be reject with INVALID_DEFINITION, and nothing is posted", async () => {
  const { registry } = page();
  const good = {
    ...{ conversationId: "c", turnId: "t", messages: [USER], registry, consumer, endpoint: "/agent/chat" },
    ...{ pathname: () => "/", scopeFor: () => [] },
  };
  let posts = 0;
  const fetch = () => Promise.reject(new Error(`post ${posts++}`));
  const wrongs = [
    ...[
      { conversationId: 1 },
      { turnId: undefined },
      { messages: "x" },
      { consumer: null },
      { consumer: { id: 1 } },
      { endpoint: 5 },
    ],
    ...[{ pathname: "/" }, { scopeFor: [] }, { mode: "moon" }, { fetch: "x" }, { signal: {} }, { modelId: 4 }],
    ...[{ events: () => 1 }, { settle: { until: 1 } }, { colour: "red" }],
  ];
  for (const wrong of wrongs) {
    await assert.rejects(runTurn({ ...good, fetch, ...wrong }), { code: "INVALID_DEFINITION" }, JSON.stringify(wrong));
  }
  await assert.rejects(runTurn({ ...good, fetch, registry: {} }), /needs a registry/);
  registry.dispose();
  await assert.rejects(runTurn({ ...good, fetch }), /disposed/);
  assert.equal(posts, 0);
});

test("the action of a table is offered under the schema of its contract", async () => {
  const surface = page({}, { actions: { set: { input: schema({ type: "object", properties: {} }) } } });
  const { requests } = await turn([says("Hi.")], surface);
  const set = requests[0].catalog.frontendTools.find(({ wireName }) => wireName === SET);
  assert.deepEqual(set.inputSchema, { type: "object", properties: {} });
});
