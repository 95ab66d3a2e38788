// The decisions that sharpen the model (spec: domain.md §0), 12 to 22; each test names its decision. Decision 20 is the
// MCP adapter's, with its sessions: adapters_mcp_sessions.test.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import {
  codeOf,
  domain,
  GATED,
  GENERIC,
  never,
  NOT_FOUND,
  outward,
  plane,
  procedure,
  wait,
} from "./support/domain.mjs";

const { allow, CapabilityBuildError, CapabilityError, createCapabilityRegistry, definePolicy, deny, hide } = domain;
const { requireApproval, toJsonSchema, unwrap } = domain;

const CODES = [
  ...["CAPABILITY_NOT_FOUND", "INPUT_INVALID", "UNAUTHENTICATED", "FORBIDDEN", "POLICY_DENIED", "POLICY_FAILED"],
  ...["APPROVAL_REQUIRED", "APPROVAL_PENDING", "APPROVAL_REJECTED", "APPROVAL_EXPIRED", "APPROVAL_CONSUMED"],
  ...["APPROVAL_INPUT_MISMATCH", "APPROVAL_SELF_APPROVAL", "APPROVAL_UNSERIALIZABLE_INPUT", "APPROVAL_RESUME_MISMATCH"],
  ...["EXECUTION_FAILED", "OUTPUT_INVALID", "TIMEOUT", "CANCELLED", "AUDIT_UNAVAILABLE", "ADAPTER_ERROR"],
  ...["INTERNAL_ERROR", "NO_SUCH_CODE"],
];
const ALLOWED = ["EXECUTION_FAILED", "FORBIDDEN", "UNAUTHENTICATED"];

for (const code of CODES) {
  const mapped = ALLOWED.includes(code) ? code : "EXECUTION_FAILED";
  test(`decision 12: a handler that throws a CapabilityError of ${code} fails with ${mapped}`, async () => {
    const init = { code, publicMessage: "forged", retryable: false, exposeToModel: true, details: { issues: [] } };
    const thrown = new CapabilityError(init);
    const { invoke, types } = plane({
      a: procedure({}, () => {
        throw thrown;
      }),
    });
    const result = await invoke("a", {});
    assert.equal(result.status, "failed");
    assert.equal(result.error.code, mapped);
    assert.deepEqual(types(), ["requested", "started", "failed"]);
    if (ALLOWED.includes(code)) {
      assert.equal(result.error, thrown);
      assert.deepEqual(outward(result), { code, message: "forged", retryable: false });
    } else {
      assert.equal(result.error.cause, thrown);
      assert.deepEqual(outward(result), { code: "INTERNAL_ERROR", message: GENERIC, retryable: false });
    }
  });
}

test("decision 13: a redactor that answers a promise, or any thenable, is a redaction failure, and its rejection is nobody's", async () => {
  const answers = [
    async () => ({ id: 1 }),
    () => Promise.reject(new Error("SECRET")),
    () => ({ then: (resolve) => resolve("SECRET") }),
    () => Object.assign(() => 1, { then: () => undefined }),
  ];
  for (const output of answers) {
    const { invoke, event } = plane({ a: procedure({ redact: { output } }, () => "SECRET") });
    const result = await invoke("a", {});
    assert.equal(codeOf(result), "failed EXECUTION_FAILED@execution");
    assert.equal(outward(result).message, GENERIC);
    assert.equal(event("failed").data.executedBeforeFailure, true);
    assert.equal("output" in result, false);
  }
  await wait(1);
});

const foreign = () => ({ "~standard": { version: 1, vendor: "nobody-knows", validate: (value) => ({ value }) } });

test("decision 14: a listing on a surface that needs no JSON Schema leaves out one that cannot be converted", async () => {
  const expose = { direct: true, workflow: true, test: true };
  const { describe } = plane({
    odd: procedure({ expose }, () => 1, { input: foreign() }),
    fine: procedure({ expose }, () => 1, { input: z.object({}) }),
  });
  for (const surface of ["direct", "workflow", "test"]) {
    const [odd, fine] = await describe(surface);
    assert.equal("inputSchema" in odd, false);
    assert.deepEqual([odd.id, odd.description], ["odd", "Does it."]);
    assert.equal(fine.inputSchema.type, "object");
  }
});

