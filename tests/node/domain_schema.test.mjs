// JSON Schema for the wire (spec: domain.md §11, behaviours 14 to 20 as far as no module is needed).

import assert from "node:assert/strict";
import { test } from "node:test";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { z } from "zod";
import * as v from "valibot";
import {
  fromJsonSchema,
  fromStandardSchema,
  registerSchemaConverter,
  toJsonSchema,
} from "../../js_glue/dist/domain/index.js";
import { toAdvertisedSchema } from "../../js_glue/dist/domain/internals.js";

/** A Standard Schema of a vendor that nobody knows. */
const schemaOf = (vendor, more = {}) => ({
  "~standard": { version: 1, vendor, validate: (value) => ({ value }), ...more },
});

test("behaviour 14: a field with a default is not required, in Zod and in Valibot: the input shape", () => {
  const inZod = toJsonSchema(z.object({ page: z.number().default(1), status: z.string() }));
  assert.deepEqual(inZod.required, ["status"]);
  assert.equal(inZod.properties.page.default, 1);
  const inValibot = toJsonSchema(v.object({ page: v.optional(v.number(), 1), status: v.string() }));
  assert.deepEqual(inValibot.required, ["status"]);
  assert.deepEqual(inValibot.properties.page, { type: "number", default: 1 });
});

test("a field that is transformed shows what a caller gives, not what the handler gets", () => {
  const inZod = toJsonSchema(z.object({ at: z.string().transform(Number) }));
  assert.deepEqual(inZod.properties.at, { type: "string" });
  const inValibot = toJsonSchema(v.object({ at: v.pipe(v.string(), v.decimal(), v.toNumber()) }));
  assert.equal(inValibot.properties.at.type, "string");
});

test("behaviour 15: an unregistered vendor is an error that names it and the call that registers one", () => {
  assert.throws(
    () => toJsonSchema(schemaOf("acme")),
    (error) =>
      !(error instanceof TypeError) && /"acme".*registerSchemaConverter\("acme", convert\)/.test(error.message),
  );
});

test("behaviour 15: a value without a vendor is a type error, and so is what is no object", () => {
  for (const value of [{}, { "~standard": {} }, schemaOf(""), schemaOf(7), null, undefined, "string", 5]) {
    assert.throws(() => toJsonSchema(value), TypeError);
  }
});

test("behaviour 16: the result of a converter registered for a vendor is used", () => {
  registerSchemaConverter("mine", (schema) => ({ type: "object", title: schema.title }));
  assert.deepEqual(toJsonSchema({ ...schemaOf("mine"), title: "Ledger" }), { type: "object", title: "Ledger" });
});

test("a registered converter goes before what the schema carries", () => {
  const carrying = schemaOf("carrier", { jsonSchema: { input: () => ({ type: "object", title: "carried" }) } });
  assert.equal(toJsonSchema(carrying).title, "carried");
  registerSchemaConverter("carrier", () => ({ type: "object", title: "registered" }));
  assert.equal(toJsonSchema(carrying).title, "registered");
});

test("a schema that carries its JSON Schema needs no registration, whatever its vendor", () => {
  const asked = [];
  const input = ({ target }) => {
    asked.push(target);
    if (target === "draft-07") throw new Error("too old for me");
    return { type: "object" };
  };
  assert.deepEqual(toJsonSchema(schemaOf("new", { jsonSchema: { input } })), { type: "object" });
  assert.deepEqual(asked, ["draft-07", "draft-2020-12"]);
  const wrapped = toStandardJsonSchema(v.object({ a: v.string() }));
  assert.deepEqual(toJsonSchema(wrapped).required, ["a"]);
});

test("registering needs a vendor that is a non-empty string and a function", () => {
  for (const [vendor, convert] of [
    ["", () => ({})],
    [5, () => ({})],
    ["x", undefined],
    ["x", {}],
  ]) {
    assert.throws(() => registerSchemaConverter(vendor, convert), TypeError);
  }
});

test("a converter that answers no object, no JSON or a promise is an error", async () => {
  const answers = [null, undefined, "{}", 5, true, [], () => ({}), { type: () => 1 }, { a: 1n }];
  registerSchemaConverter("odd", (schema) => schema.answer);
  for (const answer of answers) {
    assert.throws(
      () => toJsonSchema({ ...schemaOf("odd"), answer }),
      /the converter of "odd" must answer a JSON Schema/,
    );
  }
  const late = { ...schemaOf("odd"), answer: Promise.reject(new Error("nobody waits for this")) };
  assert.throws(() => toJsonSchema(late), /answered a promise/);
});

