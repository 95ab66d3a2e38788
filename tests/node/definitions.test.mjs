// An author's mistakes: thrown in every environment, with a code and a message that names component, capability, field.

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRegistry, ready, schema, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const registry = makeRegistry();
const register = (contract, binding) => registry.register(tableContract(...contract).bind(binding));

function refuses(title, code, message, contract, binding = tableBinding()) {
  test(title, () => {
    assert.throws(
      () => register(contract, binding),
      (error) => {
        assert.equal(error.name, "AgentSurfaceDefinitionError");
        assert.equal(error.code, code, error.message);
        for (const part of [].concat(message))
          assert.ok(error.message.includes(part), `"${part}" in: ${error.message}`);
        return true;
      },
    );
  });
}

refuses(
  "a missing component description is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "description"],
  [{}, { description: undefined }],
);
refuses(
  "a missing capability description is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "set", "description"],
  [{ description: undefined }],
);
refuses(
  "an unknown component field is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "colour"],
  [{}, { colour: "red" }],
);
refuses(
  "an unknown capability field is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "set", "colour"],
  [{ colour: "red" }],
);
refuses(
  "a component description of 501 characters is LIMIT_EXCEEDED",
  "LIMIT_EXCEEDED",
  ["invoices", "501", "500"],
  [{}, { description: "x".repeat(501) }],
);
refuses(
  "a capability description of 301 characters is LIMIT_EXCEEDED",
  "LIMIT_EXCEEDED",
  ["set", "301", "300"],
  [{ description: "x".repeat(301) }],
);
refuses(
  "meta over 2,048 bytes is LIMIT_EXCEEDED",
  "LIMIT_EXCEEDED",
  ["invoices", "meta", "2048"],
  [{}, { meta: { x: "x".repeat(2048) } }],
);
refuses("a malformed component type is INVALID_ID", "INVALID_ID", ["Invoices"], [{}, { type: "Invoices" }]);
refuses("a type with a lone surrogate is INVALID_ID", "INVALID_ID", [], [{}, { type: "a\ud800" }]);
refuses(
  "a malformed instance id is INVALID_ID",
  "INVALID_ID",
  ["invoices", "instance"],
  [],
  tableBinding({}, { instanceId: "no spaces" }),
);
refuses(
  "an instance id with a lone surrogate is INVALID_ID",
  "INVALID_ID",
  ["invoices"],
  [],
  tableBinding({}, { instanceId: "\ud800" }),
);
refuses(
  "a server effect on a view action is PLANE_VIOLATION",
  "PLANE_VIOLATION",
  ["invoices", "set", "server-mutation"],
  [{ effect: "server-mutation" }],
);
refuses("a missing effect is INVALID_DEFINITION", "INVALID_DEFINITION", ["set", "effect"], [{ effect: undefined }]);
refuses(
  "an unsafe pattern is UNSUPPORTED_SCHEMA and named with its place",
  "UNSUPPORTED_SCHEMA",
  ["invoices", "set", "pattern"],
  [{ input: schema({ properties: { a: { pattern: "^(a+)+$" } } }) }],
);
refuses(
  "a keyword outside the profile is UNSUPPORTED_SCHEMA and named",
  "UNSUPPORTED_SCHEMA",
  ["invoices", "set", "oneOf"],
  [{ input: schema({ oneOf: [{}] }) }],
);
refuses(
  "a literal schema in place of a schema made by the package is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "set", "input", "fromJsonSchema"],
  [{ input: { type: "object" } }],
);
refuses(
  "a declared capability that is not bound is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "set", "not bound"],
  [],
  { observations: { rows: { read() {} } }, actions: {} },
);
refuses(
  "a binding of an undeclared capability is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "other"],
  [],
  { ...tableBinding(), actions: { set: { execute() {} }, other: { execute() {} } } },
);
refuses(
  "a binding named like a member of Object.prototype is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["constructor"],
  [],
  { ...tableBinding(), actions: { set: { execute() {} }, constructor: { execute() {} } } },
);
for (const field of ["description", "input", "effect", "meta"]) {
  refuses(
    `a ${field} in a binding is INVALID_DEFINITION`,
    "INVALID_DEFINITION",
    ["invoices", "set", field],
    [],
    tableBinding({ [field]: "local-state" }),
  );
}
refuses(
  "an unknown component field of a binding is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "title"],
  [],
  tableBinding({}, { title: "x" }),
);
refuses(
  "a handler that is no function is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "set", "execute"],
  [],
  tableBinding({ execute: 7 }),
);
refuses(
  "a when that is no function is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "set", "when"],
  [],
  tableBinding({ when: true }),
);
refuses(
  "a precondition that is no function is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["set", "precondition"],
  [],
  tableBinding({ precondition: {} }),
);
refuses(
  "an unavailableReason that is neither text nor function is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["set", "unavailableReason"],
  [],
  tableBinding({ unavailableReason: 7 }),
);
refuses(
  "a policy in a contract that is none is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "policies"],
  [{}, { policies: [{}] }],
);
refuses(
  "a policy in a binding that is none is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "policies"],
  [],
  tableBinding({ policies: [7] }),
);
refuses(
  "an enabled that is no boolean is INVALID_DEFINITION",
  "INVALID_DEFINITION",
  ["invoices", "enabled"],
  [],
  tableBinding({}, { enabled: "yes" }),
);
refuses(
  "a malformed parent is INVALID_DEFINITION or INVALID_ID",
  "INVALID_DEFINITION",
  ["invoices", "parent"],
  [],
  tableBinding({}, { parent: 7 }),
);

