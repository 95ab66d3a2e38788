// The size budget of what a page downloads. Sizes are the same on every machine, so they may fail a build.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { benchFolder } from "./places.mjs";
import { measureSizes } from "./sizes.mjs";

const budget = JSON.parse(readFileSync(join(benchFolder, "size_budget.json"), "utf8"));
const sizes = await measureSizes();
const leanAndGlue = sizes.lean.brotli + sizes.glue.brotli;

console.log(`lean module      ${sizes.lean.brotli} bytes brotli (${sizes.lean.raw} raw)`);
console.log(`glue             ${sizes.glue.brotli} bytes brotli (${sizes.glue.raw} minified)`);
console.log(
  `lean + glue      ${leanAndGlue} of ${budget.leanAndGlueBrotliBytes}, aim ${budget.leanAndGlueAimBrotliBytes}`,
);
console.log(`full module      ${sizes.full.brotli} of ${budget.fullBrotliBytes} (${sizes.full.raw} raw)`);
console.log(`full less lean   ${sizes.full.brotli - sizes.lean.brotli}`);

test("the lean module and the glue of the registry entry stay within their brotli budget", () => {
  assert.ok(
    leanAndGlue <= budget.leanAndGlueBrotliBytes,
    `${leanAndGlue} bytes, the budget is ${budget.leanAndGlueBrotliBytes}`,
  );
});

test("the full module stays within its brotli budget", () => {
  assert.ok(
    sizes.full.brotli <= budget.fullBrotliBytes,
    `${sizes.full.brotli} bytes, the budget is ${budget.fullBrotliBytes}`,
  );
});
