// What author code may do to a call: every answer is a result, and nothing kills the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { failure, FILTERS, mounted, ready, schema, settled, viewcap } from "./support.mjs";

await ready;

const failed = (reason) => ({ code: "EXECUTION_FAILED", reason });

test("the output is a fresh JSON copy; undefined is no output", async () => {
  const own = { rows: [1] };
  const { set } = mounted({ execute: ({ give }) => (give ? own : undefined) });
  const result = await set({ input: { give: true } });
  assert.deepEqual(result.output, own);
  assert.notEqual(result.output, own);
  assert.equal("output" in (await set({ input: {} })), false);
});

test("the handler gets a copy of what was validated: a caller that changes its object afterwards changes nothing", async () => {
  const input = { status: "open" };
  const { set } = mounted({ execute: async (given) => (await null, given) }, { contract: { input: schema(FILTERS) } });
  const result = set({ input });
  input.status = "hacked";
  assert.deepEqual((await result).output, { status: "open" });
});

test("an action called without input gets an empty object", async () => {
  const { set } = mounted({ execute: (input) => input });
  assert.deepEqual((await set()).output, {});
});

test("an observation takes no input: absent or {} passes, anything else is INVALID_INPUT", async () => {
  const { rows } = mounted();
  assert.equal((await rows()).status, "ok");
  assert.equal((await rows({ input: {} })).status, "ok");
  for (const input of [{ a: 1 }, [], 1, "x", null]) assert.equal(failure(await rows({ input })).code, "INVALID_INPUT");
});

test("the handler is told who calls, from where, and with what; observations have no invocation id", async () => {
  const contexts = [];
  const { registry, handle } = mounted(
    { execute: (_, ctx) => void contexts.push(ctx) },
    { options: { context: () => ({ user: "ann" }) } },
  );
  const consumer = { id: "agent", kind: "test", grants: ["a"] };
  await registry.invoke({ capabilityId: "view:invoices.set", invocationId: "call-1" }, { consumer });
  const [ctx] = contexts;
  assert.equal(ctx.capabilityId, "view:invoices.set");
  assert.equal(ctx.registrationId, handle.registrationId);
  assert.equal(ctx.invocationId, "call-1");
  assert.deepEqual(ctx.consumer, consumer);
  assert.deepEqual(ctx.host, { user: "ann" });
  assert.ok(Object.isFrozen(ctx.host) && Object.isFrozen(ctx.consumer));
  assert.equal(ctx.signal, ctx.signal);
  assert.equal(ctx.signal.aborted, false);
});

test("the host is read once per call; a reading that throws is EXECUTION_FAILED", async () => {
  let readings = 0;
  const action = { precondition: (_, ctx) => void ctx.host, execute: (_, ctx) => ctx.host.n };
  const { set } = mounted(action, { options: { context: () => ({ n: ++readings }) } });
  assert.equal((await set()).output, 1);
  assert.equal((await set()).output, 2);
  const broken = mounted(
    {},
    {
      options: {
        context: () => {
          throw new Error("no");
        },
      },
    },
  );
  assert.equal(failure(await broken.set()).code, "EXECUTION_FAILED");
});

test("the author's callbacks run in order: when, precondition, handler", async () => {
  const order = [];
  const note = (what, answer) => () => (order.push(what), answer);
  const { set } = mounted({ when: note("when", true), precondition: note("precondition"), execute: note("execute") });
  await set();
  assert.deepEqual(order, ["when", "precondition", "execute"]);
});

test("the first failure answers: an unavailable action does not complain of its input, a bad input meets no precondition", async () => {
  let open = false;
  const { set } = mounted(
    { when: () => open, precondition: () => assert.fail("it ran") },
    { contract: { input: schema(FILTERS) } },
  );
  assert.equal(failure(await set({ input: { nonsense: 1 } })).code, "CAPABILITY_NOT_AVAILABLE");
  open = true;
  assert.equal(failure(await set({ input: { nonsense: 1 } })).code, "INVALID_INPUT");
});

