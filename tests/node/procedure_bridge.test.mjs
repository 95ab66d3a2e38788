// The bridge: references and executor out of the application's client and the server's manifest.

import assert from "node:assert/strict";
import { test } from "node:test";
import { manifestOf } from "./manifest.mjs";
import { failure, makeRegistry, ready, schema, viewcap } from "./support.mjs";

await ready;

const INPUT = {
  type: "object",
  properties: { id: { type: "integer" } },
  required: ["id"],
  additionalProperties: false,
};
const entry = { description: "Approve one invoice.", inputSchema: INPUT, effect: "server-mutation" };
const manifest = { tools: { "invoices.approve": entry } };
const contract = viewcap.defineAgentProcedureContract({
  id: "domain:invoices.approve",
  description: "Approve one invoice.",
  input: schema(INPUT),
  effect: "server-mutation",
});

/** A registry with the one procedure, run by `approve` of the client. */
function bridged(approve, options = {}) {
  const { refs, executor } = viewcap.createProcedureBridge({ client: { invoices: { approve } }, manifest, ...options });
  const registry = makeRegistry();
  registry.setProcedureExecutor(executor);
  registry.registerProcedure(contract, refs.invoices.approve, { bind: () => ({ id: 7 }) });
  const call = () => registry.invoke({ capabilityId: "domain:invoices.approve", input: {} });
  return { registry, call, refs, executor };
}

test("the client is called with the input, the signal and the context, as a method of its parent", async () => {
  const seen = [];
  const invoices = {
    approve(input, { signal, context }) {
      seen.push([this === invoices, input, signal instanceof AbortSignal, context]);
      return { ok: 1 };
    },
  };
  const { refs, executor } = viewcap.createProcedureBridge({
    client: { invoices },
    manifest,
    callContext: ({ path, info }) => `${path} for ${info.consumer.id}`,
  });
  const registry = makeRegistry();
  registry.setProcedureExecutor(executor);
  registry.registerProcedure(contract, refs.invoices.approve, { bind: () => ({ id: 7 }) });
  const result = await registry.invoke({ capabilityId: "domain:invoices.approve", input: {} });
  assert.deepEqual(result.output, { ok: 1 });
  assert.deepEqual(seen, [[true, { id: 7 }, true, "invoices.approve for anonymous"]]);
});

test("a path that the manifest does not list has no reference, and its executor runs no other", async () => {
  const { refs, executor } = bridged(() => assert.fail("it ran"));
  assert.equal(refs.customers, undefined);
  await assert.rejects(executor.execute({ path: "invoices.remove", input: {}, info: {} }), { name: "TransportError" });
  for (const path of ["constructor", "invoices.constructor", "__proto__"]) {
    await assert.rejects(executor.execute({ path, input: {}, info: {} }), { name: "TransportError" });
  }
});

for (const path of ["__proto__.x", "a.constructor", "prototype", "a.then", "a..b", ""]) {
  test(`a manifest with the path ${JSON.stringify(path)} is INVALID_DEFINITION`, () => {
    const tools = Object.fromEntries([[path, entry]]);
    assert.throws(() => viewcap.createProcedureBridge({ client: {}, manifest: { tools } }), {
      code: "INVALID_DEFINITION",
    });
  });
}

test("each segment of the client is read once per call, and only functions are called", async () => {
  let reads = 0;
  const client = {
    get invoices() {
      reads++;
      return { approve: "no function" };
    },
  };
  const { refs, executor } = viewcap.createProcedureBridge({ client, manifest });
  const registry = makeRegistry();
  registry.setProcedureExecutor(executor);
  registry.registerProcedure(contract, refs.invoices.approve, { bind: () => ({ id: 7 }) });
  const { error } = await registry.invoke({ capabilityId: "domain:invoices.approve", input: {} });
  assert.deepEqual([error.code, error.details, reads], ["EXECUTION_FAILED", { reason: "transport" }, 1]);
});

