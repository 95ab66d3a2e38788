// viewcap/protocol: the encoder of steps, frames in any split, the accumulator, the guard, histories and scopes.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CATALOG_LIMITS,
  composeCatalog,
  createFrameDecoder,
  createLoopGuard,
  createResponseAccumulator,
  createStepEncoder,
  decodeStepRequest,
  encodeFrame,
  HOST_ERROR_CODES,
  META_TOOL_NAMES,
  projectStep,
  renderCapabilityState,
  repairHistory,
  resolveScope,
} from "viewcap/protocol";
import { makeRegistry, mounted, ready, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const consumer = { id: "agent", kind: "embedded" };
const user = (content) => ({ role: "user", content });
const decoder = new TextDecoder();
const HEAD = { conversationId: "c", turnId: "t", stepIndex: 0, pathname: "/invoices" };

function encoded(encoder, registry, messages, more = {}) {
  const projection = projectStep(registry, { consumer });
  return encoder.encode({ ...HEAD, messages, projection, ...more });
}

test("what the encoder writes is what the decoder reads, in both modes", () => {
  const { registry } = mounted({ when: () => false, unavailableReason: "Not now." });
  const encoder = createStepEncoder();
  for (const mode of ["direct", "meta"]) {
    const body = encoded(encoder, registry, [user("hello")], { mode, scope: ["invoices"], modelId: "m" });
    const { ok, step } = decodeStepRequest(body);
    assert.ok(ok);
    const { descriptors, state } = projectStep(registry, { consumer });
    assert.deepEqual(
      { ...step },
      {
        ...HEAD,
        protocolVersion: 2,
        modelId: "m",
        messages: [user("hello")],
        catalogMode: mode,
        requestedScope: ["invoices"],
        frontendTools: descriptors,
        frontendState: state,
      },
    );
  }
});

test("a history that grew sends all of it, and one that is another starts anew", () => {
  const { registry } = mounted();
  const encoder = createStepEncoder();
  const history = [user("one")];
  const sent = (messages) => decodeStepRequest(encoded(encoder, registry, messages)).step.messages;
  assert.deepEqual(sent(history), history);
  const longer = [...history, { role: "assistant", content: "two" }, user("three ✓ 😀")];
  assert.deepEqual(sent(longer), longer);
  const other = [user("another"), ...longer.slice(1)];
  assert.deepEqual(sent(other), other);
  assert.deepEqual(sent(history), history);
  encoder.reset();
  assert.deepEqual(sent(longer), longer);
});

test("a message is serialized once: changing a sent one in place changes no later request", () => {
  const { registry } = mounted();
  const encoder = createStepEncoder();
  const first = user("as it was sent");
  encoded(encoder, registry, [first]);
  first.content = "changed";
  const [sent] = decodeStepRequest(encoded(encoder, registry, [first, user("next")])).step.messages;
  assert.equal(sent.content, "as it was sent");
});

test("a projection that changed is read anew, one that did not gives the same bytes", () => {
  const open = { now: true };
  const { registry } = mounted({ when: () => open.now, unavailableReason: "Closed." });
  const encoder = createStepEncoder();
  const tools = () => decodeStepRequest(encoded(encoder, registry, [user("x")])).step.frontendTools;
  const before = tools();
  assert.deepEqual(tools(), before);
  open.now = false;
  assert.notDeepEqual(tools(), before);
});

test("a field out of its bounds is refused before anything is sent, naming the field", () => {
  const { registry } = mounted();
  const encoder = createStepEncoder();
  const refused = (more, pattern) =>
    assert.throws(() => encoded(encoder, registry, [user("x")], more), {
      code: "PROTOCOL_DECODE_ERROR",
      message: pattern,
    });
  refused({ conversationId: "" }, /conversationId/);
  refused({ turnId: "t".repeat(65) }, /turnId/);
  refused({ stepIndex: 65 }, /stepIndex/);
  refused({ pathname: "/".repeat(513) }, /pathname/);
  refused({ modelId: "m".repeat(129) }, /modelId/);
  refused({ scope: Array(33).fill("a") }, /scope/);
  refused({ mode: "other" }, /mode/);
  assert.ok(decodeStepRequest(encoded(encoder, registry, [user("x")])).ok);
});

test("a system message, an open call and a value that is no JSON are refused, and the encoder goes on", () => {
  const { registry } = mounted();
  const encoder = createStepEncoder();
  const call = { type: "tool-call", toolCallId: "1", toolName: "a", input: {} };
  const bad = [
    [{ role: "system", content: "I am the server" }],
    [{ role: "assistant", content: [call] }],
    [
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "1", toolName: "a", output: { type: "json", value: 1 } }],
      },
    ],
  ];
  for (const messages of bad)
    assert.throws(() => encoded(encoder, registry, messages), { code: "PROTOCOL_DECODE_ERROR" });
  assert.throws(() => encoded(encoder, registry, [user(10n)]), { code: "INVALID_DEFINITION" });
  assert.throws(() => encoded(encoder, registry, [user("\ud800")]), { code: "INVALID_DEFINITION" });
  assert.ok(decodeStepRequest(encoded(encoder, registry, [user("x")])).ok);
});

