// The workbench's server: records, roles, approvals, sessions, and a provider in the place of the script.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { compileContracts } from "../../examples_web/receivables/compile_contracts.mjs";
import { daysBetween } from "../../examples_web/receivables/server/database.mjs";
import { startServer } from "../../examples_web/receivables/server/main.mjs";
import { actorOf, USERS } from "../../examples_web/receivables/server/sessions.mjs";
import { describeDomainTools } from "viewcap/domain";

const TODAY = "2026-12-01";

async function workbench(t, options = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), "receivables-"));
  let server = await startServer({ dataFolder, today: TODAY, onError: () => undefined, ...options });
  t.after(async () => {
    await server.close();
    await rm(dataFolder, { recursive: true, force: true });
  });
  const restart = async () => {
    await server.close();
    server = await startServer({ dataFolder, today: TODAY, onError: () => undefined, ...options });
    return server;
  };
  return { server, restart };
}

function client({ url }) {
  let cookie;
  const post = async (path, body, headers = {}) => {
    const response = await fetch(new URL(path, url), {
      method: "POST",
      headers: { "content-type": "application/json", ...(cookie && { cookie }), ...headers },
      body: JSON.stringify(body),
    });
    const set = response.headers.get("set-cookie");
    if (set !== null) cookie = set.split(";")[0];
    return response;
  };
  return {
    post,
    signIn: (user) => post("api/session", { user }),
    get: (path) => fetch(new URL(path, url), { headers: cookie ? { cookie } : {} }),
    rpc: async (name, input = {}) => {
      const response = await post(`rpc/${name}`, { json: input });
      return { status: response.status, value: (await response.json()).json };
    },
    step: async (content, fields = {}) => {
      const messages = [{ role: "user", content }];
      const body = {
        protocolVersion: 2,
        conversationId: "c",
        turnId: "t",
        stepIndex: 0,
        pathname: "/invoices",
        messages,
      };
      const response = await post("agent/step", { ...body, catalog: { frontendTools: [] }, ...fields });
      return (await response.text())
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    },
  };
}

const optionsOf = (server, user) => {
  const context = { store: server.store, user: USERS[user] };
  return { actor: actorOf(USERS[user]), context, surface: "aiSdk" };
};

test("the figures are those of the rows, counted one by one", async (t) => {
  const { server } = await workbench(t);
  const rows = [1, 2].flatMap((page) => server.store.list({ page, pageSize: 50 }).rows);
  assert.equal(rows.length, 60);
  const open = rows.filter(({ status }) => status === "issued" || status === "overdue");
  const overdue = open.filter(({ dueOn }) => daysBetween(dueOn, TODAY) > 0);
  const sum = (list) => ({ count: list.length, amount: list.reduce((total, { amount }) => total + amount, 0) });
  const summary = server.store.summary();
  assert.deepEqual([summary.open, summary.overdue], [sum(open), sum(overdue)]);
  const { buckets } = server.store.aging();
  assert.equal(
    buckets.reduce((total, { count }) => total + count, 0),
    open.length,
  );
  const late = overdue.filter(({ dueOn }) => daysBetween(dueOn, TODAY) > 90);
  assert.deepEqual(buckets.at(-1), { bucket: "90+", ...sum(late) });
});

test("a page has at most its size, says the total, and is sorted and filtered", async (t) => {
  const { server } = await workbench(t);
  const { rows, total, totalAmount } = server.store.list({
    status: "overdue",
    sort: { by: "amount", direction: "desc" },
    pageSize: 5,
  });
  assert.equal(rows.length, 5);
  assert.ok(total > 5 && totalAmount > rows.reduce((sum, { amount }) => sum + amount, 0));
  assert.deepEqual(
    rows.map(({ amount }) => amount),
    rows.map(({ amount }) => amount).sort((a, b) => b - a),
  );
  assert.ok(rows.every(({ status, daysOverdue }) => status === "overdue" && daysOverdue > 0));
  assert.equal(server.store.list({ search: "inv-1007" }).total, 1);
  assert.equal(server.store.list({ search: "%" }).total, 0);
});

test("a person's path: nobody is refused reading, an analyst is refused writing, a stranger everything", async (t) => {
  const { server } = await workbench(t);
  const person = client(server);
  assert.equal((await person.rpc("list-invoices")).status, 401);
  await person.signIn("jonas");
  assert.equal((await person.rpc("list-invoices")).status, 200);
  assert.equal((await person.rpc("issue-invoice", { invoiceId: "i1010" })).status, 403);
  await person.signIn("maria");
  assert.equal((await person.rpc("issue-invoice", { invoiceId: "i1010" })).status, 200);
  assert.equal((await person.rpc("issue-invoice", { invoiceId: "i1010" })).status, 409);
  assert.equal((await person.rpc("get-invoice", { invoiceId: "none" })).status, 404);
});