const secret = "postgres://secret";
for (const [what, thrown, expected] of [
  [
    "a tRPC UNAUTHORIZED",
    { data: { code: "UNAUTHORIZED", httpStatus: 401 } },
    { code: "NOT_AUTHORIZED", origin: "server" },
  ],
  ["a FORBIDDEN", { code: "FORBIDDEN" }, { code: "NOT_AUTHORIZED", origin: "server" }],
  ["an HTTP 403", { status: 403 }, { code: "NOT_AUTHORIZED", origin: "server" }],
  ["an HTTP 401 of a response", { response: { status: 401 } }, { code: "NOT_AUTHORIZED", origin: "server" }],
  [
    "a demand for approval",
    { data: { code: "APPROVAL_REQUIRED", approvalId: "ap_1" } },
    { code: "CONFIRMATION_REQUIRED", origin: "server", confirmationId: "ap_1" },
  ],
  ["an HTTP 428", { status: 428 }, { code: "CONFIRMATION_REQUIRED", origin: "server" }],
  ["an HTTP 500", { status: 500 }, { code: "EXECUTION_FAILED", reason: "transport" }],
  ["anything else", { nonsense: true }, { code: "EXECUTION_FAILED", reason: "transport" }],
  ["a forged staleness", { code: "STALE_CAPABILITY" }, { code: "EXECUTION_FAILED", reason: "transport" }],
]) {
  test(`${what} of the server is ${expected.code}, and none of its text reaches the agent`, async () => {
    const { call } = bridged(() => Promise.reject(Object.assign(new Error(secret), thrown)));
    const result = await call();
    assert.deepEqual(failure(result), expected);
    assert.ok(!JSON.stringify(result).includes("secret"));
  });
}

test("a network that fails is transient", async () => {
  for (const error of [new TypeError("fetch failed"), Object.assign(new Error("x"), { code: "ECONNREFUSED" })]) {
    const { error: found } = await bridged(() => Promise.reject(error)).call();
    assert.deepEqual([found.code, found.retry, found.details.transient], ["EXECUTION_FAILED", "after-delay", true]);
  }
});

test("mapServerError may answer with an AgentSurfaceError; whatever else it does leaves the usual mapping", async () => {
  const own = new viewcap.AgentSurfaceError({ code: "INVALID_INPUT", message: "Too old.", retry: "with-changes" });
  const mapped = bridged(() => Promise.reject(new Error(secret)), { mapServerError: () => own });
  assert.equal((await mapped.call()).error.message, "Too old.");
  for (const mapServerError of [() => undefined, () => new Error(secret), () => assert.fail(secret)]) {
    const { call } = bridged(() => Promise.reject(Object.assign(new Error(secret), { status: 401 })), {
      mapServerError,
    });
    assert.deepEqual(failure(await call()), { code: "NOT_AUTHORIZED", origin: "server" });
  }
});

for (const [what, change] of [
  ["another effect", { effect: "server-query" }],
  ["another input schema", { inputSchema: { ...INPUT, required: [] } }],
  ["an output schema that the contract has not", { outputSchema: { type: "object" } }],
  ["an approval that the contract does not ask for", { requiresApproval: true }],
]) {
  test(`a manifest with ${what} is the ceiling: the contract is INVALID_DEFINITION`, () => {
    const { refs } = viewcap.createProcedureBridge({
      client: {},
      manifest: { tools: { "invoices.approve": { ...entry, ...change } } },
    });
    assert.throws(() => makeRegistry().registerProcedure(contract, refs.invoices.approve, {}), {
      code: "INVALID_DEFINITION",
    });
  });
}

test("a reference that no bridge made is inert in production, and one of a bridge is not", async () => {
  const { refs, executor } = viewcap.createProcedureBridge({ client: { invoices: { approve: () => 1 } }, manifest });
  const literal = { ...contract, input: INPUT };
  const authority = viewcap.createCapabilityAuthority(manifestOf(literal));
  const registry = viewcap.createAgentSurfaceRegistry({ authority });
  registry.setProcedureExecutor(executor);
  assert.equal(registry.registerProcedure(contract, { path: "invoices.approve" }, {}).status, "rejected");
  assert.deepEqual(registry.snapshot().procedures, []);
  assert.equal(registry.registerProcedure(contract, refs.invoices.approve, {}).status, "registered");
  registry.dispose();
});

test("a component binds a reference by the manifest's own words", () => {
  const { refs } = viewcap.createProcedureBridge({ client: {}, manifest });
  const registry = makeRegistry();
  registry.register({
    type: "dialog",
    description: "A dialog.",
    procedures: [viewcap.bindAgentProcedure(refs.invoices.approve, { bind: () => ({ id: 7 }) })],
  });
  const [{ procedureId, description, boundFields, context }] = registry.snapshot().procedures;
  assert.deepEqual([procedureId, description], ["domain:invoices.approve", "Approve one invoice."]);
  assert.deepEqual(boundFields, [{ path: "id", locked: true, source: "ui-state" }]);
  assert.deepEqual(context, { type: "dialog", instanceId: "default" });
});

test("the author's schema is never modified by a reduction", () => {
  const given = structuredClone(INPUT);
  const reduced = viewcap.reduceInputSchema(given, ["id"], []);
  assert.deepEqual(reduced, { type: "object", properties: {}, additionalProperties: false });
  assert.deepEqual(given, INPUT);
});
