// What becomes of a step whose reader leaves, is slow, or is told what the audit heard (spec: host-protocol.md, "Frames").

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  call,
  deferred,
  exchange,
  host,
  invoicesRuntime,
  modelOf,
  plays,
  serve,
  stepOf,
  viewTool,
} from "./host_support.mjs";

const LIST = "domain_list-invoices";

test("a reader that went away does not stop the step: it is finished and recorded", async (t) => {
  const [left, gate] = [deferred(), deferred()];
  const model = modelOf(async function* (_request, count) {
    if (count === 1) {
      yield { type: "text", text: "Paying." };
      await gate.promise;
      yield { type: "tool-call", toolCallId: "a", toolName: "domain_mark-paid", input: { id: "i-1" } };
      yield { type: "finish", reason: "tool-calls", usage: { inputTokens: 3, outputTokens: 4 } };
    } else yield { type: "finish", reason: "stop" };
  });
  const { post, handler, effects, events } = await serve(t, {
    model,
    audit: (event) => {
      events.push(event);
      if (event.type === "step.reader-left") left.resolve();
    },
  }).then((one) => ({ ...one, events: one.events }));
  const partial = await post(stepOf(), { leave: (text) => text.includes("Paying.") });
  assert.equal(partial.finish, undefined);
  await left.promise;
  gate.resolve();
  await handler.idle();
  assert.deepEqual(
    effects.map(({ name, at }) => [name, at]),
    [
      ["mark-paid", "start"],
      ["mark-paid", "end"],
    ],
  );
  assert.equal(model.asked.length, 2, "the model heard the result");
  const finished = events.find(({ type }) => type === "step.finished");
  assert.deepEqual(finished.data, {
    finishReason: "stop",
    pending: [],
    usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7, reportedSteps: 1 },
  });
  assert.deepEqual(
    [finished.actor, finished.conversationId, finished.turnId, finished.stepIndex],
    [{ id: "ana", kind: "user" }, "c1", "t1", 0],
  );
});

test("a step that goes on without its reader is still in progress: the same step again is 409", async (t) => {
  const gate = deferred();
  const model = modelOf(async function* () {
    yield { type: "text", text: "Hm." };
    await gate.promise;
  });
  const { post, handler } = await serve(t, { model });
  await post(stepOf(), { leave: (text) => text.includes("Hm.") });
  assert.equal((await post(stepOf())).status, 409);
  gate.resolve();
  await handler.idle();
  assert.equal((await post(stepOf())).status, 200);
});

test("usage is what the provider reported, summed over the model steps of the request, and the parts are never added", async (t) => {
  const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 };
  const script = plays(
    { calls: [call(LIST)], usage },
    { calls: [call(LIST)] },
    { text: "x", usage: { inputTokens: 1, outputTokens: 1 } },
  );
  const { post } = await serve(t, { script });
  const expected = {
    inputTokens: 11,
    outputTokens: 6,
    totalTokens: 17,
    reportedSteps: 2,
    cachedInputTokens: 4,
    reasoningTokens: 2,
  };
  assert.deepEqual((await post(stepOf())).finish.usage, expected);
});

test("usage is absent when the provider reported nothing, or half of it: never a zero that nobody measured", async (t) => {
  for (const usage of [
    undefined,
    {},
    { inputTokens: 5 },
    { inputTokens: 5, outputTokens: NaN },
    { inputTokens: -1, outputTokens: 2 },
  ]) {
    const { post } = await serve(t, { script: plays({ text: "x", usage }) });
    assert.ok(!("usage" in (await post(stepOf())).finish), JSON.stringify(usage));
  }
  const { post } = await serve(t, { script: plays({ text: "x", usage: { inputTokens: 0, outputTokens: 0 } }) });
  assert.deepEqual((await post(stepOf())).finish.usage, {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    reportedSteps: 1,
  });
});

test("every report of the catalog leaves as an inspector frame of lane host, and is in the audit", async (t) => {
  const colliding = viewTool("domain:list-invoices", { wireName: "domain_other-name" });
  const unadmitted = viewTool("domain:update-status");
  const { post, events } = await serve(t, { script: plays({ text: "x" }) });
  const catalog = { frontendTools: [colliding, unadmitted], truncated: { dropped: 7, reason: "budget" } };
  const answer = await post(stepOf({ catalog }));
  const news = answer.of("inspector").map(({ lane, eventType, data }) => [lane, eventType, data.canonicalId]);
  const expected = [
    ["host", "catalog.collision", "domain:list-invoices"],
    ["host", "catalog.not-admitted", "domain:update-status"],
    ["host", "catalog.truncated", ""],
  ];
  assert.deepEqual(news, expected);
  const reports = events.filter(({ type }) => type === "catalog.report");
  assert.deepEqual(
    reports.map(({ data }) => data.eventType),
    expected.map(([, type]) => type),
  );
  assert.ok(answer.types.indexOf("inspector") > answer.types.indexOf("step-start"));
});

