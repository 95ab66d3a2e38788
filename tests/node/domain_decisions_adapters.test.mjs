// Decisions 15 and 20 (spec: domain.md §0) where the adapters keep them; the whole of the sessions is in
// adapters_mcp_sessions.test.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { toAISDKTools } from "../../js_glue/dist/ai_sdk/index.js";
import { createMCPServer } from "../../js_glue/dist/mcp/index.js";
import { call, httpHost, inMemory, names } from "./fixtures/mcp.mjs";
import { alice, plane, procedure } from "./support/domain.mjs";

const expose = { aiSdk: true, mcp: true };
const definitions = () => ({
  invoices: { list: procedure({ expose }), get: procedure({ expose, adapters: { mcp: { toolName: "one-invoice" } } }) },
});

test("decision 15: a raw dotted id is not callable where a tool name exists, nor a default name where an override does", async (t) => {
  const { runtime, event } = plane(definitions());
  const tools = await toAISDKTools(runtime, { actor: alice, context: {} });
  assert.deepEqual(Object.keys(tools), ["invoices_list", "invoices_get"]);
  const client = await inMemory(t, createMCPServer(runtime, { createContext: () => ({ actor: alice }) }));
  assert.deepEqual(await names(client), ["invoices_list", "one-invoice"]);
  for (const name of ["invoices.list", "invoices.get", "invoices_get"]) {
    const { envelope, isError } = await call(client, name, {});
    assert.deepEqual([isError, envelope.error.code], [true, "CAPABILITY_NOT_FOUND"], name);
    assert.equal(event("denied").data.reason, "unknown");
  }
  assert.equal((await call(client, "one-invoice", {})).envelope.status, "ok");
});

test("decision 20: without session ids a context is made per request, except where the transport has exactly one peer", async (t) => {
  const { runtime } = plane(definitions());
  let made = 0;
  const make = () => createMCPServer(runtime, { createContext: () => (made++, { actor: alice }) });
  const single = await inMemory(t, make());
  for (let time = 0; time < 3; time++) await names(single);
  assert.equal(made, 1);
  made = 0;
  const host = await httpHost(t, make, { sessions: false });
  const client = await host.connect({});
  made = 0;
  for (let time = 0; time < 3; time++) await names(client);
  assert.equal(made, 3);
});

test("decision 20: a session whose token changes is evicted and made anew, as whoever the new token is", async (t) => {
  const { runtime, events } = plane(definitions());
  const createContext = ({ authInfo }) => ({ actor: { id: authInfo.token, kind: "user" } });
  const auth = { info: { token: "ann", clientId: "c", scopes: [] } };
  const client = await inMemory(t, createMCPServer(runtime, { createContext }), { auth, sessionId: "s-1" });
  for (const token of ["ann", "ben", "ben", "ann"]) {
    auth.info = { ...auth.info, token };
    await call(client, "invoices_list", {});
    assert.equal(events.at(-1).actor.id, token);
  }
});
