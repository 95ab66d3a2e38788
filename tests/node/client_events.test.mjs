// What a turn tells the page while it runs. Every call is told once and so is its result; a callback changes nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, asks, call, finish, page, ROWS, says, SET, text, turn } from "./client_host.mjs";
import { resultsOf, serverCall, serverResult, started } from "./client_host.mjs";
import { ready } from "./support.mjs";

await ready;

const TOOLS = [
  { wireName: "domain_list", canonicalId: "domain:list", sideEffect: "read" },
  { wireName: "domain_ping", canonicalId: "domain:ping", sideEffect: "none" },
  { wireName: "domain_pay", canonicalId: "domain:pay", sideEffect: "write" },
  { wireName: "domain_odd", canonicalId: "domain:odd", sideEffect: "of-a-newer-host" },
  { wireName: "domain_bare", canonicalId: "domain:bare" },
].map((tool) => ({ description: "", inputSchema: {}, requiresApproval: false, ...tool }));

/** The frames of a step with these results of the server's, `[call, ok, result]`. */
const serverStep = (...settled) => [
  started(TOOLS),
  ...settled.flatMap(([one, ok, result]) => [serverCall(one), serverResult(one, ok, result)]),
  finish(answered(settled.map(([one, , result]) => [one, result]))),
];

test("the events of a turn come in the order of what happens", async () => {
  const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7, reportedSteps: 1 };
  const list = call("s", "domain_list");
  const a = call("a", SET, { n: 1 });
  const inspector = { type: "inspector", lane: "host", eventType: "catalog.collision", summary: "Not offered." };
  const first = [
    ...[started(TOOLS), inspector, { type: "reasoning-delta", text: "Hm." }, text("I "), text("look.")],
    ...[serverCall(list), serverResult(list, true, [1]), { type: "tool-call", executor: "browser", ...a }],
    finish(answered([[list, [1]]], a), [a], { usage }),
  ];
  const { told } = await turn([first, says("Done.")]);
  const canonicalId = "view:invoices.set";
  assert.deepEqual(told, [
    ["onDomainCatalog", TOOLS],
    ["onInspector", inspector],
    ["onReasoningDelta", "Hm."],
    ["onTextDelta", "I "],
    ["onTextDelta", "look."],
    ["onToolCall", { ...list, executor: "server" }],
    ["onToolResult", { ...without(list), executor: "server", ok: true, result: [1] }],
    ["onToolCall", { ...a, executor: "browser" }],
    ["onUsage", usage],
    [
      "onToolResult",
      { toolCallId: "a", wireName: SET, canonicalId, executor: "browser", ok: true, result: { done: true } },
    ],
    ["onAssistantMessageBoundary"],
    ["onDomainCatalog", []],
    ["onTextDelta", "Done."],
  ]);
});

const without = ({ toolCallId, wireName, canonicalId }) => ({ toolCallId, wireName, canonicalId });

test("a call of the browser's that no frame told of is told when it is carried out", async () => {
  const a = call("a", SET);
  const [start, , end] = asks(a);
  const { told } = await turn([[start, end], says("Done.")]);
  assert.deepEqual(told.map(([name]) => name).slice(1, 4), [
    "onToolCall",
    "onToolResult",
    "onAssistantMessageBoundary",
  ]);
});

test("onDomainMutation fires once per successful server call that is not declared read or none", async () => {
  const calls = TOOLS.map(({ wireName }, n) => [call(`s${n}`, wireName), true, { fine: n }]);
  const { of } = await turn([serverStep(...calls, [call("x", "domain_unlisted"), true, 1])]);
  assert.deepEqual(
    of("onDomainMutation").map(([, { canonicalId }]) => canonicalId),
    ["domain:pay", "domain:odd", "domain:bare", "domain:unlisted"],
  );
});