test("with an audit feed the page hears of its own calls in lane domain: ids and times, nothing of what was concealed", async (t) => {
  const feed = host.createAuditFeed();
  const runtime = invoicesRuntime({ options: { sinks: [feed] } });
  const script = plays({ calls: [call(LIST), call("domain_broken")] }, {});
  const { post } = await serve(t, { script, runtime, auditFeed: feed });
  const other = runtime.invoke("list-invoices", {}, { actor: { id: "x", kind: "user" }, correlationId: "elsewhere" });
  const answer = await post(stepOf());
  await other;
  const news = answer.of("inspector").filter(({ lane }) => lane === "domain");
  const types = news.map(({ eventType, data }) => `${eventType} ${data.capabilityId}`).toSorted();
  assert.deepEqual(types, [
    "capability.completed list-invoices",
    "capability.failed broken",
    "capability.requested broken",
    "capability.requested list-invoices",
    "capability.started broken",
    "capability.started list-invoices",
  ]);
  const allowed = ["capabilityId", "executionId", "attempt", "attempts", "durationMs", "approvalId", "expiresAt"];
  for (const { data } of news)
    assert.deepEqual(
      Object.keys(data).filter((key) => !allowed.includes(key)),
      [],
    );
});

test("audit entries that a slow reader missed are counted, and told in the stream and in the audit; the history is whole", async (t) => {
  const feed = host.createAuditFeed();
  const runtime = invoicesRuntime({ options: { sinks: [feed] } });
  const calls = Array.from({ length: 200 }, (_, at) => call(LIST, {}, `c${String(at)}`));
  const { handler, events } = await serve(t, { script: plays({ calls }, { text: "Done." }), runtime, auditFeed: feed });
  const headers = { "content-type": "application/json", cookie: "sid=cookie-ana" };
  const request = new Request("http://localhost/agent/step", {
    method: "POST",
    headers,
    body: JSON.stringify(stepOf()),
  });
  const response = await handler(request);
  await handler.idle();
  const frames = (await response.text())
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const missed = frames.find(({ eventType }) => eventType === "audit.missed");
  const told = frames.filter(({ lane }) => lane === "domain").length;
  assert.equal(told + missed.data.count, 600);
  assert.deepEqual(
    events.filter(({ type }) => type === "audit.missed").map(({ data }) => data.count),
    [missed.data.count],
  );
  assert.equal(frames.filter(({ type }) => type === "tool-result").length, 200);
  assert.equal(frames.at(-1).type, "step-finish");
});

test("a step-finish that would be over the frame limit is an error frame, and the response ends", async (t) => {
  const model = modelOf(async function* () {
    for (let at = 0; at < 3; at++) yield { type: "text", text: "x".repeat(400_000) };
  });
  const { post } = await serve(t, { model });
  const answer = await post(stepOf());
  assert.equal(answer.finish, undefined);
  assert.equal(answer.error.code, "RUN_LIMIT_EXCEEDED");
  assert.ok(answer.text.split("\n").every((line) => Buffer.byteLength(line) <= 1_048_576));
});

test("a surrogate pair that the model splits over two pieces arrives whole, and half a pair is replaced", async (t) => {
  const model = modelOf(async function* () {
    yield { type: "text", text: "a\ud83d" };
    yield { type: "text", text: "\ude00b" };
    yield { type: "reasoning", text: "c\ud83d" };
  });
  const { post } = await serve(t, { model });
  const { of, finish } = await post(stepOf());
  assert.equal(
    of("text-delta")
      .map(({ text }) => text)
      .join(""),
    "a\u{1f600}b",
  );
  assert.equal(
    of("reasoning-delta")
      .map(({ text }) => text)
      .join(""),
    "c\ufffd",
  );
  assert.deepEqual(
    finish.responseMessages[0].content.map(({ text }) => text),
    ["a\u{1f600}b", "c\ufffd"],
  );
});

test("the state of the page's capabilities is one message behind the conversation, in each model step, and never in the history", async (t) => {
  const filters = viewTool();
  const model = modelOf(async function* (_request, count) {
    if (count === 1) yield { type: "tool-call", toolCallId: "a", toolName: LIST, input: {} };
    else yield { type: "text", text: "x" };
  });
  const { post } = await serve(t, { model });
  const frontendState = [{ wireName: filters.wireName, available: false, unavailableReason: "Open the table first" }];
  const answer = await post(stepOf({ catalog: { frontendTools: [filters], frontendState } }));
  const state = {
    role: "user",
    content: `Capability state (this step):\n- ${filters.wireName}: unavailable (Open the table first)`,
  };
  assert.deepEqual(
    model.asked.map(({ messages }) => messages.at(-1)),
    [state, state],
  );
  assert.deepEqual(
    model.asked[1].messages.map(({ role }) => role),
    ["user", "assistant", "tool", "user"],
  );
  assert.doesNotMatch(JSON.stringify(answer.finish), /Capability state/);
  await post(stepOf({ catalog: { frontendTools: [filters] } }));
  assert.equal(model.asked[2].messages.length, 1, "nothing to say, no message");
});

