// The AI SDK adapter with the AI SDK itself (spec: domain.md §13.1).
import assert from "node:assert/strict";
import { test } from "node:test";
import { asSchema, generateText, stepCountIs, streamText } from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { toAISDKTools } from "viewcap/ai-sdk";
import { ann, bob, context, domain, governed, named, SECRET, stalls } from "./fixtures/governed.mjs";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const call = (toolName, input, toolCallId = "c1") => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});
const step = (...content) => {
  const finishReason = { unified: content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop" };
  return { content, finishReason, usage, warnings: [] };
};
const said = (text) => step({ type: "text", text });
const resultsIn = (modelCall) =>
  modelCall.prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content.map(({ output }) => output));
const run = (tools, name, input, options = {}) =>
  tools[name].execute(input, { toolCallId: "c1", messages: [], ...options });

test("the AI SDK's own loop calls a governed tool with the model's input and hands the envelope to the next step", async () => {
  const { runtime, seen } = governed();
  const tools = await toAISDKTools(runtime, { actor: ann, context });
  const model = new MockLanguageModelV3({
    doGenerate: [
      step(call("ledger_show", { ledger: "2024" }), call("ledger_close", { ledger: "2024" }, "c2")),
      step(call("ledger_show", { ledger: 2024 }, "c3")),
      said("done"),
    ],
  });
  const { text, steps } = await generateText({ model, tools, prompt: "go", stopWhen: stepCountIs(5) });
  assert.equal(text, "done");
  assert.equal(steps.length, 3);
  const [shown, gated, refused] = resultsIn(model.doGenerateCalls[2]);
  assert.deepEqual(shown, { type: "json", value: { status: "ok", data: { rows: [1] } } });
  assert.equal(gated.value.status, "approval-required");
  assert.equal(refused.value.error.code, "INPUT_INVALID");
  assert.deepEqual(seen.map(({ input }) => input), [{ ledger: "2024", page: 1 }]); // prettier-ignore
  assert.equal(seen[0].context.agent.surface, "aiSdk");
  assert.equal(seen[0].context.agent.actor.id, "ann");
  assert.equal(seen[0].context.tenant, "acme");
});

test("the AI SDK offers the model the JSON Schema and the description as they were listed", async () => {
  const { runtime } = governed();
  const tools = await toAISDKTools(runtime, { actor: ann });
  const model = new MockLanguageModelV3({ doGenerate: [said("nothing")] });
  await generateText({ model, tools, prompt: "go" });
  const offered = new Map(model.doGenerateCalls[0].tools.map((tool) => [tool.name, tool]));
  const [descriptor] = await runtime.describe("aiSdk", { actor: ann, scope: { ids: ["ledger.show"] } });
  assert.deepEqual(offered.get("ledger_show").inputSchema, descriptor.inputSchema);
  assert.equal(offered.get("ledger_show").description, "Shows a ledger.");
  assert.equal(offered.get("ledger_close").description, "Closes a ledger. Requires approval.");
  assert.deepEqual(offered.get("rename-it").inputSchema, { type: "object" });
  assert.equal(asSchema(tools.ledger_show.inputSchema), tools.ledger_show.inputSchema);
  for (const tool of Object.values(tools)) {
    assert.deepEqual(Object.keys(tool).sort(), ["description", "execute", "inputSchema"]);
  }
});

test("streamText streams the same envelopes, and a step that follows sees them", async () => {
  const { runtime } = governed();
  const tools = await toAISDKTools(runtime, { actor: ann });
  const streamed = (...parts) => ({ stream: simulateReadableStream({ chunks: parts }) });
  const finish = (unified) => ({ type: "finish", finishReason: { unified }, usage });
  const model = new MockLanguageModelV3({
    doStream: [
      streamed(call("rename-it", {}), finish("tool-calls")),
      streamed(
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "done" },
        { type: "text-end", id: "t" },
        finish("stop"),
      ),
    ],
  });
  const result = streamText({ model, tools, prompt: "go", stopWhen: stepCountIs(3) });
  const results = [];
  for await (const part of result.fullStream) if (part.type === "tool-result") results.push(part.output);
  assert.deepEqual(results, [{ status: "ok", data: "renamed" }]);
  assert.equal(await result.text, "done");
  assert.deepEqual(resultsIn(model.doStreamCalls[1]), [{ type: "json", value: results[0] }]);
});

