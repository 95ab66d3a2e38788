// Procedures without oRPC: definition, middleware, the run on a validated value; and what a throw says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { agentProcedure, CapabilityError, defineProcedure, fromJsonSchema } from "../../js_glue/dist/domain/index.js";
import { runProcedure, thrownFacts } from "../../js_glue/dist/domain/internals.js";

const run = (procedure, input, more = {}) =>
  runProcedure(procedure, { input, context: {}, path: ["ledgers", "close"], ...more });
const factsOf = (error) => JSON.parse(thrownFacts(error));

test("a procedure is frozen and holds what was given", () => {
  const input = z.object({});
  const output = fromJsonSchema({ type: "object" });
  const handler = () => ({});
  const use = [({ next }) => next()];
  const procedure = defineProcedure({ input, output, meta: { other: 1 }, use, handler });
  assert.equal(procedure.inputSchema, input);
  assert.equal(procedure.outputSchema, output);
  assert.deepEqual(procedure.meta, { other: 1 });
  assert.deepEqual(procedure.middlewares, use);
  use.push(() => assert.fail("added later"));
  assert.equal(procedure.middlewares.length, 1);
  assert.throws(() => void (procedure.handler = () => 1), TypeError);
});

test("a definition with the wrong kind of field is a type error that names the field", () => {
  const handler = () => 1;
  for (const [definition, field] of [
    [undefined, /handler/],
    [null, /handler/],
    [{}, /handler/],
    [{ handler: 1 }, /handler/],
    [{ handler, input: {} }, /input/],
    [{ handler, input: { type: "object" } }, /input/],
    [{ handler, output: "text" }, /output/],
    [{ handler, use: () => 1 }, /use/],
    [{ handler, use: [1] }, /use/],
    [{ handler, meta: 5 }, /meta/],
  ]) {
    assert.throws(
      () => defineProcedure(definition),
      (error) => error instanceof TypeError && field.test(error.message),
    );
  }
});

test("agentProcedure gives the builder itself", () => {
  const builder = { meta: () => builder };
  assert.equal(agentProcedure(builder), builder);
});

test("decision 1: the value that was validated is what the handler gets, and nothing validates it again", async () => {
  let runs = 0;
  const input = z.object({ n: z.string().transform((text) => (runs++, Number(text))) });
  const output = z.string().transform(() => assert.fail("the output is validated later, once"));
  const procedure = defineProcedure({ input, output, handler: (options) => options.input });
  const validated = { n: 5 };
  assert.equal(await run(procedure, validated), validated);
  assert.equal(runs, 0);
});

test("a handler gets the input, the context and a signal", async () => {
  const { signal } = new AbortController();
  const context = { db: 1 };
  const procedure = defineProcedure({ handler: (options) => options });
  const options = await run(procedure, 5, { context, signal });
  assert.deepEqual(Object.keys(options), ["input", "context", "signal"]);
  assert.equal(options.signal, signal);
  assert.equal(options.context, context);
  assert.equal((await run(procedure, 5)).signal.aborted, false);
});

test("middleware runs from the outside in and back, and each adds to the context of those within", async () => {
  const log = [];
  const around =
    (name) =>
    async ({ context, next }) => {
      log.push(`${name} in ${JSON.stringify(context)}`);
      const result = await next({ context: { [name]: true } });
      log.push(`${name} out ${result.output} ${JSON.stringify(result.context)}`);
      return result;
    };
  const context = { base: 1 };
  const procedure = defineProcedure({
    use: [around("a"), around("b")],
    handler: (options) => (log.push(`handler ${JSON.stringify(options.context)}`), "done"),
  });
  assert.equal(await run(procedure, 5, { context }), "done");
  assert.deepEqual(log, [
    'a in {"base":1}',
    'b in {"base":1,"a":true}',
    'handler {"base":1,"a":true,"b":true}',
    'b out done {"b":true}',
    'a out done {"a":true}',
  ]);
  assert.deepEqual(context, { base: 1 });
});

test("middleware sees path, signal, procedure and the input, and may answer in the handler's place", async () => {
  const { signal } = new AbortController();
  let seen;
  const procedure = defineProcedure({
    use: [
      (options, input, output) => {
        seen = { ...options, input };
        return output("early");
      },
    ],
    handler: () => assert.fail("not reached"),
  });
  assert.equal(await run(procedure, 5, { signal }), "early");
  assert.deepEqual([seen.path, seen.input, seen.lastEventId], [["ledgers", "close"], 5, undefined]);
  assert.equal(seen.signal, signal);
  assert.equal(seen.procedure, procedure);
});