/** The bullets of a build that fails. */
function problemsOf(definitions) {
  try {
    createCapabilityRegistry(definitions);
  } catch (error) {
    assert.ok(error instanceof CapabilityBuildError, String(error));
    return error.problems;
  }
  return [];
}
const tool = (toolName, expose = { mcp: true }) => procedure({ expose, adapters: { mcp: { toolName } } });

test("decision 15: tool names are unique over the capabilities exposed on that surface alone", () => {
  assert.equal(problemsOf({ a: tool("same"), b: tool("same") }).length, 1);
  assert.deepEqual(problemsOf({ a: tool("same"), b: tool("same", { mcp: false, direct: true }) }), []);
});

test("decision 15: an advertised input schema has an object at its root", () => {
  const taking = (input, expose) => ({ a: procedure({ expose }, () => 1, { input }) });
  for (const input of [
    z.string(),
    z.array(z.string()),
    z.union([z.object({}), z.string()]),
    domain.fromJsonSchema({}),
  ]) {
    for (const surface of ["aiSdk", "mcp"]) {
      const [problem] = problemsOf(taking(input, { [surface]: true }));
      assert.match(problem, /"type": "object"/);
    }
    assert.deepEqual(problemsOf(taking(input, { direct: true })), []);
  }
});

test("decision 16: the record stores the correlation id, and a resume carries it on", async () => {
  const infos = [];
  const { invoke, approve, resume, events } = plane({
    a: procedure(GATED, ({ context }) => infos.push(context.agent)),
  });
  const { approval } = await invoke("a", {}, { correlationId: "corr-1" });
  assert.equal(approval.correlationId, "corr-1");
  await approve(approval.id);
  await resume(approval.id);
  assert.equal(infos[0].correlationId, "corr-1");
  assert.deepEqual(
    events.slice(-2).map(({ type, correlationId }) => `${type} ${correlationId}`),
    ["capability.started corr-1", "capability.completed corr-1"],
  );
});

test("decision 17: absent input of a gated capability without schema is APPROVAL_UNSERIALIZABLE_INPUT", async () => {
  const { invoke, runtime } = plane({ a: procedure(GATED, assert.fail), free: procedure() });
  assert.equal(codeOf(await invoke("a", undefined)), "failed APPROVAL_UNSERIALIZABLE_INPUT@approval");
  assert.deepEqual(await runtime.approvals.list(), []);
  assert.equal((await invoke("a", null)).status, "approval-required");
  assert.equal((await invoke("free", undefined)).status, "completed");
});

const INPUT = z.object({ n: z.number() });
const discovering = (evaluate, phases = ["discovery"]) => definePolicy("secrecy", evaluate, { phases });

for (const [what, evaluate] of Object.entries({
  hides: () => hide(),
  "hides later": async () => hide(),
  throws: () => {
    throw new Error("SECRET");
  },
  "answers nothing": () => undefined,
  "never answers": never,
})) {
  test(`decision 18: where a discovery policy ${what}, bad input and a bad actor are not found, like an unknown id`, async () => {
    const { invoke, event, events } = plane(
      { a: procedure({}, assert.fail, { input: INPUT }) },
      { policies: [discovering(evaluate)], defaults: { policyTimeoutMs: 5 } },
    );
    const unknown = outward(await invoke("nope", {}));
    const badInput = await invoke("a", { n: "x" });
    const { data } = event("denied");
    const badActor = await invoke("a", { n: 1 }, { actor: { id: "" } });
    for (const result of [badInput, badActor]) {
      assert.equal(codeOf(result), "failed CAPABILITY_NOT_FOUND@discovery");
      assert.deepEqual(outward(result), unknown);
      assert.equal(result.error.details, undefined);
    }
    assert.deepEqual([data.reason, data.publicCode], ["hidden", "CAPABILITY_NOT_FOUND"]);
    assert.ok(!JSON.stringify(events).includes("SECRET"));
  });
}

test("decision 18: a deny, an approval or an allow of discovery conceals nothing: bad input stays bad input", async () => {
  for (const decision of [allow(), deny("D", "denied"), requireApproval({ reason: "r" })]) {
    const { invoke, event, types } = plane(
      { a: procedure({}, assert.fail, { input: INPUT }) },
      { policies: [discovering(() => decision)] },
    );
    assert.equal(codeOf(await invoke("a", {})), "failed INPUT_INVALID@input-validation");
    assert.equal(codeOf(await invoke("a", { n: 1 }, { actor: null })), "failed UNAUTHENTICATED@authentication");
    assert.deepEqual(types(), ["requested", "failed", "requested", "failed"]);
    assert.equal("policyDecisions" in event("failed").data, false);
  }
});