test("what a schema cannot say in JSON Schema is an error, not a looser schema", () => {
  assert.throws(() => toJsonSchema(z.object({ at: z.date() })), /Date cannot be represented/);
  assert.throws(() => toJsonSchema(v.object({ at: v.date() })), /cannot be converted/);
});

test("behaviour 18: a schema is converted once, however often it is asked for", () => {
  let runs = 0;
  registerSchemaConverter("counted", () => ({ type: "object", run: ++runs }));
  const schema = schemaOf("counted");
  const first = toJsonSchema(schema);
  assert.equal(toJsonSchema(schema), first);
  assert.equal(toAdvertisedSchema(schema), first);
  assert.equal(runs, 1);
  toJsonSchema(schemaOf("counted"));
  assert.equal(runs, 2);
});

test("a failure is not kept: the next call tries again", () => {
  let runs = 0;
  registerSchemaConverter("shaky", () => {
    if (++runs === 1) throw new Error("not yet");
    return { type: "object" };
  });
  const schema = schemaOf("shaky");
  assert.throws(() => toJsonSchema(schema), /not yet/);
  assert.deepEqual(toJsonSchema(schema), { type: "object" });
});

test("behaviour 19: a result cannot be changed by whoever gets it, nor by the converter that made it", () => {
  const made = { type: "object", properties: { a: { enum: ["x"] } } };
  registerSchemaConverter("shared", () => made);
  const schema = schemaOf("shared");
  const result = toJsonSchema(schema);
  assert.throws(() => result.properties.a.enum.push("y"), TypeError);
  assert.throws(() => void (result.properties.b = {}), TypeError);
  made.properties.a.enum.push("y");
  assert.deepEqual(toJsonSchema(schema).properties.a.enum, ["x"]);
});

test("behaviour 20: after a converter is registered again its output appears, for every vendor's schemas", () => {
  let title = "old";
  registerSchemaConverter("first", () => ({ type: "object", title: "old" }));
  registerSchemaConverter("second", () => ({ type: "object", title }));
  const [first, second] = [schemaOf("first"), schemaOf("second")];
  assert.equal(toJsonSchema(first).title, "old");
  assert.equal(toJsonSchema(second).title, "old");
  title = "new";
  assert.equal(toJsonSchema(second).title, "old");
  registerSchemaConverter("first", () => ({ type: "object", title: "new" }));
  assert.equal(toJsonSchema(first).title, "new");
  assert.equal(toJsonSchema(second).title, "new");
});

test("what a converter makes while it registers another is not kept for later", () => {
  registerSchemaConverter("nested", () => {
    registerSchemaConverter("nested", () => ({ type: "object", title: "later" }));
    return { type: "object", title: "first" };
  });
  const schema = schemaOf("nested");
  assert.equal(toJsonSchema(schema).title, "first");
  assert.equal(toJsonSchema(schema).title, "later");
});

test("literal JSON Schema is its own conversion, and so is that of fromStandardSchema", () => {
  const literal = { type: "object", properties: { a: { type: "string" } } };
  assert.deepEqual(toJsonSchema(fromJsonSchema(literal)), literal);
  const paired = fromStandardSchema(z.object({ a: z.number() }), { jsonSchema: literal });
  assert.deepEqual(toJsonSchema(paired), literal);
});

test("an advertised input schema has an object at its root, else its conversion fails and says what was found", () => {
  assert.equal(toAdvertisedSchema(z.object({})).type, "object");
  for (const [schema, found] of [
    [z.string(), /found "type": "string"/],
    [z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), /found no type, but "anyOf"/],
    [z.any(), /found no type\./],
    [fromJsonSchema({ type: ["object", "null"] }), /found "type": \["object","null"\]/],
  ]) {
    assert.throws(() => toAdvertisedSchema(schema), found);
    assert.equal(typeof toJsonSchema(schema), "object");
  }
});

test("a Zod schema that carries no converter is an error that says what to install", () => {
  const old = { ...schemaOf("zod"), _zod: { def: {} } };
  assert.throws(() => toJsonSchema(old), /install zod 4\.2 or newer/);
  assert.throws(() => toJsonSchema(schemaOf("zod")), /Zod 3/);
});

test("a registered converter replaces the built-in one", () => {
  registerSchemaConverter("valibot", () => ({ type: "object", title: "mine" }));
  assert.equal(toJsonSchema(v.object({})).title, "mine");
});
