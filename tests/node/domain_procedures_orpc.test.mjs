// Procedures of oRPC: run by oRPC's own client, with a value that is validated already.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ORPCError, os } from "@orpc/server";
import { z } from "zod";
import { defineProcedure } from "../../js_glue/dist/domain/index.js";
import { runProcedure, thrownFacts } from "../../js_glue/dist/domain/internals.js";

const run = (procedure, input, more = {}) => runProcedure(procedure, { input, context: {}, path: ["a", "b"], ...more });
const thrownBy = async (procedure, input, more) => {
  const error = await run(procedure, input, more).then(
    () => assert.fail("it did not throw"),
    (thrown) => thrown,
  );
  return JSON.parse(thrownFacts(error));
};

test("decision 1: schemas that transform run once, in the pipeline, and not again in the call", async () => {
  const never = () => assert.fail("validated a second time");
  const procedure = os
    .input(z.object({ n: z.string().transform(never) }))
    .output(z.object({ m: z.number().transform(never) }))
    .handler(({ input }) => ({ m: input.n + 1 }));
  assert.deepEqual(await run(procedure, { n: 4 }), { m: 5 });
});

test("middleware before and after input() all see the validated value", async () => {
  const seen = [];
  const looking = ({ next }, input) => (seen.push(input), next());
  const procedure = os
    .use(looking)
    .input(z.object({ n: z.string().transform(Number) }))
    .use(looking)
    .handler(() => 1);
  const validated = { n: 4 };
  await run(procedure, validated);
  assert.deepEqual(seen, [validated, validated]);
  assert.ok(seen.every((input) => input === validated));
});

test("handler and middleware get context, path, signal and what middleware added", async () => {
  const { signal } = new AbortController();
  let middle;
  const procedure = os
    .use((options) => {
      middle = options;
      return options.next({ context: { tenant: "t" } });
    })
    .handler((options) => options);
  const options = await run(procedure, 5, { context: { db: 1 }, signal });
  assert.deepEqual(options.context, { db: 1, tenant: "t" });
  assert.deepEqual([options.path, options.input], [["a", "b"], 5]);
  assert.equal(options.signal, signal);
  assert.equal(middle.signal, signal);
});

test("a callable procedure and one of a router with middleware run like any other", async () => {
  const callable = os.handler(({ input }) => `got ${input}`).callable();
  assert.equal(await run(callable, 1), "got 1");
  const router = os
    .use(({ next }) => next({ context: { from: "router" } }))
    .router({
      x: os.handler(({ context }) => context.from),
    });
  assert.equal(await run(router.x), "router");
});

test("one middleware serves both kinds of procedure", async () => {
  const withTenant = os.middleware(async ({ context, next }, input, output) => {
    if (input === "early") return output("early");
    return next({ context: { tenant: `${context.user}'s` } });
  });
  const handler = ({ context }) => context.tenant;
  for (const procedure of [os.use(withTenant).handler(handler), defineProcedure({ use: [withTenant], handler })]) {
    assert.equal(await run(procedure, 1, { context: { user: "ada" } }), "ada's");
    assert.equal(await run(procedure, "early", { context: { user: "ada" } }), "early");
  }
});

test("a declared error is one, with its message; oRPC checks its data", async () => {
  const procedure = os
    .errors({ TAKEN: { message: "Already taken.", data: z.object({ by: z.string() }) } })
    .handler(({ input, errors }) => {
      throw errors.TAKEN({ data: { by: input } });
    });
  const declared = { kind: "rpc", code: "TAKEN", message: "Already taken." };
  assert.deepEqual(await thrownBy(procedure, "ada"), { ...declared, defined: true });
  assert.deepEqual(await thrownBy(procedure, 5), { ...declared, defined: false });
});

test("refusals and other errors of oRPC are structured, plain ones are other", async () => {
  const throwing = os.handler(({ input }) => {
    throw input;
  });
  const unauthorized = new ORPCError("UNAUTHORIZED", { message: "Sign in." });
  assert.deepEqual(await thrownBy(throwing, unauthorized), {
    kind: "rpc",
    code: "UNAUTHORIZED",
    message: "Sign in.",
    defined: false,
  });
  assert.equal((await thrownBy(throwing, new ORPCError("TEAPOT", { status: 418, message: "Short." }))).code, "TEAPOT");
  assert.deepEqual(await thrownBy(throwing, new Error("internal")), { kind: "other" });
  assert.deepEqual(await thrownBy(throwing, null), { kind: "other" });
});

test("a call inside the call whose input does not fit is an input fault with issues, and without the value", async () => {
  const inner = os
    .input(z.object({ list: z.array(z.number()) }))
    .handler(() => 1)
    .callable();
  const facts = await thrownBy(os.handler(() => inner({ list: [1, "hunter2"] })));
  assert.deepEqual(facts, {
    kind: "input",
    issues: [{ path: ["list", "1"], message: "Invalid input: expected number, received string" }],
  });
});

test("a call inside the call whose output does not fit is an output fault", async () => {
  const inner = os
    .output(z.object({ n: z.number() }))
    .handler(() => ({ n: "hunter2" }))
    .callable();
  const facts = await thrownBy(os.handler(() => inner()));
  assert.equal(facts.kind, "output");
  assert.doesNotMatch(JSON.stringify(facts), /hunter2/);
});

test("an error with the code of a validation error, thrown by hand, is a structured one", async () => {
  const throwing = os.handler(() => {
    throw new ORPCError("BAD_REQUEST", { message: "No.", data: { issues: [] }, cause: new Error("x") });
  });
  assert.equal((await thrownBy(throwing)).kind, "rpc");
});

test("a procedure runs many times and at once, each run with its own context", async () => {
  const procedure = os.handler(async ({ context }) => {
    await null;
    return context.n;
  });
  const runs = Array.from({ length: 50 }, (_, n) => run(procedure, undefined, { context: { n } }));
  assert.deepEqual(
    await Promise.all(runs),
    Array.from({ length: 50 }, (_, n) => n),
  );
});
