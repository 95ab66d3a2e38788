// A host server on loopback with a real governed runtime: two people, capabilities of every kind, a model that is told
// what to say. What the tests of the host start from.

import { createServer, request as httpRequest } from "node:http";
import {
  createAgentRuntime,
  createCapabilityRegistry,
  createInMemoryApprovalCoordinator,
  defineGovernance,
  definePolicy,
  defineProcedure,
  fromJsonSchema,
  hide,
} from "../../js_glue/dist/domain/index.js";
import * as host from "../../js_glue/dist/host/index.js";
import { deferred, ready, viewcap } from "./support.mjs";

await ready;

export { deferred, host, viewcap };

export const ANALYST = { id: "ana", kind: "user", attributes: { role: "analyst", secret: "s3cret-attribute" } };
export const MANAGER = { id: "max", kind: "user", attributes: { role: "manager" } };
const ACTORS = { "cookie-ana": ANALYST, "cookie-max": MANAGER, "cookie-eve": { id: "eve", kind: "user" } };

const OPEN = fromJsonSchema({ type: "object" });
const ID = fromJsonSchema({
  type: "object",
  properties: { id: { type: "string", minLength: 1 } },
  required: ["id"],
  additionalProperties: false,
});

const onlyManagers = definePolicy(
  "only-managers",
  ({ actor }) => (actor.attributes?.role === "manager" ? { type: "allow" } : hide()),
  { phases: ["discovery", "invocation"] },
);

/** Each handler leaves a line in `effects`: what ran, as whom, by which key. */
export function invoicesRuntime({ effects = [], audit = [], delays = {}, options = {}, more = {} } = {}) {
  const capability = (name, agent, answer = () => ({ done: name }), input = OPEN) =>
    defineProcedure({
      input,
      meta: {
        agent: { description: `Does ${name}.`, expose: { aiSdk: true }, sideEffect: "read", risk: "low", ...agent },
      },
      handler: async ({ input: given, context }) => {
        const line = { name, actor: context.agent.actor.id, key: context.agent.idempotencyKey, input: given };
        effects.push({ ...line, at: "start", context });
        await delays[name]?.();
        effects.push({ ...line, at: "end" });
        return answer(given, context);
      },
    });
  const registry = createCapabilityRegistry({
    "list-invoices": capability("list-invoices", { tags: ["invoices"] }, () => [{ id: "i-1", total: 10 }]),
    "issue-invoice": capability("issue-invoice", { sideEffect: "write", policies: [onlyManagers] }, undefined, ID),
    "mark-paid": capability("mark-paid", { sideEffect: "write" }, undefined, ID),
    "delete-invoice": capability(
      "delete-invoice",
      { sideEffect: "destructive", approval: { required: true } },
      undefined,
      ID,
    ),
    "big-report": capability("big-report", {}, () => "x".repeat(40_000)),
    odd: capability("odd", { sideEffect: "write" }, () => ({ count: 1n })),
    nothing: capability("nothing", {}, () => undefined),
    broken: capability("broken", {}, () => {
      throw new Error("password=hunter2 at http://10.0.0.7/internal");
    }),
    "internal-only": capability("internal-only", { expose: { direct: true } }),
    ...more,
  });
  const sink = (event) => void audit.push(event);
  return createAgentRuntime({
    governance: defineGovernance({ registry }),
    audit: [sink, ...(options.sinks ?? [])],
    // Named, so that nobody is warned of a coordinator that forgets.
    approvals: { coordinator: createInMemoryApprovalCoordinator(), ...options.approvals },
  });
}

/** A host with defaults for a test, served on loopback until the test ends. */
export async function serve(t, { script, ...given } = {}) {
  const effects = given.effects ?? [];
  const audit = [];
  const events = [];
  const errors = [];
  const { delays, runtimeOptions, more, ...options } = given;
  delete options.effects;
  const runtime = options.runtime ?? invoicesRuntime({ effects, audit, delays, options: runtimeOptions, more });
  const handler = host.createHostHandler({
    session: (request) => {
      const cookie = host.readCookie(request, "sid");
      return cookie in ACTORS ? { id: cookie, actor: ACTORS[cookie] } : undefined;
    },
    runtime,
    model: script === undefined ? undefined : host.scriptedModel(script),
    audit: (event) => void events.push(event),
    onError: (error, where) => void errors.push({ error, where }),
    ...options,
  });
  const server = createServer(host.toNodeListener(handler));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const origin = `http://127.0.0.1:${String(server.address().port)}`;
  const post = (body, more = {}) => exchange(`${origin}/agent/step`, { body, ...more });
  const decide = (id, body, more = {}) => exchange(`${origin}/agent/approvals/${id}`, { body, ...more });
  return { origin, post, decide, handler, runtime, effects, audit, events, errors, server };
}

/** One exchange over a real connection; a header of undefined is not sent. */
export function exchange(url, { body = {}, cookie = "cookie-ana", headers = {}, method = "POST", leave, agent } = {}) {
  const raw = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const all = { "content-type": "application/json", cookie: `sid=${cookie}`, ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: sent, agent }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => {
        chunks.push(chunk);
        if (leave?.(Buffer.concat(chunks).toString()) === true) request.destroy();
      });
      const done = () => resolve(answerOf(response, Buffer.concat(chunks).toString()));
      response.on("end", done);
      response.on("close", done);
      response.on("error", done);
    });
    request.on("error", reject);
    request.end(raw);
  });
}

function answerOf({ statusCode: status, headers }, text) {
  const ndjson = headers["content-type"] === "application/x-ndjson";
  const frames = ndjson
    ? text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  const of = (type) => frames.filter((frame) => frame.type === type);
  return {
    status,
    headers,
    text,
    frames,
    of,
    types: frames.map(({ type }) => type),
    finish: of("step-finish")[0],
    error: of("error")[0]?.error,
    body: ndjson ? undefined : JSON.parse(text || "null"),
  };
}

export const user = (content = "go") => ({ role: "user", content });

export function stepOf({ catalog, ...fields } = {}) {
  return {
    protocolVersion: 2,
    conversationId: "c1",
    turnId: "t1",
    stepIndex: 0,
    pathname: "/invoices",
    messages: [user()],
    ...fields,
    catalog: { mode: "direct", frontendTools: [], ...catalog },
  };
}

export function viewTool(canonicalId = "view:invoices.pending.setFilters", fields = {}) {
  return {
    wireName: viewcap.encodeWireName(canonicalId),
    canonicalId,
    plane: canonicalId.split(":")[0],
    description: "Sets filters.",
    inputSchema: { type: "object" },
    effect: "local-state",
    confirmation: "never",
    ...fields,
  };
}

/** A model that plays the given steps whatever is said. */
export const plays = (...steps) => ({ turns: [{ when: () => true, steps }] });

/** A model from an async generator; `asked` has what it was given. */
export function modelOf(generate) {
  const asked = [];
  return {
    asked,
    stream(request) {
      asked.push(request);
      return generate(request, asked.length);
    },
  };
}

export const call = (tool, input = {}, id = undefined) => ({ tool, input, ...(id === undefined ? {} : { id }) });
export const resultsIn = (messages) =>
  messages.flatMap(({ role, content }) => (role === "tool" ? content.map((part) => part.output.value) : []));