test("two capabilities of one name in one component are DUPLICATE_CAPABILITY", () => {
  const contract = viewcap.defineAgentComponentContract({
    type: "twice",
    description: "Twice.",
    observations: { go: { description: "Reads.", output: schema({}) } },
    actions: { go: { description: "Goes.", input: schema({}), effect: "local-state" } },
  });
  const binding = { observations: { go: { read() {} } }, actions: { go: { execute() {} } } };
  assert.throws(() => registry.register(contract.bind(binding)), { code: "DUPLICATE_CAPABILITY", message: /go/ });
});

test("a definition, contract or binding that is no object is INVALID_DEFINITION", () => {
  for (const value of [null, undefined, 7, "x"]) {
    assert.throws(() => registry.register(value), { code: "INVALID_DEFINITION" });
    assert.throws(() => viewcap.defineAgentComponentContract(value), { code: "INVALID_DEFINITION" });
    assert.throws(() => tableContract().bind(value), { code: "INVALID_DEFINITION" });
  }
});

test("an option of the registry that is unknown is refused by name", () => {
  for (const option of ["policy", "colour"]) {
    assert.throws(() => makeRegistry({ [option]: [] }), { code: "INVALID_DEFINITION", message: new RegExp(option) });
  }
});

test("a malformed option of the registry is INVALID_DEFINITION", () => {
  for (const [option, value] of Object.entries({
    environment: "staging",
    authority: { format: 1 },
    audit: {},
    onRegister: true,
    onDuplicateInstance: "merge",
    route: 7,
    now: 7,
    clock: { now: () => 0 },
    schemaProfile: "draft-4",
    limits: { maxInputBytes: 0 },
  })) {
    assert.throws(() => makeRegistry({ [option]: value }), { code: "INVALID_DEFINITION" }, option);
  }
});

test("limits are finite integers of at least 1, queue depths of at least 0, and unknown names are refused", () => {
  for (const limits of [
    { maxInputBytes: 1.5 },
    { maxInputBytes: -1 },
    { maxInputBytes: NaN },
    { maxInputBytes: "9" },
    { nonsense: 1 },
    { actionQueueDepth: -1 },
    7,
  ]) {
    assert.throws(() => makeRegistry({ limits }), { code: "INVALID_DEFINITION" }, JSON.stringify(limits));
  }
  makeRegistry({ limits: { actionQueueDepth: 0, maxInputBytes: 1 } }).dispose();
});

test("limits.allowUnsafePatterns turns the check of patterns off", () => {
  const contract = tableContract({ input: schema({ properties: { a: { type: "string", pattern: "^(a+)+$" } } }) });
  const lenient = makeRegistry({ limits: { allowUnsafePatterns: true } });
  assert.equal(lenient.register(contract.bind(tableBinding())).status, "registered");
});

test('environment "production" without an authority throws', () => {
  assert.throws(() => makeRegistry({ environment: "production" }), {
    code: "INVALID_DEFINITION",
    message: /authority/,
  });
});

test("an update of something else, or of an undeclared capability, is an author's mistake", () => {
  const own = makeRegistry();
  const handle = own.register(tableContract().bind(tableBinding()));
  assert.throws(() => handle.update({ instanceId: "x" }), { code: "INVALID_DEFINITION", message: /instanceId/ });
  assert.throws(() => handle.update({ availability: { nonsense: { available: false } } }), {
    code: "INVALID_DEFINITION",
    message: /nonsense/,
  });
  assert.throws(() => handle.update(null), { code: "INVALID_DEFINITION" });
});

test("the expanded form is taken apart: its contract is that of the same contract bound", () => {
  const own = makeRegistry();
  const expanded = viewcap.defineAgentComponent({
    type: "invoices",
    description: "The invoices table.",
    observations: { rows: viewcap.observation({ description: "The rows shown.", output: schema({}), read: () => [] }) },
    actions: {
      set: viewcap.action({ description: "Sets.", input: schema({}), effect: "local-state", execute: () => 1 }),
    },
  });
  assert.equal(own.register(expanded).status, "registered");
  const [component] = own.snapshot().components;
  assert.deepEqual(
    component.actions.map(({ name, effect }) => [name, effect]),
    [["set", "local-state"]],
  );
});

test("what bind returns is the expanded form, frozen", async () => {
  const definition = tableContract().bind(tableBinding({ execute: () => 7 }, { instanceId: "main" }));
  assert.ok(Object.isFrozen(definition));
  assert.equal(definition.actions.set.description, "Sets filters.");
  assert.equal(definition.actions.set.execute(), 7);
  const copy = { ...definition, instanceId: "other" };
  const own = makeRegistry();
  own.register(definition);
  assert.equal(own.register(copy).status, "registered");
  assert.equal((await own.invoke({ capabilityId: "view:invoices.set", instanceId: "other" })).output, 7);
});

test("a mistake leaves nothing behind: the version does not move and the corrected component registers", () => {
  const own = makeRegistry();
  assert.throws(() => own.register(tableContract({ effect: "destructive" }).bind(tableBinding())));
  assert.equal(own.getVersion(), "0");
  assert.equal(own.register(tableContract().bind(tableBinding())).status, "registered");
});
