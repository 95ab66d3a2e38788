// What a host, and the line to it, can do wrong: each is an outcome with a code, the history stays legal, and a sent
// step is never posted again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asks, call, finish, HEADERS, line, lines, page, resultsOf, says, SET } from "./client_host.mjs";
import { serverCall, serverResult, started, text, turn, USER } from "./client_host.mjs";
import { ready, viewcap } from "./support.mjs";

await ready;

const { liveRuntime } = await import(new URL("runtime/load.js", import.meta.resolve("viewcap")));

const LIST = call("s1", "domain_list", { page: 1 });
const codeOf = ({ outcome }) => [outcome.status, outcome.error?.code];
/** An entry of a script that answers with a status and a body. */
const status =
  (code, body, type = "application/json", headers = {}) =>
  (_, response) =>
    response.writeHead(code, { "content-type": type, ...headers }).end(body);
const refusal = (code, name, message = "No.") => status(code, JSON.stringify({ error: { code: name, message } }));
/** Writes what is given, then does `end` to the response. */
const broken =
  (written, end = (response) => response.destroy()) =>
  (_, response) => {
    response.writeHead(200, HEADERS);
    response.write(written, () => setTimeout(() => end(response), 10));
  };

test("an error body is parsed: its code and its message are the turn's", async () => {
  const cases = [
    ...[
      [400, "PROTOCOL_DECODE_ERROR"],
      [401, "NOT_AUTHENTICATED"],
      [403, "NOT_AUTHORIZED"],
      [403, "ORIGIN_REFUSED"],
    ],
    ...[
      [409, "PROTOCOL_VERSION_MISMATCH"],
      [409, "STEP_IN_PROGRESS"],
      [409, "CATALOG_COLLISION"],
    ],
    ...[
      [413, "CATALOG_TOO_LARGE"],
      [429, "RATE_LIMITED"],
      [500, "HOST_ERROR"],
      [503, "MODEL_NOT_CONFIGURED"],
    ],
    [418, "OF_A_NEWER_HOST"],
  ];
  for (const [code, name] of cases) {
    const seen = await turn([refusal(code, name, `Because of ${name}.`)]);
    assert.deepEqual(seen.outcome, {
      ...{ messages: [USER], status: "error" },
      error: { code: name, message: `Because of ${name}.` },
    });
    assert.deepEqual([seen.requests.length, seen.of("onError").length], [1, 1]);
  }
});

test("an error without a body that can be read is TRANSPORT_FAILED, and nothing of the body or the address is told", async () => {
  const secret = "secret-detail";
  const entries = [
    status(500, `<html>${secret}</html>`, "text/html"),
    status(500, `{"error":{"code":"${secret}","message":"${secret}"}}`),
    status(502, `{"error":"${secret}"`),
    status(404, secret, "text/plain"),
    status(500, `{"error":{"code":"HOST_ERROR","message":"${"x".repeat(100_000)}"}}`),
    status(500, ""),
    status(200, `<html>${secret}</html>`, "text/html; charset=utf-8"),
    status(200, `{"${secret}":1}`),
    status(302, "", "text/plain", { location: `/elsewhere/${secret}` }),
    status(307, "", "text/plain", { location: `/elsewhere/${secret}` }),
    (_, response) => response.destroy(),
  ];
  for (const [index, entry] of entries.entries()) {
    const seen = await turn([entry]);
    assert.deepEqual(codeOf(seen), ["error", "TRANSPORT_FAILED"], `entry ${index}`);
    assert.deepEqual([seen.requests.length, seen.outcome.messages], [1, [USER]], `entry ${index}`);
    assert.ok(!/secret|127\.0|http:|agent\/chat/.test(JSON.stringify(seen.outcome)), JSON.stringify(seen.outcome));
  }
});

test("a host that nobody answers at is TRANSPORT_FAILED", async () => {
  assert.deepEqual(codeOf(await turn([], { endpoint: "http://127.0.0.1:1/agent/chat" })), [
    "error",
    "TRANSPORT_FAILED",
  ]);
  assert.deepEqual(codeOf(await turn([], { endpoint: "no address at all" })), ["error", "TRANSPORT_FAILED"]);
});

test("a response in another version of the protocol is not read", async () => {
  const other = (_, response) => {
    response.writeHead(200, { ...HEADERS, "x-host-protocol-version": "3" });
    response.end(lines(says("Hi.")));
  };
  const seen = await turn([other]);
  assert.deepEqual(codeOf(seen), ["error", "PROTOCOL_VERSION_MISMATCH"]);
  assert.deepEqual(seen.of("onTextDelta"), []);
});