test("a history over the limits loses its oldest whole turns, and says how many messages", () => {
  const { registry } = mounted();
  const encoder = createStepEncoder();
  const messages = Array.from({ length: 300 }, (_, at) => [
    user(`q${String(at)}`),
    { role: "assistant", content: "a" },
  ]).flat();
  const { step } = decodeStepRequest(encoded(encoder, registry, messages));
  assert.equal(encoder.trimmedMessages, 200);
  assert.deepEqual(step.messages, messages.slice(200));
});

test("of more than 128 tools those of highest priority go, and the request says how many do not", () => {
  const registry = makeRegistry();
  for (let at = 0; at < 50; at++) {
    registry.register(
      tableContract({}, { type: `t${String(at)}.x`, priority: at === 49 ? -1 : at === 7 ? 5 : 0 }).bind(tableBinding()),
    );
  }
  const all = projectStep(registry, { consumer }).descriptors;
  const per = all.length / 50;
  const encoder = createStepEncoder({ limits: { maxFrontendTools: per * 2 } });
  const { step } = decodeStepRequest(encoded(encoder, registry, [user("x")]));
  const types = [
    ...new Set(step.frontendTools.map(({ canonicalId }) => canonicalId.slice(5, canonicalId.lastIndexOf(".")))),
  ];
  assert.deepEqual(types, ["t7.x", "t0.x"]);
  assert.deepEqual(step.truncated, { dropped: all.length - per * 2, reason: "limit" });
  assert.equal(encoder.droppedTools, all.length - per * 2);
});

test("an encoder that was disposed of says so, and dispose() may be called twice", () => {
  const { registry } = mounted();
  const encoder = createStepEncoder();
  encoder.dispose();
  encoder.dispose();
  assert.throws(() => encoded(encoder, registry, [user("x")]), { message: /disposed/ });
});

const words = ["Grüße", "😀", "\u2028", "x".repeat(300), "\\n", '"'];
const makeFrames = (count) =>
  Array.from({ length: count }, (_, at) => {
    if (at % 7 === 3) return { type: "error", error: { code: "MODEL_ERROR", message: words[at % 6] } };
    if (at % 7 === 5)
      return {
        type: "tool-result",
        toolCallId: `c${String(at)}`,
        wireName: "domain_x",
        canonicalId: "domain:x",
        ok: true,
        result: { at, words },
      };
    return { type: at % 2 === 0 ? "text-delta" : "reasoning-delta", text: words[at % 6] + String(at) };
  });

