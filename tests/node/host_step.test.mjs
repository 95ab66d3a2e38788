// One step: the model is asked, server tools run, browser tools wait (spec: host-protocol.md, "Frames").

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { ANALYST, call, deferred, modelOf, plays, resultsIn, serve, stepOf, user, viewTool } from "./host_support.mjs";

const FILTERS = viewTool();
const LIST = "domain_list-invoices";

test("a step streams its start, its text and its finish, and the finish holds the assistant's message", async (t) => {
  const { post } = await serve(t, { script: plays({ reasoning: "Let me see.", text: "Good day to you." }) });
  const answer = await post(stepOf());
  assert.equal(answer.status, 200);
  const deltas = (type) =>
    answer
      .of(type)
      .map(({ text }) => text)
      .join("");
  assert.equal(deltas("text-delta"), "Good day to you.");
  assert.equal(deltas("reasoning-delta"), "Let me see.");
  assert.ok(answer.of("text-delta").length > 1, "text is streamed in pieces");
  const [start] = answer.frames;
  assert.deepEqual(
    [start.type, start.turnId, start.conversationId, start.catalogMode],
    ["step-start", "t1", "c1", "direct"],
  );
  assert.equal(answer.types.at(-1), "step-finish");
  assert.equal(answer.finish.stepId, start.stepId);
  assert.equal(answer.finish.finishReason, "stop");
  assert.deepEqual(answer.finish.responseMessages, [
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Let me see." },
        { type: "text", text: "Good day to you." },
      ],
    },
  ]);
  assert.deepEqual(answer.finish.pendingToolCalls, []);
});

test("step-start carries the domain tools of this actor, as the catalog has them", async (t) => {
  const { post } = await serve(t, { script: plays({ text: "Hm." }) });
  const names = async (cookie) =>
    (await post(stepOf(), { cookie })).frames[0].domainTools.map(({ wireName }) => wireName);
  assert.ok((await names("cookie-max")).includes("domain_issue-invoice"));
  assert.ok(!(await names("cookie-ana")).includes("domain_issue-invoice"), "hidden from an analyst");
  assert.ok(!(await names("cookie-max")).includes("domain_internal-only"), "not exposed to models");
  const { domainTools } = (await post(stepOf())).frames[0];
  const gated = domainTools.find(({ wireName }) => wireName === "domain_delete-invoice");
  assert.equal(gated.canonicalId, "domain:delete-invoice");
  assert.equal(gated.requiresApproval, true);
  assert.equal(gated.sideEffect, "destructive");
});

test("a server tool runs through the runtime, its result goes to the stream and to the model, and the model is asked again", async (t) => {
  const seen = [];
  const script = plays({ calls: [call(LIST, { status: "open" })] }, (view) => {
    seen.push(view.lastResult(LIST));
    return { text: "One invoice." };
  });
  const { post, effects, audit } = await serve(t, { script });
  const answer = await post(stepOf());
  assert.deepEqual(
    effects.map(({ name, actor, at }) => [name, actor, at]),
    [
      ["list-invoices", "ana", "start"],
      ["list-invoices", "ana", "end"],
    ],
  );
  const envelope = { status: "ok", data: [{ id: "i-1", total: 10 }] };
  const ids = { toolCallId: "call_1_1", wireName: LIST, canonicalId: "domain:list-invoices" };
  assert.deepEqual(answer.of("tool-call"), [
    { type: "tool-call", ...ids, executor: "server", input: { status: "open" } },
  ]);
  assert.deepEqual(answer.of("tool-result"), [{ type: "tool-result", ...ids, ok: true, result: envelope }]);
  assert.deepEqual(seen, [envelope]);
  assert.deepEqual(
    answer.finish.responseMessages.map(({ role }) => role),
    ["assistant", "tool", "assistant"],
  );
  assert.deepEqual(resultsIn(answer.finish.responseMessages), [envelope]);
  const completed = audit.find(({ type }) => type === "capability.completed");
  assert.equal(completed.surface, "aiSdk");
  assert.equal(completed.correlationId, answer.finish.stepId);
});

