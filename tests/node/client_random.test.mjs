// Random hosts: whatever comes down the line, and wherever it breaks, a turn ends with a legal history that can be
// posted again, and every call that was told of has exactly one result.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runTurn } from "viewcap/client";
import { createRandom } from "../soak/random.mjs";
import { assertLegal, call, callPart, consumer, finish, GO, line, page, resultPart, ROWS } from "./client_host.mjs";
import { says, serverCall, serverResult, SET, started, text } from "./client_host.mjs";
import { ready, viewcap } from "./support.mjs";

await ready;

const NAMES = [SET, ROWS, GO, "view_nothing__here", "domain_list", "domain_pay"];
const NOISE = ["{", "", "null", '{"type":"tool-call"}', '{"type":"of-tomorrow"}', "\ud83d", '{"type":"step-finish"}'];

function randomCall(random) {
  return call(`id${random.below(6)}`, random.pick(NAMES), random.chance(0.5) ? {} : { n: random.below(3) });
}

/** Parts and results as they come: some legal, some with calls left open, forged results, results without a call. */
function randomMessages(random, calls) {
  const content = calls.filter(() => random.chance(0.9)).map(callPart);
  const results = calls.filter(() => random.chance(0.5)).map((one) => resultPart(one, random.pick([1, null, "x"])));
  const messages = [{ role: random.chance(0.95) ? "assistant" : "system", content }];
  return results.length > 0 ? [...messages, { role: "tool", content: results }] : messages;
}

function randomLine(random, calls) {
  const one = random.chance(0.7) && calls.length > 0 ? random.pick(calls) : randomCall(random);
  switch (random.weighted({ text: 3, server: 4, browser: 2, result: 4, error: 0.3, noise: 2, finish: 2 })) {
    case "text":
      return line(text(random.pick(["a", "ä", "😀", ""])));
    case "server":
      calls.push(one);
      return line(serverCall(one));
    case "browser":
      calls.push(one);
      return line({ type: "tool-call", executor: "browser", ...one });
    case "result":
      return line(serverResult(one, random.chance(0.6), random.chance(0.5) ? { error: { retry: "no" } } : [1]));
    case "error":
      return line({ type: "error", error: { code: "MODEL_ERROR", message: "Sorry." } });
    case "noise":
      return `${random.pick(NOISE)}\n`;
    default:
      return line(
        finish(
          randomMessages(random, calls),
          calls.filter(() => random.chance(0.5)),
        ),
      );
  }
}

function randomBytes(random) {
  const calls = [];
  const count = 1 + random.below(12);
  const lines = [line(started()), ...Array.from({ length: count }, () => randomLine(random, calls))];
  if (random.chance(0.6)) lines.push(line(finish([{ role: "assistant", content: calls.map(callPart) }], calls)));
  const bytes = new TextEncoder().encode(lines.join(""));
  return random.chance(0.3) ? bytes.slice(0, random.below(bytes.length)) : bytes;
}

/** Chunks of any size; the connection may break, or the person may cancel, in the middle. */
function randomFetch(random, cancel) {
  return async () => {
    if (random.chance(0.03)) return new Response("{}", { status: random.pick([400, 409, 500]) });
    const bytes = randomBytes(random);
    let at = 0;
    const pull = (controller) => {
      if (random.chance(0.01)) cancel();
      if (random.chance(0.02)) return controller.error(new Error("reset"));
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += 1 + random.below(200))));
    };
    return new Response(new ReadableStream({ pull }));
  };
}

/** A handler that does what handlers do. */
function randomHandler(random, cancel) {
  return () => {
    if (random.chance(0.02)) cancel();
    if (random.chance(0.2)) throw new Error("no");
    if (random.chance(0.2)) {
      throw new viewcap.AgentSurfaceError({ code: "PRECONDITION_FAILED", message: "No.", retry: "with-changes" });
    }
    return random.chance(0.1) ? new Map() : { n: 1 };
  };
}

async function randomTurn(seed) {
  const random = createRandom(seed);
  const controller = new AbortController();
  const cancel = () => controller.abort();
  const handler = randomHandler(random, cancel);
  const { registry } = page({ read: handler, set: handler, goTo: handler });
  const told = { calls: [], results: [] };
  const options = (turnId, messages, fetch) => ({
    ...{ conversationId: "c", turnId, messages, registry, consumer, endpoint: "/agent/chat", fetch },
    ...{ pathname: () => "/", scopeFor: () => [] },
  });
  try {
    const outcome = await runTurn({
      ...options("t", [{ role: "user", content: "Go." }], randomFetch(random, cancel)),
      signal: controller.signal,
      events: {
        onToolCall: ({ toolCallId }) => told.calls.push(toolCallId),
        onToolResult: ({ toolCallId }) => told.results.push(toolCallId),
      },
    });
    assertLegal(outcome.messages);
    assert.equal(outcome.error !== undefined, outcome.status === "error");
    assert.deepEqual([...told.results].sort(), [...told.calls].sort());
    const next = async () => new Response(says("Hi.").map(line).join(""));
    const again = await runTurn(options("next", [...outcome.messages, { role: "user", content: "Again." }], next));
    assert.deepEqual([again.status, again.error], ["completed", undefined]);
    return outcome.status;
  } finally {
    registry.dispose();
  }
}

test("whatever a host sends, the history is legal and can be posted again, and no call is left without its result", async () => {
  const seen = { completed: 0, error: 0, cancelled: 0 };
  for (let seed = 1; seed <= 400; seed++) {
    try {
      seen[await randomTurn(seed)]++;
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
  assert.ok(Math.min(...Object.values(seen)) > 10, JSON.stringify(seen));
});
