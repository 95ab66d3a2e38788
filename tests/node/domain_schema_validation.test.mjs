// Validation: the value or the issues, at once where the schema needs no time, and never the value in an issue.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { z } from "zod";
import { fromJsonSchema, fromStandardSchema } from "../../js_glue/dist/domain/index.js";
import { setLiteralValidator, validate } from "../../js_glue/dist/domain/internals.js";

const answering = (answer, vendor = "acme") => ({
  "~standard": { version: 1, vendor, validate: typeof answer === "function" ? answer : () => answer },
});

test("a synchronous schema answers without a promise, an asynchronous one with one", async () => {
  const schema = z.object({ n: z.number().default(3) });
  assert.deepEqual(validate(schema, {}), { ok: true, value: { n: 3 } });
  assert.equal(validate(schema, { n: "x" }).ok, false);
  const slow = v.objectAsync({
    n: v.pipeAsync(
      v.number(),
      v.checkAsync(async (n) => n > 1, "too small"),
    ),
  });
  const pending = validate(slow, { n: 5 });
  assert.ok(pending instanceof Promise);
  assert.deepEqual(await pending, { ok: true, value: { n: 5 } });
  assert.deepEqual(await validate(slow, { n: 1 }), { ok: false, issues: [{ path: ["n"], message: "too small" }] });
});

test("any thenable is waited for", async () => {
  const thenable = answering({ then: (resolve) => void resolve({ value: 1 }) });
  assert.deepEqual(await validate(thenable, 0), { ok: true, value: 1 });
});

test("a value that is undefined is a value", () => {
  assert.deepEqual(validate(answering({ value: undefined }), 1), { ok: true, value: undefined });
});

test("paths are texts: keys, indexes, segments with a key", () => {
  const path = ["a", 0, { key: "b" }, { key: 2 }, Symbol("s"), {}, null];
  const { issues } = validate(answering({ issues: [{ message: "No.", path }, { message: "Root." }] }), 1);
  assert.deepEqual(issues, [
    { path: ["a", "0", "b", "2", "Symbol(s)"], message: "No." },
    { path: [], message: "Root." },
  ]);
});

test("no issue holds the value, neither as a field nor in a sentence that quotes it", () => {
  const input = { mail: "hunter2", n: "s3cret", on: 987654, list: ["a", "b"], deep: { big: 123456789n } };
  const inValibot = v.object({
    mail: v.pipe(v.string(), v.email()),
    n: v.number(),
    on: v.boolean(),
    list: v.array(v.number()),
    deep: v.object({ big: v.string() }),
  });
  const inZod = z.object({ mail: z.email(), n: z.number(), on: z.boolean(), list: z.array(z.number()) });
  for (const schema of [inValibot, inZod]) {
    const { issues } = validate(schema, input);
    assert.ok(issues.length >= 4);
    for (const issue of issues) assert.deepEqual(Object.keys(issue), ["path", "message"]);
    assert.doesNotMatch(JSON.stringify(issues), /hunter2|s3cret|987654|123456789|\\"a\\"/);
  }
  const [first] = validate(inValibot, input).issues;
  assert.equal(first.message, "Invalid email: Received a string");
  const was = answering({ issues: [{ message: 'n must be a number (was "s3cret")', path: ["n"] }] });
  assert.equal(validate(was, input).issues[0].message, "n must be a number (was a string)");
});

test("what a sentence expects stays, also where it looks like the value", () => {
  const schema = v.object({ n: v.pipe(v.number(), v.minValue(5)) });
  assert.equal(validate(schema, { n: 4 }).issues[0].message, "Invalid value: Expected >=5 but received a number");
});

test("looking for the value runs no getter of the caller's", () => {
  let runs = 0;
  const input = Object.defineProperty({}, "n", { enumerable: true, get: () => ++runs });
  validate(answering({ issues: [{ message: "received 1", path: ["n"] }] }), input);
  assert.equal(runs, 0);
});

test("issues are bounded in number and in length, and hold no lone surrogate", () => {
  const issues = Array.from({ length: 150 }, () => ({ message: `\ud800${"x".repeat(600)}`, path: ["y".repeat(900)] }));
  const answer = validate(answering({ issues }), 1);
  assert.equal(answer.issues.length, 100);
  assert.equal(answer.issues[0].message.length, 500);
  assert.equal(answer.issues[0].path[0].length, 500);
  assert.equal(answer.issues[0].message[0], "\ufffd");
});

test("an issue that cannot be read still counts, with a fixed sentence", () => {
  const hostile = new Proxy({}, { get: () => assert.fail("read") });
  const issues = [hostile, null, 7, { message: 5 }];
  const answer = validate(answering({ issues }), 1);
  assert.equal(answer.ok, false);
  assert.deepEqual(
    answer.issues,
    issues.map(() => ({ path: [], message: "This value is not valid." })),
  );
});

test("an empty list of issues is a refusal, not a consent", () => {
  assert.deepEqual(validate(answering({ issues: [], value: 1 }), 1), { ok: false, issues: [] });
});

test("an answer with neither value nor issues is an error that names the vendor", async () => {
  for (const garbage of [undefined, null, true, "ok", 1, {}, [], { issues: "no" }, { issues: null, value: 1 }]) {
    assert.throws(() => validate(answering(garbage), 1), /"acme".*neither a value nor issues/);
    await assert.rejects(async () => validate(answering(Promise.resolve(garbage)), 1), TypeError);
  }
  assert.throws(() => validate({ "~standard": { vendor: "acme" } }, 1), /validate is no function/);
});

test("what a validator throws comes through, at once or as a rejection", async () => {
  const broken = new Error("broken");
  const throwing = answering(() => {
    throw broken;
  });
  assert.throws(() => validate(throwing, 1), broken);
  await assert.rejects(validate(answering(Promise.reject(broken)), 1), broken);
});

test("a Standard Schema's validate is called as its method, once, with the value alone", () => {
  const calls = [];
  const standard = {
    vendor: "acme",
    validate(...args) {
      calls.push([this === standard, args]);
      return { value: "copy" };
    },
  };
  assert.deepEqual(validate({ "~standard": standard }, 5), { ok: true, value: "copy" });
  assert.deepEqual(calls, [[true, [5]]]);
});

test("a schema that is a function is one, too", () => {
  const schema = Object.assign(() => undefined, answering({ value: 1 }));
  assert.deepEqual(validate(schema, 0), { ok: true, value: 1 });
});

test("a schema of fromStandardSchema is validated by the Standard Schema behind it", () => {
  const schema = fromStandardSchema(z.object({ n: z.coerce.number() }), { jsonSchema: { type: "object" } });
  assert.deepEqual(validate(schema, { n: "4" }), { ok: true, value: { n: 4 } });
});

test("literal JSON Schema is validated by whoever was plugged in, and says what it needs while nobody was", (t) => {
  const schema = fromJsonSchema({ type: "object" });
  setLiteralValidator(undefined);
  assert.throws(() => validate(schema, {}), /needs the WebAssembly module/);
  const calls = [];
  setLiteralValidator((...args) => {
    calls.push(args);
    return { ok: true, value: "copy" };
  });
  t.after(() => setLiteralValidator(undefined));
  assert.deepEqual(validate(schema, 5), { ok: true, value: "copy" });
  assert.deepEqual(calls, [[schema, 5]]);
});

test("what is no schema is a type error", () => {
  for (const value of [undefined, null, 5, "string", {}, { type: "object" }]) {
    assert.throws(() => validate(value, 1), TypeError);
  }
});
