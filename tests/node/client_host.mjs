// What the tests of the turn loop start from: a real host that plays a script, one entry a step, and a page on a real
// registry. An entry is a list of frames, or a function of (request, response) that writes what it likes.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { runTurn } from "viewcap/client";
import { makeRegistry, schema, viewcap } from "./support.mjs";

export const consumer = { id: "assistant", kind: "embedded" };
export const HEADERS = { "content-type": "application/x-ndjson", "x-host-protocol-version": "2" };

export const line = (frame) => `${JSON.stringify(frame)}\n`;
export const lines = (frames) => frames.map(line).join("");
export const text = (words) => ({ type: "text-delta", text: words });
export const started = (domainTools = []) => ({
  ...{ type: "step-start", stepId: "step", turnId: "turn", conversationId: "conversation" },
  ...{ domainTools, catalogMode: "direct", scope: [] },
});

const canonicalOf = (wireName) => wireName.replace("_", ":").replaceAll("__", ".");
/** A call as the model makes it; its wire name says what it is. */
export const call = (toolCallId, wireName, input = {}) => ({
  toolCallId,
  wireName,
  canonicalId: canonicalOf(wireName),
  input,
});
export const callPart = ({ toolCallId, wireName, input }) => ({
  type: "tool-call",
  toolCallId,
  toolName: wireName,
  input,
});
export const resultPart = ({ toolCallId, wireName }, value) => ({
  type: "tool-result",
  toolCallId,
  toolName: wireName,
  output: { type: "json", value },
});
export const finish = (responseMessages, pendingToolCalls = [], more = {}) => ({
  type: "step-finish",
  stepId: "step",
  finishReason: pendingToolCalls.length > 0 ? "tool-calls" : "stop",
  responseMessages,
  pendingToolCalls,
  ...more,
});

/** The frames of a step that ends with these words. */
export const says = (words) => [
  started(),
  text(words),
  finish([{ role: "assistant", content: [{ type: "text", text: words }] }]),
];
/** The frames of a step that ends at calls of the browser. */
export const asks = (...calls) => [
  started(),
  ...calls.map((one) => ({ type: "tool-call", executor: "browser", ...one })),
  finish([{ role: "assistant", content: calls.map(callPart) }], calls),
];
export const serverCall = (one) => ({ type: "tool-call", executor: "server", ...one });
export const serverResult = ({ toolCallId, wireName, canonicalId }, ok, result) => ({
  ...{ type: "tool-result", toolCallId, wireName, canonicalId, ok, result },
});
/** What the server made of its own calls, as messages. */
export const answered = (pairs, ...more) => [
  { role: "assistant", content: [...pairs.map(([one]) => callPart(one)), ...more.map(callPart)] },
  { role: "tool", content: pairs.map(([one, value]) => resultPart(one, value)) },
];

/** Plays the script, one entry a step, and keeps the bodies of the requests. */
export async function scriptedHost(script) {
  const requests = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      requests.push({ ...body, headers: request.headers, method: request.method, url: request.url });
      const entry = script[requests.length - 1] ?? says("The script is over.");
      if (typeof entry === "function") return void entry(body, response, request);
      response.writeHead(200, HEADERS).end(lines(entry));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { endpoint: `http://127.0.0.1:${server.address().port}/agent/chat`, requests, close };
}

const OPEN = { type: "object" };
/** A page with a table: `rows` is read, `set` changes it, `goTo` leads elsewhere. Handlers are what a test gives. */
export function page({ read = () => [], set = () => undefined, goTo = () => undefined } = {}, { actions = {} } = {}) {
  const registry = makeRegistry();
  const action = (description, effect, more) => ({ description, input: schema(OPEN), effect, ...more });
  const contract = viewcap.defineAgentComponentContract({
    type: "invoices",
    description: "The invoices.",
    observations: { rows: { description: "The rows.", output: schema({}) } },
    actions: {
      set: action("Sets filters.", "local-state", actions.set),
      goTo: action("Goes to a page.", "navigation", actions.goTo),
    },
  });
  const definition = contract.bind({
    observations: { rows: { read } },
    actions: { set: { execute: set }, goTo: { execute: goTo } },
  });
  const handle = registry.register(definition);
  // Spread into the options of a turn, it is the registry alone.
  return Object.defineProperties({ registry }, { handle: { value: handle }, definition: { value: definition } });
}

export const USER = { role: "user", content: "Hello" };
export const SET = "view_invoices__set";
export const ROWS = "view_invoices__rows";
export const GO = "view_invoices__goTo";

/** Runs a turn against a script and gives outcome, requests and what was told, in order. */
export async function turn(script, options = {}) {
  const host = await scriptedHost(script);
  const { registry = page().registry, events = {}, ...rest } = options;
  const { told, listeners } = recorder(events);
  try {
    const outcome = await runTurn({
      ...{ conversationId: "c", turnId: "t", messages: Object.freeze([USER]), registry, consumer },
      ...{ endpoint: host.endpoint, pathname: () => "/", scopeFor: () => [], events: listeners },
      ...rest,
    });
    assertLegal(outcome.messages);
    return { outcome, requests: host.requests, told, of: (name) => told.filter((one) => one[0] === name) };
  } finally {
    registry.dispose();
    await host.close();
  }
}

const EVENTS = [
  ...["onTextDelta", "onReasoningDelta", "onToolCall", "onToolResult", "onDomainCatalog", "onDomainMutation"],
  ...["onUsage", "onInspector", "onAssistantMessageBoundary", "onError"],
];
function recorder(events) {
  const told = [];
  const listeners = Object.fromEntries(
    EVENTS.map((name) => [
      name,
      (...args) => {
        told.push([name, ...args]);
        return events[name]?.(...args);
      },
    ]),
  );
  return { told, listeners };
}

/** Every call has one later result of its own, and every result a call. */
export function assertLegal(messages) {
  const open = new Map();
  for (const { role, content } of messages) {
    assert.ok(["user", "assistant", "tool"].includes(role), `the role ${role}`);
    for (const part of typeof content === "string" ? [] : content) {
      const count = open.get(part.toolCallId) ?? 0;
      if (part.type === "tool-call") open.set(part.toolCallId, count + 1);
      if (part.type !== "tool-result") continue;
      assert.ok(count > 0, `the result of ${part.toolCallId} has no call`);
      assert.equal(part.output.type, "json");
      assert.notEqual(part.output.value, undefined);
      open.set(part.toolCallId, count - 1);
    }
  }
  assert.deepEqual(
    [...open].filter(([, count]) => count > 0),
    [],
    "calls without a result",
  );
}

/** The results in a history, by id of the call. */
export function resultsOf(messages) {
  const parts = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const results = parts.filter(({ type }) => type === "tool-result");
  return Object.fromEntries(results.map(({ toolCallId, output }) => [toolCallId, output.value]));
}