test("X4: aborting generateText reaches the handler's signal, and so does the signal of the set", async () => {
  for (const own of [true, false]) {
    const { runtime, waiting } = governed();
    const [controller, other] = [new AbortController(), new AbortController()];
    const tools = await toAISDKTools(runtime, { actor: ann, signal: (own ? controller : other).signal });
    const model = new MockLanguageModelV3({ doGenerate: [step(call("ledger_slow", {})), said("done")] });
    const options = { model, tools, prompt: "go", stopWhen: stepCountIs(1) };
    const running = generateText({ ...options, abortSignal: (own ? other : controller).signal });
    const signal = await waiting;
    assert.equal(signal.aborted, false);
    controller.abort();
    const { steps } = await running;
    assert.equal(signal.aborted, true);
    const [{ output }] = steps[0].toolResults;
    assert.deepEqual(output.error, {
      code: "CANCELLED",
      message: "The caller stopped the operation.",
      retryable: false,
    });
  }
});

test("X1: bad arguments arrive raw and come back as INPUT_INVALID with the path of the fault", async () => {
  const { runtime, seen } = governed();
  const tools = await toAISDKTools(runtime, { actor: ann });
  const { status, error } = await run(tools, "ledger_show", { ledger: 7, page: SECRET });
  assert.equal(status, "error");
  assert.equal(error.code, "INPUT_INVALID");
  assert.deepEqual(error.details.issues.map(({ path }) => path), [["ledger"], ["page"]]); // prettier-ignore
  for (const raw of ["text", [1], null, undefined, 5]) {
    assert.equal((await run(tools, "ledger_show", raw)).error.code, "INPUT_INVALID");
  }
  assert.equal(seen.length, 0);
});

test("X2: what turned unknown, unexposed or hidden since the listing answers the same bytes", async () => {
  const { runtime, denials } = governed();
  const describe = () =>
    Promise.resolve(
      ["ledger.none", "ledger.inside", "ledger.hidden"].map((id) => ({ id, description: "x", tags: [] })),
    );
  const stale = { ...plain(runtime), describe };
  const tools = await toAISDKTools(stale, { actor: ann });
  const answers = [];
  for (const name of ["ledger_none", "ledger_inside", "ledger_hidden"]) answers.push(await run(tools, name, {}));
  assert.deepEqual(answers[0], {
    status: "error",
    error: { code: "CAPABILITY_NOT_FOUND", message: "No such capability.", retryable: false },
  });
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  assert.deepEqual(denials(), [
    ["ledger.none", "unknown"],
    ["ledger.inside", "not-exposed"],
    ["ledger.hidden", "hidden"],
  ]);
});

const plain = (runtime) => ({
  registry: runtime.registry,
  invoke: (...given) => runtime.invoke(...given),
  describe: (...given) => runtime.describe(...given),
});

test("X3: a tool with a name of its own has that name and no other; a name of the application's comes after it", async () => {
  const { runtime } = governed();
  const own = await toAISDKTools(runtime, { actor: ann });
  assert.deepEqual(Object.keys(own), ["ledger_show", "ledger_close", "rename-it", "ledger_slow", "ledger_broken", "ledger_unspeakable"]); // prettier-ignore
  const toolNaming = (id) => (id === "ledger.slow" ? undefined : `t-${id.slice(7)}`);
  const told = await toAISDKTools(runtime, { actor: ann, toolNaming });
  assert.deepEqual(Object.keys(told), ["t-show", "t-close", "rename-it", "ledger_slow", "t-broken", "t-unspeakable"]);
  assert.deepEqual(await run(told, "rename-it", {}), { status: "ok", data: "renamed" });
});

test("X5: two actors are listed different tools, and each set calls as its own actor", async () => {
  const { runtime, seen } = governed();
  const [anns, bobs] = [await toAISDKTools(runtime, { actor: ann }), await toAISDKTools(runtime, { actor: bob })];
  assert.equal("ledger_hidden" in anns, false);
  assert.deepEqual(await run(bobs, "ledger_hidden", {}), { status: "ok", data: "for bob" });
  await run(anns, "rename-it", {});
  assert.deepEqual(seen.map(({ context }) => context.agent.actor.id), ["bob", "ann"]); // prettier-ignore
});