/** A generator of the same numbers in every run. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("10,000 frames in random splits of their bytes give the frames of one piece", () => {
  const frames = makeFrames(10_000);
  const bytes = new TextEncoder().encode(frames.map((frame) => encodeFrame(frame)).join(""));
  const whole = [];
  const one = createFrameDecoder((frame) => whole.push(frame));
  one.push(bytes);
  one.finish();
  assert.deepEqual(whole, frames);
  const next = random(7);
  for (const most of [3, 97, 5000]) {
    const seen = [];
    const split = createFrameDecoder((frame) => seen.push(frame));
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + next(most);
      split.push(bytes.subarray(at, end));
      at = end;
      if (most === 3 && seen.length > 500) break;
    }
    if (most !== 3) split.finish();
    if (most !== 3) assert.equal(seen.length, frames.length);
    assert.deepEqual(seen.slice(0, 500), frames.slice(0, 500));
    assert.deepEqual(seen.at(-1), frames[seen.length - 1]);
  }
});

test("text in splits inside a surrogate pair gives the same frames", () => {
  const text = encodeFrame({ type: "text-delta", text: "a😀b😀" });
  const seen = [];
  const split = createFrameDecoder((frame) => seen.push(frame));
  for (const unit of text.split("")) split.push(unit);
  assert.deepEqual(seen, [{ type: "text-delta", text: "a😀b😀" }]);
});

test("malformed lines are error frames and decoding goes on; blank lines and unknown types are passed over", () => {
  const seen = [];
  const stream = createFrameDecoder((frame) => seen.push(frame), { limits: { maxFrameBytes: 200 } });
  stream.push('{"type":"text-delta"\n\n{"type":"news-of-tomorrow"}\n');
  stream.push(`{"type":"text-delta","text":"${"x".repeat(400)}"}\n`);
  stream.push('{"type":"text-delta","text":"last"}');
  stream.finish();
  assert.deepEqual(
    seen.map(({ type, error, text }) => error?.code ?? `${type} ${text}`),
    ["PROTOCOL_DECODE_ERROR", "PROTOCOL_DECODE_ERROR", "text-delta last"],
  );
});

test("what a listener throws comes out of push, and the decoder goes on with the next line", () => {
  let count = 0;
  const stream = createFrameDecoder(() => {
    if (count++ === 0) throw new Error("mine");
  });
  assert.throws(() => stream.push(encodeFrame({ type: "text-delta", text: "a" })), /mine/);
  stream.push(encodeFrame({ type: "text-delta", text: "b" }));
  assert.equal(count, 2);
});

test("a frame that is too long becomes one that says so", () => {
  const long = { toolCallId: "c", wireName: "domain_x", canonicalId: "domain:x" };
  const result = JSON.parse(
    encodeFrame({ type: "tool-result", ...long, ok: true, result: "x".repeat(400) }, { maxFrameBytes: 300 }),
  );
  assert.equal(result.result.error.code, "OUTPUT_TOO_LARGE");
  const finish = { type: "step-finish", stepId: "s", finishReason: "stop", responseMessages: [], pendingToolCalls: [] };
  const error = JSON.parse(
    encodeFrame({ ...finish, responseMessages: [user("x".repeat(500))] }, { maxFrameBytes: 300 }),
  );
  assert.equal(error.type, "error");
});

test("a broken response: the server call without a result is TOOL_OUTCOME_UNKNOWN, and nothing is left to carry out", () => {
  const response = createResponseAccumulator();
  const call = { toolCallId: "c1", wireName: "domain_x", canonicalId: "domain:x" };
  response.push({ type: "text-delta", text: "I look." });
  response.push({ type: "tool-call", ...call, executor: "server", input: {} });
  const { messages, pending, errors } = response.finish();
  assert.deepEqual(pending, []);
  assert.equal(errors[0].code, "TRANSPORT_FAILED");
  assert.equal(messages[1].content[0].output.value.error.code, "TOOL_OUTCOME_UNKNOWN");
  assert.equal(repairHistory(messages), messages);
});

test("the guard stops the third identical failure, whatever the order of an input's keys", () => {
  const guard = createLoopGuard();
  const failed = (input) =>
    guard.record({ canonicalId: "view:t.a", input, ok: false, result: { error: { retry: "yes" } } });
  assert.equal(failed({ a: 1, b: 2 }), null);
  guard.record({ canonicalId: "view:t.b", input: {}, ok: true });
  assert.equal(failed({ b: 2, a: 1 }), null);
  const verdict = failed({ a: 1, b: 2 });
  assert.equal(verdict.code, "RUN_LIMIT_EXCEEDED");
  assert.match(verdict.message, /view:t\.a/);
});

test("a saved history with an open call is answered TOOL_OUTCOME_UNKNOWN, and a legal one is the same array", () => {
  const open = [
    user("x"),
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "a", input: {} }] },
  ];
  const legal = repairHistory(open);
  assert.equal(legal[2].content[0].output.value.error.code, "TOOL_OUTCOME_UNKNOWN");
  assert.equal(repairHistory(legal), legal);
  assert.throws(() => repairHistory("history"), { code: "INVALID_DEFINITION" });
});

test("a requested scope narrows the floor and never widens it", () => {
  assert.deepEqual(resolveScope(["invoices", "app"], ["invoices.pending", "clients"]), {
    scope: ["invoices.pending"],
    rejected: ["clients"],
  });
  assert.deepEqual(resolveScope(["invoices.pending"], ["invoices"]).scope, ["invoices.pending"]);
  assert.deepEqual(resolveScope(["invoices"], ["clients"]).scope, ["invoices"]);
  assert.deepEqual(resolveScope(["invoices"]), { scope: ["invoices"], rejected: [] });
  assert.deepEqual(resolveScope([], ["a"]).scope, ["a"]);
});

test("the state block has a line for each offered tool that is unavailable or has a note, or there is none", () => {
  const state = [
    { wireName: "a", available: false, unavailableReason: "Closed." },
    { wireName: "b", available: true, note: "shows\n4711" },
    { wireName: "c", available: false },
  ];
  const block = renderCapabilityState(state, [{ wireName: "a" }, { wireName: "b" }]);
  assert.match(block, /^Capability state \(this step\):\n- a: unavailable \(Closed\.\)\n- b: .*shows 4711/);
  assert.doesNotMatch(block, /- c/);
  assert.equal(renderCapabilityState([], []), undefined);
});

test("composeCatalog refuses arguments that are none, and counts over a limit with 413", () => {
  assert.throws(() => composeCatalog(null), { code: "INVALID_DEFINITION" });
  const { registry } = mounted();
  const { step } = decodeStepRequest(encoded(createStepEncoder(), registry, [user("x")]));
  const answer = composeCatalog({ step, domainTools: [], admitted: [], limits: { maxTotalTools: 1 } });
  assert.deepEqual([answer.ok, answer.status, answer.error.code], [false, 413, "CATALOG_TOO_LARGE"]);
});

test("the constants are those of the vocabulary", () => {
  assert.deepEqual(META_TOOL_NAMES, ["surface_discover", "surface_read", "surface_act"]);
  assert.equal(CATALOG_LIMITS.maxFrontendTools, 128);
  assert.ok(HOST_ERROR_CODES.includes("STEP_IN_PROGRESS"));
  assert.equal(typeof viewcap.loadRuntime, "function");
});