test("middleware may change the output, and what it throws comes through", async () => {
  const changing = async ({ next }) => ({ ...(await next()), output: "changed" });
  assert.equal(await run(defineProcedure({ use: [changing], handler: () => "own" })), "changed");
  const broken = new Error("broken");
  const throwing = () => {
    throw broken;
  };
  await assert.rejects(run(defineProcedure({ use: [throwing], handler: () => 1 })), broken);
  await assert.rejects(run(defineProcedure({ handler: throwing })), broken);
  const catching = async ({ next }) => next().catch((error) => ({ output: error === broken, context: {} }));
  assert.equal(await run(defineProcedure({ use: [catching], handler: throwing })), true);
});

test("middleware that forgets to return is an error that names it, the capability and what to return", async () => {
  const forgetful = async ({ next }) => void (await next());
  for (const use of [[forgetful], [({ next }) => next(), () => "text"], [() => ({})]]) {
    const procedure = defineProcedure({ use, handler: () => 1 });
    await assert.rejects(run(procedure), /middleware [01].* of ledgers\.close .*return next/);
  }
});

test("errors of a middleware count as structured errors of an RPC", async () => {
  const procedure = defineProcedure({
    use: [
      ({ errors }) => {
        throw errors.NOT_FOUND({ message: "No such ledger.", data: { id: 1 }, cause: "c" });
      },
    ],
    handler: () => 1,
  });
  const error = await run(procedure).catch((thrown) => thrown);
  assert.deepEqual([error.code, error.status, error.data, error.cause], ["NOT_FOUND", 404, { id: 1 }, "c"]);
  assert.deepEqual(factsOf(error), { kind: "rpc", code: "NOT_FOUND", message: "No such ledger.", defined: false });
});

test("what is no procedure rejects", async () => {
  for (const value of [{}, { handler: () => 1, middlewares: [] }, () => 1]) {
    await assert.rejects(run(value), TypeError);
  }
});

test("a thrown CapabilityError says its code, stage, message, flags and details, also one of another copy of the package", () => {
  const error = new CapabilityError({ code: "FORBIDDEN", publicMessage: "Not you.", details: { a: 1 } });
  const facts = {
    kind: "capability",
    code: "FORBIDDEN",
    stage: "authorization",
    publicMessage: "Not you.",
    retryable: false,
    exposeToModel: true,
  };
  assert.deepEqual(factsOf(error), { ...facts, details: { a: 1 } });
  const other = Object.assign(new Error("x"), { ...facts, kind: "k", [Symbol.for("viewcap.CapabilityError")]: true });
  assert.deepEqual(factsOf(other), facts);
  assert.equal(factsOf(Object.assign(other, { details: () => 1 })).details, undefined);
});

test("an error with the code of a refusal says so, whoever made it", () => {
  for (const code of ["UNAUTHORIZED", "FORBIDDEN"]) {
    const error = Object.assign(new Error("Only for owners."), { code });
    assert.deepEqual(factsOf(error), { kind: "rpc", code, message: "Only for owners.", defined: false });
  }
});

test("an error with another code says nothing unless it has the shape of an RPC's", () => {
  const system = Object.assign(new Error("open /etc/passwd"), { code: "ENOENT", errno: -2, status: 5 });
  assert.deepEqual(factsOf(system), { kind: "other" });
  const rpc = { code: "CONFLICT", status: 409, defined: true, message: "Taken." };
  assert.deepEqual(factsOf(rpc), { kind: "rpc", code: "CONFLICT", message: "Taken.", defined: true });
  assert.deepEqual(factsOf({ ...rpc, message: 5 }), { kind: "rpc", code: "CONFLICT", defined: true });
  assert.deepEqual(factsOf({ ...rpc, code: 5 }), { kind: "other" });
});

test("anything at all may be thrown: what says nothing, or throws while it is read, is other", () => {
  const hostile = (trap) => new Proxy({}, { [trap]: () => { throw new Error("mine"); } }); // prettier-ignore
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = { get code() { throw new Error("mine"); } }; // prettier-ignore
  const late = { code: "CONFLICT", status: 409, defined: true, get message() { throw new Error("mine"); } }; // prettier-ignore
  const values = [
    null,
    undefined,
    "FORBIDDEN",
    5,
    true,
    1n,
    Symbol("s"),
    {},
    [],
    () => 1,
    new Error("plain"),
    new TypeError("x"),
  ];
  for (const value of [...values, hostile("get"), hostile("has"), proxy, throwing, late]) {
    assert.equal(thrownFacts(value), '{"kind":"other"}');
  }
});

test("no text of a plain error is told, nor its cause or stack", () => {
  const error = new Error("password hunter2", { cause: new Error("hunter2") });
  assert.doesNotMatch(thrownFacts(error), /hunter2/);
  const own = new CapabilityError({ code: "FORBIDDEN", cause: new Error("hunter2") });
  assert.doesNotMatch(thrownFacts(own), /hunter2/);
});