test("the tools of two steps with the same mounts are the same bytes, whatever their state", async (t) => {
  const model = modelOf(async function* () {
    yield { type: "text", text: "x" };
  });
  const { post } = await serve(t, { model });
  const filters = viewTool();
  const off = { ...filters, available: false, unavailableReason: "Not now" };
  await post(stepOf({ catalog: { frontendTools: [filters] } }));
  await post(
    stepOf({
      catalog: { frontendTools: [off], frontendState: [{ wireName: off.wireName, available: true, note: "n" }] },
    }),
  );
  const [one, two] = model.asked.map(({ tools }) => JSON.stringify(tools));
  assert.equal(one, two);
  assert.equal(model.asked[0].tools.at(-1).name, filters.wireName, "frontend after domain");
});

test("the system prompt is the server's, made for this step", async (t) => {
  const model = modelOf(async function* () {
    yield { type: "text", text: "x" };
  });
  const { post } = await serve(t, {
    model,
    system: ({ session, pathname }) => `For ${session.actor.id} at ${pathname}.`,
  });
  await post(stepOf());
  assert.equal(model.asked[0].system, "For ana at /invoices.");
});

test("in meta mode three tools stand for the page's, and a call's identity is the capability that it names", async (t) => {
  const act = { capabilityId: "view:invoices.pending.setFilters", input: {} };
  const script = plays({ calls: [call("surface_discover"), call("surface_act", act), call(LIST)] }, {});
  const { post } = await serve(t, { script });
  const answer = await post(stepOf({ catalog: { mode: "meta", frontendTools: [viewTool()] } }));
  assert.equal(answer.frames[0].catalogMode, "meta");
  const told = answer.finish.pendingToolCalls.map(({ wireName, canonicalId }) => [wireName, canonicalId]);
  assert.deepEqual(told, [
    ["surface_discover", "surface_discover"],
    ["surface_act", act.capabilityId],
  ]);
  assert.equal(answer.of("tool-result")[0].canonicalId, "domain:list-invoices", "domain tools stay");
});

test("the floor of the scope is the server's, by path: a request narrows it and never widens it, on both planes", async (t) => {
  const model = modelOf(async function* () {
    yield { type: "text", text: "x" };
  });
  const { post } = await serve(t, { model, scopeFor: (pathname) => (pathname === "/invoices" ? ["invoices"] : []) });
  const frontendTools = [viewTool(), viewTool("view:clients.list.sort")];
  const offered = async (fields, scope) => {
    const answer = await post(
      stepOf({ ...fields, catalog: { frontendTools, ...(scope === undefined ? {} : { scope }) } }),
    );
    return [answer.frames[0].scope, model.asked.at(-1).tools.map(({ name }) => name)];
  };
  const floor = [["invoices"], [LIST, frontendTools[0].wireName]];
  assert.deepEqual(await offered({}), floor, "an untagged domain tool matches no scope");
  assert.deepEqual(await offered({}, ["clients"]), floor, "nothing kept: the floor");
  assert.deepEqual(await offered({}, ["invoices.pending"]), [["invoices.pending"], [frontendTools[0].wireName]]);
  const [scope, names] = await offered({ pathname: "/" });
  assert.deepEqual([scope, names.length], [[], 9]);
});

test("a listing that is not done in time refuses the step, and offers no half of it", async (t) => {
  const { CapabilityError } = await import("../../js_glue/dist/domain/index.js");
  const runtime = invoicesRuntime();
  const slow = {
    governance: runtime.governance,
    registry: runtime.registry,
    approvals: runtime.approvals,
    invoke: (...given) => runtime.invoke(...given),
    resume: (...given) => runtime.resume(...given),
    describe: () => Promise.reject(new CapabilityError({ code: "TIMEOUT" })),
  };
  const { post } = await serve(t, { script: plays({ text: "x" }), runtime: slow });
  const { status, body } = await post(stepOf());
  assert.deepEqual([status, body.error.code], [500, "HOST_ERROR"]);
  assert.match(body.error.message, /in time/);
});

test("a recorder of the audit that throws or rejects changes nothing, and is reported", async (t) => {
  for (const audit of [() => Promise.reject(new Error("full")), () => assert.fail("full")]) {
    const { post, errors } = await serve(t, { script: plays({ text: "x" }), audit });
    assert.equal((await post(stepOf())).finish.finishReason, "stop");
    assert.ok(errors.length >= 2 && errors.every(({ where }) => where === "audit"));
  }
  assert.ok(exchange);
});