test("a step that ends at a browser call is suspended: the call is pending, and nothing here could run it", async (t) => {
  const script = plays({ calls: [call(LIST), call(FILTERS.wireName, { status: "open" })] }, { text: "never" });
  const { post, effects } = await serve(t, { script });
  const answer = await post(stepOf({ catalog: { frontendTools: [FILTERS] } }));
  const ids = { toolCallId: "call_1_2", wireName: FILTERS.wireName, canonicalId: FILTERS.canonicalId };
  assert.equal(answer.finish.finishReason, "tool-calls");
  assert.deepEqual(answer.finish.pendingToolCalls, [{ ...ids, input: { status: "open" } }]);
  assert.deepEqual(answer.of("tool-call")[1], {
    type: "tool-call",
    ...ids,
    executor: "browser",
    input: { status: "open" },
  });
  assert.deepEqual(
    answer.of("tool-result").map(({ wireName }) => wireName),
    [LIST],
    "the server's own call is answered",
  );
  assert.deepEqual(
    answer.finish.responseMessages.map(({ role, content }) => [role, content.length]),
    [
      ["assistant", 2],
      ["tool", 1],
    ],
  );
  assert.deepEqual(
    effects.map(({ name }) => name),
    ["list-invoices", "list-invoices"],
  );
});

test("the next request goes on from the messages alone: any instance can serve it", async (t) => {
  const script = plays({ calls: [call(FILTERS.wireName)] }, ({ lastResult }) => ({
    text: `Set: ${lastResult(FILTERS.wireName).done}`,
  }));
  const [one, two] = [await serve(t, { script }), await serve(t, { script })];
  const catalog = { frontendTools: [FILTERS] };
  const first = await one.post(stepOf({ catalog }));
  const [pending] = first.finish.pendingToolCalls;
  const result = {
    type: "tool-result",
    toolCallId: pending.toolCallId,
    toolName: pending.wireName,
    output: { type: "json", value: { done: true } },
  };
  const messages = [user(), ...first.finish.responseMessages, { role: "tool", content: [result] }];
  const second = await two.post(stepOf({ stepIndex: 1, messages, catalog }));
  assert.equal(
    second
      .of("text-delta")
      .map(({ text }) => text)
      .join(""),
    "Set: true",
  );
  assert.equal(second.finish.finishReason, "stop");
});

test("a name in neither plane is answered NO_SUCH_TOOL with retry no, reported, and never announced", async (t) => {
  const seen = [];
  const script = plays({ calls: [call("domain_drop tables!", { a: 1 })] }, ({ results }) => {
    seen.push(...results);
    return { text: "Sorry." };
  });
  const { post, effects } = await serve(t, { script });
  const answer = await post(stepOf());
  assert.deepEqual([answer.of("tool-call"), answer.of("tool-result"), effects], [[], [], []]);
  const news = answer.of("inspector").find(({ eventType }) => eventType === "NO_SUCH_TOOL");
  assert.deepEqual([news.lane, news.data.toolCallId], ["host", "call_1_1"]);
  assert.equal(seen.length, 1);
  assert.deepEqual([seen[0].value.error.code, seen[0].value.error.retry], ["NO_SUCH_TOOL", "no"]);
  assert.equal(seen[0].tool, "domain_drop_tables_", "a made-up name comes back in the alphabet of names");
  assert.equal(answer.finish.finishReason, "stop");
});

test("what fails in a handler reaches stream and model as the outward error, without its text", async (t) => {
  const { post } = await serve(t, { script: plays({ calls: [call("domain_broken")] }, { text: "It failed." }) });
  const answer = await post(stepOf());
  const [result] = answer.of("tool-result");
  assert.equal(result.ok, false);
  const error = { code: "INTERNAL_ERROR", message: "The operation failed.", retryable: false };
  assert.deepEqual(result.result, { status: "error", error });
  assert.doesNotMatch(answer.text, /hunter2|10\.0\.0\.7|s3cret/);
});

test("bad arguments go to the runtime as they are, which says INPUT_INVALID and where", async (t) => {
  const { post, effects } = await serve(t, {
    script: plays({ calls: [call("domain_mark-paid", "{broken json")] }, {}),
  });
  const [{ ok, result }] = (await post(stepOf())).of("tool-result");
  assert.deepEqual([ok, result.status, result.error.code], [false, "error", "INPUT_INVALID"]);
  assert.ok(result.error.details.issues.length > 0);
  assert.deepEqual(effects, []);
});

test("a tool result over 32 KiB is OUTPUT_TOO_LARGE, to the stream and to the model alike", async (t) => {
  const { post } = await serve(t, { script: plays({ calls: [call("domain_big-report")] }, { text: "Too much." }) });
  const answer = await post(stepOf());
  const [{ ok, result }] = answer.of("tool-result");
  assert.deepEqual([ok, result.error.code, result.error.retry], [false, "OUTPUT_TOO_LARGE", "with-changes"]);
  assert.deepEqual(resultsIn(answer.finish.responseMessages), [result]);
});

