// Production: only contracts of a verified manifest, and no defect ever leaves as an exception.

import assert from "node:assert/strict";
import { test } from "node:test";
import { manifestOf, sha256 } from "./manifest.mjs";
import { failure, makeRegistry, ready, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

/** The contract of `tableContract()` as the manifest has it: literal schemas, no functions. */
const literal = {
  type: "invoices",
  description: "The invoices table.",
  observations: { rows: { description: "The rows shown.", output: {} } },
  actions: { set: { description: "Sets filters.", input: { type: "object" }, effect: "local-state" } },
};

const authority = () => viewcap.createCapabilityAuthority(manifestOf(literal));
const production = (options = {}) => viewcap.createAgentSurfaceRegistry({ authority: authority(), ...options });

test("a contract that the manifest has is accepted, in the expanded form too", async () => {
  const registry = production();
  const definition = tableContract().bind(tableBinding({ execute: () => "ran" }));
  assert.equal(registry.register(definition).status, "registered");
  assert.equal(registry.register({ ...definition, instanceId: "other" }).status, "registered");
  assert.equal((await registry.invoke({ capabilityId: "view:invoices.set", instanceId: "other" })).output, "ran");
});

test("a contract that the manifest lacks, or that differs in one word, is INVALID_DEFINITION", () => {
  const registry = production();
  for (const contract of [tableContract({}, { type: "other" }), tableContract({ description: "Sets filter." })]) {
    assert.throws(() => registry.register(contract.bind(tableBinding())), { code: "INVALID_DEFINITION" });
  }
});

test("with an authority the environment is production; development accepts any contract", () => {
  const other = tableContract({}, { type: "other" }).bind(tableBinding());
  assert.throws(() => production({ environment: "production" }).register(other), { code: "INVALID_DEFINITION" });
  assert.equal(makeRegistry().register(other).status, "registered");
});

test("a manifest of which one hash is wrong, or that is none, makes no authority", () => {
  const good = manifestOf(literal);
  for (const manifest of [
    { ...good, sha256: "0".repeat(64) },
    { ...good, format: 2 },
    { ...good, contracts: { invoices: { ...good.contracts.invoices, sha256: "0".repeat(64) } } },
    {
      ...good,
      contracts: { invoices: { ...good.contracts.invoices, contract: { ...literal, description: "Mine." } } },
    },
    {},
    null,
    () => 1,
  ]) {
    assert.throws(() => viewcap.createCapabilityAuthority(manifest), {
      name: "AgentSurfaceDefinitionError",
      code: "INVALID_DEFINITION",
    });
  }
});

test("an output that is no JSON value is output-invalid in production: the promise never rejects", async () => {
  for (const output of [() => 1, 1n, new Date(0), Symbol("s"), NaN, { at: new Map() }]) {
    const registry = production();
    registry.register(tableContract().bind(tableBinding({ execute: () => output })));
    const result = await registry.invoke({ capabilityId: "view:invoices.set" });
    assert.deepEqual(failure(result), { code: "EXECUTION_FAILED", reason: "output-invalid" });
    registry.dispose();
  }
});
