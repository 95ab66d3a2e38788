// Time, cancellation and retries of one execution (spec: domain.md §14, behaviours 57 and 58).

import assert from "node:assert/strict";
import { test } from "node:test";
import { ORPCError, os } from "@orpc/server";
import { agent, codeOf, domain, GATED, never, outward, plane, procedure, wait } from "./support/domain.mjs";

const { CapabilityError, unwrap } = domain;

test("57: a handler slower than its time is cancelled with TIMEOUT, and its token says why", async () => {
  let reason;
  const slow = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        reason = signal.reason;
        reject(signal.reason);
      });
    });
  const { invoke, types, event } = plane({ slow: procedure({ timeoutMs: 10 }, slow) });
  const result = await invoke("slow", {});
  assert.equal(codeOf(result), "cancelled TIMEOUT@timeout");
  assert.deepEqual(outward(result), { code: "TIMEOUT", message: "The time limit was reached.", retryable: true });
  assert.ok(reason instanceof CapabilityError);
  assert.equal(reason.code, "TIMEOUT");
  assert.deepEqual(types(), ["requested", "started", "cancelled"]);
  assert.deepEqual(Object.keys(event("cancelled").data).sort(), ["code", "durationMs"]);
  assert.equal(event("cancelled").data.code, "TIMEOUT");
});

test("57: the capability's time goes before the runtime's, which goes before the default", async () => {
  const { invoke } = plane(
    { own: procedure({ timeoutMs: 10_000 }, () => wait(15)), runtime: procedure({}, never) },
    { defaults: { timeoutMs: 5 } },
  );
  const [own, runtime] = await Promise.all([invoke("own", {}), invoke("runtime", {})]);
  assert.equal(own.status, "completed");
  assert.equal(codeOf(runtime), "cancelled TIMEOUT@timeout");
});

test("57: a caller that aborts gets CANCELLED, and procedures of either kind hear it", async () => {
  const reasons = [];
  const hang = ({ signal }) =>
    new Promise(() => {
      signal.addEventListener("abort", () => reasons.push(signal.reason.code));
      controller.abort();
    });
  const { invoke, types } = plane({ ours: procedure({}, hang), orpc: os.meta({ agent: agent() }).handler(hang) });
  let controller;
  for (const id of ["ours", "orpc"]) {
    controller = new AbortController();
    const result = await invoke(id, undefined, { signal: controller.signal });
    assert.equal(codeOf(result), "cancelled CANCELLED@cancellation");
    assert.equal(outward(result).message, "The caller stopped the operation.");
  }
  assert.deepEqual(reasons, ["CANCELLED", "CANCELLED"]);
  assert.deepEqual(types().slice(0, 3), ["requested", "started", "cancelled"]);
});

test("57: a token that is aborted on entry is CANCELLED: requested is told, the handler does not run, nothing started", async () => {
  const { invoke, types } = plane({ a: procedure({}, assert.fail) });
  const result = await invoke("a", {}, { signal: AbortSignal.abort() });
  assert.equal(codeOf(result), "cancelled CANCELLED@cancellation");
  assert.deepEqual(types(), ["requested", "cancelled"]);
});

test("57: of a handler that ignores the abort the late value, or the late error, is dropped", async () => {
  for (const late of [() => "SECRET", () => Promise.reject(new Error("SECRET"))]) {
    let finish;
    const gate = new Promise((resolve) => (finish = resolve));
    const controller = new AbortController();
    const handler = async () => {
      controller.abort();
      await gate;
      return late();
    };
    const { invoke, types } = plane({ a: procedure({ redact: { output: assert.fail } }, handler) });
    const result = await invoke("a", {}, { signal: controller.signal });
    assert.equal(codeOf(result), "cancelled CANCELLED@cancellation");
    finish();
    await wait(2);
    assert.deepEqual(types(), ["requested", "started", "cancelled"]);
    assert.ok(!JSON.stringify(result).includes("SECRET"));
  }
});

