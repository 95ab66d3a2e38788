// Canonical JSON (RFC 8785) of 32 kB of serialized JSON, in 283 objects: in the module, against JSON.parse and sorting
// and writing in JavaScript.

import { compare, report } from "./measure.mjs";
import { moduleText } from "./module_access.mjs";
import { loadLean } from "./viewcap_side.mjs";
import { rows } from "./workload.mjs";

await loadLean();

function canonical(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  let text = "";
  for (const key of Object.keys(value).sort()) text += `,${JSON.stringify(key)}:${canonical(value[key])}`;
  return `{${text.slice(1)}}`;
}

const text = JSON.stringify(rows(283));
const inModule = () => moduleText(text, (table) => table.convert(5));
if (inModule() !== canonical(JSON.parse(text))) throw new Error("the two sides disagree");

let kept = 0;
const times = await compare(
  {
    module: (count) => {
      for (let index = 0; index < count; index++) kept += inModule().length;
    },
    javascript: (count) => {
      for (let index = 0; index < count; index++) kept += canonical(JSON.parse(text)).length;
    },
    parse: (count) => {
      for (let index = 0; index < count; index++) kept += JSON.parse(text).length;
    },
  },
  { rounds: 61 },
);

report({
  figures: { canonical_32k_us: times.module, js_canonical_32k_us: times.javascript },
  details: { "the text, bytes": Buffer.byteLength(text), "JSON.parse of it alone, µs": times.parse },
});