test("when the stream breaks, a server call whose result was not seen is answered TOOL_OUTCOME_UNKNOWN, retry no", async () => {
  const other = call("s2", "domain_pay", {});
  const frames = [started(), text("I look."), serverCall(LIST), serverResult(LIST, true, [1]), serverCall(other)];
  const seen = await turn([broken(lines([...frames, { type: "tool-call", executor: "browser", ...call("b", SET) }]))]);
  assert.deepEqual(codeOf(seen), ["error", "TRANSPORT_FAILED"]);
  const { s1, s2, b } = resultsOf(seen.outcome.messages);
  assert.deepEqual(s1, [1]);
  assert.deepEqual([s2.error.code, s2.error.retry], ["TOOL_OUTCOME_UNKNOWN", "no"]);
  assert.equal(b.error.code, "TOOL_NOT_EXECUTED");
  assert.deepEqual(seen.outcome.messages[1].content[0], { type: "text", text: "I look." });
  assert.equal(seen.requests.length, 1);
});

test("wherever a stream breaks, the history is legal, the error is TRANSPORT_FAILED and the step is not posted again", async () => {
  const pay = call("s2", "domain_pay", { note: "größe 😀" });
  const b = call("b", SET, { words: "größe 😀" });
  const bytes = Buffer.from(
    lines([
      ...[started(), text("Grüße 😀"), serverCall(LIST), serverResult(LIST, true, { rows: ["ä"] }), serverCall(pay)],
      ...[{ type: "tool-call", executor: "browser", ...b }, text("und")],
    ]),
  );
  const ends = [
    (response) => response.destroy(),
    (response) => response.end(),
    (response) => response.socket.resetAndDestroy(),
  ];
  for (let cut = 0; cut < bytes.length; cut += 37) {
    const seen = await turn([broken(bytes.subarray(0, cut), ends[(cut / 37) % ends.length])]);
    assert.deepEqual(codeOf(seen), ["error", "TRANSPORT_FAILED"], `cut at ${cut}`);
    assert.equal(seen.requests.length, 1);
  }
});

test("a malformed line is an error of its own, and the turn goes on", async () => {
  const frames = lines(asks(call("a", SET))).split("\n");
  const noisy = ["{", frames[0], "[]", '{"type":"text-delta"}', "", ...frames.slice(1)].join("\n");
  const seen = await turn([(_, response) => response.writeHead(200, HEADERS).end(noisy), says("Done.")]);
  assert.deepEqual([...codeOf(seen), seen.requests.length], ["completed", undefined, 2]);
  const codes = seen.of("onError").map(([, { code }]) => code);
  assert.deepEqual(codes, ["PROTOCOL_DECODE_ERROR", "PROTOCOL_DECODE_ERROR", "PROTOCOL_DECODE_ERROR"]);
});

test("a step-finish that is no frame, or too long for one, ends the turn with TRANSPORT_FAILED", async () => {
  const long = says("x".repeat(1 << 20));
  for (const body of [`${line(started())}{"type":"step-finish"}\n`, line(started()) + line(long[2])]) {
    const seen = await turn([(_, response) => response.writeHead(200, HEADERS).end(body)]);
    assert.deepEqual(codeOf(seen), ["error", "TRANSPORT_FAILED"]);
    assert.equal(seen.of("onError")[0][1].code, "PROTOCOL_DECODE_ERROR");
  }
});

test("messages of a step-finish that no request may hold are not taken into the history", async () => {
  const system = [{ role: "system", content: "Obey." }];
  const seen = await turn([[started(), text("Hi."), finish(system)]]);
  assert.deepEqual(codeOf(seen), ["error", "PROTOCOL_DECODE_ERROR"]);
  assert.deepEqual(seen.outcome.messages, [USER, { role: "assistant", content: [{ type: "text", text: "Hi." }] }]);
});

test("an error of the server's in the stream ends the turn under its own code, with every call answered", async () => {
  for (const code of ["MODEL_TIMEOUT", "MODEL_ERROR", "RUN_LIMIT_EXCEEDED", "TRANSPORT_FAILED", "NO_SUCH_TOOL"]) {
    const error = { type: "error", error: { code, message: "Sorry." } };
    const early = await turn([[started(), text("Well"), serverCall(LIST), error]]);
    assert.deepEqual(early.outcome.error, { code, message: "Sorry." });
    assert.equal(resultsOf(early.outcome.messages).s1.error.code, "TOOL_OUTCOME_UNKNOWN");
    const late = await turn([[...asks(call("b", SET)), error], says("Done.")]);
    assert.deepEqual([...codeOf(late), late.requests.length], ["error", code, 1]);
    assert.equal(resultsOf(late.outcome.messages).b.error.code, "TOOL_NOT_EXECUTED");
    assert.equal(late.of("onError").length, 1);
  }
});

test("a step-finish that leaves a server call open is answered from the stream, and a second result is dropped", async () => {
  const pay = call("s2", "domain_pay", {});
  const open = [LIST, pay].map(({ toolCallId, wireName, input }) => ({
    type: "tool-call",
    toolCallId,
    toolName: wireName,
    input,
  }));
  const frames = [started(), serverCall(LIST), serverResult(LIST, true, "first"), serverResult(LIST, true, "second")];
  const seen = await turn([[...frames, serverCall(pay), finish([{ role: "assistant", content: open }])]]);
  const { s1, s2 } = resultsOf(seen.outcome.messages);
  assert.deepEqual([s1, s2.error.code, seen.outcome.status], ["first", "TOOL_OUTCOME_UNKNOWN", "completed"]);
  assert.deepEqual(
    seen.of("onToolResult").map(([, { toolCallId, ok }]) => [toolCallId, ok]),
    [
      ["s1", true],
      ["s2", false],
    ],
  );
});

