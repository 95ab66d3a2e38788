// Long random histories through the JavaScript API.
//
//   VIEWCAP_SOAK_STEPS   how many operations (2,000)
//   VIEWCAP_SOAK_SEED    the seed; with VIEWCAP_SOAK_STEPS alone a fresh one is drawn and printed

import { test } from "node:test";
import { runHistories } from "./run_histories.mjs";

const steps = Number(process.env.VIEWCAP_SOAK_STEPS ?? 2000);
const fresh = process.env.VIEWCAP_SOAK_STEPS === undefined ? 20260101 : crypto.getRandomValues(new Uint32Array(1))[0];
const seed = Number(process.env.VIEWCAP_SOAK_SEED ?? fresh);

test(`${steps} random operations keep every rule of mounting, calling and projecting (seed ${seed})`, async () => {
  console.log(`seed ${seed}, ${steps} steps`);
  console.log(JSON.stringify(await runHistories({ seed, steps })));
});
