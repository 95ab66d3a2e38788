// Settle: the bodies that a page runs as well (tests/browser/client_settle.test.mjs), and what only misuse shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as client from "viewcap/client";
import * as protocol from "viewcap/protocol";
import { clientBodies } from "../shared/client_bodies.js";
import { makeRegistry, mounted, ready, viewcap } from "./support.mjs";

await ready;

for (const { title, run, expected } of clientBodies) {
  test(title, async () => {
    assert.deepEqual(await run(viewcap, client, protocol), expected);
  });
}

test("settle of a registry that has ended, or ends meanwhile, ends quietly", async () => {
  const registry = makeRegistry();
  const waiting = client.settleSurface(registry, { until: () => true });
  registry.dispose();
  assert.deepEqual([await waiting, await client.settleSurface(registry)], [true, true]);
});

test("settle ends when its signal aborts, and tells no listener of its own from then on", async () => {
  const { registry } = mounted();
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  const before = performance.now();
  assert.equal(await client.settleSurface(registry, { until: () => false, signal: controller.signal }), false);
  assert.ok(performance.now() - before < 1_000);
  registry.dispose();
});

test("the time that settle may take can be given", async () => {
  const { registry } = mounted();
  const before = performance.now();
  assert.equal(await client.settleSurface(registry, { until: () => false, budgetMs: 30 }), false);
  const ms = performance.now() - before;
  assert.ok(ms >= 29 && ms < 1_000, String(ms));
  registry.dispose();
});

test("settle takes a registry, a function and a number from 0, and says so", async () => {
  const { registry } = mounted();
  for (const wrong of [{ until: true }, { budgetMs: -1 }, { budgetMs: Number.NaN }, { budgetMs: "1" }, null]) {
    await assert.rejects(client.settleSurface(registry, wrong), { code: "INVALID_DEFINITION" });
  }
  await assert.rejects(client.settleSurface({}), /needs a registry/);
  registry.dispose();
});
