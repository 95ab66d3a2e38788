// References to procedures: mounted with their component, bound to what the user is looking at, run by the executor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { projectStep } from "viewcap/protocol";
import { failure, makeRegistry, mounted, ready, schema, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const consumer = { id: "assistant", kind: "test" };
const INPUT = {
  type: "object",
  properties: { id: { type: "integer" }, note: { type: "string" } },
  required: ["id", "note"],
  additionalProperties: false,
};

export const approve = viewcap.defineAgentProcedureContract({
  id: "domain:invoices.approve",
  description: "Approve one invoice.",
  input: schema(INPUT),
  effect: "server-mutation",
});
const ref = { path: "invoices.approve" };

/** A registry whose executor writes down what it was asked. */
function withExecutor(options = {}) {
  const registry = makeRegistry(options);
  const runs = [];
  registry.setProcedureExecutor({
    execute: (call) => {
      runs.push(call);
      return { done: true };
    },
  });
  const call = (input, more = {}) =>
    registry.invoke({ capabilityId: "domain:invoices.approve", input, ...more }, { consumer });
  return { registry, runs, call };
}

const described = (registry) => projectStep(registry, { consumer }).descriptors;

test("a reference is offered with what is left of its schema, and runs with what the page binds", async () => {
  const { registry, runs, call } = withExecutor();
  let open = 7;
  const handle = registry.registerProcedure(approve, ref, { bind: () => ({ id: open }) });
  const [descriptor] = described(registry);
  assert.equal(descriptor.canonicalId, "domain:invoices.approve");
  assert.equal(descriptor.wireName, "domain_invoices__approve");
  assert.equal(descriptor.description, "[domain · server-mutation] Approve one invoice.");
  assert.deepEqual(Object.keys(descriptor.inputSchema.properties), ["note"]);
  assert.deepEqual(descriptor.inputSchema.required, ["note"]);
  open = 8;
  assert.deepEqual((await call({ note: "fine" })).output, { done: true });
  const [{ path, input, info }] = runs;
  assert.deepEqual([path, input], ["invoices.approve", { note: "fine", id: 8 }]);
  assert.deepEqual([info.consumer, typeof info.invocationId, info.signal.aborted], [consumer, "string", false]);
  handle.unregister();
  assert.deepEqual(described(registry), []);
  assert.deepEqual(failure(await call({ note: "x" })), { code: "COMPONENT_UNMOUNTED", phase: "resolve" });
});

test("a locked key that the agent supplies is INVALID_INPUT, even with the very same value", async () => {
  const { registry, runs, call } = withExecutor();
  registry.registerProcedure(approve, ref, { bind: () => ({ id: 7 }) });
  assert.deepEqual(failure(await call({ id: 7, note: "x" })), { code: "INVALID_INPUT", lockedFields: ["id"] });
  assert.deepEqual(runs, []);
});

test("an overridable key is optional for the agent, and what it supplies wins", async () => {
  const { registry, runs, call } = withExecutor();
  registry.registerProcedure(approve, ref, { bind: () => ({ id: 7 }), overridableFields: ["id"] });
  const [{ inputSchema }] = described(registry);
  assert.deepEqual(inputSchema.required, ["note"]);
  assert.match(inputSchema.properties.id.description, /current/i);
  await call({ note: "x" });
  await call({ note: "x", id: 9 });
  assert.deepEqual(
    runs.map(({ input }) => input.id),
    [7, 9],
  );
});

test("the merged input is validated as a whole: a bound value that does not fit is binding-failed", async () => {
  const { registry, runs, call } = withExecutor();
  registry.registerProcedure(approve, ref, { bind: () => ({ id: "seven" }) });
  const { error } = await call({ note: "x" });
  assert.deepEqual(
    [error.code, error.retry, error.details],
    ["PRECONDITION_FAILED", "after-refresh", { reason: "binding-failed" }],
  );
  assert.deepEqual(runs, []);
});

for (const [what, bind] of [
  ["throws", () => assert.fail("no state")],
  ["gives a promise", async () => ({ id: 7 })],
  ["gives no object", () => 7],
  ["gives an array", () => [7]],
  ["gives an instance of a class", () => new Date()],
  ["gives another set of keys", () => ({ id: 7, note: "x" })],
  ["gives undefined for a locked key", () => ({ id: undefined })],
]) {
  test(`a bind that ${what} is binding-failed at the call, and the executor is not asked`, async () => {
    const { registry, runs, call } = withExecutor();
    registry.registerProcedure(approve, ref, { bind, boundFields: ["id"] });
    assert.deepEqual(failure(await call({ note: "x" })), { code: "PRECONDITION_FAILED", reason: "binding-failed" });
    assert.deepEqual(runs, []);
    assert.deepEqual(registry.confirmations.pending(), []);
  });
}

test("until a bind has succeeded once its reference is unavailable, and no field is open", async () => {
  const { registry, runs, call } = withExecutor();
  let open;
  registry.registerProcedure(approve, ref, { bind: () => ({ id: open.id }) });
  const [before] = described(registry);
  assert.deepEqual([before.available, before.unavailableReason], [false, "binding-error"]);
  assert.deepEqual(before.inputSchema, { type: "object", properties: {}, additionalProperties: false });
  assert.deepEqual(failure(await call({ id: 7, note: "x" })), {
    code: "CAPABILITY_NOT_AVAILABLE",
    reason: "binding-error",
  });
  open = { id: 3 };
  const [after] = described(registry);
  assert.deepEqual([after.available, Object.keys(after.inputSchema.properties)], [true, ["note"]]);
  assert.equal((await call({ note: "x" })).status, "ok");
  assert.deepEqual(runs[0].input, { note: "x", id: 3 });
});

test("a key whose value is undefined is bound all the same: it opened the field to the agent when it came first", async () => {
  const { registry, runs, call } = withExecutor();
  let selected;
  registry.registerProcedure(approve, ref, { bind: () => ({ id: selected?.id }) });
  const [{ available, inputSchema }] = described(registry);
  assert.deepEqual([available, Object.keys(inputSchema.properties)], [true, ["note"]]);
  assert.deepEqual(failure(await call({ id: 666, note: "x" })), { code: "INVALID_INPUT", lockedFields: ["id"] });
  assert.deepEqual(failure(await call({ note: "x" })), { code: "PRECONDITION_FAILED", reason: "binding-failed" });
  selected = { id: 7 };
  assert.equal((await call({ note: "x" })).status, "ok");
  assert.deepEqual(
    runs.map(({ input }) => input),
    [{ note: "x", id: 7 }],
  );
});

test("a reference ends with its owner, whose handle or type and instance names it", async () => {
  for (const by of ["handle", "type", "definition"]) {
    const { registry, call } = withExecutor();
    const procedures =
      by === "definition" ? [viewcap.bindAgentProcedure(ref, { contract: approve, bind: () => ({ id: 1 }) })] : [];
    const owner = registry.register(tableContract().bind(tableBinding({}, { procedures })));
    if (by !== "definition") {
      registry.registerProcedure(approve, ref, {
        bind: () => ({ id: 1 }),
        owner: by === "handle" ? owner : { type: "invoices" },
      });
    }
    const [{ context }] = registry.snapshot().procedures;
    assert.deepEqual(context, { type: "invoices", instanceId: "default" });
    assert.equal((await call({ note: "x" })).status, "ok");
    owner.unregister();
    assert.deepEqual(registry.snapshot().procedures, [], by);
    assert.equal((await call({ note: "x" })).error.code, "COMPONENT_UNMOUNTED");
  }
});

test("a reference of an owner that is gone already is dead", () => {
  const { registry, handle } = mounted();
  handle.unregister();
  const late = registry.registerProcedure(approve, ref, { bind: () => ({ id: 1 }), owner: handle });
  assert.equal(late.status, "rejected");
  assert.deepEqual(registry.snapshot().procedures, []);
});

test("two components may refer to one procedure: a call has to name which, and their names differ", async () => {
  const { registry, runs, call } = withExecutor();
  for (const instanceId of ["left", "right"]) {
    const handle = registry.register(tableContract().bind(tableBinding({}, { instanceId })));
    registry.registerProcedure(approve, ref, { bind: () => ({ id: instanceId.length }), owner: handle });
  }
  const { code, details } = (await call({ note: "x" })).error;
  assert.equal(code, "AMBIGUOUS_INSTANCE");
  assert.deepEqual(
    details.instances.map(({ context }) => context.instanceId),
    ["left", "right"],
  );
  const names = described(registry).filter(({ plane }) => plane === "domain");
  assert.deepEqual(
    names.map(({ wireName }) => wireName),
    ["domain_invoices__approve_at_left", "domain_invoices__approve_at_right"],
  );
  await call({ note: "x" }, { registrationId: details.instances[1].registrationId });
  assert.equal(runs[0].input.id, 5);
});

test("what describe says travels as a note beside the state, and never in the description", () => {
  const { registry } = withExecutor();
  let shown = "Invoice 7 is open.";
  registry.registerProcedure(approve, ref, { bind: () => ({ id: 7 }), describe: () => shown });
  const first = projectStep(registry, { consumer });
  assert.deepEqual(first.state, [{ wireName: "domain_invoices__approve", available: true, note: shown }]);
  assert.equal(registry.snapshot().procedures[0].contextualNote, shown);
  shown = "Invoice 8 is open.";
  const second = projectStep(registry, { consumer });
  assert.equal(second.state[0].note, shown);
  assert.deepEqual(second.bytes, first.bytes);
});

test("a describe that throws is no note", () => {
  const { registry } = withExecutor();
  registry.registerProcedure(approve, ref, { bind: () => ({ id: 7 }), describe: () => assert.fail("no state") });
  assert.deepEqual(projectStep(registry, { consumer }).state, []);
});

test("without an executor a procedure fails as transport", async () => {
  const registry = makeRegistry();
  registry.registerProcedure(approve, ref, { bind: () => ({ id: 7 }) });
  const { error } = await registry.invoke({ capabilityId: "domain:invoices.approve", input: { note: "x" } });
  assert.deepEqual([error.code, error.details], ["EXECUTION_FAILED", { reason: "transport" }]);
});

test("a person approves exactly the merged input; another bound value afterwards is a mismatch", async () => {
  const { registry, runs, call } = withExecutor();
  let open = 7;
  registry.registerProcedure(approve, ref, { bind: () => ({ id: open }), confirmation: "required" });
  const { confirmationId, summary } = (await call({ note: "x" })).error.details;
  assert.equal(summary, 'Approve one invoice. — input: {"id":7,"note":"x"}');
  registry.confirmations.resolve(confirmationId, { approved: true });
  open = 8;
  assert.deepEqual(failure(await call({ note: "x" }, { confirmationId })), {
    code: "CONFIRMATION_INVALID",
    reason: "mismatch",
  });
  open = 7;
  assert.equal((await call({ note: "x" }, { confirmationId })).status, "ok");
  assert.deepEqual(runs[0].input, { note: "x", id: 7 });
  assert.equal(runs[0].info.confirmation.id, confirmationId);
});

test("a configuration raises the contract's confirmation and never lowers it", () => {
  const { registry } = withExecutor();
  const level = (contract, confirmation) => {
    const handle = registry.registerProcedure(contract, { path: contract.id.slice(7) }, { confirmation });
    const found = described(registry).find(({ canonicalId }) => canonicalId === contract.id).confirmation;
    handle.unregister();
    return found;
  };
  assert.equal(level(approve, "required"), "required");
  const erase = viewcap.defineAgentProcedureContract({
    ...approve,
    id: "domain:invoices.erase",
    effect: "destructive",
  });
  assert.equal(level(erase, "optional"), "required");
});

test("registering view:X.Y while X.Y is a known path is suspected, or refused where the policy says so", () => {
  const events = [];
  const clash = tableContract(
    {},
    {
      type: "invoices",
      actions: { approve: { description: "d", input: schema({ type: "object" }), effect: "local-state" } },
      observations: {},
    },
  );
  const binding = { actions: { approve: { execute: () => undefined } } };
  const suspecting = makeRegistry();
  suspecting.subscribe((event) => events.push(event));
  suspecting.setProcedureExecutor({ paths: ["invoices.approve"], execute: () => undefined });
  suspecting.register(clash.bind(binding));
  assert.deepEqual(
    events.filter(({ type }) => type === "collision-suspected"),
    [
      {
        type: "collision-suspected",
        viewCapabilityId: "view:invoices.approve",
        domainProcedureId: "domain:invoices.approve",
      },
    ],
  );
  const strict = makeRegistry({ duplicateSuffixPolicy: "error" });
  strict.setProcedureExecutor({ paths: ["invoices.approve"], execute: () => undefined });
  assert.throws(() => strict.register(clash.bind(binding)), { code: "PLANE_VIOLATION" });
  assert.deepEqual(strict.snapshot().components, []);
});

for (const [what, contract, config, code] of [
  ["an id that is not the path's", { ...approve, id: "domain:invoices.other" }, {}, "INVALID_DEFINITION"],
  ["a bound field without bind", approve, { boundFields: ["id"] }, "INVALID_DEFINITION"],
  [
    "an overridable field that is not bound",
    approve,
    { bind: () => ({}), boundFields: ["id"], overridableFields: ["note"] },
    "INVALID_DEFINITION",
  ],
  ["an unknown configuration", approve, { colour: "red" }, "INVALID_DEFINITION"],
  ["a view effect", { ...approve, effect: "local-state" }, {}, "INVALID_DEFINITION"],
  [
    "destructive without a person",
    { ...approve, effect: "destructive", confirmation: "never" },
    {},
    "INVALID_DEFINITION",
  ],
  [
    "a bound schema with a combinator at its root",
    { ...approve, input: schema({ anyOf: [INPUT] }) },
    { bind: () => ({ id: 7 }) },
    "UNSUPPORTED_SCHEMA",
  ],
]) {
  test(`${what} is ${code}`, () => {
    const { registry } = withExecutor();
    assert.throws(() => registry.registerProcedure(contract, ref, config), { code });
    assert.deepEqual(registry.snapshot().procedures, []);
  });
}
