// Who asks over MCP: sessions over Streamable HTTP on loopback, one peer in memory and on stdio (spec: domain.md §13.2,
// identity; decision 20).
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { createMCPServer } from "viewcap/mcp";
import { ann, bob, context, domain, governed, SECRET } from "./fixtures/governed.mjs";
import { call, httpHost, inMemory, names, newClient } from "./fixtures/mcp.mjs";

const people = { "token-ann": ann, "token-bob": bob };
const later = () => Math.floor(Date.now() / 1000) + 60;
/** Who came, in order; an identity by token. */
function byToken() {
  const peers = [];
  const createContext = (peer) => (peers.push(peer), { actor: people[peer.authInfo?.token], context });
  return { peers, createContext };
}

test("X5: two HTTP sessions list differently, and each has its context made once, from its session id and authentication", async (t) => {
  const { runtime, seen } = governed();
  const { peers, createContext } = byToken();
  const host = await httpHost(t, () => createMCPServer(runtime, { createContext }));
  const anns = await host.connect({ token: "token-ann" });
  const bobs = await host.connect({ token: "token-bob" });
  for (let time = 0; time < 2; time++) {
    assert.equal((await names(anns)).includes("ledger_hidden"), false);
    assert.equal((await names(bobs)).includes("ledger_hidden"), true);
  }
  assert.equal((await call(bobs, "ledger_hidden")).envelope.data, "for bob");
  assert.equal((await call(anns, "ledger_hidden")).envelope.error.code, "CAPABILITY_NOT_FOUND");
  assert.deepEqual(
    peers.map(({ authInfo, sessionId }) => [authInfo.token, sessionId]),
    [...host.open.keys()].map((id, at) => [["token-ann", "token-bob"][at], id]),
  );
  assert.equal(seen[0].context.agent.actor.id, "bob");
});

test("requests that come together share one context in the making", async (t) => {
  const { runtime } = governed();
  let made = 0;
  const createContext = async () => (made++, await new Promise(setImmediate), { actor: ann });
  const host = await httpHost(t, () => createMCPServer(runtime, { createContext }));
  const client = await host.connect();
  await Promise.all([names(client), names(client), call(client, "rename-it")]);
  assert.equal(made, 1);
});

test("a session whose token becomes another one is made anew: nobody goes on as somebody else", async (t) => {
  const { runtime, seen } = governed();
  const { peers, createContext } = byToken();
  const host = await httpHost(t, () => createMCPServer(runtime, { createContext }));
  const bearer = { token: "token-bob" };
  const client = await host.connect(bearer);
  await call(client, "rename-it");
  bearer.token = "token-ann";
  await call(client, "rename-it");
  assert.equal((await names(client)).includes("ledger_hidden"), false);
  delete bearer.token;
  await assert.rejects(call(client, "rename-it"), { code: -32600 });
  assert.deepEqual(seen.map(({ context: { agent } }) => agent.actor.id), ["bob", "ann"]); // prettier-ignore
  assert.deepEqual(peers.map(({ authInfo }) => authInfo?.token), ["token-bob", "token-ann", undefined]); // prettier-ignore
});

test("X5: a token that expires in mid-session is refused on the next request, and its session is gone", async (t) => {
  const { runtime } = governed();
  const { peers, createContext } = byToken();
  const auth = { info: { token: "token-ann", clientId: "c", scopes: [], expiresAt: later() } };
  const client = await inMemory(t, createMCPServer(runtime, { createContext }), { auth, sessionId: "s1" });
  await call(client, "rename-it");
  assert.deepEqual(peers, [{ sessionId: "s1", authInfo: auth.info }]);
  for (const expiresAt of [Math.floor(Date.now() / 1000), 0, Number.NaN]) {
    auth.info = { ...auth.info, expiresAt };
    for (const ask of [() => client.listTools(), () => call(client, "rename-it")]) {
      await assert.rejects(ask(), { code: -32600, message: /authentication has expired/ });
    }
  }
  assert.equal(peers.length, 1);
  auth.info = { ...auth.info, expiresAt: later() };
  await call(client, "rename-it");
  assert.equal(peers.length, 2);
});

test("expiry is a matter of seconds of the clock: what has one second left is let in, over HTTP, too", async (t) => {
  let now = 1_700_000_000_000;
  t.mock.method(Date, "now", () => now);
  const { runtime } = governed();
  const { createContext } = byToken();
  const tokens = { "token-ann": { expiresAt: 1_700_000_001 } };
  const host = await httpHost(t, () => createMCPServer(runtime, { createContext }), { tokens });
  const client = await host.connect({ token: "token-ann" });
  assert.equal((await call(client, "rename-it")).envelope.status, "ok");
  now += 999;
  assert.equal((await call(client, "rename-it")).envelope.status, "ok");
  now += 1;
  await assert.rejects(call(client, "rename-it"), { code: -32600 });
});

test("a context without an actor is refused with -32600, and asked for again on the next request", async (t) => {
  const { runtime, events } = governed();
  const answers = [null, undefined, {}, { actor: null }, { actor: undefined, context }];
  for (const refused of answers) {
    let asked = 0;
    const createContext = () => (++asked < 3 ? refused : { actor: ann });
    const client = await inMemory(t, createMCPServer(runtime, { createContext }));
    const refusal = { code: -32600, message: /This session has no identity/ };
    await assert.rejects(client.listTools(), refusal);
    await assert.rejects(call(client, "rename-it"), refusal);
    assert.equal(events.length, 0);
    assert.equal((await call(client, "rename-it")).envelope.status, "ok");
    assert.equal(asked, 3);
    events.length = 0;
  }
});