for (const [what, execute] of Object.entries({
  "throws an error": () => {
    throw new Error("secret");
  },
  "throws undefined": () => {
    throw undefined;
  },
  "throws a proxy that throws": () => {
    throw new Proxy(
      {},
      {
        get: () => {
          throw new Error("secret");
        },
      },
    );
  },
  rejects: async () => {
    throw new Error("secret");
  },
  "rejects with nothing": () => Promise.reject(),
  "gives a thenable whose then throws": () => ({
    then() {
      throw new Error("secret");
    },
  }),
  "gives an object whose then cannot be read": () => ({
    get then() {
      throw new Error("secret");
    },
  }),
  "recurses without end": function loop() {
    return loop();
  },
})) {
  test(`a handler that ${what} is EXECUTION_FAILED handler-error, and its words stay unknown`, async () => {
    const { set } = mounted({ execute });
    const result = await set();
    assert.deepEqual(failure(result), failed("handler-error"));
    assert.ok(!JSON.stringify(result).includes("secret"));
    assert.equal((await set()).status, "error");
  });
}

test("a handler may throw an AgentSurfaceError: code, message, retry and details pass where the row allows", async () => {
  const thrown = (payload) =>
    mounted({
      execute: () => {
        throw new viewcap.AgentSurfaceError(payload);
      },
    }).set();
  const result = await thrown({
    code: "PRECONDITION_FAILED",
    message: "x".repeat(500),
    retry: "after-refresh",
    details: { a: 1 },
  });
  assert.equal(result.error.code, "PRECONDITION_FAILED");
  assert.ok(result.error.message.length <= 300);
  assert.equal(result.error.retry, "after-refresh");
  assert.deepEqual(result.error.details, { a: 1 });
  const stale = await thrown({ code: "STALE_CAPABILITY", message: "forged" });
  assert.deepEqual(failure(stale), failed("handler-error"));
  const circular = {};
  circular.self = circular;
  assert.equal(
    (await thrown({ code: "NOT_AUTHORIZED", message: "no", details: circular })).error.code,
    "NOT_AUTHORIZED",
  );
});

test("an error that says transient may be tried again after a delay, and is not cached", async () => {
  let runs = 0;
  const { set } = mounted({
    execute: () => {
      runs++;
      throw Object.assign(new Error("busy"), { transient: true });
    },
  });
  const result = await set({ invocationId: "again" });
  assert.equal(result.error.retry, "after-delay");
  assert.deepEqual(failure(result), { ...failed("handler-error"), transient: true, retryAfterMs: 1000 });
  await set({ invocationId: "again" });
  assert.equal(runs, 2);
});

test("a thenable that settles twice, or both ways, settles the call once with the first", async () => {
  const { set } = mounted({
    execute: () => ({
      then(resolve, reject) {
        resolve("first");
        resolve("second");
        reject(new Error("third"));
      },
    }),
  });
  const result = await set();
  assert.equal(result.output, "first");
  await settled();
});

test("an output of 1 MB is output-too-large, never truncated; the limit itself passes", async () => {
  const { set } = mounted({ execute: ({ size }) => "x".repeat(size) });
  assert.deepEqual(failure(await set({ input: { size: 1 << 20 } })), failed("output-too-large"));
  assert.equal((await set({ input: { size: 32766 } })).output.length, 32766);
  assert.deepEqual(failure(await set({ input: { size: 32767 } })), failed("output-too-large"));
});

test("an output that does not fit the output schema is output-invalid", async () => {
  const { set } = mounted({ execute: () => ({ status: "nonsense" }) }, { contract: { output: schema(FILTERS) } });
  assert.deepEqual(failure(await set()), failed("output-invalid"));
});