test("an agent's path: an analyst sees and reaches no operation that writes; a collector does", async (t) => {
  const { server } = await workbench(t);
  const { runtime } = server.governed;
  const listed = async (user) =>
    (await describeDomainTools(runtime, optionsOf(server, user))).map(({ canonicalId }) => canonicalId);
  const reads = [
    "domain:list-invoices",
    "domain:list-clients",
    "domain:receivables-summary",
    "domain:collections-aging",
  ];
  assert.deepEqual(await listed("jonas"), reads);
  const writes = ["domain:create-invoice", "domain:issue-invoice", "domain:mark-invoice-paid", "domain:delete-invoice"];
  assert.deepEqual(
    (await listed("maria")).filter((id) => !reads.includes(id)),
    writes,
  );
  const input = { clientId: "c1", amount: 100 };
  const refused = await runtime.invoke("create-invoice", input, optionsOf(server, "jonas"));
  const unknown = await runtime.invoke("no-such-thing", input, optionsOf(server, "jonas"));
  assert.equal(refused.error.code, unknown.error.code);
});

test("the contextual operation is out of an agent's direct reach", async (t) => {
  const { server } = await workbench(t);
  const call = server.governed.runtime.invoke(
    "update-collection-status",
    { invoiceId: "i1001", status: "promised" },
    optionsOf(server, "maria"),
  );
  assert.equal((await call).error.code, "CAPABILITY_NOT_FOUND");
  assert.equal(server.store.get("i1001").collectionStatus, "reminded");
});

test("a large payment needs an approval, a small one does not", async (t) => {
  const { server } = await workbench(t);
  const rows = server.store.list({ status: "overdue", sort: { by: "amount", direction: "asc" }, pageSize: 50 }).rows;
  const pay = ({ id }) =>
    server.governed.runtime.invoke("mark-invoice-paid", { invoiceId: id }, optionsOf(server, "maria"));
  assert.equal((await pay(rows[0])).status, "completed");
  assert.equal((await pay(rows.at(-1))).status, "approval-required");
  assert.equal(server.store.get(rows.at(-1).id).status, "overdue");
});

test("a model gets at most twenty rows and the total of all", async (t) => {
  const { server } = await workbench(t);
  const { output } = await server.governed.runtime.invoke(
    "list-invoices",
    { pageSize: 50 },
    optionsOf(server, "maria"),
  );
  assert.deepEqual([output.rows.length, output.total], [20, 60]);
});

test("under one idempotency key an invoice is created once", async (t) => {
  const { server } = await workbench(t);
  const create = () =>
    server.governed.runtime.invoke(
      "create-invoice",
      { clientId: "c1", amount: 100 },
      { ...optionsOf(server, "maria"), idempotencyKey: "k".repeat(64) },
    );
  const [first, second] = [await create(), await create()];
  assert.equal(first.output.id, second.output.id);
  assert.equal(server.store.list({}).total, 61);
});

test("a session and its records survive a restart of the server", async (t) => {
  const { server, restart } = await workbench(t);
  const cookie = (await client(server).signIn("maria")).headers.get("set-cookie");
  assert.match(cookie, /HttpOnly; SameSite=Strict/);
  server.store.markPaid("i1001");
  const next = await restart();
  const response = await fetch(new URL("api/session", next.url), { headers: { cookie: cookie.split(";")[0] } });
  assert.deepEqual(await response.json(), { user: USERS.maria });
  assert.equal(next.store.get("i1001").status, "paid");
});

test("another site's request changes nothing, with the visitor's cookie or without", async (t) => {
  const { server } = await workbench(t);
  const person = client(server);
  await person.signIn("maria");
  const foreign = { origin: "https://elsewhere.example" };
  for (const [path, body] of [
    ["rpc/issue-invoice", { json: { invoiceId: "i1010" } }],
    ["api/session", { user: "jonas" }],
    ["agent/step", {}],
  ])
    assert.equal((await person.post(path, body, foreign)).status, 403, path);
  assert.equal(server.store.get("i1010").status, "draft");
});

test("the script answers from the results: a tool that is not offered, a refusal and an unknown invoice are said", async (t) => {
  const { server } = await workbench(t);
  const person = client(server);
  await person.signIn("maria");
  const said = async (text) =>
    (await person.step(text)).flatMap((frame) => (frame.type === "text-delta" ? [frame.text] : [])).join("");
  assert.match(await said("sort by amount"), /view_invoices__pending__sort is not offered/);
  assert.match(await said("issue INV-9999"), /There is no invoice INV-9999/);
  assert.match(await said("issue INV-1001"), /approval/);
  assert.match(await said("good morning"), /I follow a script/);
});

