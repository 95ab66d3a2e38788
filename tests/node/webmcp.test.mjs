// The WebMCP adapter on a stand-in that is as strict as the browser, and what only a stand-in can show.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as webmcp from "viewcap/webmcp";
import { webmcpBodies } from "../shared/webmcp_bodies.js";
import { makeRegistry, mounted, OPEN_OBJECT, ready, schema, viewcap } from "./support.mjs";

await ready;

/** Registers as Chromium does: duplicates reject, arguments are copied, results become texts, an abort ends it. */
function strictContext() {
  const tools = new Map();
  const context = {
    async registerTool(tool, { signal } = {}) {
      signal?.throwIfAborted();
      if (!/^[\w.-]{1,128}$/.test(tool.name)) throw new DOMException("bad name", "InvalidStateError");
      if (tools.has(tool.name)) throw new DOMException("Duplicate tool name", "InvalidStateError");
      tools.set(tool.name, tool);
      signal?.addEventListener("abort", () => tools.get(tool.name) === tool && tools.delete(tool.name));
    },
  };
  const callNow = async (name, input) => {
    const result = await tools.get(name).execute(structuredClone(input), { signal: new AbortController().signal });
    return typeof result === "string" ? result : JSON.stringify(result);
  };
  return { context, tools, names: async () => [...tools.keys()], call: callNow, callNow };
}

for (const { title, run, expected } of webmcpBodies) {
  test(`WebMCP: ${title}`, async () => {
    assert.deepEqual(await run({ viewcap, webmcp, ...strictContext() }), expected);
  });
}

const consumer = { id: "agent", kind: "webmcp" };
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

test("hints say what only reads, what may hold anybody's words, and what has consequences", async () => {
  const { registry } = mounted({}, { contract: { confirmation: "required" } });
  const { context, tools } = strictContext();
  const adapter = webmcp.createWebMcpAdapter({ consumer, target: context });
  adapter.start(registry);
  assert.deepEqual(Object.fromEntries([...tools].map(([name, { annotations }]) => [name, annotations])), {
    view_invoices__rows: { readOnlyHint: true, untrustedContentHint: true, consequentialHint: false },
    view_invoices__set: { readOnlyHint: false, untrustedContentHint: false, consequentialHint: true },
  });
  adapter.stop();
});

test("arguments as a text of JSON and without a second argument, as the polyfill hands them over, are understood", async () => {
  const { registry } = mounted({ execute: (input) => input });
  const { context, tools } = strictContext();
  const adapter = webmcp.createWebMcpAdapter({ consumer, target: context });
  adapter.start(registry);
  const { execute } = tools.get("view_invoices__set");
  assert.deepEqual(await execute('{"a":1}'), { status: "ok", output: { a: 1 } });
  assert.deepEqual(await execute(undefined), { status: "ok", output: {} });
  assert.equal((await execute("no json")).error.code, "INVALID_INPUT");
  adapter.stop();
});

test("a caller that gives up cancels its call, while it runs and while a person is asked", async () => {
  const never = () => new Promise(() => undefined);
  const { registry } = mounted({ execute: never });
  const { context, tools } = strictContext();
  const adapter = webmcp.createWebMcpAdapter({ consumer, target: context });
  adapter.start(registry);
  const giveUp = new AbortController();
  const answer = tools.get("view_invoices__set").execute({}, { signal: giveUp.signal });
  await pause();
  giveUp.abort();
  assert.equal((await answer).error.code, "CANCELLED");
  adapter.stop();
});

test("while its last call ends a tool takes no new one, and its name is not registered twice", async () => {
  let finish;
  const { registry, handle } = mounted({ execute: () => new Promise((resolve) => (finish = resolve)) });
  const { context, tools } = strictContext();
  const adapter = webmcp.createWebMcpAdapter({ consumer, target: context });
  adapter.start(registry);
  const tool = tools.get("view_invoices__set");
  const running = tool.execute({});
  await pause();
  handle.update({ availability: { set: { available: false, reason: "Off." } } });
  await pause();
  assert.equal(tools.get("view_invoices__set"), tool);
  assert.equal((await tool.execute({})).error.code, "CAPABILITY_NOT_AVAILABLE");
  finish("done");
  assert.deepEqual(await running, { status: "ok", output: "done" });
  await pause();
  assert.equal(tools.has("view_invoices__set"), false);
  adapter.stop();
});

