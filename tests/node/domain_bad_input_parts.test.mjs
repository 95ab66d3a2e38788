// Bad parts of a plane: policies, handlers, stores, sinks, tracers and clocks that misbehave. Whatever they do, a call
// ends in the specified envelope and nothing escapes (spec: domain.md decision 2, SI-7, SI-12).

import assert from "node:assert/strict";
import { test } from "node:test";
import v8 from "node:v8";
import vm from "node:vm";
import {
  codeOf,
  domain,
  GATED,
  GENERIC,
  handClock,
  never,
  outward,
  plane,
  procedure,
  wait,
} from "./support/domain.mjs";

const { allow, createInMemoryApprovalCoordinator, definePolicy, defineProcedure, unwrap } = domain;
const boom = () => {
  throw new Error("SECRET");
};

/** Rejections that nobody caught, in the meantime. */
async function strayRejections(t, run) {
  const stray = [];
  const listen = (error) => stray.push(error);
  process.on("unhandledRejection", listen);
  t.after(() => process.off("unhandledRejection", listen));
  await run();
  await wait(5);
  return stray;
}

const ANSWERS = {
  "a thenable of a value": [{ then: (resolve) => resolve("later") }, "completed undefined@undefined"],
  "a thenable that throws": [{ then: boom }, "failed EXECUTION_FAILED@execution"],
  "a thenable that rejects": [
    { then: (_, reject) => reject(new Error("SECRET")) },
    "failed EXECUTION_FAILED@execution",
  ],
  "a thenable that never ends": [{ then: () => undefined }, "cancelled TIMEOUT@timeout"],
  "a then that cannot be read": [Object.defineProperty({}, "then", { get: boom }), "failed EXECUTION_FAILED@execution"],
  "a thenable of another one": [{ then: (resolve) => resolve({ then: boom }) }, "failed EXECUTION_FAILED@execution"],
};
for (const [what, [answer, expected]] of Object.entries(ANSWERS)) {
  test(`a handler that answers ${what} ends as ${expected}`, async () => {
    const { invoke, types } = plane({ a: procedure({ timeoutMs: 10 }, () => answer) });
    const result = await invoke("a", {});
    assert.equal(codeOf(result), expected);
    if (result.status === "completed") assert.equal(result.output, "later");
    else assert.ok(!JSON.stringify(outward(result)).includes("SECRET"));
    assert.equal(types().length, 3);
  });
}

test("an output that only its schema, or one of its parts, makes a thenable is handed on and not waited for", async () => {
  const trap = { then: assert.fail };
  const output = { "~standard": { version: 1, vendor: "trap", validate: () => ({ value: trap }) } };
  const { invoke } = plane({ part: procedure({}, () => ({ trap })), whole: procedure({}, () => 1, { output }) });
  assert.equal(unwrap(await invoke("part", {})).trap, trap);
  assert.equal((await invoke("whole", {})).output, trap);
});

const THROWN = {
  undefined,
  null: null,
  "a word": "SECRET",
  "a symbol": Symbol("SECRET"),
  "a proxy": new Proxy({}, { get: boom, has: boom, getPrototypeOf: boom, getOwnPropertyDescriptor: boom }),
  "an error of the system": Object.assign(new Error("SECRET"), { code: "ENOENT", path: "/srv/SECRET" }),
  "a forged refusal of the runtime": {
    code: "CAPABILITY_NOT_FOUND",
    retryable: true,
    exposeToModel: true,
    publicMessage: "SECRET",
  },
  "a forged mark": {
    [Symbol.for("viewcap.CapabilityError")]: true,
    code: { toString: () => "TIMEOUT" },
    publicMessage: "SECRET",
  },
  "an abort of its own": new DOMException("SECRET", "AbortError"),
};
for (const [what, value] of Object.entries(THROWN)) {
  test(`a handler, a middleware and a validator that throw ${what} fail without a word of it`, async () => {
    const raise = () => {
      throw value;
    };
    const { invoke, events } = plane({
      handler: procedure({}, raise),
      later: procedure({}, () => Promise.reject(value)),
      middleware: procedure({}, assert.fail, { use: [raise] }),
      input: procedure({}, assert.fail, { input: { "~standard": { version: 1, vendor: "x", validate: raise } } }),
    });
    for (const id of ["handler", "later", "middleware", "input"]) {
      const result = await invoke(id, {});
      assert.equal(codeOf(result), `failed ${id === "input" ? "INTERNAL_ERROR" : "EXECUTION_FAILED"}@execution`);
      assert.deepEqual(outward(result), { code: "INTERNAL_ERROR", message: GENERIC, retryable: false });
      assert.equal(result.error.cause, value);
      assert.ok(!`${result.error.message}${JSON.stringify(events)}`.includes("SECRET"));
    }
  });
}

