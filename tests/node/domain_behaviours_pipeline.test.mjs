// One call through the stages (spec: domain.md §14, behaviours 27 to 40).

import assert from "node:assert/strict";
import { test } from "node:test";
import { ORPCError, os } from "@orpc/server";
import * as v from "valibot";
import { z } from "zod";
import {
  agent,
  alice,
  codeOf,
  domain,
  GENERIC,
  NOT_FOUND,
  outward,
  plane,
  procedure,
  thrownBy,
} from "./support/domain.mjs";

const { CapabilityError, unwrap } = domain;
const PAGE = z.object({ status: z.string(), page: z.number().default(1) });

test("27: a valid call completes with defaults applied, and is told as requested, started, completed with one hash", async () => {
  const seen = [];
  const list = procedure({ sideEffect: "none", risk: "medium" }, ({ input }) => (seen.push(input), ["i-1"]), {
    input: PAGE,
  });
  const { invoke, events, types } = plane({ invoices: { list } });
  const result = await invoke("invoices.list", { status: "open" }, { correlationId: "corr" });
  assert.match(result.executionId, /^exe_[0-9a-f-]{36}$/);
  assert.deepEqual(result, { status: "completed", executionId: result.executionId, output: ["i-1"] });
  assert.deepEqual(seen, [{ status: "open", page: 1 }]);
  assert.deepEqual(types(), ["requested", "started", "completed"]);
  const [requested, started, completed] = events;
  assert.deepEqual(requested.data, { sideEffect: "none", risk: "medium" });
  assert.equal("inputHash" in requested, false);
  assert.deepEqual(started.data, { attempt: 1 });
  assert.equal(completed.data.attempts, 1);
  assert.ok(completed.data.durationMs >= 0);
  assert.deepEqual(Object.keys(completed.data).sort(), ["attempts", "durationMs"]);
  assert.match(completed.inputHash, /^[0-9a-f]{64}$/);
  assert.equal(started.inputHash, completed.inputHash);
  for (const event of events) {
    const { executionId, capabilityId, correlationId, surface, actor } = event;
    assert.deepEqual(
      { executionId, capabilityId, correlationId, surface, actor },
      {
        executionId: result.executionId,
        capabilityId: "invoices.list",
        correlationId: "corr",
        surface: "direct",
        actor: { id: "alice", kind: "user" },
      },
    );
  }
});

test("27: Valibot, a literal schema and a procedure of oRPC apply their defaults and checks the same way", async () => {
  const handler = ({ input }) => input;
  const literal = domain.fromJsonSchema({ type: "object", properties: { n: { type: "integer" } }, required: ["n"] });
  const { invoke } = plane({
    valibot: procedure({}, handler, { input: v.object({ page: v.optional(v.number(), 1) }) }),
    literal: procedure({}, handler, { input: literal, output: literal }),
    orpc: os
      .meta({ agent: agent() })
      .input(z.object({ n: z.coerce.number() }))
      .output(z.object({ n: z.number() }))
      .handler(handler),
  });
  assert.deepEqual(unwrap(await invoke("valibot", {})), { page: 1 });
  assert.deepEqual(unwrap(await invoke("literal", { n: 4 })), { n: 4 });
  assert.equal(codeOf(await invoke("literal", { n: 4.5 })), "failed INPUT_INVALID@input-validation");
  assert.deepEqual(unwrap(await invoke("orpc", { n: "4" })), { n: 4 });
});

test("28: an unknown id is not found, and the denial's data are exactly the reason unknown and the public code", async () => {
  const { invoke, events, types } = plane({ a: procedure() });
  const result = await invoke("nope", {});
  assert.equal(codeOf(result), "failed CAPABILITY_NOT_FOUND@discovery");
  assert.deepEqual(types(), ["requested", "denied"]);
  assert.deepEqual(events[0].data, {});
  assert.deepEqual(events[1].data, { reason: "unknown", publicCode: "CAPABILITY_NOT_FOUND" });
});