test("57: an abort is terminal also where the handler has succeeded in the same turn", async () => {
  const controller = new AbortController();
  const handler = () => {
    queueMicrotask(() => controller.abort());
    return "done";
  };
  const { invoke } = plane({ a: procedure({}, handler) });
  assert.equal(codeOf(await invoke("a", {}, { signal: controller.signal })), "cancelled CANCELLED@cancellation");
});

/** A handler that fails as often as told, and what it was called with. */
function failing(times, error = () => new CapabilityError({ code: "EXECUTION_FAILED", retryable: true })) {
  const calls = [];
  const handler = ({ context }) => {
    calls.push(context.agent);
    if (calls.length <= times) throw error();
    return "done";
  };
  return { calls, handler };
}
const RETRY = { retry: { maxAttempts: 2, backoffMs: 1 } };

test("58: a retryable read that fails twice takes 3 attempts of one execution with one idempotency key", async () => {
  const { calls, handler } = failing(2);
  const { invoke, types, events } = plane({ a: procedure(RETRY, handler) });
  const result = await invoke("a", {});
  assert.equal(unwrap(result), "done");
  assert.equal(calls.length, 3);
  assert.equal(new Set(calls.map(({ executionId }) => executionId)).size, 1);
  assert.equal(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
  assert.deepEqual(types(), ["requested", "started", "retried", "retried", "completed"]);
  assert.deepEqual(
    events.filter(({ type }) => type === "capability.retried").map(({ data }) => data),
    [
      { attempt: 2, previousErrorCode: "EXECUTION_FAILED" },
      { attempt: 3, previousErrorCode: "EXECUTION_FAILED" },
    ],
  );
  assert.equal(events.at(-1).data.attempts, 3);
  await invoke("a", {});
  assert.equal(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size, 2);
});

test("58: a cap of one is 2 calls, and the failure tells both attempts", async () => {
  const { calls, handler } = failing(9);
  const { invoke, event } = plane({ a: procedure({ retry: { maxAttempts: 1, backoffMs: 1 } }, handler) });
  assert.equal(codeOf(await invoke("a", {})), "failed EXECUTION_FAILED@execution");
  assert.equal(calls.length, 2);
  assert.equal(event("failed").data.attempts, 2);
  assert.equal(event("failed").data.retryable, true);
});

test("58: what is not retryable is 1 call: a plain error, a declared one, a refusal, an output that does not fit", async () => {
  const errors = [
    () => new Error("plain"),
    () => new CapabilityError({ code: "EXECUTION_FAILED" }),
    () => new ORPCError("SERVICE_UNAVAILABLE", { message: "declared" }),
    () => new ORPCError("FORBIDDEN"),
    () => Object.assign(new Error("x"), { retryable: true }),
    () => ({ retryable: true }),
    () => null,
  ];
  for (const error of errors) {
    const { calls, handler } = failing(9, error);
    const { invoke } = plane({ a: procedure(RETRY, handler) });
    assert.equal((await invoke("a", {})).status, "failed");
    assert.equal(calls.length, 1);
  }
  const { calls, handler } = failing(0);
  const output = domain.fromJsonSchema({ type: "object" });
  const { invoke } = plane({ a: procedure(RETRY, handler, { output }) });
  assert.equal(codeOf(await invoke("a", {})), "failed OUTPUT_INVALID@output-validation");
  assert.equal(calls.length, 1);
});

test("58: a write without retry configured is 1 call; an idempotent write with it is 2", async () => {
  const bare = failing(1);
  const idempotent = failing(1);
  const { invoke } = plane({
    bare: procedure({ sideEffect: "write", idempotent: true }, bare.handler),
    idempotent: procedure({ sideEffect: "write", idempotent: true, ...RETRY }, idempotent.handler),
  });
  assert.equal((await invoke("bare", {})).status, "failed");
  assert.equal((await invoke("idempotent", {})).status, "completed");
  assert.deepEqual([bare.calls.length, idempotent.calls.length], [1, 2]);
});

test("58: a predicate that answers false, or throws, is a veto; any other answer is none, and it sees the error", async () => {
  const seen = [];
  const veto = async (retryOn) => {
    const { calls, handler } = failing(9);
    const { invoke } = plane({ a: procedure({ retry: { maxAttempts: 1, backoffMs: 1, retryOn } }, handler) });
    await invoke("a", {});
    return calls.length === 1;
  };
  assert.equal(await veto((error) => (seen.push(error), false)), true);
  assert.deepEqual([seen[0].code, seen[0].retryable], ["EXECUTION_FAILED", true]);
  assert.ok(seen[0] instanceof CapabilityError);
  assert.equal(
    await veto(() => {
      throw new Error("x");
    }),
    true,
  );
  for (const answer of [undefined, null, 0, "", true]) assert.equal(await veto(() => answer), false);
});

test("58: a read that timed out is tried again, with a token of its own; a write is not", async () => {
  const signals = [];
  const once = ({ signal }) => (signals.push(signal), signals.length === 1 ? never() : "done");
  let writes = 0;
  const { invoke, types } = plane({
    read: procedure({ ...RETRY, timeoutMs: 10 }, once),
    write: procedure({ sideEffect: "write", timeoutMs: 5 }, () => (writes++, never())),
  });
  assert.equal((await invoke("read", {})).status, "completed");
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
  assert.deepEqual(types(), ["requested", "started", "retried", "completed"]);
  assert.equal(codeOf(await invoke("write", {})), "cancelled TIMEOUT@timeout");
  assert.equal(writes, 1);
});

test("58: the wait doubles, starts at backoffMs, and only the caller can end it", async (t) => {
  const waits = [];
  t.mock.method(globalThis, "setTimeout", (run, ms) => {
    // The attempts' own time is not the matter here.
    if (ms !== 30_000) waits.push(ms);
    return ms === 30_000 ? 0 : setImmediate(run);
  });
  const { handler } = failing(4);
  const { invoke } = plane({ a: procedure({ retry: { maxAttempts: 4, backoffMs: 7 } }, handler) });
  assert.equal((await invoke("a", {})).status, "completed");
  assert.deepEqual(waits, [7, 14, 28, 56]);
});

test("58: an abort during the wait is CANCELLED, and no further attempt is made", async () => {
  const controller = new AbortController();
  const { calls, handler } = failing(9);
  const retry = { maxAttempts: 5, backoffMs: 60_000 };
  const { invoke, types } = plane(
    { a: procedure({ retry }, handler) },
    {
      audit: (events) => (event) => {
        events.push(event);
        if (event.type === "capability.retried") setImmediate(() => controller.abort());
      },
    },
  );
  const result = await invoke("a", {}, { signal: controller.signal });
  assert.equal(codeOf(result), "cancelled CANCELLED@cancellation");
  assert.equal(calls.length, 1);
  assert.deepEqual(types(), ["requested", "started", "retried", "cancelled"]);
});

test("58: neither policies nor the approval are asked again between attempts, and what a handler did to its input is undone", async () => {
  let asked = 0;
  const count = domain.definePolicy("count", () => (asked++, domain.allow()), { phases: ["invocation", "execution"] });
  const inputs = [];
  const handler = ({ input, context }) => {
    inputs.push(structuredClone(input));
    input.lines.push("forged");
    if (inputs.length < 3) throw new CapabilityError({ code: "EXECUTION_FAILED", retryable: true });
    return context.agent.approval.approver.id;
  };
  let decisions = 0;
  const decide = () => (decisions++, { status: "approved", approver: { id: "bob", kind: "user" } });
  const { invoke } = plane(
    { a: procedure({ ...GATED, ...RETRY, idempotent: true }, handler) },
    { policies: [count], approvals: { handler: decide } },
  );
  assert.equal(unwrap(await invoke("a", { lines: ["one"] })), "bob");
  assert.deepEqual([asked, decisions], [2, 1]);
  assert.deepEqual(inputs, [{ lines: ["one"] }, { lines: ["one"] }, { lines: ["one"] }]);
});
