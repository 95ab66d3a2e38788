// What is let go: closures of components that are gone, registries nobody holds, schemas nobody uses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { deferred, makeRegistry, mounted, ready, schema, settled, tableBinding, tableContract } from "./support.mjs";

await ready;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

const { liveRuntime } = await import(new URL("runtime/load.js", import.meta.resolve("viewcap")));
const moduleBytes = () => liveRuntime("test").call("", (table) => table.memory());

const macrotask = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Collects until the reference is empty. Looking at it keeps its target for the rest of that job, so a new one comes first. */
async function gone(reference) {
  for (let turn = 0; turn < 20; turn++) {
    await macrotask();
    collect();
    if (reference.deref() === undefined) return true;
  }
  return false;
}

/** Lets finalizers run until the module holds at most so many bytes. */
async function freedTo(bytes) {
  for (let turn = 0; turn < 20 && moduleBytes() > bytes; turn++) {
    await macrotask();
    collect();
  }
  return moduleBytes() <= bytes;
}

test("after unregister the registry keeps no closure of the component, though its handle is held", async () => {
  const registry = makeRegistry();
  const contract = tableContract();
  const mount = () => {
    const execute = () => undefined;
    return [new WeakRef(execute), registry.register(contract.bind(tableBinding({ execute, when: () => true })))];
  };
  const [closure, handle] = mount();
  await registry.invoke({ capabilityId: "view:invoices.set" });
  registry.snapshot();
  handle.unregister();
  assert.ok(await gone(closure));
  assert.equal(handle.status, "unregistered");
});

test("a replaced component's closures are let go too", async () => {
  const registry = makeRegistry({ onDuplicateInstance: "replace" });
  const contract = tableContract();
  const mount = () => {
    const execute = () => undefined;
    registry.register(contract.bind(tableBinding({ execute })));
    return new WeakRef(execute);
  };
  const closure = mount();
  mount();
  assert.ok(await gone(closure));
});

test("a registry that nobody holds is collected and frees what it held in the module", async () => {
  const make = () => {
    const registry = makeRegistry();
    registry.subscribe(() => registry);
    for (let n = 0; n < 200; n++)
      registry.register(tableContract().bind(tableBinding({ execute: () => registry }, { instanceId: `n${n}` })));
    return new WeakRef(registry);
  };
  makeRegistry().dispose();
  const before = moduleBytes();
  const registry = make();
  const full = moduleBytes();
  assert.ok(full > before + 20_000);
  assert.ok(await gone(registry));
  assert.ok(await freedTo(before + 5_000), `${moduleBytes()} bytes, ${before} before`);
});

test("a registry with a call in flight is not collected under it", async () => {
  const gate = deferred();
  const start = () => mounted({ execute: () => gate.promise }).set();
  const result = start();
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await macrotask();
  }
  gate.resolve("done");
  assert.equal((await result).output, "done");
});

test("a schema that nobody uses is freed in the module", async () => {
  const before = moduleBytes();
  const make = () => {
    const own = schema({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, { type: "string" }])),
    });
    own.parse({});
    return new WeakRef(own);
  };
  const own = make();
  assert.ok(moduleBytes() > before + 5_000);
  assert.ok(await gone(own));
  assert.ok(await freedTo(before + 2_000));
});

test("10,000 mounts and calls leave the module's bytes where they were", async () => {
  const registry = makeRegistry();
  const contract = tableContract();
  const round = async () => {
    for (let n = 0; n < 5_000; n++) {
      const handle = registry.register(contract.bind(tableBinding()));
      registry.invoke({ capabilityId: "view:invoices.set", input: { n } });
      handle.unregister();
    }
    await settled();
    return moduleBytes();
  };
  const warm = await round();
  const after = await round();
  assert.ok(Math.abs(after - warm) <= warm / 100 + 2048, `${warm} bytes, then ${after}`);
});
