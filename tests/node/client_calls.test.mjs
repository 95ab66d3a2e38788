// The browser's calls: their ids, the people they wait for, the loop guard, meta mode, and dispatchToolCall by itself.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { dispatchToolCall } from "viewcap/client";
import { projectStep } from "viewcap/protocol";
import { answered, asks, call, consumer, finish, GO, page, resultsOf, ROWS, says, SET } from "./client_host.mjs";
import { serverCall, serverResult, started, turn } from "./client_host.mjs";
import { fakeClock, ready, schema, viewcap } from "./support.mjs";

await ready;

const REQUIRED = { actions: { set: { confirmation: "required" } } };
const done = says("Done.");

/** Decides on what is asked, a task after it was asked; `meanwhile` is what the person does before. */
function decide({ confirmations }, approved, meanwhile = async () => undefined) {
  confirmations.subscribe(() => {
    const [pending] = confirmations.pending();
    if (pending === undefined) return;
    setTimeout(() => meanwhile().then(() => confirmations.resolve(pending.confirmationId, { approved })), 1);
  });
}

test("the invocation id is conversation, turn and tool call; its SHA-256 when over 128 characters", async () => {
  const ids = [];
  const set = (_, { invocationId }) => void ids.push(invocationId);
  await turn([asks(call("id1", SET)), done], { ...page({ set }), conversationId: "conv", turnId: "turn" });
  const [c, t] = ["c".repeat(64), "t".repeat(61)];
  await turn([asks(call("x", SET), call("xy", SET)), done], { ...page({ set }), conversationId: c, turnId: t });
  const hash = createHash("sha256").update(`${c}/${t}/xy`).digest("hex");
  assert.deepEqual(ids, ["conv/turn/id1", `${c}/${t}/x`, hash]);
  assert.deepEqual(
    ids.map(({ length }) => length),
    [13, 128, 64],
  );
});

test("a redelivered call never executes twice: it is answered again", async () => {
  let runs = 0;
  const surface = page({ set: () => ({ run: ++runs }) });
  const again = asks(call("same", SET, { n: 1 }));
  const { outcome } = await turn([again, again, done], surface);
  assert.equal(runs, 1);
  const values = outcome.messages.filter(({ role }) => role === "tool").map(({ content }) => content[0].output.value);
  assert.deepEqual(values, [{ run: 1 }, { run: 1 }]);
});

test("an id that a provider uses again in another turn is another call", async () => {
  let runs = 0;
  const { registry } = page({ set: () => void runs++ });
  const projection = projectStep(registry, { consumer });
  for (const turnId of ["one", "two", "two"]) {
    const options = { consumer, invocationId: `c/${turnId}/call_1` };
    await dispatchToolCall(registry, projection, call("call_1", SET), options);
  }
  assert.equal(runs, 2);
  registry.dispose();
});

test("a confirmation waits between two requests, and the approved call runs under its own id", async () => {
  const ids = [];
  const set = (_, { invocationId, confirmation }) => void ids.push([invocationId, typeof confirmation.id]);
  const surface = page({ set }, REQUIRED);
  let postsWhileAsked;
  const script = [asks(call("a", SET, { n: 1 })), done];
  decide(surface.registry, true, async () => void (postsWhileAsked = 1));
  const { outcome, requests } = await turn(script, surface);
  assert.deepEqual([ids, postsWhileAsked, requests.length], [[["c/t/a", "string"]], 1, 2]);
  assert.deepEqual(resultsOf(outcome.messages).a, { done: true });
});

test("a denial is answered as such, and is not retried", async () => {
  let runs = 0;
  const surface = page({ set: () => void runs++ }, REQUIRED);
  decide(surface.registry, false);
  const { outcome } = await turn([asks(call("a", SET)), done], surface);
  const { error } = resultsOf(outcome.messages).a;
  assert.deepEqual([error.code, error.details.reason, error.retry, runs], ["CONFIRMATION_INVALID", "denied", "no", 0]);
  assert.equal(outcome.status, "completed");
});

test("time spent waiting for a person is not counted", async () => {
  const clock = fakeClock();
  const surface = page({}, REQUIRED);
  decide(surface.registry, true, () => clock.advance(500_000));
  const late = asks(call("b", GO));
  const { outcome } = await turn([asks(call("a", SET)), late, done], { ...surface, clock });
  assert.equal(outcome.status, "completed");
});

test("time spent before and after a person was waited for is counted together", async () => {
  const clock = fakeClock();
  const moved = async (ms) => void (await clock.advance(ms));
  const surface = page({ goTo: () => moved(90_000), set: () => undefined }, REQUIRED);
  decide(surface.registry, true, () => moved(500_000));
  const script = [asks(call("a", GO)), asks(call("b", SET)), asks(call("c", GO, { n: 1 })), done];
  const { outcome, requests } = await turn(script, { ...surface, clock });
  assert.deepEqual([outcome.status, outcome.error?.code, requests.length], ["error", "RUN_LIMIT_EXCEEDED", 3]);
});

