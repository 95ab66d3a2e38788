// Long random histories of governed calls through the JavaScript API.
//
//   VIEWCAP_GOVERNED_STEPS   how many operations (20,000)
//   VIEWCAP_SOAK_SEED        the seed; with VIEWCAP_GOVERNED_STEPS alone a fresh one is drawn and printed

import assert from "node:assert/strict";
import { test } from "node:test";
import * as viewcap from "viewcap";
import { moduleBytes } from "../bench/module_access.mjs";
import { GovernedHistory } from "./governed.mjs";
import { createRandom } from "./random.mjs";

const kStepsPerHistory = 1000;
// The buffer of the last answer grows with the longest one; what grows with the histories may not stay.
const kTolerance = 16 * 1024;
const given = process.env.VIEWCAP_GOVERNED_STEPS;
const steps = Number(given ?? 20_000);
const fresh = given === undefined ? 20261201 : crypto.getRandomValues(new Uint32Array(1))[0];
const seed = Number(process.env.VIEWCAP_SOAK_SEED ?? fresh);

test(`${steps} random operations under policies and confirmations keep every rule (seed ${seed})`, async () => {
  await viewcap.loadRuntime({ variant: "lean" });
  const random = createRandom(seed);
  const total = {};
  const left = [];
  for (let done = 0; done < steps; done += kStepsPerHistory) {
    const history = new GovernedHistory(random);
    for (let step = 0; step < kStepsPerHistory; step++) await history.step();
    await history.end();
    left.push(moduleBytes());
    for (const part of [history.counts, history.results]) {
      for (const [name, count] of Object.entries(part)) total[name] = (total[name] ?? 0) + count;
    }
  }
  console.log(`seed ${seed}: ${JSON.stringify(total)}`);
  const grown = left.at(-1) - left[0];
  assert.ok(grown <= kTolerance, `disposed registries left ${grown} bytes more than the first one`);
  for (const met of [
    "ok",
    "CONFIRMATION_REQUIRED",
    "CONFIRMATION_INVALID",
    "NOT_AUTHORIZED",
    "EXECUTION_FAILED",
    "confirmed",
  ]) {
    assert.ok(total[met] > 0, `${met} never happened: the history says nothing`);
  }
});
