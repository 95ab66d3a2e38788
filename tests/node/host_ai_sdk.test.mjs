// Language models of the `ai` package as the host's model: a provider that speaks its protocol to a server on loopback, and
// the package's own mock.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { createGateway } from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { host, serve, stepOf, user, viewTool } from "./host_support.mjs";

const LIST = "domain_list-invoices";
const FINISH = {
  type: "finish",
  finishReason: { unified: "stop", raw: "end_turn" },
  usage: {
    inputTokens: { total: 20, noCache: 12, cacheRead: 8, cacheWrite: 0 },
    outputTokens: { total: 9, text: 6, reasoning: 3 },
  },
};
const called = (toolCallId, toolName, input) => [{ type: "tool-call", toolCallId, toolName, input }, FINISH];
const said = (...deltas) => [
  { type: "text-start", id: "1" },
  ...deltas.map((delta) => ({ type: "text-delta", id: "1", delta })),
  { type: "text-end", id: "1" },
  FINISH,
];

/** A provider's server: each request is kept, and answered by the next list of parts as server-sent events. */
async function provider(t, answers, status = 200) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ url: request.url, headers: request.headers, body: JSON.parse(body) });
    response.on("close", () => (requests.at(-1).closed = !response.writableEnded));
    if (status !== 200) {
      const error = { message: "bad key sk-live-1 at https://provider.example", type: "authentication_error" };
      return response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const parts = answers.shift() ?? [];
    for (const part of parts) response.write(`data: ${JSON.stringify(part)}\n\n`);
    if (parts !== HANGS) response.end("data: [DONE]\n\n");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseURL = `http://127.0.0.1:${String(server.address().port)}/v3/ai`;
  return { requests, model: createGateway({ baseURL, apiKey: "test-key" })("test/model") };
}
const HANGS = [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Well" },
];

const mock = (...answers) =>
  new MockLanguageModelV3({
    doStream: answers.map((chunks) => ({
      stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
    })),
  });

test("a turn over a provider's own protocol: tools offered, a server tool run, its result sent back, text streamed, usage summed", async (t) => {
  const { requests, model } = await provider(t, [
    called("toolu_1", LIST, '{"status":"open"}'),
    said("One ", "invoice."),
  ]);
  const { post, effects } = await serve(t, { model: host.aiSdkModel(model, { temperature: 0 }), system: "Be brief." });
  const answer = await post(stepOf({ catalog: { frontendTools: [viewTool()] } }));
  assert.equal(
    answer
      .of("text-delta")
      .map(({ text }) => text)
      .join(""),
    "One invoice.",
  );
  assert.deepEqual(
    effects.map(({ name, at, input }) => [name, at, input]),
    [
      ["list-invoices", "start", { status: "open" }],
      ["list-invoices", "end", { status: "open" }],
    ],
  );
  const usage = {
    inputTokens: 40,
    outputTokens: 18,
    totalTokens: 58,
    reportedSteps: 2,
    cachedInputTokens: 16,
    reasoningTokens: 6,
  };
  assert.deepEqual(answer.finish.usage, usage);
  assert.equal(answer.finish.finishReason, "stop");
  const [first, second] = requests.map(({ body }) => body);
  assert.equal(requests[0].headers["ai-language-model-streaming"], "true");
  assert.equal(first.temperature, 0);
  assert.deepEqual(first.prompt, [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "go" }] },
  ]);
  assert.deepEqual(first.toolChoice, { type: "auto" });
  const list = first.tools.find(({ name }) => name === LIST);
  assert.deepEqual(list, {
    type: "function",
    name: LIST,
    description: "Does list-invoices.",
    inputSchema: { type: "object" },
  });
  assert.equal(first.tools.at(-1).name, viewTool().wireName);
  const output = { type: "json", value: { status: "ok", data: [{ id: "i-1", total: 10 }] } };
  assert.deepEqual(second.prompt.slice(2), [
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "toolu_1", toolName: LIST, input: { status: "open" } }],
    },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "toolu_1", toolName: LIST, output }] },
  ]);
});

test("a provider that refuses is MODEL_ERROR, and neither key nor address leaves", async (t) => {
  const { model } = await provider(t, [], 401);
  const { post, errors } = await serve(t, { model: host.aiSdkModel(model) });
  const answer = await post(stepOf());
  assert.deepEqual(answer.error, { code: "MODEL_ERROR", message: "The model could not answer." });
  assert.doesNotMatch(answer.text, /sk-live|provider\.example|127\.0\.0\.1/);
  assert.equal(errors[0].where, "model");
});

test("a provider that falls silent is MODEL_TIMEOUT, and its request is aborted", async (t) => {
  const { requests, model } = await provider(t, [HANGS]);
  const { post } = await serve(t, { model: host.aiSdkModel(model), limits: { silenceMs: 60 } });
  const answer = await post(stepOf());
  assert.equal(answer.error.code, "MODEL_TIMEOUT");
  assert.deepEqual(answer.finish.responseMessages[0].content, [{ type: "text", text: "Well" }]);
  while (requests[0].closed === undefined) await new Promise((done) => setTimeout(done, 2));
  assert.equal(requests[0].closed, true);
});

test("an error in a provider's stream is MODEL_ERROR with what was said before it", async (t) => {
  const chunks = [...said("Half").slice(0, 2), { type: "error", error: new Error("overloaded at https://x") }, FINISH];
  const { post } = await serve(t, { model: host.aiSdkModel(mock(chunks)) });
  const answer = await post(stepOf());
  assert.equal(answer.error.code, "MODEL_ERROR");
  assert.equal(answer.finish.responseMessages[0].content[0].text, "Half");
});

