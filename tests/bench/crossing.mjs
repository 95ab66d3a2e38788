// What one crossing of the boundary costs, for decisions about the table: node tests/bench/crossing.mjs
//
// Text goes in to validate() against a schema that accepts any string, and comes out of convert("canonicalJson").
// The work on the text itself is in both figures; "no text" is the crossing alone. Texts up to 64 kB cross in the area
// at a fixed address, longer ones are staged.

import { compare } from "./measure.mjs";
import { moduleTable } from "./module_access.mjs";
import { loadLean } from "./viewcap_side.mjs";
import { liveRuntime } from "../../js_glue/dist/runtime/load.js";

await loadLean();
const table = moduleTable();
const runtime = liveRuntime("crossing");
const schema = Number(runtime.answer('{"schema":{"type":"string"}}', () => table.compileSchema()));
const options = '{"surfaceId":"srf_0000000000000000000000","environment":"test"}';
const registry = Number(runtime.answer(options, () => table.createRegistry()));

const sides = {
  "no text": async (count) => {
    for (let index = 0; index < count; index++) table.version(registry);
  },
};
for (const size of [2, 100, 1000, 4000, 32_000, 128_000]) {
  const text = JSON.stringify("x".repeat(size - 2));
  sides[`${size} B in`] = async (count) => {
    for (let index = 0; index < count; index++) runtime.call(text, () => table.validate(schema));
  };
  sides[`${size} B in and out`] = async (count) => {
    for (let index = 0; index < count; index++) runtime.text(text, () => table.convert(5));
  };
}

const times = await compare(sides, { rounds: 21, batchMs: 2 });
const width = Math.max(...Object.keys(times).map((name) => name.length));
for (const [name, time] of Object.entries(times))
  console.log(`${name.padEnd(width)}  ${time.toFixed(3).padStart(9)} µs`);
