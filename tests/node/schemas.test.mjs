// Schemas: the official suite through `parse`, and what the two ways of making one promise.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { failure, FILTERS, mounted, ready, schema, viewcap } from "./support.mjs";

await ready;

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const suite = resolve(root, process.env.VIEWCAP_JSON_SCHEMA_SUITE ?? "../shared/json-schema-test-suite");

/** Of each file of a folder, the groups whose schema the module accepts. */
function answersOf(folder) {
  const wrong = [];
  let cases = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    for (const group of JSON.parse(readFileSync(join(folder, file), "utf8"))) {
      if (typeof group.schema !== "object") continue;
      const own = schema(group.schema);
      for (const { description, data, valid } of group.tests) {
        const answer = answerOf(own, data);
        if (answer === undefined) break;
        cases++;
        if (answer !== valid) wrong.push(`${file}: ${group.description}: ${description}`);
      }
    }
  }
  return { cases, wrong };
}

/** Whether the value is valid; undefined for a schema outside the profile. */
function answerOf(own, data) {
  try {
    own.parse(data);
    return true;
  } catch (error) {
    if (error.name === "AgentSchemaError") return false;
    assert.equal(error.code, "UNSUPPORTED_SCHEMA", error.message);
    return undefined;
  }
}

// Numbers are IEEE doubles, as JSON.parse gives them: a literal beyond them has lost its digits before anybody looks.
for (const [draft, least] of [
  ["draft2020-12", 300],
  ["draft7", 300],
  ["draft7/optional/format", 100],
]) {
  const present = existsSync(join(suite, draft));
  test(`every case of the official suite's ${draft} inside the profile gets the suite's answer`, (context) => {
    if (!present) return context.diagnostic(`the suite is not at ${suite}; set VIEWCAP_JSON_SCHEMA_SUITE`);
    const { cases, wrong } = answersOf(join(suite, draft));
    context.diagnostic(`${cases} cases`);
    assert.deepEqual(wrong, []);
    assert.ok(cases >= least, `${cases} cases ran, at least ${least} were expected`);
  });
}

test("parse gives a copy that shares nothing with the value", () => {
  const value = { status: "open" };
  const copy = schema(FILTERS).parse(value);
  assert.deepEqual(copy, value);
  assert.notEqual(copy, value);
});

test("parse names every fault by JSON Pointer, at most 20, and never echoes the value", () => {
  const list = schema({ type: "array", items: { type: "integer" } });
  assert.throws(
    () => list.parse(Array.from({ length: 50 }, () => "secret")),
    (error) => {
      assert.equal(error.name, "AgentSchemaError");
      assert.equal(error.issues.length, 20);
      assert.equal(error.issues[3].path, "/3");
      return !JSON.stringify(error.issues).includes("secret");
    },
  );
});

test("the schema is a deep-frozen copy: changing the author's object afterwards changes nothing", () => {
  const literal = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const own = schema(literal);
  literal.required.push("b");
  own.parse({ a: "x" });
  assert.ok(Object.isFrozen(own.jsonSchema.properties.a));
});

test("undeclared keys named like members of Object.prototype are refused like any other", () => {
  const closed = schema({ type: "object", properties: {}, additionalProperties: false });
  for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    assert.throws(() => closed.parse(JSON.parse(`{"${key}":1}`)), { name: "AgentSchemaError" });
  }
});

test("a schema outside the profile is UNSUPPORTED_SCHEMA at its first parse and names the place", () => {
  assert.throws(() => schema({ type: "object", $ref: "http://example.com/x" }).parse({}), {
    name: "AgentSurfaceDefinitionError",
    code: "UNSUPPORTED_SCHEMA",
  });
  assert.throws(() => schema({ properties: { a: { pattern: "^(a+)+$" } } }).parse({}), {
    code: "UNSUPPORTED_SCHEMA",
    message: /pattern/,
  });
});

const even = (validate) =>
  viewcap.fromStandardSchema(
    { "~standard": { version: 1, vendor: "test", validate } },
    { jsonSchema: { type: "object" } },
  );
const doubled = ({ n }) =>
  n % 2 === 0 ? { value: { n: n * 2 } } : { issues: [{ message: "odd", path: ["n", { key: 1 }] }] };

test("a Standard Schema validates in JavaScript, and its parsed value is what the handler gets", async () => {
  const { set } = mounted({ execute: (input) => input }, { contract: { input: even(doubled) } });
  assert.deepEqual((await set({ input: { n: 2 } })).output, { n: 4 });
  const refused = await set({ input: { n: 1 } });
  assert.equal(refused.error.code, "INVALID_INPUT");
  assert.deepEqual(refused.error.details.issues, [{ path: "/n/1", message: "odd" }]);
});

test("an asynchronous Standard Schema is awaited", async () => {
  const { set } = mounted(
    { execute: (input) => input },
    { contract: { input: even(async (value) => doubled(value)) } },
  );
  assert.deepEqual((await set({ input: { n: 2 } })).output, { n: 4 });
  assert.equal(failure(await set({ input: { n: 3 } })).code, "INVALID_INPUT");
});

test("a Standard Schema that throws or rejects is EXECUTION_FAILED, and what it throws stays unknown", async () => {
  for (const validate of [
    () => {
      throw new Error("secret");
    },
    async () => {
      throw new Error("secret");
    },
  ]) {
    const { set } = mounted({ execute: () => assert.fail("the handler ran") }, { contract: { input: even(validate) } });
    const result = await set({ input: {} });
    assert.equal(result.error.code, "EXECUTION_FAILED");
    assert.ok(!JSON.stringify(result).includes("secret"));
  }
});

test("a parsed value that is no JSON value is INVALID_INPUT", async () => {
  const { set } = mounted({}, { contract: { input: even(() => ({ value: { at: new Date(0) } })) } });
  assert.equal(failure(await set({ input: {} })).code, "INVALID_INPUT");
});

test("parse of a Standard Schema validates with it, and cannot wait", () => {
  assert.deepEqual(even(doubled).parse({ n: 2 }), { n: 4 });
  assert.throws(() => even(doubled).parse({ n: 1 }), { name: "AgentSchemaError" });
  assert.throws(() => even(async () => ({ value: 1 })).parse({}), {
    name: "AgentSchemaError",
    message: /asynchronous/,
  });
});
