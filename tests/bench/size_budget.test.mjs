// The size budget of what a page downloads. Sizes are the same on every machine with one Emscripten, so they may fail a
// build: `bound` is what is wanted and is printed as met or not met, `ceiling` is what nothing may grow beyond.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { benchFolder } from "./places.mjs";
import { measureSizes } from "./sizes.mjs";

const budget = JSON.parse(readFileSync(join(benchFolder, "size_budget.json"), "utf8"));
const sizes = await measureSizes();
const measured = {
  leanAndGlueBrotliBytes: sizes.lean.brotli + sizes.glue.brotli,
  fullBrotliBytes: sizes.full.brotli,
  domainBrotliBytes: sizes.domain.brotli,
};

console.log(`lean module      ${sizes.lean.brotli} bytes brotli (${sizes.lean.raw} raw)`);
console.log(`glue             ${sizes.glue.brotli} bytes brotli (${sizes.glue.raw} minified)`);
console.log(`full less lean   ${sizes.full.brotli - sizes.lean.brotli}`);
for (const [name, { bound, aim }] of Object.entries(budget)) {
  const verdict = measured[name] <= bound ? "met" : "NOT MET";
  console.log(`${name} ${measured[name]}, bound ${bound}: ${verdict}${aim === undefined ? "" : `, aim ${aim}`}`);
}

for (const [name, { ceiling }] of Object.entries(budget)) {
  test(`${name} stays under its ceiling`, () => {
    assert.ok(measured[name] <= ceiling, `${measured[name]} bytes, nothing may grow beyond ${ceiling}`);
  });
}