test("29: a capability that is not exposed on the surface looks exactly like an unknown one; only the audit tells", async () => {
  const { invoke, event } = plane({ a: procedure({ expose: { mcp: true, direct: false } }) });
  const unknown = await invoke("nope", {});
  const shapeOf = ({
    status,
    error: { code, message, publicMessage, stage, retryable, exposeToModel, details, cause },
  }) => ({
    ...{ status, code, message, publicMessage, stage, retryable, exposeToModel, details, cause },
  });
  for (const surface of ["direct", "aiSdk", "workflow", "test", "nowhere", "__proto__", null]) {
    const result = await invoke("a", { any: "input" }, { surface });
    assert.deepEqual(shapeOf(result), shapeOf(unknown), String(surface));
    assert.deepEqual(outward(result), { code: "CAPABILITY_NOT_FOUND", message: NOT_FOUND, retryable: false });
    assert.deepEqual(event("denied").data, { reason: "not-exposed", publicCode: "CAPABILITY_NOT_FOUND" });
  }
  assert.equal((await invoke("a", {}, { surface: "mcp" })).status, "completed");
});

test("30: ill-typed input is INPUT_INVALID with the fields' paths, exposed, not retryable, and without hash in the event", async () => {
  const input = z.object({ lines: z.array(z.object({ amount: z.number() })), status: z.string() });
  const { invoke, event, types } = plane({ a: procedure({}, assert.fail, { input }) });
  const result = await invoke("a", { lines: [{ amount: "SECRET" }] });
  assert.equal(codeOf(result), "failed INPUT_INVALID@input-validation");
  const { issues } = result.error.details;
  assert.deepEqual(
    issues.map(({ path }) => path),
    [["lines", "0", "amount"], ["status"]],
  );
  assert.ok(issues.every((issue) => Object.keys(issue).sort().join() === "message,path"));
  assert.deepEqual(outward(result), {
    code: "INPUT_INVALID",
    message: "The input did not pass validation.",
    retryable: false,
    details: { issues },
  });
  assert.ok(!JSON.stringify(result.error).includes("SECRET"));
  assert.deepEqual(types(), ["requested", "failed"]);
  assert.deepEqual(event("failed").data, {
    code: "INPUT_INVALID",
    stage: "input-validation",
    retryable: false,
    attempts: 0,
  });
  assert.equal("inputHash" in event("failed"), false);
});

test("31: a missing actor and an empty actor id are UNAUTHENTICATED envelopes, and the event names nobody", async () => {
  const { invoke, event } = plane({ a: procedure({}, assert.fail) });
  for (const actor of [undefined, null, {}, { id: "", kind: "user" }, { kind: "user" }]) {
    const result = await invoke("a", {}, { actor });
    assert.equal(codeOf(result), "failed UNAUTHENTICATED@authentication");
    assert.deepEqual(outward(result), {
      code: "UNAUTHENTICATED",
      message: "A valid identity is needed.",
      retryable: false,
    });
    assert.equal(event("failed").actor.kind, "anonymous");
    assert.equal(event("failed").data.attempts, 0);
  }
});

test("32: a declared error is EXECUTION_FAILED, exposed, with its own message", async () => {
  const declared = os
    .meta({ agent: agent() })
    .errors({ LIMIT: { message: "The limit of the day is reached." } })
    .handler(({ errors }) => {
      throw errors.LIMIT();
    });
  const own = procedure({}, () => {
    throw new CapabilityError({ code: "EXECUTION_FAILED", publicMessage: "Try a smaller batch.", exposeToModel: true });
  });
  const { invoke, event } = plane({ declared, own });
  const result = await invoke("declared", undefined);
  assert.equal(codeOf(result), "failed EXECUTION_FAILED@execution");
  assert.deepEqual(outward(result), {
    code: "EXECUTION_FAILED",
    message: "The limit of the day is reached.",
    retryable: false,
  });
  assert.equal(event("failed").data.attempts, 1);
  assert.equal(outward(await invoke("own", undefined)).message, "Try a smaller batch.");
});

test("33: a plain throw is the generic message, concealed, with the original as the private cause", async () => {
  const original = new Error("password=hunter2 at /srv/app/db.js");
  const { invoke, events } = plane({
    a: procedure({}, () => {
      throw original;
    }),
  });
  const result = await invoke("a", {});
  assert.equal(codeOf(result), "failed EXECUTION_FAILED@execution");
  assert.equal(result.error.cause, original);
  assert.equal(result.error.publicMessage, GENERIC);
  assert.ok(!result.error.message.includes("hunter2"));
  assert.deepEqual(outward(result), { code: "INTERNAL_ERROR", message: GENERIC, retryable: false });
  assert.ok(!JSON.stringify(events).includes("hunter2"));
});