test("decision 18: a validator that throws is concealed, too, and a hide that needs the input cannot conceal bad input", async () => {
  const explosive = { "~standard": { version: 1, vendor: "boom", validate: () => assert.fail("SECRET") } };
  const hidden = plane(
    { a: procedure({}, assert.fail, { input: explosive }) },
    { policies: [discovering(() => hide())] },
  );
  assert.equal(outward(await hidden.invoke("a", {})).message, NOT_FOUND);
  const byInput = discovering(
    ({ phase, input }) => (phase === "discovery" || input.n > 0 ? allow() : hide()),
    ["discovery", "invocation"],
  );
  const { invoke } = plane({ a: procedure({}, () => 1, { input: INPUT }) }, { policies: [byInput] });
  assert.equal(codeOf(await invoke("a", { n: -1 })), "failed CAPABILITY_NOT_FOUND@discovery");
  assert.equal(codeOf(await invoke("a", {})), "failed INPUT_INVALID@input-validation");
});

test("decision 19: an idempotency key that is given reaches the handler, else one is made; it is stable across retries", async () => {
  const keys = [];
  const handler = ({ context }) => {
    keys.push(context.agent.idempotencyKey);
    if (keys.length % 2 === 1) throw new CapabilityError({ code: "EXECUTION_FAILED", retryable: true });
    return "done";
  };
  const { invoke } = plane({ a: procedure({ retry: { maxAttempts: 1, backoffMs: 1 } }, handler) });
  await invoke("a", {}, { idempotencyKey: "order-7" });
  assert.deepEqual(keys.splice(0), ["order-7", "order-7"]);
  for (const idempotencyKey of [undefined, "", 5, null, {}]) {
    unwrap(await invoke("a", {}, { idempotencyKey }));
    const [first, second] = keys.splice(0);
    assert.match(first, /^idk_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assert.equal(first, second);
  }
});

test("decision 19: a resume has an idempotency key of its own", async () => {
  const keys = [];
  const { invoke, approve, resume } = plane({ a: procedure(GATED, ({ context }) => keys.push(context.agent)) });
  const { approval } = await invoke("a", {}, { idempotencyKey: "order-7" });
  await approve(approval.id);
  await resume(approval.id);
  assert.match(keys[0].idempotencyKey, /^idk_/);
});

test("decision 21: the input schema of a descriptor is one deep-frozen object that listings share", async () => {
  const input = z.object({ lines: z.array(z.object({ n: z.number() })) });
  const { describe } = plane({ a: procedure({ expose: { mcp: true, direct: true } }, () => 1, { input }) });
  const [[first], [second], [direct]] = [await describe("mcp"), await describe("mcp"), await describe("direct")];
  assert.equal(first.inputSchema, second.inputSchema);
  assert.equal(first.inputSchema, direct.inputSchema);
  assert.equal(first.inputSchema, toJsonSchema(input));
  const frozen = (value) =>
    typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
  assert.ok(frozen(first.inputSchema));
});

test("decision 22: an illegal tool name, an override or the default, is a build problem where the capability is exposed", () => {
  for (const toolName of ["a b", "a.b", "ä", "a".repeat(65), "a\n", "__proto__;", "🙂"]) {
    assert.match(problemsOf({ x: tool(toolName) })[0], /^"x": tool name .* on mcp/, toolName);
    assert.deepEqual(problemsOf({ x: tool(toolName, { direct: true }) }), []);
  }
  const fromId = { größe: { get: procedure({ expose: { aiSdk: true } }) }, ["l".repeat(65)]: procedure() };
  assert.equal(problemsOf(fromId).length, 1);
  assert.match(
    problemsOf(fromId)[0],
    /^"größe\.get": tool name "größe_get" on aiSdk \(made from the id\) must be 1 to 64 letters/,
  );
  for (const toolName of ["a", "a".repeat(64), "A-b_9", "__proto__", "constructor"]) {
    assert.deepEqual(problemsOf({ x: tool(toolName) }), []);
  }
});