test("an output that is no JSON is an error of a call that ran, and one that is nothing is null", async (t) => {
  const { post, effects } = await serve(t, {
    script: plays({ calls: [call("domain_odd"), call("domain_nothing")] }, {}),
  });
  const results = (await post(stepOf())).of("tool-result");
  assert.deepEqual([results[0].ok, results[0].result.error.code], [false, "INTERNAL_ERROR"]);
  assert.deepEqual(results[1].result, { status: "ok", data: null });
  assert.deepEqual(
    effects.filter(({ at }) => at === "end").map(({ name }) => name),
    ["odd", "nothing"],
  );
});

test("reads of one step run together, a write alone and in its place; every call has exactly one result", async (t) => {
  const [both, third] = [deferred(), deferred()];
  let started = 0;
  const together = async () => {
    if (++started === 2) both.resolve();
    await both.promise;
  };
  const delays = { "list-invoices": together, nothing: together, "mark-paid": () => third.promise };
  const calls = [call(LIST), call("domain_nothing"), call("domain_mark-paid", { id: "i-1" }), call(LIST)];
  const { post, effects } = await serve(t, { script: plays({ calls }, {}), delays });
  const answering = post(stepOf());
  while (!effects.some(({ name }) => name === "mark-paid")) await new Promise((done) => setTimeout(done, 2));
  await new Promise((done) => setTimeout(done, 20));
  const order = () => effects.map(({ name, at }) => `${name} ${at}`);
  assert.deepEqual(order().slice(0, 2).toSorted(), ["list-invoices start", "nothing start"], "neither read waited");
  assert.deepEqual(order().slice(2, 4).toSorted(), ["list-invoices end", "nothing end"]);
  assert.deepEqual(order().slice(4), ["mark-paid start"], "nothing runs beside the write");
  third.resolve();
  const answer = await answering;
  assert.deepEqual(order().slice(5), ["mark-paid end", "list-invoices start", "list-invoices end"]);
  const ids = answer.of("tool-result").map(({ toolCallId }) => toolCallId);
  assert.deepEqual(
    ids.toSorted(),
    answer.of("tool-call").map(({ toolCallId }) => toolCallId),
  );
  assert.ok(answer.of("tool-result").every(({ ok }) => ok));
});

test("the idempotency key is SHA-256 of session, conversation, turn and call: the same for a redelivered call, another for any other", async (t) => {
  const script = plays({ calls: [call("domain_mark-paid", { id: "i-1" }, "x")] }, {});
  const { post, effects } = await serve(t, { script });
  await post(stepOf());
  await post(stepOf());
  await post(stepOf({ turnId: "t2" }));
  await post(stepOf({ conversationId: "c2" }));
  await post(stepOf(), { cookie: "cookie-max" });
  const keys = effects.filter(({ at }) => at === "end").map(({ key }) => key);
  for (const key of keys) assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(keys[0], keys[1]);
  const parts = JSON.stringify(["cookie-ana", "c1", "t1", "x"]);
  assert.equal(keys[0], createHash("sha256").update(parts).digest("hex"));
  assert.equal(new Set(keys).size, 4);
});

test("a toolCallId that the model uses again within a turn is suffixed; in another turn it stays", async (t) => {
  const script = plays(
    { calls: [call(LIST, {}, "x"), call(LIST, {}, "x")] },
    { calls: [call("domain_mark-paid", { id: "1" }, "x")] },
    {},
  );
  const { post, effects } = await serve(t, { script });
  const first = await post(stepOf());
  assert.deepEqual(
    first.of("tool-call").map(({ toolCallId }) => toolCallId),
    ["x", "x_2", "x_3"],
  );
  assert.equal(new Set(effects.map(({ key }) => key)).size, 3);
  const messages = [user(), ...first.finish.responseMessages, user("again")];
  const second = await post(stepOf({ turnId: "t2", messages }));
  assert.deepEqual(
    second.of("tool-call").map(({ toolCallId }) => toolCallId),
    ["x", "x_2", "x_3"],
  );
  const within = await post(
    stepOf({
      stepIndex: 1,
      messages: messages.slice(0, 2).concat({ role: "tool", content: first.finish.responseMessages[1].content }),
    }),
  );
  assert.equal(within.of("tool-call")[0].toolCallId, "x_3", "what earlier steps of the turn used counts, too");
});