test("34: UNAUTHORIZED and a middleware's FORBIDDEN have their code, stage and text; the right tenant passes", async () => {
  const guard = ({ context, next }) => {
    if (context.tenant !== "t-1") throw new ORPCError("FORBIDDEN", { message: "This is another tenant's ledger." });
    return next();
  };
  const { invoke } = plane({
    who: os.meta({ agent: agent() }).handler(() => {
      throw new ORPCError("UNAUTHORIZED", { message: "Your session has ended." });
    }),
    bare: os.meta({ agent: agent() }).handler(() => {
      throw Object.assign(new Error(""), { code: "FORBIDDEN" });
    }),
    orpc: os
      .use(guard)
      .meta({ agent: agent() })
      .handler(() => "ok"),
    ours: procedure({}, () => "ok", { use: [guard] }),
  });
  const who = await invoke("who", undefined);
  assert.equal(codeOf(who), "failed UNAUTHENTICATED@authentication");
  assert.equal(outward(who).message, "Your session has ended.");
  assert.equal(outward(await invoke("bare", undefined)).message, "This operation is not allowed.");
  for (const id of ["orpc", "ours"]) {
    const refused = await invoke(id, undefined, { context: { tenant: "t-2" } });
    assert.equal(codeOf(refused), "failed FORBIDDEN@authorization");
    assert.equal(outward(refused).message, "This is another tenant's ledger.");
    assert.equal(unwrap(await invoke(id, undefined, { context: { tenant: "t-1" } })), "ok");
  }
});

test("35: output that breaks its schema is OUTPUT_INVALID, without output, and the event says that it was executed", async () => {
  const output = z.object({ total: z.number() });
  const { invoke, event, types } = plane({ a: procedure({}, () => ({ total: "SECRET" }), { output }) });
  const result = await invoke("a", {});
  assert.equal(codeOf(result), "failed OUTPUT_INVALID@output-validation");
  assert.deepEqual(Object.keys(result).sort(), ["error", "executionId", "status"]);
  assert.ok(!JSON.stringify(result.error).includes("SECRET"));
  assert.deepEqual(types(), ["requested", "started", "failed"]);
  assert.deepEqual(event("failed").data, {
    code: "OUTPUT_INVALID",
    stage: "output-validation",
    retryable: false,
    attempts: 1,
    executedBeforeFailure: true,
  });
});

test("36: a redactor's field is gone; one that throws is a concealed EXECUTION_FAILED, executedBeforeFailure", async () => {
  const handler = () => ({ id: "i-1", iban: "SECRET" });
  const redact = { output: ({ iban: _, ...rest }) => rest };
  const bad = new Error("SECRET");
  const throwing = {
    output: () => {
      throw bad;
    },
  };
  const output = z.object({ id: z.string(), iban: z.string(), extra: z.string().default("from the schema") });
  const { invoke, event } = plane({
    a: procedure({ redact }, handler, { output }),
    b: procedure({ redact: throwing }, handler),
  });
  assert.deepEqual(unwrap(await invoke("a", {})), { id: "i-1", extra: "from the schema" });
  const result = await invoke("b", {});
  assert.equal(codeOf(result), "failed EXECUTION_FAILED@execution");
  assert.equal(result.error.cause, bad);
  assert.equal(outward(result).message, GENERIC);
  assert.equal(event("failed").data.executedBeforeFailure, true);
});

test("37: context.agent has ids, actor, surface, correlation and key, no approval, and is absent outside the runtime", async () => {
  let seen;
  const base = os.meta({ agent: agent({ expose: { mcp: true } }) });
  const look = base.handler(({ context }) => void (seen = context));
  const { invoke } = plane({ group: { look } });
  const given = { db: 1 };
  const result = await invoke("group.look", undefined, { context: given, surface: "mcp", correlationId: "corr-7" });
  const { agent: info, ...rest } = seen;
  assert.deepEqual(rest, { db: 1 });
  assert.match(info.idempotencyKey, /^idk_[0-9a-f-]{36}$/);
  assert.deepEqual(info, {
    executionId: result.executionId,
    capabilityId: "group.look",
    surface: "mcp",
    actor: alice,
    correlationId: "corr-7",
    idempotencyKey: info.idempotencyKey,
  });
  assert.deepEqual(given, { db: 1 });
  await look.callable({ context: { db: 2 } })();
  assert.deepEqual(seen, { db: 2 });
});

