// When the module itself fails. Its memory is reached through the files of the package, as no application does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { failure, makeRegistry, mounted, ready, schema, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const { liveRuntime } = await import(new URL("runtime/load.js", import.meta.resolve("viewcap")));

/** Makes the next crossing through the named function of the table fail as a trap would. */
function breakNext(name, error) {
  liveRuntime("test").call("", (table) => {
    const own = table[name];
    table[name] = () => {
      table[name] = own;
      throw error;
    };
  });
}

for (const error of [new WebAssembly.RuntimeError("unreachable"), new RangeError("Maximum call stack size exceeded")]) {
  test(`after a ${error.name} out of the module calls in flight settle, later calls say what to do, and loading starts anew`, async () => {
    const before = mounted({ execute: () => new Promise(() => undefined) });
    const idle = mounted();
    const inFlight = before.set();
    breakNext("begin", error);
    const struck = await idle.set({ invocationId: "struck" });
    assert.deepEqual(failure(struck), { code: "EXECUTION_FAILED", reason: "internal" });
    assert.equal(struck.invocationId, "struck");
    assert.deepEqual(failure(await inFlight), { code: "EXECUTION_FAILED", reason: "internal" });
    assert.equal(viewcap.isRuntimeLoaded(), false);

    await assert.rejects(idle.set(), { name: "RuntimeDeadError", message: /loadRuntime/ });
    assert.throws(() => before.registry.snapshot(), { name: "RuntimeDeadError" });
    assert.throws(() => idle.registry.register(tableContract().bind(tableBinding())), { name: "RuntimeDeadError" });
    idle.handle.unregister();
    before.registry.dispose();
    assert.throws(() => makeRegistry(), { name: "RuntimeNotLoadedError" });

    await viewcap.loadRuntime();
    assert.equal((await mounted().set()).status, "ok");
    await assert.rejects(idle.set(), { name: "RuntimeDeadError" });
  });
}

test("a trap while a handler's result is settled ends that call, and a schema compiles again in the next instance", async () => {
  const own = schema({ type: "object" });
  own.parse({});
  const { set } = mounted({ execute: async () => breakNext("settle", new WebAssembly.RuntimeError("unreachable")) });
  assert.deepEqual(failure(await set()), { code: "EXECUTION_FAILED", reason: "internal" });
  await viewcap.loadRuntime();
  assert.deepEqual(own.parse({}), {});
});

test("an internal fault that the module reports itself is treated like a trap", async () => {
  const { set } = mounted();
  liveRuntime("test").call("", (table) => {
    const begin = table.begin;
    table.begin = () => (
      (table.begin = begin),
      '{"error":{"code":"INTERNAL","message":"The module failed internally."}}'
    );
  });
  assert.deepEqual(failure(await set()), { code: "EXECUTION_FAILED", reason: "internal" });
  assert.equal(viewcap.isRuntimeLoaded(), false);
  await viewcap.loadRuntime();
});
