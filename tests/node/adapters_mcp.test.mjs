// The MCP adapter's tools, met by the SDK's own client in memory (spec: domain.md §13.2).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createMCPServer } from "viewcap/mcp";
import { ann, bob, context, governed, named, SECRET, stalls } from "./fixtures/governed.mjs";
import { call, inMemory, names } from "./fixtures/mcp.mjs";

const NOT_FOUND = { code: "CAPABILITY_NOT_FOUND", message: "No such capability.", retryable: false };
const CONCEALED = { code: "INTERNAL_ERROR", message: "The operation failed.", retryable: false };
const asAnn = { createContext: () => ({ actor: ann, context }) };

async function connected(t, options = {}, given = {}) {
  const made = governed(given);
  const server = createMCPServer(made.runtime, { ...asAnn, ...options });
  return { ...made, server, client: await inMemory(t, server) };
}

test("a client lists what its actor may see, with schema, suffix and annotations as they are", async (t) => {
  const { client, runtime } = await connected(t);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["ledger_show", "ledger_close", "rename-it", "ledger_slow", "ledger_broken", "ledger_unspeakable"],
  );
  const [show, close, rename] = tools;
  const [descriptor] = await runtime.describe("mcp", { actor: ann, scope: { ids: ["ledger.show"] } });
  assert.deepEqual(show, { name: "ledger_show", description: "Shows a ledger.", inputSchema: descriptor.inputSchema });
  assert.equal(close.description, "Closes a ledger. Requires approval.");
  assert.equal("annotations" in close, false);
  assert.deepEqual(rename, {
    name: "rename-it",
    description: "Renames a ledger.",
    inputSchema: { type: "object" },
    annotations: { title: "Rename", destructiveHint: false },
  });
});

