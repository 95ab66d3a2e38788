// What an agent may read of the page, compiled from web/contracts.ts: the registry of a page that is in production takes
// nothing else. `node examples_web/receivables/compile_contracts.mjs` writes web/contract.json, which is committed, so
// that a change of it is seen in a review.
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const COMMAND = here("../../js_glue/dist/cli/viewcap.js");

export async function compileContracts(out) {
  const folder = here("../../build/receivables-contracts");
  await mkdir(folder, { recursive: true });
  const outfile = `${folder}/contracts.mjs`;
  const external = ["viewcap"];
  await build({
    entryPoints: [here("web/contracts.ts")],
    outfile,
    external,
    bundle: true,
    format: "esm",
    logLevel: "warning",
  });
  await promisify(execFile)(process.execPath, [COMMAND, "contracts", "compile", outfile, "--out", out]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileContracts(here("web/contract.json"));