test("a context that cannot be made is a protocol error without its cause, whatever was thrown, and is tried again", async (t) => {
  const { runtime } = governed();
  const faults = [
    new Error(SECRET),
    new McpError(-32001, SECRET, SECRET),
    new domain.CapabilityError({ code: "FORBIDDEN", publicMessage: SECRET }),
    SECRET,
  ];
  let asked = 0;
  const createContext = () => {
    if (asked < faults.length) throw faults[asked++];
    return { actor: ann };
  };
  const server = createMCPServer(runtime, { createContext });
  const client = await inMemory(t, server);
  for (let fault = 0; fault < faults.length; fault++) {
    await assert.rejects(call(client, "rename-it"), (error) => {
      assert.equal(error.code, -32603);
      assert.equal(`${error.message}${JSON.stringify(error)}`.includes(SECRET), false);
      return true;
    });
  }
  assert.equal((await call(client, "rename-it")).envelope.status, "ok");
});

test("a connection that ends takes its session along, also where the application took onclose", async (t) => {
  for (const own of [false, true]) {
    const { runtime } = governed();
    const { peers, createContext } = byToken();
    const server = createMCPServer(runtime, { createContext });
    if (own) server.onclose = () => undefined;
    for (const token of ["token-ann", "token-ann"]) {
      const auth = { info: { token, clientId: "c", scopes: [] } };
      const client = await inMemory(t, server, { auth });
      await names(client);
      await names(client);
      await client.close();
    }
    assert.equal(peers.length, 2);
  }
});

test("an HTTP session that is ended is gone, and the next one has a context of its own", async (t) => {
  const { runtime } = governed();
  const { peers, createContext } = byToken();
  const host = await httpHost(t, () => createMCPServer(runtime, { createContext }));
  const first = await host.connect({ token: "token-ann" });
  await names(first);
  await first.end();
  assert.equal(host.open.size, 0);
  await names(await host.connect({ token: "token-ann" }));
  assert.equal(new Set(peers.map(({ sessionId }) => sessionId)).size, 2);
});

test("over HTTP without sessions every request has a context of its own", async (t) => {
  const { runtime, seen } = governed();
  const { peers, createContext } = byToken();
  const host = await httpHost(t, () => createMCPServer(runtime, { createContext }), { sessions: false });
  const bearer = { token: "token-ann" };
  const client = await host.connect(bearer);
  await call(client, "rename-it");
  await call(client, "rename-it");
  bearer.token = "token-bob";
  await call(client, "rename-it");
  assert.deepEqual(peers.map(({ authInfo, sessionId }) => [authInfo.token, sessionId]), [["token-ann", undefined], ["token-ann", undefined], ["token-bob", undefined]]); // prettier-ignore
  assert.deepEqual(seen.map(({ context: { agent } }) => agent.actor.id), ["ann", "ann", "bob"]); // prettier-ignore
});

/** A transport of nobody's that can be connected again and again; `ask` answers whether a call was a tool error. */
function foreignTransport(fields = {}) {
  const answers = [];
  const transport = {
    start: async () => undefined,
    close: async () => transport.onclose(),
    send: async (message) => void answers.push(message.result.isError),
    ...fields,
  };
  const ask = async (name, token) => {
    const asked = answers.length;
    const request = { jsonrpc: "2.0", id: asked + 1, method: "tools/call", params: { name } };
    transport.onmessage(request, { authInfo: { token, clientId: "c", scopes: [] } });
    while (answers.length === asked) await new Promise(setImmediate);
    return answers.at(-1);
  };
  return { transport, ask };
}

test("a transport that nobody knows is not taken for one with a single peer: a context per request", async () => {
  for (const fields of [{}, { sessionId: "" }]) {
    const { runtime } = governed();
    const { peers, createContext } = byToken();
    const { transport, ask } = foreignTransport(fields);
    await createMCPServer(runtime, { createContext }).connect(transport);
    for (const [token, isError] of [
      ["token-bob", false],
      ["token-bob", false],
      ["token-ann", true],
    ]) {
      assert.equal(await ask("ledger_hidden", token), isError);
    }
    assert.deepEqual(peers.map((peer) => "sessionId" in peer), [false, false, false]); // prettier-ignore
  }
});

test("a transport that is closed and connected again is another connection, with the same session id, too", async () => {
  const { runtime } = governed();
  const { peers, createContext } = byToken();
  const server = createMCPServer(runtime, { createContext });
  const { transport, ask } = foreignTransport({ sessionId: "s1" });
  for (let connection = 1; connection <= 2; connection++) {
    await server.connect(transport);
    await ask("rename-it", "token-ann");
    await ask("rename-it", "token-ann");
    assert.equal(peers.length, connection);
    await server.close();
  }
});

test("a peer on stdio is one session: its context is made once", async (t) => {
  const program = fileURLToPath(new URL("fixtures/mcp_stdio.mjs", import.meta.url));
  const client = newClient();
  await client.connect(new StdioClientTransport({ command: process.execPath, args: ["--no-warnings", program] }));
  t.after(() => client.close());
  assert.deepEqual(await names(client), ["who"]);
  assert.equal((await call(client, "who")).envelope.data, "peer-1");
  assert.equal((await call(client, "who")).envelope.data, "peer-1");
});
