// Approvals over MCP (spec: domain.md §13.2): what a suspended call is told, and the tool that resumes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMCPServer } from "viewcap/mcp";
import { ann, bob, context, domain, governed, named, SECRET } from "./fixtures/governed.mjs";
import { call, httpHost, inMemory, names } from "./fixtures/mcp.mjs";

const people = { "token-ann": ann, "token-bob": bob };
const asAnn = { createContext: () => ({ actor: ann, context }) };
const approve = (runtime, id) => runtime.approvals.decide(id, { status: "approved", approver: bob });

async function connected(t, approvals, given) {
  const made = governed(given);
  return { ...made, client: await inMemory(t, createMCPServer(made.runtime, { ...asAnn, approvals })) };
}

const waitingFor = async (runtime, id) => `Awaiting approval: ${(await runtime.approvals.get(id)).reasons.join("; ")}.`;

test("a suspended call is no error and says why and until when; with nothing else configured it says nothing else", async (t) => {
  const now = Date.UTC(2030, 0, 2, 3, 4, 5, 6);
  const { runtime, client } = await connected(t, undefined, { now: () => now });
  const { isError, text, envelope } = await call(client, "ledger_close", { ledger: "2024" });
  assert.equal(isError, false);
  assert.deepEqual(JSON.parse(text), {
    status: "approval-required",
    approvalId: envelope.approvalId,
    message: await waitingFor(runtime, envelope.approvalId),
    expiresAt: "2030-01-02T03:19:05.006Z",
  });
});

test("the page that decides and the tool that resumes have a sentence each in the message", async (t) => {
  const asked = [];
  const url = async (record) => (asked.push(record), `https://app.example/a/${record.id}`);
  const { runtime, client } = await connected(t, { url, resumeTool: { name: "go-on" } });
  const { envelope } = await call(client, "ledger_close", { ledger: "2024" });
  const { approvalId } = envelope;
  assert.equal(envelope.url, `https://app.example/a/${approvalId}`);
  assert.equal(
    envelope.message,
    `${await waitingFor(runtime, approvalId)} Open ${envelope.url} to decide it. Once it is approved, call go-on with this approvalId.`,
  );
  assert.deepEqual(asked.map(({ capabilityId, actor, input }) => [capabilityId, actor.id, input]), [["ledger.close", "ann", { ledger: "2024" }]]); // prettier-ignore
});

test("a page that cannot be named is left out: the call stays suspended and keeps its id", async (t) => {
  const faults = [
    () => undefined,
    () => null,
    () => "",
    () => 5,
    () => Promise.reject(new Error(SECRET)),
    () => {
      throw new Error(SECRET);
    },
  ];
  for (const url of faults) {
    const { runtime, client } = await connected(t, { url });
    const { envelope } = await call(client, "ledger_close", {});
    assert.deepEqual(Object.keys(envelope), ["status", "approvalId", "message", "expiresAt"]);
    assert.equal(envelope.message, await waitingFor(runtime, envelope.approvalId));
  }
});

test("X6: over HTTP a call is suspended, a person approves, the resume tool runs it, and it runs once", async (t) => {
  const { runtime, seen, events } = governed();
  const make = () =>
    createMCPServer(runtime, {
      createContext: ({ authInfo }) => ({ actor: people[authInfo.token], context }),
      approvals: { resumeTool: true },
    });
  const host = await httpHost(t, make);
  const client = await host.connect({ token: "token-ann" });
  const { approvalId } = (await call(client, "ledger_close", { ledger: "2024" })).envelope;
  const resume = async () => (await call(client, "approvals_resume", { approvalId })).envelope;
  assert.deepEqual(await resume(), {
    status: "error",
    error: { code: "APPROVAL_PENDING", message: "No approval decision yet.", retryable: true },
  });
  await approve(runtime, approvalId);
  assert.deepEqual(await resume(), { status: "ok", data: { closed: true } });
  assert.equal((await resume()).error.code, "APPROVAL_CONSUMED");
  assert.equal(seen.length, 1);
  assert.deepEqual(seen[0].input, { ledger: "2024" });
  assert.equal(seen[0].context.tenant, "acme");
  const { agent } = seen[0].context;
  assert.deepEqual([agent.surface, agent.actor.id, agent.approval.id, agent.approval.approver.id], ["mcp", "ann", approvalId, "bob"]); // prettier-ignore
  assert.equal(events.filter(({ type }) => type === "capability.completed").length, 1);
});

test("X6: a stranger who resumes learns no more than from an id that was never there, byte for byte", async (t) => {
  const { runtime, seen } = governed();
  const make = (actor) =>
    createMCPServer(runtime, { createContext: () => ({ actor }), approvals: { resumeTool: true } });
  const owner = await inMemory(t, make(ann));
  const { approvalId } = (await call(owner, "ledger_close", {})).envelope;
  const strangers = [bob, { ...ann, kind: "service" }];
  const answers = [];
  for (const approved of [false, true]) {
    if (approved) await approve(runtime, approvalId);
    for (const actor of strangers) {
      const client = await inMemory(t, make(actor));
      answers.push(await call(client, "approvals_resume", { approvalId }));
      answers.push(await call(client, "approvals_resume", { approvalId: "apr_never" }));
    }
  }
  assert.equal(new Set(answers.map(({ result }) => JSON.stringify(result))).size, 1);
  assert.equal(answers[0].envelope.error.code, "INTERNAL_ERROR");
  assert.equal(seen.length, 0);
  assert.equal((await call(owner, "approvals_resume", { approvalId })).envelope.status, "ok");
});