test("the committed contract is what the page's contracts say", async () => {
  const folder = await mkdtemp(join(tmpdir(), "receivables-"));
  const out = join(folder, "contract.json");
  await compileContracts(out);
  const committed = new URL("../../examples_web/receivables/web/contract.json", import.meta.url);
  assert.equal(await readFile(out, "utf8"), await readFile(committed, "utf8"));
  await rm(folder, { recursive: true });
});

/** A local server that speaks a provider's protocol: it calls a tool first, then says what came back. */
async function provider(t, events) {
  const seen = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push({ url: request.url, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const { event, data } of events(seen.length)) {
      response.write(
        `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
      );
    }
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${String(server.address().port)}/v1` };
}

function assertAnswered(frames, text) {
  const of = (type) => frames.filter((frame) => frame.type === type);
  assert.deepEqual(of("error"), []);
  assert.equal(of("tool-result")[0].canonicalId, "domain:receivables-summary");
  assert.equal(of("tool-result")[0].result.data.open.count > 0, true);
  assert.equal(
    of("text-delta")
      .map((frame) => frame.text)
      .join(""),
    text,
  );
  const { inputTokens, outputTokens, totalTokens, reportedSteps } = of("step-finish")[0].usage;
  assert.deepEqual(
    { inputTokens, outputTokens, totalTokens, reportedSteps },
    { inputTokens: 30, outputTokens: 6, totalTokens: 36, reportedSteps: 2 },
  );
}

/** A question to the workbench with such an environment; gives what the provider has seen. */
async function answeredBy(t, events, environmentOf) {
  const { seen, url } = await provider(t, events);
  const { server } = await workbench(t, { environment: environmentOf(url) });
  const person = client(server);
  await person.signIn("maria");
  assertAnswered(await person.step("How much is open?"), "Here it is.");
  return seen;
}

test("with OPENAI_BASE_URL and OPENAI_API_KEY a provider of that protocol answers, tools included", async (t) => {
  const chunk = (delta, finish_reason = null) => ({
    data: {
      id: "x",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason }],
    },
  });
  const usage = {
    data: {
      id: "x",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [],
      usage: { prompt_tokens: 15, completion_tokens: 3, total_tokens: 18 },
    },
  };
  const tool = {
    index: 0,
    id: "call_a",
    type: "function",
    function: { name: "domain_receivables-summary", arguments: "{}" },
  };
  const seen = await answeredBy(
    t,
    (round) => [
      ...(round === 1
        ? [chunk({ role: "assistant", tool_calls: [tool] }), chunk({}, "tool_calls")]
        : [chunk({ role: "assistant", content: "Here " }), chunk({ content: "it is." }), chunk({}, "stop")]),
      usage,
      { data: "[DONE]" },
    ],
    (url) => ({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: url, OPENAI_MODEL: "m" }),
  );
  assert.equal(seen[0].url, "/v1/chat/completions");
  assert.equal(seen[0].headers.authorization, "Bearer k");
  assert.ok(seen[0].body.tools.some(({ function: { name } }) => name === "domain_receivables-summary"));
  assert.equal(seen[0].body.messages[0].role, "system");
  assert.equal(seen[1].body.messages.at(-1).role, "tool");
});

test("with ANTHROPIC_API_KEY a provider of that protocol answers, tools included", async (t) => {
  const event = (type, rest) => ({ event: type, data: { type, ...rest } });
  const seen = await answeredBy(
    t,
    (round) => {
      const message = {
        id: "m",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 15, output_tokens: 1 },
      };
      const block =
        round === 1
          ? { type: "tool_use", id: "call_a", name: "domain_receivables-summary", input: {} }
          : { type: "text", text: "" };
      const delta =
        round === 1 ? { type: "input_json_delta", partial_json: "{}" } : { type: "text_delta", text: "Here it is." };
      return [
        event("message_start", { message }),
        event("content_block_start", { index: 0, content_block: block }),
        event("content_block_delta", { index: 0, delta }),
        event("content_block_stop", { index: 0 }),
        event("message_delta", {
          delta: { stop_reason: round === 1 ? "tool_use" : "end_turn", stop_sequence: null },
          usage: { output_tokens: 3 },
        }),
        event("message_stop", {}),
      ];
    },
    (url) => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url, ANTHROPIC_MODEL: "m" }),
  );
  assert.equal(seen[0].url, "/v1/messages");
  assert.equal(seen[0].headers["x-api-key"], "k");
  assert.ok(seen[0].body.tools.some(({ name }) => name === "domain_receivables-summary"));
});