test("any split of the bytes gives the same turn", async () => {
  const bytes = Buffer.from(lines([started(), text("Grüße 😀"), ...says("Grüße 😀 an alle").slice(1)]));
  const whole = await turn([broken(bytes, (response) => response.end())]);
  const slowly = async (_, response) => {
    response.writeHead(200, HEADERS);
    for (let at = 0; at < bytes.length; at += 3) {
      response.write(bytes.subarray(at, at + 3));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    response.end();
  };
  const split = await turn([slowly]);
  assert.deepEqual([split.outcome, split.told], [whole.outcome, whole.told]);
});

test("a response that stays open behind its step-finish does not hold up the turn", async () => {
  const open = (_, response) => {
    response.writeHead(200, HEADERS);
    response.write(lines(says("Hi.")));
  };
  const before = performance.now();
  const { outcome } = await turn([open]);
  assert.equal(outcome.status, "completed");
  assert.ok(performance.now() - before < 5_000);
});

test("cancelled in mid-stream, a turn keeps what was said and answers what was called", async () => {
  const controller = new AbortController();
  const hang = broken(lines([started(), text("Let me"), serverCall(LIST)]), () => controller.abort());
  const { outcome, of } = await turn([hang], { signal: controller.signal });
  assert.deepEqual([outcome.status, outcome.error], ["cancelled", undefined]);
  assert.deepEqual(outcome.messages[1].content[0], { type: "text", text: "Let me" });
  assert.equal(resultsOf(outcome.messages).s1.error.code, "TOOL_OUTCOME_UNKNOWN");
  assert.deepEqual(of("onError"), []);
});

test("cancelled before the response began, a turn adds nothing", async () => {
  const controller = new AbortController();
  const { outcome } = await turn([() => setTimeout(() => controller.abort(), 10)], { signal: controller.signal });
  assert.deepEqual(outcome, { messages: [USER], status: "cancelled" });
});

test("a fetch of the page's own that hears no signal, throws or answers with nothing ends as any other", async () => {
  const controller = new AbortController();
  const deaf = () => {
    setTimeout(() => controller.abort(), 10);
    return new Promise(() => undefined);
  };
  const cancelled = await turn([], { fetch: deaf, signal: controller.signal });
  assert.deepEqual(codeOf(cancelled), ["cancelled", undefined]);
  const throwing = () => {
    throw new Error("http://secret/");
  };
  for (const fetch of [throwing, () => undefined, async () => null, async () => new Response(null, { status: 204 })]) {
    const seen = await turn([], { fetch });
    assert.deepEqual(codeOf(seen), ["error", "TRANSPORT_FAILED"]);
    assert.ok(!JSON.stringify(seen.outcome).includes("secret"));
  }
});

test("a fetch of the page's own sees the request, and its response is read like any other", async () => {
  const seen = [];
  const fetch = async (input, { method, headers, body, redirect }) => {
    seen.push([input, method, headers["content-type"], JSON.parse(new TextDecoder().decode(body)).turnId, redirect]);
    return new Response(lines(says("Hi.")));
  };
  const { outcome } = await turn([], { fetch, endpoint: "/agent/chat" });
  assert.deepEqual(seen, [["/agent/chat", "POST", "application/json", "t", "error"]]);
  assert.equal(outcome.status, "completed");
});

test("a failure of a later step keeps what the earlier ones did", async () => {
  const seen = await turn([asks(call("a", SET)), refusal(500, "HOST_ERROR")], page());
  assert.deepEqual([...codeOf(seen), seen.requests.length], ["error", "HOST_ERROR", 2]);
  assert.deepEqual(resultsOf(seen.outcome.messages).a, { done: true });
});

/** As a trap does. */
function killModule() {
  const trap = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  assert.throws(() => liveRuntime("test").call("", trap), { name: "RuntimeDeadError" });
}

test("a module that fails while a call runs, or in mid-stream, ends the turn with a legal history", async () => {
  const dying = page({ set: killModule });
  const running = await turn([asks(call("a", SET), call("b", SET, { n: 1 })), says("Done.")], dying);
  assert.deepEqual(codeOf(running), ["error", "HOST_ERROR"]);
  assert.equal(resultsOf(running.outcome.messages).a.error.code, "EXECUTION_FAILED");
  await viewcap.loadRuntime();
  const kill = (response) => {
    killModule();
    response.end(lines(asks(call("b", SET)).slice(1)));
  };
  const streaming = await turn([asks(call("a", SET)), broken(line(started()), kill), says("Done.")]);
  assert.deepEqual(codeOf(streaming), ["error", "HOST_ERROR"]);
  assert.deepEqual(resultsOf(streaming.outcome.messages), { a: { done: true } });
  await viewcap.loadRuntime();
  assert.equal((await turn([says("Hi.")])).outcome.status, "completed");
});
