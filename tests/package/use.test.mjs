import assert from "node:assert/strict";
import { build } from "esbuild";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { build as viteBuild } from "vite";
import { serve } from "../../examples_web/serve.mjs";
import { finishedIn } from "./chromium.mjs";
import { CONSUMER, EXPECTED } from "./consumer.mjs";
import { installedFolder, runIn, write } from "./workplace.mjs";

const PRINT = 'import { run } from "./consumer.mjs";\nconsole.log(JSON.stringify(await run()));\n';

let folder;
before(async () => {
  folder = await installedFolder();
  await write(folder, { "consumer.mjs": CONSUMER, "print.mjs": PRINT });
});

function assertOutcome({ bytes, ...outcome }) {
  assert.deepEqual(outcome, EXPECTED);
  assert.ok(bytes > 0);
}

test("the tarball, installed in an empty folder, runs in Node", async () => {
  assertOutcome(JSON.parse(await runIn(folder, process.execPath, "print.mjs")));
});

test("importing the package loads nothing and touches no browser global", async () => {
  await write(folder, {
    "import.mjs": [
      'for (const name of ["window", "document", "navigator", "fetch"]) {',
      "  Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error(`${name} was touched`); } });",
      "}",
      'const { isRuntimeLoaded } = await import("viewcap");',
      'for (const entry of ["protocol", "explain", "testing"]) await import(`viewcap/${entry}`);',
      "console.log(isRuntimeLoaded());",
    ].join("\n"),
  });
  assert.equal(await runIn(folder, process.execPath, "import.mjs"), "false\n");
});

test("the installed command answers, and compiles a contract", async () => {
  await write(folder, {
    "contracts.mjs": [
      'import { defineAgentComponentContract } from "viewcap";',
      'export const clock = defineAgentComponentContract({ type: "clock", description: "A clock." });',
    ].join("\n"),
  });
  const command = join(folder, "node_modules/.bin/viewcap");
  assert.match(await runIn(folder, command, "--help"), /contracts <command>/);
  await runIn(folder, command, "contracts", "compile", "contracts.mjs", "--out", "contract.json");
  assert.equal(await runIn(folder, command, "contracts", "check", "contracts.mjs", "--against", "contract.json"), "");
});

test("a deep import past the exports map is refused", async () => {
  await write(folder, { "deep.mjs": 'await import("viewcap/dist/runtime/load.js");' });
  await assert.rejects(runIn(folder, process.execPath, "deep.mjs"), /ERR_PACKAGE_PATH_NOT_EXPORTED/);
});

test("an esbuild bundle with the module inside it runs in Node as one file", async () => {
  await write(folder, {
    "bundled.mjs": [
      'import wasm from "viewcap/viewcap.full.wasm";',
      'import { run } from "./consumer.mjs";',
      "console.log(JSON.stringify(await run({ wasm })));",
    ].join("\n"),
  });
  const bundle = await build({
    absWorkingDir: folder,
    entryPoints: ["bundled.mjs"],
    outdir: "out-node",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    loader: { ".wasm": "binary" },
    logLevel: "silent",
  });
  assert.deepEqual(bundle.warnings, []);
  assert.deepEqual(await readdir(join(folder, "out-node")), ["bundled.mjs"]);
  assertOutcome(JSON.parse(await runIn(join(folder, "out-node"), process.execPath, "bundled.mjs")));
});

// What a page of an application is, for both bundlers.
const PAGE = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>consumer</title></head>';

test("a Vite build runs in Chromium under a Content-Security-Policy without unsafe-eval", async () => {
  await write(folder, {
    "index.html": `${PAGE}<body><script type="module" src="./page.mjs"></script></body></html>`,
    "page.mjs": 'import { run } from "./consumer.mjs";\nglobalThis.finished = run();\n',
  });
  await viteBuild({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: { outDir: "out-vite", target: "es2022", assetsInlineLimit: 0 },
  });
  const assets = await readdir(join(folder, "out-vite/assets"));
  assert.ok(
    assets.some((name) => name.endsWith(".wasm")),
    `no module among ${assets.join(", ")}`,
  );
  assertOutcome(await inBrowser(join(folder, "out-vite")));
});

test("an esbuild bundle with the module as a file beside it runs in Chromium", async () => {
  await write(folder, {
    "page-esbuild.mjs": [
      'import wasm from "viewcap/viewcap.wasm";',
      'import { run } from "./consumer.mjs";',
      "globalThis.finished = run({ wasm: new URL(wasm, import.meta.url) });",
    ].join("\n"),
  });
  await build({
    absWorkingDir: folder,
    entryPoints: ["page-esbuild.mjs"],
    outdir: "out-page",
    bundle: true,
    format: "esm",
    loader: { ".wasm": "file" },
    logLevel: "silent",
  });
  await write(join(folder, "out-page"), {
    "index.html": `${PAGE}<body><script type="module" src="./page-esbuild.js"></script></body></html>`,
  });
  assertOutcome(await inBrowser(join(folder, "out-page")));
});

async function inBrowser(page) {
  const { server, url } = await serve({ page });
  try {
    return await finishedIn(url);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
