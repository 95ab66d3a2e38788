// Texts on both sides of the border between the area and memory of their own (docs/decisions/0006).

import assert from "node:assert/strict";
import { test } from "node:test";
import { mounted, ready, schema } from "./support.mjs";

await ready;

const AREA = 65_536;
const ends = (text) => schema({ type: "object", properties: { text: { const: text } }, required: ["text"] });

for (const [kind, unit, bytes] of [
  ["one byte", "a", 1],
  ["two bytes", "é", 2],
  ["three bytes", "€", 3],
  ["four bytes", "😀", 4],
]) {
  test(`a text of characters of ${kind} arrives whole at every length around the area's`, () => {
    const any = schema({ type: "object", properties: { text: { type: "string", maxLength: 0 } } });
    const around = Math.floor(AREA / bytes);
    for (let count = around - 20; count <= around + 4; count++) {
      const text = unit.repeat(count);
      assert.equal(schema({ type: "string", minLength: count, maxLength: count }).parse(text), text);
      assert.throws(() => any.parse({ text }), { name: "AgentSchemaError" });
    }
  });
}

test("a text after a longer one is read without what the longer one left behind", () => {
  const text = schema({ type: "string", pattern: "^a*$" });
  for (const count of [1000, 10, 0, 700, 1]) assert.equal(text.parse("a".repeat(count)), "a".repeat(count));
  const wanted = ends("short");
  assert.throws(() => wanted.parse({ text: "x".repeat(AREA * 2) }), { name: "AgentSchemaError" });
  assert.deepEqual(wanted.parse({ text: "short" }), { text: "short" });
});

test("an input and an output around the area's length come back as they are", async () => {
  const { registry, set } = mounted(
    { execute: (input) => input },
    { options: { limits: { maxInputBytes: 2 * AREA, maxOutputBytes: 2 * AREA } } },
  );
  for (let count = AREA - 200; count <= AREA + 8; count += 8) {
    const input = { text: "é" + "a".repeat(count) };
    const { status, output } = await set({ input });
    assert.equal(status, "ok");
    assert.deepEqual(output, input);
  }
  registry.dispose();
});
