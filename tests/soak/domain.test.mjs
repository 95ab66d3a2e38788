// Random lives of a governed runtime.
//
//   VIEWCAP_DOMAIN_STEPS   how many operations (3,000)
//   VIEWCAP_SOAK_SEED      the seed; with VIEWCAP_DOMAIN_STEPS alone a fresh one is drawn and printed
import assert from "node:assert/strict";
import { test } from "node:test";
import { DomainHistory } from "./domain.mjs";
import { createRandom } from "./random.mjs";

const given = process.env.VIEWCAP_DOMAIN_STEPS;
const steps = Number(given ?? 3000);
const fresh = given === undefined ? 20261201 : crypto.getRandomValues(new Uint32Array(1))[0];
const seed = Number(process.env.VIEWCAP_SOAK_SEED ?? fresh);
const AT_ONCE = 24;

test(`${steps} calls, listings, decisions and resumes, ${AT_ONCE} at once (seed ${seed}): one envelope and one terminal event each, nothing runs twice, no secret leaves`, async () => {
  const warn = console.warn;
  console.warn = () => {};
  const history = new DomainHistory(createRandom(seed));
  console.warn = warn;
  let left = steps;
  const worker = async () => {
    while (left-- > 0) await history.step();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const ends = history.finish();
  console.log(JSON.stringify(ends));
  for (const end of ["completed", "failed", "cancelled", "approval-required"]) assert.ok(ends[end] > 0, `no ${end}`);
});
