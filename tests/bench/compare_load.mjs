// Loading in Node, warm: fresh processes one after another, so that the files are in the system's cache but nothing is
// compiled. The figure is from before the import of the package to a loaded runtime; the start of Node is not in it.

import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { median, report } from "./measure.mjs";
import { benchFolder, shipped } from "./places.mjs";

function loadOnce(variant) {
  return new Promise((done, fail) => {
    const child = fork(join(benchFolder, "load_once.mjs"), variant === undefined ? [] : [variant]);
    let answer;
    child.on("message", (message) => (answer = message));
    child.on("exit", (code) => (answer ? done(answer) : fail(new Error(`load_once.mjs ended with ${code}`))));
  });
}

async function load(variant) {
  await loadOnce(variant);
  const runs = [];
  for (let run = 0; run < 9; run++) runs.push(await loadOnce(variant));
  return { total: median(runs.map((run) => run.imported + run.loaded)), loaded: median(runs.map((run) => run.loaded)) };
}

async function compileTime(name) {
  const bytes = readFileSync(shipped("module", name));
  const times = [];
  for (let run = 0; run < 7; run++) {
    const start = performance.now();
    await WebAssembly.compile(bytes);
    times.push(performance.now() - start);
  }
  return median(times);
}

const standard = await load(undefined);
const lean = await load("lean");

report({
  figures: { load_ms: standard.total },
  details: {
    "import and loadRuntime(), Node's default variant, ms": standard.total,
    "of that loadRuntime(), ms": standard.loaded,
    "import and loadRuntime(), lean, ms": lean.total,
    "WebAssembly.compile of the lean module again in one process, ms": await compileTime("viewcap.wasm"),
    "WebAssembly.compile of the full module again in one process, ms": await compileTime("viewcap.full.wasm"),
  },
});