test("38: under strict audit a sink that fails on started is AUDIT_UNAVAILABLE and the handler never ran", async () => {
  for (const fail of [() => Promise.reject(new Error("disk")), () => assert.fail("disk")]) {
    let calls = 0;
    const reported = [];
    const { invoke, types, event } = plane(
      { a: procedure({}, () => calls++) },
      {
        audit: (events) => ({
          sinks: [(one) => (one.type === "capability.started" ? fail() : undefined), (one) => void events.push(one)],
          strict: true,
          onSinkError: (error) => reported.push(error),
        }),
      },
    );
    const result = await invoke("a", {});
    assert.equal(codeOf(result), "failed AUDIT_UNAVAILABLE@execution");
    assert.equal(result.error.retryable, true);
    assert.deepEqual(outward(result), { code: "INTERNAL_ERROR", message: GENERIC, retryable: false });
    assert.equal(calls, 0);
    assert.deepEqual(reported, []);
    assert.deepEqual(types(), ["requested", "started", "failed"]);
    assert.equal(event("failed").data.attempts, 0);
  }
});

test("38: strict audit waits for the sinks before the handler runs, and other events stay best effort", async () => {
  const order = [];
  const { invoke } = plane(
    { a: procedure({}, () => order.push("handler")) },
    {
      audit: () => ({
        sinks: [
          async ({ type }) => {
            if (type !== "capability.started") throw new Error("disk");
            await null;
            order.push("sink");
          },
        ],
        strict: true,
        onSinkError: (_, { type }) => order.push(type),
      }),
    },
  );
  assert.equal((await invoke("a", {})).status, "completed");
  await null;
  assert.ok(order.indexOf("sink") < order.indexOf("handler"), order.join());
  assert.deepEqual(order.sort(), ["capability.completed", "capability.requested", "handler", "sink"]);
});

test("38: best effort, a sink that throws or rejects changes nothing: the call completes and the hook hears each event", async () => {
  const heard = [];
  const reported = [];
  const { invoke } = plane(
    { a: procedure() },
    {
      audit: () => ({
        sinks: [
          () => assert.fail("disk"),
          async () => assert.fail("net"),
          { emit: (event) => void heard.push(event.type) },
        ],
        onSinkError: (error, event) => {
          reported.push(`${error.message} ${event.type}`);
          throw new Error("the hook fails, too");
        },
      }),
    },
  );
  assert.equal((await invoke("a", {})).status, "completed");
  await new Promise(setImmediate);
  assert.equal(heard.length, 3);
  assert.equal(reported.filter((text) => text.startsWith("disk")).length, 3);
  assert.equal(reported.filter((text) => text.startsWith("net")).length, 3);
});

test("39: omitted options and an empty id are synchronous type errors of invoke and resume", () => {
  const { runtime } = plane({ a: procedure() });
  for (const options of [undefined, null, 5, "x"]) {
    assert.throws(() => runtime.invoke("a", {}, options), TypeError);
    assert.throws(() => runtime.resume("apr_1", options), TypeError);
  }
  for (const id of ["", undefined, null, 5, {}, ["a"]]) {
    assert.throws(() => runtime.invoke(id, {}, { actor: alice }), TypeError);
    assert.throws(() => runtime.resume(id, {}), TypeError);
  }
});

test("40: unwrap gives a completed value, throws the original error of a failure, and APPROVAL_REQUIRED for a suspension", async () => {
  const { invoke } = plane({
    a: procedure({}, () => 41),
    b: procedure({}, () => {
      throw new CapabilityError({ code: "FORBIDDEN", publicMessage: "Not yours." });
    }),
    c: procedure({ approval: { required: true } }),
  });
  assert.equal(unwrap(await invoke("a", {})), 41);
  const failed = await invoke("b", {});
  const thrown = await thrownBy(() => unwrap(failed));
  assert.equal(thrown, failed.error);
  assert.deepEqual([thrown.code, thrown.message], ["FORBIDDEN", "FORBIDDEN: Not yours."]);
  const waiting = await invoke("c", {});
  const asked = await thrownBy(() => unwrap(waiting));
  assert.equal(asked.code, "APPROVAL_REQUIRED");
  assert.equal(asked.details.approval, waiting.approval);
});