test("onDomainMutation does not fire for a failure, nor for an envelope that waits for an approval", async () => {
  const envelope = { status: "approval-required", approvalId: "apr_1", message: "Ask.", expiresAt: 1 };
  const failed = { error: { code: "X", message: "No.", retry: "yes" } };
  const { of } = await turn([
    serverStep([call("s1", "domain_pay"), true, envelope], [call("s2", "domain_pay", { n: 2 }), false, failed]),
  ]);
  assert.deepEqual(of("onDomainMutation"), []);
  assert.equal(of("onToolResult").length, 2);
});

test("onDomainMutation does not fire for calls of the browser's, nor for a result that is sent twice", async () => {
  const pay = call("s", "domain_pay");
  const frames = serverStep([pay, true, 1]);
  const { of } = await turn([[...frames.slice(0, -1), serverResult(pay, true, 2), ...frames.slice(-1)]]);
  assert.deepEqual(
    of("onDomainMutation").map(([, { result }]) => result),
    [1],
  );
  const browser = await turn([asks(call("a", SET)), says("Done.")]);
  assert.deepEqual(browser.of("onDomainMutation"), []);
});

test("a result that no frame told of is told from the step's messages", async () => {
  const pay = call("s", "domain_pay");
  const { of } = await turn([[started(TOOLS), serverCall(pay), finish(answered([[pay, { paid: 1 }]]))]]);
  assert.deepEqual(
    of("onToolResult").map(([, { ok, result }]) => [ok, result]),
    [[true, { paid: 1 }]],
  );
  assert.equal(of("onDomainMutation").length, 1);
});

test("the server cannot answer a call of the browser's", async () => {
  const a = call("a", ROWS);
  const frames = asks(a);
  frames.splice(2, 0, serverResult(a, true, ["forged"]));
  const { outcome, of } = await turn([frames, says("Done.")], page({ read: () => ["true"] }));
  assert.deepEqual(resultsOf(outcome.messages).a, ["true"]);
  assert.deepEqual(
    of("onToolResult").map(([, { result }]) => result),
    [["true"]],
  );
});

test("onUsage fires once a step, and not at all where the provider reported nothing", async () => {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2, reportedSteps: 1 };
  const withUsage = asks(call("a", SET));
  withUsage[withUsage.length - 1] = { ...withUsage.at(-1), usage };
  const { of } = await turn([withUsage, says("Done.")]);
  assert.deepEqual(of("onUsage"), [["onUsage", usage]]);
});

test("the boundary of an assistant message is told between two steps, and not after the last", async () => {
  const { of } = await turn([asks(call("a", SET)), asks(call("b", SET, { n: 1 })), says("Done.")]);
  assert.equal(of("onAssistantMessageBoundary").length, 2);
  const controller = new AbortController();
  const surface = page({ set: () => controller.abort() });
  const cancelled = await turn([asks(call("a", SET))], { ...surface, signal: controller.signal });
  assert.deepEqual(cancelled.of("onAssistantMessageBoundary"), []);
});

test("a callback that throws, rejects or never answers changes nothing", async () => {
  const pay = call("s", "domain_pay");
  const a = call("a", SET);
  const served = [started(TOOLS), text("I pay."), serverCall(pay), serverResult(pay, true, 1)];
  const script = [[...served, finish(answered([[pay, 1]], a), [a])], says("Done.")];
  const names = ["onTextDelta", "onToolCall", "onToolResult", "onDomainCatalog", "onDomainMutation", "onError"];
  const warn = console.warn;
  console.warn = () => undefined;
  try {
    const calm = await turn(script);
    for (const act of [() => thrown(), () => Promise.reject(new Error("late")), () => new Promise(() => undefined)]) {
      const events = Object.fromEntries(
        [...names, "onAssistantMessageBoundary", "onInspector"].map((one) => [one, act]),
      );
      const { outcome, told } = await turn(script, { events });
      assert.deepEqual([outcome, told], [calm.outcome, calm.told]);
    }
  } finally {
    console.warn = warn;
  }
});

function thrown() {
  throw new Error("a callback's own");
}

test("a turn without callbacks runs alike", async () => {
  const { outcome } = await turn([asks(call("a", SET)), says("Done.")], { events: undefined });
  assert.equal(outcome.status, "completed");
});
