// Confirmation: what needs a person is asked for once, bound to exactly one request, and used once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { failure, fakeClock, mounted, ready, viewcap } from "./support.mjs";

await ready;

const consumer = { id: "assistant", kind: "test" };
const required = { contract: { confirmation: "required" } };

/** A mounted action that needs a person, and what its handler saw. */
function guarded(options = {}) {
  const clock = fakeClock();
  const runs = [];
  const surface = mounted(
    { execute: (input, { confirmation }) => void runs.push({ input, confirmation }) },
    { ...required, options: { clock, ...options } },
  );
  return { ...surface, clock, runs };
}

/** Asks, and gives the id that the answer names. */
async function asked(set, request = { input: { id: 1 } }) {
  const { error } = await set(request, { consumer });
  assert.equal(error?.code, "CONFIRMATION_REQUIRED");
  return error.details.confirmationId;
}

test("an action that needs a person answers with what would be approved, and does not run", async () => {
  const { set, registry, runs, clock } = guarded();
  const { error } = await set({ input: { b: 1, a: [] } }, { consumer });
  assert.deepEqual([error.code, error.retry], ["CONFIRMATION_REQUIRED", "with-confirmation"]);
  assert.deepEqual(error.details, {
    confirmationId: error.details.confirmationId,
    summary: 'Sets filters. — input: {"a":[],"b":1}',
    expiresAt: clock.now() + 120_000,
    effect: "local-state",
    origin: "client",
  });
  assert.match(error.details.confirmationId, /^cnf_[0-9A-Za-z]{12}$/);
  assert.deepEqual(runs, []);
  const [pending] = registry.confirmations.pending();
  assert.deepEqual(
    [pending.input, pending.consumerKey, pending.capabilityId],
    [{ b: 1, a: [] }, "test:assistant", "view:invoices.set"],
  );
  registry.dispose();
});

test("an approved call runs once, with the approval in its context, under the same invocation id", async () => {
  const { set, registry, runs, clock } = guarded();
  const request = { input: { id: 1 }, invocationId: "mine" };
  const confirmationId = await asked(set, request);
  const approvedAt = clock.now();
  assert.equal(registry.confirmations.resolve(confirmationId, { approved: true }), true);
  const result = await set({ ...request, confirmationId }, { consumer });
  assert.equal(result.status, "ok");
  assert.deepEqual(runs, [{ input: { id: 1 }, confirmation: { id: confirmationId, approvedAt } }]);
  registry.dispose();
});

test("a precondition is not asked before a person has agreed", async () => {
  const { set, registry } = mounted(
    { precondition: () => assert.fail("it was asked"), execute: () => undefined },
    required,
  );
  assert.equal((await set({ input: {} })).error.code, "CONFIRMATION_REQUIRED");
  registry.dispose();
});

test("an input that JavaScript refuses is INVALID_INPUT and nobody is asked", async () => {
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
    { execute: () => undefined },
    { contract: { input: picky, confirmation: "required" } },
  );
  assert.equal((await set({ input: { good: false } })).error.code, "INVALID_INPUT");
  assert.deepEqual(registry.confirmations.pending(), []);
  assert.equal((await set({ input: { good: true } })).error.code, "CONFIRMATION_REQUIRED");
  registry.dispose();
});

test("what a policy's summary says is what the person reads; one that throws leaves the usual sentence", async () => {
  const asks = async (summary) => {
    const options = { policies: [viewcap.requireConfirmation({ summary })] };
    const { set, registry } = mounted({ execute: () => undefined }, { options });
    const { error } = await set({ input: { id: 7 } });
    registry.dispose();
    return error.details.summary;
  };
  assert.equal(await asks(({ id }) => `Delete number ${id}?`), "Delete number 7?");
  assert.equal(await asks(() => assert.fail("never mind")), 'Sets filters. — input: {"id":7}');
  assert.equal((await asks(() => "x".repeat(400))).length, 300);
});

test("confirmation: optional asks nobody by itself", async () => {
  const { set, registry } = mounted({ execute: () => "ran" }, { contract: { confirmation: "optional" } });
  assert.equal((await set({ input: {} })).output, "ran");
  registry.dispose();
});

test("a repetition of a request that waits for a person names the same confirmation and opens no second one", async () => {
  const { set, registry } = guarded();
  const first = await asked(set);
  assert.equal(await asked(set), first);
  assert.equal(registry.confirmations.pending().length, 1);
  assert.notEqual(await asked(set, { input: { id: 2 } }), first);
  registry.dispose();
});

test("only the decision that decides is true, and a decided one stays as it is", async () => {
  const { set, registry } = guarded();
  const id = await asked(set);
  assert.equal(registry.confirmations.resolve("cnf_unknown", { approved: true }), false);
  assert.equal(registry.confirmations.resolve(id, { approved: false, reason: "not now" }), true);
  assert.equal(registry.confirmations.resolve(id, { approved: true }), false);
  assert.deepEqual(failure(await set({ input: { id: 1 }, confirmationId: id }, { consumer })), {
    code: "CONFIRMATION_INVALID",
    reason: "denied",
  });
  registry.dispose();
});
