// The host's smaller parts by themselves: the scripted model, the session's cookie, the rate, the options.

import assert from "node:assert/strict";
import { test } from "node:test";
import { call, host, invoicesRuntime, serve, stepOf, user } from "./host_support.mjs";

const { scriptedModel, sessionCookie, readCookie, createHostHandler } = host;

async function play(script, messages, tools = []) {
  const parts = [];
  for await (const part of scriptedModel(script).stream({ messages, tools, signal: new AbortController().signal }))
    parts.push(part);
  return parts;
}
const textOf = (parts) => parts.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("");
const assistant = (text) => ({ role: "assistant", content: [{ type: "text", text }] });
const result = (toolName, value) => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "1", toolName, output: { type: "json", value } }],
});

test("a scripted model picks the turn by the user's last message, and the step by the answers since", async () => {
  const turns = [
    { when: /overdue/gi, steps: [{ text: "one" }, { text: "two" }] },
    { when: "hello", steps: [{ text: "hi" }] },
    { when: ({ tools }) => tools.includes("special"), steps: [{ text: "special" }] },
  ];
  const script = { turns, otherwise: { text: "what?" } };
  assert.equal(textOf(await play(script, [user("What is overdue?")])), "one");
  assert.equal(textOf(await play(script, [user("What is Overdue?"), assistant("one"), result("t", 1)])), "two");
  assert.equal(
    textOf(await play(script, [user("overdue"), assistant("one"), assistant("two")])),
    "",
    "the script is over",
  );
  assert.equal(textOf(await play(script, [user("overdue"), assistant("one"), user("hello")])), "hi");
  assert.equal(textOf(await play(script, [user("?")], [{ name: "special" }])), "special");
  assert.equal(textOf(await play(script, [user("?")])), "what?");
  assert.equal(textOf(await play(script, [user("?"), assistant("what?")])), "");
  assert.equal(textOf(await play({ turns: [] }, [])), "");
});

test("a step of a script sees the results of its turn, the latest one by name, and what the user said in parts", async () => {
  const step = (view) => ({
    text: JSON.stringify([
      view.user,
      view.step,
      view.lastResult("t"),
      view.lastResult("u") ?? null,
      view.results.length,
    ]),
  });
  const script = { turns: [{ when: () => true, steps: [{}, step] }] };
  const said = { role: "user", content: [{ type: "text", text: "a" }, { type: "file" }, { type: "text", text: "b" }] };
  const history = [user("x"), assistant("y"), result("t", 0), said, assistant("z"), result("t", 1), result("t", 2)];
  assert.deepEqual(JSON.parse(textOf(await play(script, history))), ["ab", 1, 2, null, 2]);
});

test("the host's message about the page's state is not taken for the person's", async () => {
  const script = { turns: [{ when: "hi", steps: [{ text: "yes" }] }], otherwise: { text: "no" } };
  assert.equal(
    textOf(await play(script, [user("hi"), user("Capability state (this step):\n- x: unavailable")])),
    "yes",
  );
});

test("a scripted model reports no usage, unless the script says some, and makes up ids that differ within a turn", async () => {
  const script = {
    turns: [{ when: () => true, steps: [{ calls: [call("a"), call("b", 1, "own")] }, { calls: [call("a")] }] }],
  };
  const first = await play(script, [user()]);
  const second = await play(script, [user(), assistant("")]);
  assert.deepEqual(first.at(-1), { type: "finish", reason: "tool-calls" });
  const ids = [...first, ...second].flatMap(({ toolCallId }) => toolCallId ?? []);
  assert.deepEqual(ids, ["call_1_1", "own", "call_2_1"]);
  assert.throws(() => scriptedModel({}), TypeError);
});

test("words of a script keep their spaces, and a pace can be aborted", async () => {
  const text = "  two  words,\nand a line.  ";
  assert.equal(textOf(await play({ turns: [], otherwise: { text } }, [user()])), text);
  const stop = new AbortController();
  const paced = scriptedModel({ turns: [], otherwise: { text }, paceMs: 10_000 });
  const waiting = paced.stream({ messages: [user()], tools: [], signal: stop.signal }).next();
  stop.abort();
  await assert.rejects(waiting);
});

test("the session's cookie is HttpOnly and SameSite=Strict, and nothing smuggles in another attribute", () => {
  assert.equal(sessionCookie("sid", "abc123"), "sid=abc123; Path=/; HttpOnly; SameSite=Strict; Secure");
  assert.equal(
    sessionCookie("sid", "", { maxAgeSeconds: 0, secure: false, path: "/app" }),
    "sid=; Path=/app; Max-Age=0; HttpOnly; SameSite=Strict",
  );
  for (const [name, value, options] of [
    ["a b", "x"],
    ["sid;", "x"],
    ["sid", "a;b"],
    ["sid", "a\r\nb"],
    ["sid", 'a"b'],
    ["sid", "é"],
    ["sid", "x", { path: "/a; Domain=x" }],
  ]) {
    assert.throws(() => sessionCookie(name, value, options), TypeError);
  }
});

test("a cookie is read by its whole name, and one that is there twice is not read at all", () => {
  const read = (cookie, name = "sid") =>
    readCookie({ headers: new Headers(cookie === undefined ? {} : { cookie }) }, name);
  assert.equal(read("a=1; sid=xyz=; b=2"), "xyz=");
  assert.equal(read("xsid=1; sid2=2"), undefined);
  assert.equal(read("sid=1; sid=2"), undefined);
  assert.equal(read(undefined), undefined);
  assert.equal(read("sid"), undefined);
});

test("options that cannot be are refused when the handler is made", () => {
  const good = { session: () => undefined, runtime: invoicesRuntime() };
  assert.equal(typeof createHostHandler(good), "function");
  const wrong = [
    undefined,
    {},
    { ...good, session: "sid" },
    { ...good, runtime: {} },
    { ...good, model: "gpt-5" },
    { ...good, scopeFor: [] },
    { ...good, approvals: {} },
    { ...good, frontendManifest: { domain: [] } },
    { ...good, limits: { modelSteps: 0 } },
    { ...good, limits: { silenceMs: NaN } },
    { ...good, limits: 5 },
    { ...good, origins: ["https://a.example/path"] },
    { ...good, paths: { approvals: "x" } },
  ];
  for (const options of wrong) assert.throws(() => createHostHandler(options), TypeError);
});

test("a rate slides: half of the last minute counts in the middle of this one, and sessions that are gone are forgotten", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 60_000_000 });
  const { handler } = await serve(t, { script: { turns: [] }, limits: { requestsPerMinute: 4 } });
  const status = async () => {
    const headers = { "content-type": "application/json", cookie: "sid=cookie-ana" };
    return (
      await handler(
        new Request("http://localhost/agent/step", { method: "POST", headers, body: JSON.stringify(stepOf()) }),
      )
    ).status;
  };
  const burst = async (count) => {
    const seen = [];
    for (let at = 0; at < count; at++) {
      seen.push(await status());
      await handler.idle();
    }
    return seen;
  };
  assert.deepEqual(await burst(5), [200, 200, 200, 200, 429]);
  t.mock.timers.setTime(60_060_000);
  assert.deepEqual(await burst(1), [429], "the burst at the edge counts");
  t.mock.timers.setTime(60_090_000);
  assert.deepEqual(await burst(3), [200, 200, 429]);
  t.mock.timers.setTime(60_300_000);
  assert.deepEqual(await burst(5), [200, 200, 200, 200, 429]);
});
