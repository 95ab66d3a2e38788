// Many conversations at once on one server process, over real connections.
//
//   VIEWCAP_HOST_CONVERSATIONS   how many (20); each has 20 steps
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const CONVERSATIONS = Number(process.env.VIEWCAP_HOST_CONVERSATIONS ?? 20);
const STEPS = 20;
const PAGE_TOOL = {
  wireName: "view_page__read",
  canonicalId: "view:page.read",
  plane: "view",
  description: "Reads the page.",
  inputSchema: { type: "object" },
  effect: "read",
  confirmation: "never",
};

function post(port, agent, session, body) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", cookie: `sid=${session}` };
    const request = httpRequest(
      { port, host: "127.0.0.1", path: "/agent/step", method: "POST", headers, agent },
      (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(JSON.stringify(body));
  });
}

/** One conversation; gives the milliseconds of each step. What is heard of another actor is an error. */
async function converse(port, agent, session, turnId) {
  const messages = [{ role: "user", content: `I am ${session}.` }];
  const times = [];
  for (let stepIndex = 0; stepIndex < STEPS; stepIndex++) {
    const start = performance.now();
    const { status, text } = await post(port, agent, session, {
      ...{ protocolVersion: 2, conversationId: `conversation-${session}`, turnId, stepIndex, pathname: "/" },
      ...{ messages, catalog: { frontendTools: [PAGE_TOOL] } },
    });
    times.push(performance.now() - start);
    assert.equal(status, 200, text);
    for (const [, actor] of text.matchAll(/actor-([\w-]+)/g)) assert.equal(actor, session);
    const finish = JSON.parse(text.trim().split("\n").at(-1));
    assert.equal(finish.type, "step-finish", text);
    const [call] = finish.pendingToolCalls;
    assert.equal(call.canonicalId, "view:page.read");
    const results = finish.responseMessages.filter(({ role }) => role === "tool");
    assert.equal(results[0].content[0].output.value.data.secret, `secret of actor-${session}`);
    const value = { seenBy: session, step: stepIndex };
    const { toolCallId, wireName: toolName } = call;
    const answer = { type: "tool-result", toolCallId, toolName, output: { type: "json", value } };
    messages.push(...finish.responseMessages, { role: "tool", content: [answer] });
  }
  return times;
}

test(`${CONVERSATIONS} conversations at once, ${STEPS} steps each: every step is answered, nobody hears of another, memory is flat`, async (t) => {
  const child = fork(fileURLToPath(new URL("host_load_server.mjs", import.meta.url)), [], {
    execArgv: ["--expose-gc"],
  });
  t.after(() => child.kill());
  const [{ port }] = await once(child, "message");
  const agent = new Agent({ keepAlive: true, maxSockets: CONVERSATIONS });
  t.after(() => agent.destroy());
  const held = async () => {
    child.send("held");
    const [{ bytes }] = await once(child, "message");
    return bytes;
  };
  const round = (turn) =>
    Promise.all(
      Array.from({ length: CONVERSATIONS }, (_, at) => converse(port, agent, `s${String(at)}`, `t${String(turn)}`)),
    );
  await round(0);
  const before = await held();
  const start = performance.now();
  const times = (await round(1)).flat().sort((a, b) => a - b);
  const seconds = (performance.now() - start) / 1000;
  await round(2);
  const after = await held();
  const grown = (after - before) / 2 ** 20;
  const of = (share) => times[Math.floor(times.length * share)].toFixed(1);
  console.log(
    `${String(times.length)} steps in ${seconds.toFixed(2)} s: ${(times.length / seconds).toFixed(0)} a second, ` +
      `median ${of(0.5)} ms, 99 % ${of(0.99)} ms; memory ${(before / 2 ** 20).toFixed(1)} MiB, ${grown.toFixed(2)} MiB more after two rounds`,
  );
  assert.ok(grown < 4, `${grown.toFixed(1)} MiB are held after two more rounds`);
});
