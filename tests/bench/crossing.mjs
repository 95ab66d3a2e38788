// What one crossing of the boundary costs, for decisions about the table: node tests/bench/crossing.mjs
//
// Text goes in to validate() against a schema that accepts any string, and comes out of convert("canonicalJson").
// The work on the text itself is in both figures; "no text" is the crossing alone.

import { compare } from "./measure.mjs";
import { moduleTable } from "./module_access.mjs";
import { loadLean } from "./viewcap_side.mjs";

await loadLean();
const table = moduleTable();
const encoder = new TextEncoder();

const { ok: schema } = JSON.parse(table.compileSchema('{"schema":{"type":"string"}}'));
const { ok: registry } = JSON.parse(
  table.createRegistry('{"surfaceId":"srf_0000000000000000000000","environment":"test"}'),
);

function stage(text) {
  const bytes = encoder.encode(text);
  table.HEAPU8.set(bytes, table.stage(bytes.length));
  return "";
}

const sides = {
  "no text": async (count) => {
    for (let index = 0; index < count; index++) table.version(registry);
  },
};
for (const size of [2, 100, 1000, 4000, 32_000]) {
  const text = JSON.stringify("x".repeat(size - 2));
  sides[`${size} B in, as a string`] = async (count) => {
    for (let index = 0; index < count; index++) table.validate(schema, text);
  };
  sides[`${size} B in, staged`] = async (count) => {
    for (let index = 0; index < count; index++) table.validate(schema, stage(text));
  };
  sides[`${size} B in and out`] = async (count) => {
    for (let index = 0; index < count; index++) table.convert("canonicalJson", text);
  };
}

const times = await compare(sides, { rounds: 21, batchMs: 2 });
const width = Math.max(...Object.keys(times).map((name) => name.length));
for (const [name, time] of Object.entries(times))
  console.log(`${name.padEnd(width)}  ${time.toFixed(3).padStart(9)} µs`);