test("five model steps a request: the sixth is RUN_LIMIT_EXCEEDED, and calls that nobody would hear of are not run", async (t) => {
  const again = { calls: [call(LIST)] };
  const { post, effects } = await serve(t, { script: plays(again, again, again, again, again, again) });
  const answer = await post(stepOf());
  assert.equal(answer.error.code, "RUN_LIMIT_EXCEEDED");
  assert.equal(effects.filter(({ at }) => at === "end").length, 4);
  const results = answer.of("tool-result");
  assert.equal(results.length, 5);
  assert.deepEqual(
    [results[4].ok, results[4].result.error.code, results[4].result.error.retry],
    [false, "TOOL_NOT_EXECUTED", "yes"],
  );
  assert.deepEqual(answer.finish.finishReason, "error");
  assert.equal(resultsIn(answer.finish.responseMessages).length, 5, "the history is whole");
});

test("a model that fails in mid-step: MODEL_ERROR without its text, and the calls that it announced are answered TOOL_NOT_EXECUTED", async (t) => {
  const model = modelOf(async function* () {
    yield { type: "text", text: "I will " };
    yield { type: "tool-call", toolCallId: "a", toolName: LIST, input: {} };
    yield { type: "tool-call", toolCallId: "b", toolName: FILTERS.wireName, input: {} };
    throw new Error("401 from https://api.provider.example/v1 with key sk-secret");
  });
  const { post, effects, errors } = await serve(t, { model });
  const answer = await post(stepOf({ catalog: { frontendTools: [FILTERS] } }));
  assert.deepEqual(answer.error, { code: "MODEL_ERROR", message: "The model could not answer." });
  assert.deepEqual(
    answer.of("tool-result").map(({ toolCallId, result }) => [toolCallId, result.error.code]),
    [["a", "TOOL_NOT_EXECUTED"]],
  );
  assert.deepEqual(answer.finish.pendingToolCalls, [], "nothing is left to carry out");
  assert.deepEqual(
    resultsIn(answer.finish.responseMessages).map(({ error }) => error.code),
    ["TOOL_NOT_EXECUTED", "TOOL_NOT_EXECUTED"],
  );
  assert.deepEqual(effects, []);
  assert.doesNotMatch(answer.text, /sk-secret|provider\.example/);
  assert.match(errors[0].error.message, /sk-secret/, "the operator hears it");
});

test("silence of the model is MODEL_TIMEOUT: its signal aborts, and what it says later is nobody's", async (t) => {
  const late = deferred();
  const model = modelOf(async function* ({ signal }) {
    yield { type: "text", text: "Well" };
    await new Promise((done) => signal.addEventListener("abort", done));
    yield { type: "tool-call", toolCallId: "late", toolName: "domain_mark-paid", input: { id: "1" } };
    late.resolve();
  });
  const { post, effects } = await serve(t, { model, limits: { silenceMs: 30 } });
  const answer = await post(stepOf());
  assert.equal(answer.error.code, "MODEL_TIMEOUT");
  assert.deepEqual(answer.finish.responseMessages, [{ role: "assistant", content: [{ type: "text", text: "Well" }] }]);
  await Promise.race([late.promise, new Promise((done) => setTimeout(done, 30))]);
  assert.deepEqual(effects, []);
});

test("silence is counted from the last that was heard: a slow model that goes on is none", async (t) => {
  const model = modelOf(async function* () {
    for (let at = 0; at < 6; at++) {
      await new Promise((done) => setTimeout(done, 30));
      yield { type: "text", text: "." };
    }
  });
  const { post } = await serve(t, { model, limits: { silenceMs: 120 } });
  const answer = await post(stepOf());
  assert.deepEqual([answer.error, answer.of("text-delta").length], [undefined, 6]);
});

test("a model that talks without end is stopped when the step is over time", async (t) => {
  const model = modelOf(async function* () {
    for (;;) {
      await new Promise((done) => setTimeout(done, 5));
      yield { type: "text", text: "and " };
    }
  });
  const { post } = await serve(t, { model, limits: { silenceMs: 1000, stepMs: 60 } });
  assert.equal((await post(stepOf())).error.code, "RUN_LIMIT_EXCEEDED");
});

test("the actor, and the context that is made for it, are the session's; nothing of them leaves", async (t) => {
  const script = plays({ calls: [call(LIST)] }, {});
  const { post, effects } = await serve(t, { script, contextFor: (actor) => ({ tenant: `tenant of ${actor.id}` }) });
  const answer = await post(stepOf());
  assert.equal(effects[0].context.tenant, "tenant of ana");
  assert.deepEqual(effects[0].context.agent.actor, ANALYST);
  assert.doesNotMatch(answer.text, /tenant of|s3cret/);
});