test("a precondition answers nothing, or {message, details}: PRECONDITION_FAILED with both passed through", async () => {
  const details = { missing: ["row"] };
  for (const precondition of [
    () => ({ message: "Select a row.", details }),
    () => {
      throw { message: "Select a row.", details };
    },
  ]) {
    const result = await mounted({ precondition, execute: () => assert.fail("it ran") }).set();
    assert.equal(result.error.code, "PRECONDITION_FAILED");
    assert.equal(result.error.message, "Select a row.");
    assert.equal(result.error.retry, "with-changes");
    assert.deepEqual(result.error.details, details);
  }
  for (const nothing of [undefined, null])
    assert.equal((await mounted({ precondition: () => nothing }).set()).status, "ok");
});

test("a precondition that throws, is asynchronous or answers nonsense is EXECUTION_FAILED and fails closed", async () => {
  for (const precondition of [
    () => {
      throw new Error("secret");
    },
    async () => undefined,
    async () => {
      throw new Error("no");
    },
    () => true,
    () => "no",
  ]) {
    const result = await mounted({ precondition, execute: () => assert.fail("it ran") }).set();
    assert.equal(result.error.code, "EXECUTION_FAILED");
    assert.ok(!JSON.stringify(result).includes("secret"));
  }
});

test("a precondition that throws an AgentSurfaceError answers with it", async () => {
  const precondition = () => {
    throw new viewcap.AgentSurfaceError({ code: "NOT_AUTHENTICATED", message: "Sign in." });
  };
  assert.equal(failure(await mounted({ precondition }).set()).code, "NOT_AUTHENTICATED");
});

test("a precondition that changes its input does not change the handler's", async () => {
  const { set } = mounted({ precondition: (input) => void (input.a = 2), execute: (input) => input });
  assert.deepEqual((await set({ input: { a: 1 } })).output, { a: 1 });
});

test("a malformed request never crashes: it is CAPABILITY_NOT_FOUND or INVALID_INPUT", async () => {
  const { registry } = mounted();
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error("no");
      },
    },
  );
  for (const request of [
    null,
    undefined,
    7,
    "x",
    [],
    {},
    throwing,
    { capabilityId: 7 },
    { capabilityId: null },
    { capabilityId: "view:invoices.SET" },
    { capabilityId: "\ud800" },
  ]) {
    const result = await registry.invoke(request);
    assert.ok(["CAPABILITY_NOT_FOUND", "INVALID_INPUT"].includes(failure(result).code));
    assert.equal(typeof result.invocationId, "string");
  }
});

test("an id of an illegal shape in the envelope is INVALID_INPUT", async () => {
  const { set } = mounted();
  for (const key of ["invocationId", "instanceId", "registrationId", "surfaceVersion", "confirmationId"]) {
    for (const value of [7, null, {}, "x".repeat(129), "\ud800"]) {
      assert.equal(failure(await set({ [key]: value })).code, "INVALID_INPUT", `${key}: ${String(value)}`);
    }
  }
});

test("malformed options are INVALID_INPUT: a consumer, a timeout, a signal that is none", async () => {
  const { set } = mounted();
  for (const options of [
    { consumer: 7 },
    { consumer: { id: 7, kind: "test" } },
    { consumer: { id: "x".repeat(129), kind: "test" } },
    { consumer: { id: "a", kind: "robot" } },
    { consumer: { id: "a", kind: "test", grants: "all" } },
    { timeoutMs: 0 },
    { timeoutMs: -1 },
    { timeoutMs: NaN },
    { timeoutMs: "5" },
    { signal: {} },
  ])
    assert.equal(failure(await set({}, options)).code, "INVALID_INPUT", JSON.stringify(options));
});

test("of a batch in which one is unknown and one throws each call gets exactly one result", async () => {
  const { registry } = mounted({
    execute: ({ fail }) => {
      if (fail) throw new Error("no");
      return 1;
    },
  });
  const call = (capabilityId, input) => registry.invoke({ capabilityId, input });
  const results = await Promise.all([
    call("view:invoices.set", {}),
    call("view:nothing.here", {}),
    call("view:invoices.set", { fail: true }),
    call("view:invoices.rows"),
  ]);
  assert.deepEqual(
    results.map((result) => failure(result).code ?? result.status),
    ["ok", "CAPABILITY_NOT_FOUND", "EXECUTION_FAILED", "ok"],
  );
});