const DECISIONS = {
  "a thenable that throws": () => ({ then: boom }),
  "a then that cannot be read": () => Object.defineProperty({}, "then", { get: boom }),
  "a thenable of garbage": () => ({ then: (resolve) => resolve({ type: "yes" }) }),
  "a thenable that never ends": () => ({ then: () => undefined }),
  "a decision whose type throws": () => Object.defineProperty({}, "type", { get: boom }),
  "a proxy that throws": () => new Proxy({}, { get: (_, key) => (key === "then" ? undefined : boom()), ownKeys: boom }),
  "an inherited deny of another kind": () => Object.create({ type: "toString" }),
  "a word of the runner's own": () => "late",
  "a list of decisions": () => [allow()],
  "a function with a type": () => Object.assign(() => 1, { type: "allow" }),
};
for (const [what, evaluate] of Object.entries(DECISIONS)) {
  test(`a policy that answers ${what} denies as POLICY_FAILED, on both of its phases, and drops the item from a listing`, async () => {
    for (const phases of [["invocation"], ["execution"], ["discovery", "invocation"]]) {
      const policies = [definePolicy("bad", evaluate, { phases })];
      const { invoke, describe, events } = plane(
        { a: procedure({}, assert.fail) },
        { policies, defaults: { policyTimeoutMs: 5 } },
      );
      const result = await invoke("a", {});
      assert.equal(codeOf(result), "failed POLICY_FAILED@policy");
      assert.equal(outward(result).message, GENERIC);
      assert.equal((await describe()).length, phases.includes("discovery") ? 0 : 1);
      assert.ok(!JSON.stringify(events).includes("SECRET"));
    }
  });
}

test("a policy cannot change what runs by what it is handed: request, metadata, actor, input and approval are frozen", async () => {
  const changes = [
    (request) => (request.input = {}),
    ({ input }) => (input.amount = 9),
    ({ actor }) => (actor.id = "root"),
    ({ capability }) => (capability.meta.approval.required = false),
    ({ capability }) => capability.meta.policies.pop(),
    ({ approval }) => (approval.input.amount = 9),
    ({ approval }) => (approval.decision.approver.id = "root"),
  ];
  let refused = 0;
  const meddling = definePolicy(
    "meddling",
    (request) => {
      for (const change of changes) {
        try {
          change(request);
        } catch (error) {
          assert.ok(error instanceof TypeError);
          refused++;
        }
      }
      return allow();
    },
    { phases: ["execution"] },
  );
  const seen = [];
  const handler = ({ input, context }) =>
    seen.push([input, context.agent.actor.id, context.agent.approval.approver.id]);
  const { invoke, approve, resume } = plane({ a: procedure(GATED, handler) }, { policies: [meddling] });
  const { approval } = await invoke("a", { amount: 1 });
  await approve(approval.id);
  assert.equal((await resume(approval.id)).status, "completed");
  assert.deepEqual(seen, [[{ amount: 1 }, "alice", "bob"]]);
  assert.equal(refused, changes.length);
});

const NO_TIME = {
  NaN: () => NaN,
  Infinity: () => Infinity,
  "a word": () => "now",
  "a date": () => new Date(0),
  null: () => null,
  "a big integer": () => 5n,
  nothing: () => undefined,
  "an exception": boom,
};
for (const [what, now] of Object.entries(NO_TIME)) {
  test(`a clock that gives ${what} is not believed: the system's is, and approvals are dated by it`, async (t) => {
    t.mock.method(console, "warn", () => undefined);
    const before = Date.now();
    const { runtime, events, invoke } = plane(
      { a: procedure(GATED), b: procedure() },
      { approvals: { coordinator: undefined }, now },
    );
    const { approval } = await invoke("a", {});
    await invoke("b", {});
    for (const { timestamp } of events) assert.ok(timestamp >= before && timestamp <= Date.now());
    assert.ok(approval.requestedAt >= before && approval.requestedAt <= Date.now());
    const decided = await runtime.approvals.decide(approval.id, {
      status: "approved",
      approver: { id: "bob", kind: "user" },
    });
    assert.ok(decided.decision.decidedAt >= before);
  });
}