test("without the API the channel is missing, and nothing else happens", () => {
  const reports = [];
  const adapter = webmcp.createWebMcpAdapter({ consumer, onReport: (report) => reports.push(report) });
  adapter.start(makeRegistry());
  assert.deepEqual(reports, [{ channel: "missing", published: [], withheld: [] }]);
  adapter.stop();
});

test("a registration that is rejected after it was superseded is nobody's error", async () => {
  const late = [];
  const context = {
    registerTool: (_, { signal }) => new Promise((_, reject) => late.push(() => reject(signal.reason))),
  };
  const { registry, handle } = mounted();
  const adapter = webmcp.createWebMcpAdapter({ consumer, target: context });
  adapter.start(registry);
  handle.unregister();
  await pause();
  adapter.stop();
  const unhandled = [];
  const note = (error) => unhandled.push(error);
  process.on("unhandledRejection", note);
  for (const reject of late) reject();
  await pause();
  process.off("unhandledRejection", note);
  assert.equal(late.length, 2);
  assert.deepEqual(unhandled, []);
});

test("options that cannot be are refused with what is allowed, and so is a second registry", () => {
  const make = (options) => () => webmcp.createWebMcpAdapter(options);
  assert.throws(make(), { code: "INVALID_DEFINITION" });
  assert.throws(make({}), { message: /consumer is missing/ });
  assert.throws(make({ consumer, expos: 1 }), { message: /"expos" is unknown; allowed are consumer/ });
  assert.throws(make({ consumer, target: {} }), { message: /registerTool/ });
  assert.throws(make({ consumer, budget: { maxTools: 2 } }), { message: /from 4/ });
  const adapter = webmcp.createWebMcpAdapter({ consumer, target: strictContext().context });
  adapter.start(makeRegistry());
  assert.throws(() => adapter.start(makeRegistry()), { message: /stop\(\)/ });
  adapter.stop();
});

test("a registry that was disposed of takes its tools with it", async () => {
  const { registry } = mounted();
  const { context, tools } = strictContext();
  const adapter = webmcp.createWebMcpAdapter({ consumer, target: context });
  adapter.start(registry);
  const { execute } = tools.get("view_invoices__set");
  registry.dispose();
  await pause();
  assert.equal((await execute({})).status, "error");
  adapter.stop();
  await pause();
  assert.equal(tools.size, 0);
});

test("a call of a meta tool that waits for a person ends when the adapter stops, as every other one does", async () => {
  const registry = makeRegistry();
  const actions = Object.fromEntries(
    Array.from({ length: 5 }, (_, at) => [
      `act${String(at)}`,
      { description: "Acts.", input: schema(OPEN_OBJECT), effect: "local-state", confirmation: "required" },
    ]),
  );
  const bound = Object.fromEntries(Object.keys(actions).map((name) => [name, { execute: () => undefined }]));
  registry.register(
    viewcap.defineAgentComponentContract({ type: "t", description: "One.", actions }).bind({ actions: bound }),
  );
  const { context, tools } = strictContext();
  const adapter = webmcp.createWebMcpAdapter({ consumer, target: context, budget: { maxTools: 4 } });
  adapter.start(registry);
  const answers = [
    tools.get("surface_act").execute({ capabilityId: "view:t.act4", input: {} }),
    tools.get("view_t__act0").execute({}),
  ];
  await pause();
  adapter.stop();
  for (const answer of answers) assert.equal((await answer).error.code, "CONFIRMATION_REQUIRED");
  await pause();
  assert.equal(tools.size, 0);
});