test("annotations leave the server verbatim, with keys that no client knows", async () => {
  const { runtime } = governed();
  const server = createMCPServer(runtime, asAnn);
  const sent = [];
  const transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => void sent.push(message),
  };
  await server.connect(transport);
  transport.onmessage({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const rename = sent[0].result.tools.find(({ name }) => name === "rename-it");
  assert.deepEqual(rename.annotations, { title: "Rename", destructiveHint: false, vendor: { x: [1] } });
});

test("the server says who it is, and that it has tools and nothing else", async (t) => {
  const { version } = JSON.parse(readFileSync(new URL("../../js_glue/package.json", import.meta.url), "utf8"));
  const { client } = await connected(t);
  assert.deepEqual(client.getServerVersion(), { name: "viewcap", version });
  assert.deepEqual(client.getServerCapabilities(), { tools: {} });
  const other = await connected(t, { serverInfo: { name: "books", version: "9.0.0" } });
  assert.deepEqual(other.client.getServerVersion(), { name: "books", version: "9.0.0" });
});

test("a call answers one text with the envelope; missing arguments are an empty object", async (t) => {
  const { client, seen } = await connected(t);
  const { result, envelope } = await call(client, "ledger_show", { ledger: "2024" });
  assert.deepEqual(result, {
    content: [{ type: "text", text: '{"status":"ok","data":{"rows":[1]}}' }],
    isError: false,
  });
  assert.deepEqual(envelope, { status: "ok", data: { rows: [1] } });
  assert.deepEqual((await call(client, "rename-it")).envelope, { status: "ok", data: "renamed" });
  assert.deepEqual(seen[1].input, {});
  assert.equal(seen[1].context.agent.surface, "mcp");
  assert.equal(seen[1].context.tenant, "acme");
});

test("X1: bad arguments arrive raw and come back as a tool error INPUT_INVALID with the path of the fault", async (t) => {
  const { client, seen } = await connected(t);
  const { isError, envelope } = await call(client, "ledger_show", { ledger: 7, page: SECRET, more: [null] });
  assert.equal(isError, true);
  assert.equal(envelope.error.code, "INPUT_INVALID");
  assert.deepEqual(envelope.error.details.issues.map(({ path }) => path), [["ledger"], ["page"]]); // prettier-ignore
  assert.equal((await call(client, "ledger_show")).envelope.error.code, "INPUT_INVALID");
  assert.equal(seen.length, 0);
});

test("X2: an unknown, an unexposed and a hidden tool answer the same bytes, and the audit keeps the truth", async (t) => {
  const { client, denials } = await connected(t);
  const answers = [];
  for (const name of ["nothing", "ledger_inside", "ledger.inside", "ledger_hidden", ""]) {
    answers.push(await call(client, name, { ledger: 1 }));
  }
  assert.deepEqual(answers[0].envelope, { status: "error", error: NOT_FOUND });
  assert.equal(answers[0].isError, true);
  assert.equal(new Set(answers.map(({ result }) => JSON.stringify(result))).size, 1);
  assert.deepEqual(denials(), [
    ["nothing", "unknown"],
    ["ledger_inside", "unknown"],
    ["ledger.inside", "not-exposed"],
    ["ledger.hidden", "hidden"],
    ["tool:", "unknown"],
  ]);
});

test("X3: a tool is called by its own name; its default name and its id are unknown, and the audit says so", async (t) => {
  const { client, denials, seen } = await connected(t, { toolNaming: (id) => (id === "solo" ? "alone" : undefined) }, {
    capabilities: { solo: named() },
  }); // prettier-ignore
  assert.equal((await call(client, "rename-it")).envelope.status, "ok");
  assert.equal((await call(client, "alone")).envelope.data, "named");
  for (const name of ["ledger_rename", "ledger.rename", "ledger.show", "solo"]) {
    assert.deepEqual((await call(client, name, { ledger: "x" })).envelope.error, NOT_FOUND, name);
  }
  assert.equal(seen.length, 1);
  assert.deepEqual(denials(), [
    ["ledger_rename", "unknown"],
    ["tool:ledger.rename", "unknown"],
    ["tool:ledger.show", "unknown"],
    ["tool:solo", "unknown"],
  ]);
});

test("X4: a request that the client cancels aborts the handler, and so does a connection that ends", async (t) => {
  for (const end of ["cancel", "close"]) {
    const { client, waiting, events } = await connected(t);
    const controller = new AbortController();
    const calling = call(client, "ledger_slow", {}, { signal: controller.signal });
    calling.catch(() => undefined);
    const signal = await waiting;
    assert.equal(signal.aborted, false);
    const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
    if (end === "cancel") controller.abort("enough");
    else await client.close();
    await stopped;
    await assert.rejects(calling);
    assert.equal(events.at(-1).type, "capability.cancelled");
    assert.equal(events.at(-1).data.code, "CANCELLED");
  }
});

test("a filter shapes the listing alone: what it left out can still be called", async (t) => {
  const { client } = await connected(t, { filter: ({ sideEffect }) => sideEffect === "write" });
  assert.deepEqual(await names(client), ["rename-it"]);
  assert.equal((await call(client, "ledger_show", { ledger: "x" })).envelope.status, "ok");
});

test("tool names that clash or that no client takes throw when the server is made, also for what nobody sees", () => {
  const { runtime } = governed({ capabilities: { a: { b: named() }, c: named() } });
  const make = (toolNaming) => createMCPServer(runtime, { ...asAnn, toolNaming });
  assert.throws(
    () => make((id) => (id.startsWith("ledger.") ? undefined : "same")),
    /mcp: "a\.b" and "c" would share the tool name "same"/,
  );
  assert.throws(
    () => make((id) => (id === "ledger.hidden" ? "rename-it" : undefined)),
    /"ledger\.rename" and "ledger\.hidden"/,
  );
  assert.throws(() => make(() => "a b"), /1 to 64 letters, digits, _ or -; found "a b"/);
  assert.doesNotThrow(() => make((id) => (id === "ledger.inside" ? "a b" : undefined)));
  assert.throws(() => createMCPServer(runtime, {}), TypeError);
  assert.throws(() => createMCPServer(runtime), TypeError);
});

test("a listing that takes longer than its budget is a protocol error that says so", async (t) => {
  const { client } = await connected(t, {}, { policies: [stalls(8)], defaults: { discoveryBudgetMs: 5 } });
  await assert.rejects(client.listTools(), ({ code, message, data }) => {
    assert.equal(code, -32603);
    assert.match(message, /longer than its budget/);
    assert.deepEqual([data.code, data.retryable], ["TIMEOUT", true]);
    return true;
  });
});

test("what a filter or a runtime throws is a protocol error without its text, and the application alone hears of it", async (t) => {
  const breaks = () => {
    throw Object.assign(new Error(SECRET), { code: 7, data: SECRET });
  };
  const { client, server } = await connected(t, { filter: breaks });
  const heard = [];
  server.onerror = (error) => void heard.push(error.message);
  await assert.rejects(client.listTools(), (error) => {
    assert.equal(error.code, -32603);
    assert.deepEqual(error.data, CONCEALED);
    assert.equal(`${error.message}${JSON.stringify(error)}`.includes(SECRET), false);
    return true;
  });
  assert.deepEqual(heard, [SECRET]);
});

test("a failure is a tool error, concealed; an output that JSON cannot say is one, too", async (t) => {
  const { client } = await connected(t);
  for (const name of ["ledger_broken", "ledger_unspeakable"]) {
    const { isError, envelope } = await call(client, name);
    assert.deepEqual([isError, envelope], [true, { status: "error", error: CONCEALED }]);
  }
});

test("no answer of the server holds a secret of an error, a context, an actor or an input", async (t) => {
  const { client } = await connected(t, { approvals: { resumeTool: true } });
  const outward = [await client.listTools()];
  const callable = (await names(client)).filter((name) => name !== "ledger_slow");
  for (const name of callable)
    outward.push((await call(client, name, { ledger: 1, page: SECRET, approvalId: SECRET })).result);
  outward.push((await call(client, "ledger_close", { ledger: SECRET })).result);
  assert.equal(outward.length, 8);
  assert.equal(JSON.stringify(outward).includes(SECRET), false);
});

test("a malformed actor is the runtime's to refuse: UNAUTHENTICATED for a call, a protocol error for a listing", async (t) => {
  const { client } = await connected(t, { createContext: () => ({ actor: { ...bob, id: "" } }) });
  const { isError, envelope } = await call(client, "rename-it");
  assert.equal(isError, true);
  assert.equal(envelope.error.code, "UNAUTHENTICATED");
  await assert.rejects(client.listTools(), { code: -32603 });
});