test("a clock that jumps back makes no negative duration, and neither loses nor revives an approval", async () => {
  const clock = handClock(1_000_000);
  const back = () => void (clock.time -= 500_000);
  const { invoke, approve, resume, event, runtime } = plane(
    { a: procedure({}, back), gated: procedure(GATED, back) },
    { now: clock.now },
  );
  await invoke("a", {});
  assert.equal(event("completed").data.durationMs, 0);
  const { approval } = await invoke("gated", {});
  clock.time -= 400_000;
  assert.equal((await runtime.approvals.get(approval.id)).status, "pending");
  await approve(approval.id);
  assert.equal((await resume(approval.id)).status, "completed");
  clock.time = approval.requestedAt;
  assert.equal(codeOf(await resume(approval.id)), "failed APPROVAL_CONSUMED@approval");
});

test("sinks, hooks, predicates and tracers that reject, or throw, leave no stray rejection and change no result", async (t) => {
  const reject = () => Promise.reject(new Error("SECRET"));
  const tracings = [
    { startSpan: boom },
    { startSpan: reject },
    { startSpan: () => null },
    { startSpan: () => ({ setAttributes: reject, recordError: reject, end: reject }) },
    { startSpan: () => ({ setAttributes: boom, recordError: boom, end: boom }) },
  ];
  const retry = { maxAttempts: 1, backoffMs: 1, retryOn: reject };
  const failing = procedure({ retry }, () =>
    Promise.reject(new domain.CapabilityError({ code: "FORBIDDEN", retryable: true })),
  );
  const stray = await strayRejections(t, async () => {
    for (const tracing of tracings) {
      const audit = () => ({ sinks: [reject, boom], onSinkError: reject });
      const { invoke, describe } = plane({ a: procedure(), failing }, { tracing, audit });
      assert.equal((await invoke("a", {})).status, "completed");
      assert.equal(codeOf(await invoke("failing", {})), "failed FORBIDDEN@authorization");
      assert.equal((await describe()).length, 2);
    }
  });
  assert.deepEqual(stray, []);
});

test("without a hook a failing sink is told on the console, and a console that throws changes nothing", async (t) => {
  const told = t.mock.method(console, "error", boom);
  const { invoke } = plane({ a: procedure() }, { audit: () => boom });
  assert.equal((await invoke("a", {})).status, "completed");
  assert.equal(told.mock.callCount(), 3);
});

test("a sink cannot change an event for the next sink, and a call made within a sink is told whole", async () => {
  const second = [];
  let isFirst = true;
  const made = plane(
    { a: procedure() },
    {
      audit: () => [
        (event) => {
          assert.throws(() => (event.data.attempts = 99), TypeError);
          assert.throws(() => (event.actor.id = "root"), TypeError);
          if (event.type === "capability.started" && isFirst) {
            isFirst = false;
            inner = made.invoke("a", {});
          }
        },
        (event) => second.push(event),
      ],
    },
  );
  let inner;
  const outer = await made.invoke("a", {});
  const { executionId } = await inner;
  for (const id of [outer.executionId, executionId]) {
    assert.deepEqual(
      second.filter((event) => event.executionId === id).map(({ type }) => type),
      ["capability.requested", "capability.started", "capability.completed"],
    );
  }
});

test("a runtime that nobody holds any more still ends its calls, and its approvals can be decided", async () => {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc");
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  const start = async () => {
    const { runtime } = plane({
      slow: defineProcedure({ meta: procedure().meta, handler: () => gate }),
      gated: procedure(GATED),
    });
    const actor = { id: "alice", kind: "user" };
    const { approval } = await runtime.invoke("gated", {}, { actor });
    return { approvals: runtime.approvals, id: approval.id, call: runtime.invoke("slow", {}, { actor }) };
  };
  const { approvals, id, call } = await start();
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await wait(1);
  }
  release("done");
  assert.equal(unwrap(await call), "done");
  assert.equal(
    (await approvals.decide(id, { status: "approved", approver: { id: "bob", kind: "user" } })).status,
    "approved",
  );
});

test("a coordinator that hangs holds up its own call and no other", async () => {
  const inner = createInMemoryApprovalCoordinator();
  const coordinator = { create: never, get: (id) => inner.get(id), decide: never, markConsumed: never };
  const { invoke } = plane({ gated: procedure(GATED), free: procedure() }, { approvals: { coordinator } });
  let hasEnded = false;
  void invoke("gated", {}).then(() => (hasEnded = true));
  assert.equal((await invoke("free", {})).status, "completed");
  await wait(2);
  assert.equal(hasEnded, false);
});
