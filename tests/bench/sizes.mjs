// What a page ships, in bytes: the modules as they are, and the JavaScript of the registry entry.
//
// "Glue" is the package's root entry with everything that it imports, and the JavaScript of the lean module, which the
// entry imports when it loads: bundled and minified by esbuild for browsers as a page's build would do it, each file
// compressed by itself as a server would do it. The same files unbundled are given beside it.

import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";
import { rootFolder, shipped } from "./places.mjs";

export function brotli(bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params }).length;
}

function sizeOf(bytes) {
  return { raw: bytes.length, brotli: brotli(bytes) };
}

function bundle(entry) {
  return build({
    stdin: { contents: entry, resolveDir: rootFolder, sourcefile: "page.js" },
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: "page",
    absWorkingDir: rootFolder,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "silent",
  });
}

const isLoader = (name) => name.endsWith("module/viewcap.mjs");

/** The output files that a page with the lean module loads: the entry, what it imports, and the lean module's loader. */
function loadedFiles({ outputs }) {
  const names = Object.keys(outputs);
  const loader = names.find((name) => Object.keys(outputs[name].inputs).some(isLoader));
  const loaded = new Set();
  const visit = (name) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { path, kind } of outputs[name].imports) if (kind === "import-statement") visit(path);
  };
  for (const name of names) if (outputs[name].entryPoint === "page.js" || name === loader) visit(name);
  if (loader === undefined) throw new Error("the bundle has no file for the lean module's loader");
  return loaded;
}

function sum(sizes) {
  return {
    files: sizes.length,
    raw: sizes.reduce((all, { raw }) => all + raw, 0),
    brotli: sizes.reduce((all, size) => all + size.brotli, 0),
  };
}

/** The JavaScript of a page that exports everything of the given entries: `{bundled, unbundled}`. */
async function measureScript(...entries) {
  const result = await bundle(entries.map((entry) => `export * from "${entry}";`).join("\n"));
  const loaded = loadedFiles(result.metafile);
  const written = result.outputFiles.filter(({ path }) => loaded.has(relative(rootFolder, path)));
  const sources = [...loaded]
    .flatMap((name) => Object.keys(result.metafile.outputs[name].inputs))
    .filter((name) => name !== "page.js");
  return {
    bundled: sum(written.map(({ contents }) => sizeOf(contents))),
    unbundled: sum(sources.map((name) => sizeOf(readFileSync(join(rootFolder, name))))),
  };
}

/** `{lean, full, glue, glueUnbundled, glueWithProtocol}`, each `{raw, brotli}`; the last three also have `files`. */
export async function measureSizes() {
  const glue = await measureScript("viewcap");
  return {
    lean: sizeOf(readFileSync(shipped("module", "viewcap.wasm"))),
    full: sizeOf(readFileSync(shipped("module", "viewcap.full.wasm"))),
    domain: sizeOf(readFileSync(shipped("module", "viewcap.domain.wasm"))),
    glue: glue.bundled,
    glueUnbundled: glue.unbundled,
    glueWithProtocol: (await measureScript("viewcap", "viewcap/protocol")).bundled,
  };
}