test("X6: a suspended call answers the approval's id and reasons; the approved one runs by resume, never by a tool", async () => {
  const because = (reason) => domain.definePolicy(reason, () => domain.requireApproval({ reason }));
  const policies = [because("Over the limit"), because("New supplier")];
  const { runtime, seen } = governed({ policies, capabilities: { big: named() } });
  const tools = await toAISDKTools(runtime, { actor: ann, context });
  const { approvalId, ...rest } = await run(tools, "big", {});
  assert.match(approvalId, /^apr_/);
  assert.deepEqual(rest, { status: "approval-required", message: "Awaiting approval: Over the limit; New supplier." });
  await runtime.approvals.decide(approvalId, { status: "approved", approver: bob });
  assert.equal((await runtime.resume(approvalId, { context, expectedActor: ann, expectedSurface: "aiSdk" })).output, "named"); // prettier-ignore
  assert.equal(seen.length, 0);
  assert.equal(Object.keys(tools).some((name) => /approv|resume|decide/.test(name)), false); // prettier-ignore
});

test("scope and filter shape the set; names clash among those that are left alone", async () => {
  const { runtime } = governed({ capabilities: { a: { b: named() }, c: named({}, { tags: ["c"] }) } });
  const tagged = await toAISDKTools(runtime, { actor: ann, scope: { tags: ["c"] } });
  assert.deepEqual(Object.keys(tagged), ["c"]);
  const toolNaming = (id) => (id.startsWith("ledger.") ? undefined : "same");
  await assert.rejects(
    toAISDKTools(runtime, { actor: ann, toolNaming }),
    /"a\.b" and "c" would share the tool name "same"/,
  );
  const filtered = await toAISDKTools(runtime, { actor: ann, toolNaming, filter: ({ id }) => id === "c" });
  assert.deepEqual(Object.keys(filtered), ["same"]);
});

test("a name that no provider takes is refused when the set is built", async () => {
  const { runtime } = governed();
  for (const name of ["", "a b", "a.b", "ü", "x".repeat(65), 5]) {
    await assert.rejects(
      toAISDKTools(runtime, { actor: ann, toolNaming: () => name }),
      /the tool name of capability "ledger\.show" must be 1 to 64 letters, digits, _ or -; found/,
    );
  }
  const [only] = Object.keys(
    await toAISDKTools(runtime, { actor: ann, scope: { ids: ["ledger.show"] }, toolNaming: () => "__proto__" }),
  );
  assert.equal(only, "__proto__");
});

test("without an actor there is a TypeError, and a listing that fails fails the set", async () => {
  const { runtime } = governed({ defaults: { discoveryBudgetMs: 5 }, policies: [stalls(8)] });
  for (const options of [undefined, null, {}, { actor: null }]) {
    await assert.rejects(toAISDKTools(runtime, options), { name: "TypeError", message: /an actor is needed/ });
  }
  await assert.rejects(toAISDKTools(runtime, { actor: { id: "" } }), TypeError);
  await assert.rejects(toAISDKTools(runtime, { actor: ann }), { code: "TIMEOUT", stage: "discovery" });
});

test("a tool never throws: not for a runtime that does, not for an output that JSON cannot say", async () => {
  const { runtime } = governed();
  const concealed = {
    status: "error",
    error: { code: "INTERNAL_ERROR", message: "The operation failed.", retryable: false },
  };
  const tools = await toAISDKTools(runtime, { actor: ann });
  assert.deepEqual(await run(tools, "ledger_unspeakable", {}), concealed);
  const thrower = () => {
    throw new Error(SECRET);
  };
  for (const invoke of [thrower, () => Promise.reject(new Error(SECRET)), () => Promise.resolve(undefined)]) {
    const odd = await toAISDKTools({ ...plain(runtime), invoke }, { actor: ann });
    assert.deepEqual(await run(odd, "ledger_show", {}), concealed);
  }
});

test("no envelope and no listing holds a secret of an error, a context, an actor or an input", async () => {
  const { runtime } = governed();
  const tools = await toAISDKTools(runtime, { actor: ann, context });
  const outward = [Object.entries(tools)];
  for (const name of Object.keys(tools).filter((name) => name !== "ledger_slow")) {
    outward.push(await run(tools, name, { ledger: 1, page: SECRET }));
  }
  outward.push(await run(tools, "ledger_close", { ledger: SECRET }));
  assert.equal(outward.length, 1 + 5 + 1);
  assert.equal(JSON.stringify(outward).includes(SECRET), false);
});
