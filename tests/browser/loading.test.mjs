import assert from "node:assert/strict";
import { bodies } from "../shared/bodies.js";
import { runMainJob } from "../shared/main_job.js";
import { fixtureTest } from "./support/browser.mjs";
import { CSP_WITHOUT_WASM } from "./support/server.mjs";

const FAULTS = [
  /^console error: planted console error$/,
  /^page error: planted exception$/,
  /^page error: planted rejection$/,
  /^csp violation: style-src-attr inline$/,
  /^status 404: .*planted-missing-file$/,
];

const MAIN_JOB = bodies.find(({ run }) => run === runMainJob).expected;

fixtureTest(
  "A console error, an exception, an unhandled rejection, a policy violation and a missing file are all noticed",
  {
    fixture: "faulty",
    expectedProblems: [...FAULTS, /^console error: (?:Applying inline style|Failed to load resource)/],
  },
  (_, problems) => {
    const missed = FAULTS.filter((fault) => !problems.some((problem) => fault.test(problem)));
    assert.deepEqual(missed, []);
  },
);

fixtureTest(
  "Unbundled in a page under script-src 'self' 'wasm-unsafe-eval' the main job works",
  { fixture: "in_window" },
  (seen) => {
    assert.deepEqual(seen, { before: false, after: true, job: MAIN_JOB });
  },
);

fixtureTest("In a module worker a registry is created and invoked", { fixture: "in_worker" }, (seen) => {
  assert.deepEqual(seen, { hasWindow: false, job: MAIN_JOB });
});

fixtureTest(
  "Without 'wasm-unsafe-eval' loadRuntime rejects with one clear error, each time, and nothing is left unhandled",
  // The browser itself reports the refusal it was asked for; every other problem fails the test.
  {
    fixture: "refused",
    serverOptions: { csp: CSP_WITHOUT_WASM },
    expectedProblems: [/^csp violation: script-src wasm-eval$/],
  },
  ({ first, second, loaded, registry }) => {
    assert.ok(first.isError);
    assert.match(first.message, /wasm-unsafe-eval/);
    assert.deepEqual(second, first);
    assert.equal(loaded, false);
    assert.equal(registry, "RuntimeNotLoadedError");
  },
);

for (const wasmType of ["application/octet-stream", "text/plain"]) {
  fixtureTest(
    `A server that calls the module ${wasmType} is tolerated`,
    { fixture: "in_window", serverOptions: { wasmType } },
    ({ job }) => {
      assert.deepEqual(job, MAIN_JOB);
    },
  );
}

fixtureTest("Two copies of the package on one page share nothing", { fixture: "two_copies" }, (seen) => {
  assert.deepEqual(seen, {
    secondLoaded: false,
    values: [101, 200],
    listed: [2, 2],
    surfaces: 2,
    afterDispose: "ok",
    second: 202,
  });
});