test("X6: an approval of another surface is refused like one that was never there, and stays its owner's", async (t) => {
  const { runtime, client, seen } = await connected(t, { resumeTool: true });
  const { approval } = await runtime.invoke("ledger.close", {}, { actor: ann, surface: "aiSdk" });
  await approve(runtime, approval.id);
  const { text } = await call(client, "approvals_resume", { approvalId: approval.id });
  assert.equal(text, (await call(client, "approvals_resume", { approvalId: "apr_never" })).text);
  assert.equal(seen.length, 0);
  assert.equal((await runtime.resume(approval.id, { expectedSurface: "aiSdk" })).status, "completed");
});

test("the resume tool is always listed, last, with a closed schema; off, it is a tool like any unknown one", async (t) => {
  const { client } = await connected(t, { resumeTool: { description: "Goes on." } });
  const { tools } = await client.listTools();
  assert.deepEqual(tools.at(-1), {
    name: "approvals_resume",
    description: "Goes on.",
    inputSchema: {
      type: "object",
      properties: { approvalId: { type: "string" } },
      required: ["approvalId"],
      additionalProperties: false,
    },
  });
  const filtered = governed();
  const server = createMCPServer(filtered.runtime, { ...asAnn, filter: () => false, approvals: { resumeTool: true } });
  assert.deepEqual(await names(await inMemory(t, server)), ["approvals_resume"]);
  for (const approvals of [undefined, {}, { resumeTool: false }]) {
    const off = await connected(t, approvals);
    assert.equal((await names(off.client)).includes("approvals_resume"), false);
    const { envelope } = await call(off.client, "approvals_resume", { approvalId: "x" });
    assert.equal(envelope.error.code, "CAPABILITY_NOT_FOUND");
  }
});

test("the resume tool without an id answers INPUT_INVALID with the field's path", async (t) => {
  const { client, events } = await connected(t, { resumeTool: true });
  for (const args of [
    undefined,
    {},
    { approvalId: "" },
    { approvalId: 5 },
    { approvalId: null },
    { approvalId: ["x"] },
  ]) {
    const { isError, envelope } = await call(client, "approvals_resume", args);
    assert.equal(isError, true);
    assert.deepEqual(envelope.error, {
      code: "INPUT_INVALID",
      message: "The input did not pass validation.",
      retryable: false,
      details: { issues: [{ path: ["approvalId"], message: "must be a non-empty string" }] },
    });
  }
  assert.equal(events.length, 0);
});

test("X6: a resume tool whose name a capability's tool has, or that is no tool's name, throws when the server is made", () => {
  const { runtime } = governed({ capabilities: { approvals: { resume: named() } } });
  const make = (resumeTool) => createMCPServer(runtime, { ...asAnn, approvals: { resumeTool } });
  assert.throws(() => make(true), /tool has the name "approvals_resume" already/);
  assert.throws(() => make({ name: "rename-it" }), /tool has the name "rename-it" already/);
  assert.throws(() => make({ name: "go on" }), /the tool name of approvals\.resumeTool must be 1 to 64/);
  assert.doesNotThrow(() => make({ name: "ledger_inside" }));
});

test("a cancelled request ends what the resume tool runs", async (t) => {
  let started;
  const running = new Promise((resolve) => (started = resolve));
  const wait = domain.defineProcedure({
    meta: { agent: { description: "x", expose: { mcp: true }, sideEffect: "write", risk: "low", approval: { required: true } } }, // prettier-ignore
    handler: ({ signal }) => (started(signal), new Promise(() => {})),
  });
  const { runtime, client } = await connected(t, { resumeTool: true }, { capabilities: { wait } });
  const { approvalId } = (await call(client, "wait")).envelope;
  await approve(runtime, approvalId);
  const controller = new AbortController();
  const calling = call(client, "approvals_resume", { approvalId }, { signal: controller.signal });
  calling.catch(() => undefined);
  const signal = await running;
  const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
  controller.abort();
  await stopped;
  assert.equal(signal.reason.code, "CANCELLED");
  await assert.rejects(calling);
});

test("a store's record without reasons and with no readable deadline still gives its id", async (t) => {
  const store = domain.createInMemoryApprovalCoordinator();
  const create = async (request) => ({ ...(await store.create(request)), reasons: [], expiresAt: Number.MAX_VALUE });
  const coordinator = { create, get: (id) => store.get(id), decide: () => undefined, markConsumed: () => undefined };
  const { client } = await connected(t, undefined, { approvals: { coordinator } });
  const { envelope } = await call(client, "ledger_close", {});
  assert.equal(envelope.status, "approval-required");
  assert.deepEqual(Object.keys(envelope), ["status", "approvalId", "message"]);
  assert.equal(envelope.message, "Awaiting approval.");
});