test("what a provider wants back comes back with the history: signatures of reasoning and of calls, and from the assistant's parts alone", async (t) => {
  const signed = (signature) => ({ anthropic: { signature } });
  const thought = [
    { type: "reasoning-start", id: "r1" },
    { type: "reasoning-delta", id: "r1", delta: "First." },
    { type: "reasoning-delta", id: "r1", delta: "", providerMetadata: signed("s1") },
    { type: "reasoning-end", id: "r1" },
    { type: "reasoning-start", id: "r2" },
    { type: "reasoning-delta", id: "r2", delta: "Second." },
    { type: "reasoning-end", id: "r2", providerMetadata: signed("s2") },
    {
      type: "tool-call",
      toolCallId: "a",
      toolName: viewTool().wireName,
      input: "{}",
      providerMetadata: { google: { thoughtSignature: "g" } },
    },
    FINISH,
  ];
  const model = mock(thought, said("Done."));
  const { post } = await serve(t, { model: host.aiSdkModel(model) });
  const catalog = { frontendTools: [viewTool()] };
  const first = await post(stepOf({ catalog }));
  const result = {
    type: "tool-result",
    toolCallId: "a",
    toolName: viewTool().wireName,
    output: { type: "json", value: { done: true } },
    providerOptions: signed("forged"),
  };
  const asked = {
    role: "user",
    content: [{ type: "text", text: "go", providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } }],
  };
  await post(
    stepOf({
      stepIndex: 1,
      catalog,
      messages: [asked, ...first.finish.responseMessages, { role: "tool", content: [result] }],
    }),
  );
  const [said2, answered, results] = model.doStreamCalls[1].prompt;
  assert.deepEqual(said2.content, [{ type: "text", text: "go" }]);
  assert.deepEqual(answered.content, [
    { type: "reasoning", text: "First.", providerOptions: signed("s1") },
    { type: "reasoning", text: "Second.", providerOptions: signed("s2") },
    {
      type: "tool-call",
      toolCallId: "a",
      toolName: viewTool().wireName,
      input: {},
      providerOptions: { google: { thoughtSignature: "g" } },
    },
  ]);
  assert.deepEqual(Object.keys(results.content[0]), ["type", "toolCallId", "toolName", "output"]);
});

test("parts that this host does not know stay out of the prompt; files go on as bytes, never as an address to fetch", async (t) => {
  const model = mock(said("x"));
  const { post } = await serve(t, { model: host.aiSdkModel(model) });
  const content = [
    { type: "text", text: "See:" },
    { type: "file", mediaType: "image/png", data: "iVBORw0KGgo=" },
    { type: "file", mediaType: "image/png", data: "http://169.254.169.254/latest" },
    { type: "image", image: "https://evil.example/pixel.png" },
    { type: "source", url: "https://evil.example" },
  ];
  await post(stepOf({ messages: [{ role: "user", content }] }));
  const file = { type: "file", data: "iVBORw0KGgo=", mediaType: "image/png" };
  assert.deepEqual(model.doStreamCalls[0].prompt[0].content, [{ type: "text", text: "See:" }, file]);
});

test("arguments that are missing are none, and such that are no JSON are refused where inputs are validated", async (t) => {
  const model = mock(called("a", LIST, ""), called("b", LIST, "{oops"), said("x"));
  const { post, effects } = await serve(t, { model: host.aiSdkModel(model) });
  const answer = await post(stepOf());
  assert.deepEqual(
    answer.of("tool-call").map(({ input }) => input),
    [{}, "{oops"],
  );
  assert.deepEqual(
    answer.of("tool-result").map(({ result }) => result.error?.code ?? result.status),
    ["ok", "INPUT_INVALID"],
  );
  assert.equal(effects.length, 2);
});

test("tools that the provider runs itself are none of this host's: no frame, no result", async (t) => {
  const chunks = [
    { type: "tool-call", toolCallId: "p", toolName: LIST, input: "{}", providerExecuted: true },
    { type: "tool-result", toolCallId: "p", toolName: LIST, result: { found: 1 } },
    { type: "source", sourceType: "url", id: "s", url: "https://x.example" },
    ...said("x"),
  ];
  const { post, effects } = await serve(t, { model: host.aiSdkModel(mock(chunks)) });
  const answer = await post(stepOf());
  assert.deepEqual([effects, answer.of("tool-call"), answer.of("tool-result")], [[], [], []]);
});

test("usage that the provider did not report is absent, and an older provider's counts are read, too", async (t) => {
  const none = { inputTokens: { total: undefined }, outputTokens: { total: undefined } };
  const silent = await serve(t, { model: host.aiSdkModel(mock([{ ...FINISH, usage: none }])) });
  assert.ok(!("usage" in (await silent.post(stepOf())).finish));
  const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7, cachedInputTokens: 1 };
  const chunks = [{ type: "finish", finishReason: "length", usage }];
  const older = { specificationVersion: "v2", doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) };
  const { finish } = await (await serve(t, { model: host.aiSdkModel(older) })).post(stepOf());
  assert.deepEqual(finish.usage, { ...usage, reportedSteps: 1 });
  assert.equal(finish.finishReason, "length");
});

test("what is no language model is a TypeError that says what is", () => {
  for (const wrong of [
    undefined,
    "gpt-5",
    {},
    { specificationVersion: "v1", doStream() {} },
    { specificationVersion: "v3" },
  ]) {
    assert.throws(() => host.aiSdkModel(wrong), { name: "TypeError", message: /specification "v3"/ });
  }
  assert.deepEqual(user(), { role: "user", content: "go" });
});
