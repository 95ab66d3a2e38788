// What 100,000 mount/unmount cycles and 100,000 calls leave behind, in the module and in the JavaScript heap.
//
// To be run with --expose-gc --no-opt: the code and the feedback of the engine's optimizing compiler come and go in the
// heap by amounts that hide what the program itself keeps.

import { collect, report } from "./measure.mjs";
import { moduleBytes } from "./module_access.mjs";
import { define, loadLean, makeRegistry, mountMany } from "./viewcap_side.mjs";
import { behaviour, consumer, contracts, smallInput } from "./workload.mjs";

await loadLean();

const kCycles = 100_000;

async function churn(registry, definition) {
  for (let cycle = 0; cycle < kCycles; cycle++) {
    registry.register(definition).unregister();
    if (cycle % 1000 === 999) await null;
  }
}

let calls = 0;
// Ids of one length: a longer id takes more room, which is no leak.
const nextId = () => `call_${String(calls++).padStart(9, "0")}`;

async function callOften(registry, registrationId) {
  const request = { capabilityId: "view:invoices.pending.setFilters", registrationId, input: smallInput };
  for (let call = 0; call < kCycles; call++) {
    const result = await registry.invoke({ ...request, invocationId: nextId() }, { consumer });
    if (result.status !== "ok") throw new Error(`the call failed: ${JSON.stringify(result)}`);
  }
}

/** Both figures before and after a round that follows a warm-up round of the same size. */
async function leaks() {
  const registry = makeRegistry();
  const [first] = mountMany(registry, contracts(16), 16);
  const [plain] = contracts(1);
  const definition = define(plain).bind({ instanceId: "coming-and-going", ...behaviour(plain) });
  const read = async () => {
    await collect();
    return { module: moduleBytes(), heap: process.memoryUsage().heapUsed };
  };
  const round = async () => {
    await churn(registry, definition);
    await callOften(registry, first.registrationId);
    return read();
  };
  const start = await round();
  const end = await round();
  return { start, end };
}

const { start, end } = await leaks();

report({
  figures: { leak_module_bytes: end.module - start.module, leak_heap_bytes: end.heap - start.heap },
  details: { module_start_bytes: start.module, heap_start_bytes: start.heap },
});