test("a call that is cancelled while it waits for a person never ran: it is answered TOOL_NOT_EXECUTED", async () => {
  let runs = 0;
  const controller = new AbortController();
  const surface = page({ set: () => void runs++ }, REQUIRED);
  surface.registry.confirmations.subscribe(() => controller.abort());
  const { outcome } = await turn([asks(call("a", SET)), done], { ...surface, signal: controller.signal });
  assert.deepEqual([outcome.status, runs], ["cancelled", 0]);
  assert.equal(resultsOf(outcome.messages).a.error.code, "TOOL_NOT_EXECUTED");
});

test("a call that is cancelled while it runs is told so, and answered CANCELLED", async () => {
  const controller = new AbortController();
  const set = () => {
    setTimeout(() => controller.abort(), 5);
    return new Promise(() => undefined);
  };
  const { outcome } = await turn([asks(call("a", SET))], { ...page({ set }), signal: controller.signal });
  assert.equal(outcome.status, "cancelled");
  assert.equal(resultsOf(outcome.messages).a.error.code, "CANCELLED");
});

test("three identical failures stop the turn with RUN_LIMIT_EXCEEDED naming the capability", async () => {
  const script = [1, 2, 3, 4].map((n) => asks(call(`set${n}`, SET, { b: 1, a: 2 }), call(`rows${n}`, ROWS)));
  const { outcome, requests } = await turn(script, page({ set: () => failWithChanges() }));
  assert.deepEqual([outcome.error.code, requests.length], ["RUN_LIMIT_EXCEEDED", 3]);
  assert.match(outcome.error.message, /view:invoices\.set/);
  assert.equal(resultsOf(outcome.messages).rows3.error.code, "TOOL_NOT_EXECUTED");
});

test("the identity of a call is its canonical id and the canonical JSON of its input: order of keys is none", async () => {
  const inputs = [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: 1.0, b: 2 },
  ];
  const script = inputs.map((input, n) => asks(call(`set${n}`, SET, input), call(`rows${n}`, ROWS)));
  const { outcome } = await turn([...script, done], page({ set: () => failWithChanges() }));
  assert.equal(outcome.error?.code, "RUN_LIMIT_EXCEEDED");
  const apart = [1, 2, 3].map((n) => asks(call(`set${n}`, SET, { n }), call(`rows${n}`, ROWS)));
  const other = await turn([...apart, done], page({ set: () => failWithChanges() }));
  assert.equal(other.outcome.status, "completed");
});

test("four failures in a row stop the turn, over both planes in the order of settlement", async () => {
  const s = [1, 2].map((n) => call(`s${n}`, "domain_list", { n }));
  const failed = { error: { code: "X", retry: "yes" } };
  const frames = s.flatMap((one) => [serverCall(one), serverResult(one, false, failed)]);
  const b = [1, 2, 3].map((n) => call(`b${n}`, SET, { n }));
  const end = finish(
    answered(
      s.map((one) => [one, failed]),
      ...b,
    ),
    b,
  );
  const { outcome, requests } = await turn([[started(), ...frames, end], done], page({ set: () => failWithChanges() }));
  assert.deepEqual([outcome.error?.code, requests.length], ["RUN_LIMIT_EXCEEDED", 1]);
  const { b1, b2, b3 } = resultsOf(outcome.messages);
  assert.deepEqual(
    [b1, b2, b3].map(({ error }) => error.code),
    ["PRECONDITION_FAILED", "PRECONDITION_FAILED", "TOOL_NOT_EXECUTED"],
  );
});

test("a success between failures starts the count anew", async () => {
  const order = [SET, SET, SET, ROWS, SET, SET, SET];
  const script = order.map((name, n) => asks(call(`id${n}`, name, name === SET ? { n } : {})));
  const { outcome } = await turn([...script, done], page({ set: () => failWithChanges() }));
  assert.equal(outcome.status, "completed");
});

test("a call repeated after retry no stops the turn; the repeated one was carried out, the next ones are not", async () => {
  const script = [asks(call("a", SET)), asks(call("b", SET), call("c", ROWS)), done];
  const { outcome, requests } = await turn(script, page({ set: () => Promise.reject(new Error("no")) }));
  assert.deepEqual([outcome.error?.code, requests.length], ["RUN_LIMIT_EXCEEDED", 2]);
  assert.equal(resultsOf(outcome.messages).c.error.code, "TOOL_NOT_EXECUTED");
});

test("a verdict on a call of the server's ends the turn at the end of the step, and the browser's calls will not run", async () => {
  let runs = 0;
  const s = [1, 2, 3].map((n) => call(`s${n}`, "domain_list", { same: 1 }));
  const failed = { error: { code: "X", retry: "yes" } };
  const frames = s.flatMap((one) => [serverCall(one), serverResult(one, false, failed)]);
  const b = call("b", SET);
  const script = [
    [
      started(),
      ...frames,
      finish(
        answered(
          s.map((one) => [one, failed]),
          b,
        ),
        [b],
      ),
    ],
    done,
  ];
  const { outcome } = await turn(script, page({ set: () => void runs++ }));
  assert.deepEqual([outcome.error?.code, runs], ["RUN_LIMIT_EXCEEDED", 0]);
  assert.match(outcome.error.message, /domain:list/);
  assert.equal(resultsOf(outcome.messages).b.error.code, "TOOL_NOT_EXECUTED");
});

