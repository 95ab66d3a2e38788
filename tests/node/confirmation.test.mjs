// What a contract marks as needing a person does not run in this version: it fails closed, in the order of the phases.

import assert from "node:assert/strict";
import { test } from "node:test";
import { mounted, ready, viewcap } from "./support.mjs";

await ready;

const never = { execute: () => assert.fail("it ran"), precondition: () => assert.fail("it was asked") };

test("an action that needs a person is refused, because nobody can be asked, before its precondition", async () => {
  const { set, registry } = mounted(never, { contract: { confirmation: "required" } });
  const { error } = await set({ input: {} });
  assert.deepEqual([error.code, error.retry, error.details], ["NOT_AUTHORIZED", "no", { origin: "client" }]);
  registry.dispose();
});

test("an input that JavaScript refuses is INVALID_INPUT even where a person would be needed afterwards", async () => {
  const picky = viewcap.fromStandardSchema(
    {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value) => (value.good ? { value } : { issues: [{ message: "is not good", path: ["good"] }] }),
      },
    },
    { jsonSchema: { type: "object" } },
  );
  const { set, registry } = mounted(
    { execute: () => assert.fail("it ran") },
    { contract: { input: picky, confirmation: "required" } },
  );
  assert.equal((await set({ input: { good: false } })).error.code, "INVALID_INPUT");
  assert.equal((await set({ input: { good: true } })).error.code, "NOT_AUTHORIZED");
  registry.dispose();
});
