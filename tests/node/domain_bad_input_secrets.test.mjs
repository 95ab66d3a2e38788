// Nothing leaks: secrets planted in every place that an application has are looked for in everything that leaves a
// runtime or is kept as evidence: outward errors, descriptors, events, spans, the console (spec: domain.md SI-9, SI-10,
// §10 "never payloads").

import assert from "node:assert/strict";
import { test } from "node:test";
import { ORPCError, os } from "@orpc/server";
import * as v from "valibot";
import { z } from "zod";
import { agent, domain, GATED, GENERIC, never, plane, procedure, thrownBy } from "./support/domain.mjs";

const { CapabilityError, definePolicy, deny, fromJsonSchema, hide, outwardError } = domain;

let planted = 0;
/** Every secret is one of its own, so that a leak says where it came from. */
const secret = (where) => `SECRET-${String(++planted)}-${where}`;
const raise = (error) => () => {
  throw error;
};
const errorWith = (where) =>
  Object.assign(new Error(secret(where), { cause: secret(`${where}-cause`) }), { extra: secret(where) });

const INPUTS = {
  zod: z.object({ n: z.number(), kind: z.enum(["a", "b"]).optional(), at: z.iso.date().optional() }),
  valibot: v.object({
    n: v.number(),
    kind: v.optional(v.picklist(["a", "b"])),
    at: v.optional(v.pipe(v.string(), v.isoDate())),
  }),
  literal: fromJsonSchema({
    type: "object",
    properties: { n: { type: "number" }, kind: { enum: ["a", "b"] }, at: { type: "string", maxLength: 3 } },
    required: ["n"],
  }),
};
const expose = { direct: true, aiSdk: true, mcp: true };
const make = (fields, handler, more) => procedure({ expose, ...fields }, handler, more);
const policy = (name, evaluate, phases = ["invocation"]) => [definePolicy(name, evaluate, { phases })];

function definitions() {
  const redact = { output: ({ keep }) => ({ keep }) };
  return {
    fine: make({ redact }, ({ input }) => ({ keep: 1, gone: secret("output"), input })),
    throws: make({}, raise(errorWith("throw"))),
    rejects: make({}, () => Promise.reject(errorWith("reject"))),
    throwsText: make({}, raise(secret("thrown-text"))),
    foreign: make(
      {},
      raise(new CapabilityError({ code: "TIMEOUT", publicMessage: secret("forged"), exposeToModel: true })),
    ),
    concealed: make({}, raise(new CapabilityError({ code: "EXECUTION_FAILED", publicMessage: secret("concealed") }))),
    details: make(
      {},
      raise(new CapabilityError({ code: "FORBIDDEN", details: { x: secret("details") }, cause: errorWith("cause") })),
    ),
    orpc: os
      .meta({ agent: agent({ expose }) })
      .handler(raise(new ORPCError("FORBIDDEN", { data: secret("data"), cause: errorWith("rpc") }))),
    badOutput: make({}, () => ({ total: secret("bad-output") }), { output: z.object({ total: z.number() }) }),
    badRedactor: make({ redact: { output: raise(errorWith("redactor")) } }, () => secret("unredacted")),
    validatorThrows: make({}, assert.fail, { input: explosive(z.object({}), errorWith("validator")) }),
    policyThrows: make({ policies: policy("p", raise(errorWith("policy"))) }, assert.fail),
    policyDenies: make({ policies: policy("p", () => deny(secret("deny-code"))) }, assert.fail),
    policyHides: make({ policies: policy("p", () => ({ ...hide(), note: secret("hide") })) }, assert.fail),
    policyHangs: make({ policies: policy("p", never) }, assert.fail),
    executionThrows: make({ policies: policy("p", raise(errorWith("late-policy")), ["execution"]) }, assert.fail),
    discoveryThrows: make({ policies: policy("p", raise(errorWith("listing")), ["discovery"]) }, assert.fail),
    slow: make({ timeoutMs: 5 }, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw errorWith("after-abort");
    }),
    retried: make(
      { retry: { maxAttempts: 1, backoffMs: 1 } },
      raise(new CapabilityError({ code: "EXECUTION_FAILED", retryable: true, publicMessage: secret("retried") })),
    ),
    gated: make({ ...GATED, redact }, ({ input }) => ({ keep: 1, input })),
    ...Object.fromEntries(Object.entries(INPUTS).map(([name, input]) => [name, make({}, assert.fail, { input })])),
  };
}

/** A schema whose JSON Schema is that of another, and whose validator throws. */
function explosive(schema, error) {
  const standard = { ...schema["~standard"], validate: raise(error) };
  return { "~standard": standard };
}