test("meta mode: the three tools are carried out, and every capability is still declared", async () => {
  const inputs = [];
  const surface = page({ read: () => [7], set: (input) => void inputs.push(input) });
  const script = [
    asks(
      call("d", "surface_discover"),
      call("r", "surface_read", { capabilityId: "view:invoices.rows" }),
      call("a", "surface_act", { capabilityId: "view:invoices.set", input: { n: 1 }, invocationId: "my-own" }),
    ),
    done,
  ];
  const { outcome, requests } = await turn(script, { ...surface, mode: "meta" });
  const { d, r, a } = resultsOf(outcome.messages);
  assert.deepEqual([d.components[0].type, r, a, inputs], ["invoices", [7], { done: true }, [{ n: 1 }]]);
  assert.deepEqual([requests[0].catalog.mode, requests[0].catalog.frontendTools.length], ["meta", 3]);
});

test("meta mode: the identity of a call is the capability that it names, not the tool", async () => {
  const act = (n, name) => call(`a${n}`, "surface_act", { capabilityId: `view:invoices.${name}`, input: { same: 1 } });
  const script = [1, 2, 3].map((n) => asks(act(n, "set"), call(`r${n}`, "surface_discover")));
  const { outcome } = await turn([...script, done], { ...page({ set: () => failWithChanges() }), mode: "meta" });
  assert.equal(outcome.error?.code, "RUN_LIMIT_EXCEEDED");
  assert.match(outcome.error.message, /view:invoices\.set/);
});

test("meta mode: an id of the model's own does not let a call run under the id of another", async () => {
  const ids = [];
  const act = (id) => call(id, "surface_act", { capabilityId: "view:invoices.set", input: {}, invocationId: "same" });
  const surface = page({ set: (_, { invocationId }) => void ids.push(invocationId) });
  await turn([asks(act("x"), act("y")), done], { ...surface, mode: "meta" });
  assert.deepEqual(ids, ["c/t/x", "c/t/y"]);
});

test("meta mode: after a successful navigation the route follows, and a remount before the call is stale", async () => {
  let path = "/a";
  const act = (id, name) => call(id, "surface_act", { capabilityId: `view:invoices.${name}`, input: {} });
  const surface = page({
    goTo: () => void (path = "/b"),
    set: () => {
      surface.handle.unregister();
      surface.registry.register(surface.definition);
    },
  });
  const script = [asks(act("x", "goTo"), act("y", "set"), act("z", "set")), done];
  const { outcome, requests } = await turn(script, { ...surface, mode: "meta", pathname: () => path });
  assert.deepEqual(
    requests.map(({ pathname }) => pathname),
    ["/a", "/b"],
  );
  assert.equal(resultsOf(outcome.messages).z.error.code, "STALE_CAPABILITY");
});

test("a call that cannot be undone is stale when the surface has moved since it was shown", async () => {
  const { registry, handle } = page();
  registry.setProcedureExecutor({ execute: () => ({ deleted: true }) });
  const contract = viewcap.defineAgentProcedureContract({
    ...{ id: "domain:invoices.delete", description: "Deletes them.", effect: "destructive", confirmation: "optional" },
    input: schema({ type: "object" }),
  });
  registry.registerProcedure(contract, { path: "invoices.delete" });
  const remove = call("a", "domain_invoices__delete");
  const dispatched = () => dispatchToolCall(registry, projection, remove, { consumer });
  const projection = projectStep(registry, { consumer });
  assert.deepEqual((await dispatched()).value, { deleted: true });
  handle.invalidate();
  assert.equal((await dispatched()).value.error.details.reason, "surface-version-mismatch");
  registry.dispose();
});

test("dispatchToolCall gives value and result; two-phase tells that a person is needed instead of waiting", async () => {
  const { registry } = page({ read: () => [1] }, REQUIRED);
  const projection = projectStep(registry, { consumer });
  const read = await dispatchToolCall(registry, projection, call("a", ROWS), { consumer });
  assert.deepEqual([read.ok, read.value, read.result.status], [true, [1], "ok"]);
  assert.match(read.result.invocationId, /^inv_/);
  const options = { consumer, confirmations: "two-phase" };
  const asked = await dispatchToolCall(registry, projection, call("b", SET), options);
  assert.deepEqual([asked.ok, asked.value.error.code], [false, "CONFIRMATION_REQUIRED"]);
  registry.dispose();
  const gone = await dispatchToolCall(registry, projection, call("c", ROWS), { consumer });
  assert.deepEqual([gone.ok, gone.value.error.code], [false, "EXECUTION_FAILED"]);
  await assert.rejects(dispatchToolCall({}, projection, call("d", ROWS), { consumer }), /needs a registry/);
  await assert.rejects(dispatchToolCall(registry, projection, call("d", ROWS), {}), { code: "INVALID_DEFINITION" });
});

function failWithChanges() {
  throw new viewcap.AgentSurfaceError({ code: "PRECONDITION_FAILED", message: "No.", retry: "with-changes" });
}
