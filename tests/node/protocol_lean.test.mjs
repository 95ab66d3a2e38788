// viewcap/protocol in the lean variant, which browsers load, and before any module is loaded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadRuntime } from "viewcap";
import * as protocol from "viewcap/protocol";

const frame = { type: "text-delta", text: "x" };
const CALLS = {
  createStepEncoder: () => protocol.createStepEncoder(),
  createFrameDecoder: () => protocol.createFrameDecoder(() => undefined),
  createResponseAccumulator: () => protocol.createResponseAccumulator(),
  createLoopGuard: () => protocol.createLoopGuard(),
  repairHistory: () => protocol.repairHistory([]),
  resolveScope: () => protocol.resolveScope([]),
};
const SERVERS_OWN = {
  decodeStepRequest: () => protocol.decodeStepRequest("{}"),
  composeCatalog: () => protocol.composeCatalog({ step: {}, domainTools: [], admitted: [] }),
  renderCapabilityState: () => protocol.renderCapabilityState([], []),
  encodeFrame: () => protocol.encodeFrame(frame),
};

test("before loadRuntime every function that needs the module throws RuntimeNotLoadedError", () => {
  for (const [name, call] of Object.entries({ ...CALLS, ...SERVERS_OWN }))
    assert.throws(call, { name: "RuntimeNotLoadedError" }, name);
});

test("the lean variant has the page's half, and says of the server's half which variant has it", async () => {
  await loadRuntime({ variant: "lean" });
  for (const call of Object.values(CALLS)) call();
  for (const [name, call] of Object.entries(SERVERS_OWN))
    assert.throws(call, { code: "UNSUPPORTED_VARIANT", message: new RegExp(`^${name} is the server's.*full`) }, name);
});

test("the lean variant decodes frames and puts a response together", () => {
  const seen = [];
  const response = protocol.createResponseAccumulator();
  const decoder = protocol.createFrameDecoder((one) => {
    seen.push(one);
    response.push(one);
  });
  decoder.push(`${JSON.stringify(frame)}\n`);
  decoder.finish();
  assert.deepEqual(seen, [frame]);
  assert.equal(response.finish().errors[0].code, "TRANSPORT_FAILED");
});