function recordingTracer(spans) {
  const span = () => ({
    setAttributes: (attributes) => spans.push(attributes),
    recordError: (error) => spans.push(Object.getOwnPropertyNames(error).map((key) => [key, error[key]])),
    end: (status) => spans.push(status),
  });
  return { startSpan: (name, attributes) => (spans.push([name, attributes]), span()) };
}

test("no secret of input, output, context, actor, error, policy or store is in any outward shape, event, span or descriptor", async (t) => {
  const consoles = ["log", "info", "warn", "error", "debug"].map((method) =>
    t.mock.method(console, method, () => undefined),
  );
  const spans = [];
  const outputs = [];
  const { runtime, events, describe, approve, resume } = plane(definitions(), {
    tracing: recordingTracer(spans),
    defaults: { policyTimeoutMs: 5 },
  });
  const actor = {
    id: "alice",
    kind: "user",
    displayName: secret("display"),
    attributes: { token: secret("attribute") },
  };
  const context = { token: secret("context"), agent: { executionId: secret("forged-agent") } };
  const outwards = [];
  const statuses = new Set();
  const take = (result) => {
    statuses.add(result.error?.code ?? result.status);
    if (result.error) outwards.push(outwardError(result.error));
    return result;
  };
  for (const id of [...Object.keys(definitions()), "unknown"]) {
    for (const surface of ["direct", "aiSdk", "mcp", "workflow"]) {
      const input = { n: secret("number"), kind: secret("enum"), at: secret("date"), deep: [secret("deep")] };
      const result = take(await runtime.invoke(id, input, { actor, context, surface }));
      if (result.status === "completed") outputs.push(result.output);
      if (result.approval === undefined) continue;
      take(await resume(result.approval.id, { context, expectedActor: { id: "mallory", kind: "user" } }));
      await approve(result.approval.id, { approver: { ...actor, id: "bob" } });
      take(await resume(result.approval.id, { context }));
      take(await resume(result.approval.id, { context }));
    }
    await runtime.invoke(id, { n: 1 }, { actor: { ...actor, kind: secret("kind") }, context });
  }
  const listings = [await describe("aiSdk", { actor, context }), await describe("mcp", { actor, context })];
  const texts = {
    ...{ outwards, events, spans, listings, outputs },
    console: consoles.flatMap(({ mock }) => mock.calls.map(({ arguments: said }) => said.map(String))),
  };
  for (const [where, value] of Object.entries(texts)) {
    const found = /SECRET[\w-]*/.exec(JSON.stringify(value));
    assert.ok(found === null, `${where}: ${found?.[0] ?? ""}`);
  }
  assert.ok(
    planted > 400 && outwards.length > 80 && events.length > 200 && spans.length > 400 && listings[0].length > 15,
  );
  // The walk went through all the ways to fail that it is about.
  for (const code of [
    ...["CAPABILITY_NOT_FOUND", "INPUT_INVALID", "POLICY_DENIED", "POLICY_FAILED", "EXECUTION_FAILED", "FORBIDDEN"],
    ...["OUTPUT_INVALID", "INTERNAL_ERROR", "TIMEOUT", "APPROVAL_RESUME_MISMATCH", "APPROVAL_CONSUMED", "completed"],
    "approval-required",
  ]) {
    assert.ok(statuses.has(code), code);
  }
});

test("an outward error has one of two shapes, whatever the error holds", () => {
  for (const exposeToModel of [true, false]) {
    for (const code of ["INPUT_INVALID", "FORBIDDEN", "INTERNAL_ERROR", "TIMEOUT"]) {
      const error = new CapabilityError({
        ...{ code, exposeToModel, publicMessage: "said", retryable: true, cause: errorWith("cause") },
        details: { issues: [{ path: ["n"], message: "wrong", value: secret("value") }], more: secret("details") },
      });
      const shape = outwardError(error);
      if (exposeToModel) {
        const details = code === "INPUT_INVALID" ? { details: { issues: [{ path: ["n"], message: "wrong" }] } } : {};
        assert.deepEqual(shape, { code, message: "said", retryable: true, ...details });
      } else {
        assert.deepEqual(shape, { code: "INTERNAL_ERROR", message: GENERIC, retryable: false });
      }
      assert.ok(!JSON.stringify(shape).includes("SECRET"));
    }
  }
});

test("a listing's error names what is wrong with the actor, and nothing else of actor or context", async () => {
  const { describe } = plane({ a: procedure() });
  const actor = { id: "", kind: "user", attributes: { token: secret("attribute") } };
  const listing = await thrownBy(() => describe("direct", { actor, context: { token: secret("context") } }));
  assert.ok(listing instanceof TypeError);
  assert.match(listing.message, /actor/);
  assert.ok(!listing.message.includes("SECRET"));
});
