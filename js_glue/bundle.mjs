// Bundles the package's entries: `npm run build`, before the compiler writes the types.
//
// Node needs one to two milliseconds for every file that it imports, so the sources become one file that the entries
// share. Nothing is minified: whoever debugs a page reads it, and a page's own bundler minifies.

import { readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));

const { metafile } = await build({
  absWorkingDir: folder,
  // domain/internals and runtime/load are none of the package's exports: tests reach inside by them.
  entryPoints: [
    "src/ai_sdk/index.ts",
    "src/cli/viewcap.ts",
    "src/client/index.ts",
    "src/domain/index.ts",
    "src/domain/internals.ts",
    "src/entry.browser.ts",
    "src/entry.node.ts",
    "src/explain/index.ts",
    "src/host/index.ts",
    "src/inspector/index.ts",
    "src/mcp/index.ts",
    "src/opentelemetry/index.ts",
    "src/protocol/index.ts",
    "src/react/index.ts",
    "src/runtime/load.ts",
    "src/sqlite/index.ts",
    "src/testing/index.ts",
    "src/webmcp/index.ts",
  ],
  outdir: "dist",
  outbase: "src",
  chunkNames: "shared/[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  // The modules and their loaders are built elsewhere and lie beside the entries.
  external: [
    "node:*",
    "./module/*",
    "../module/*",
    "../entry.node.js",
    "@modelcontextprotocol/sdk/*",
    "@opentelemetry/api",
    "@orpc/server",
    "ai",
    "react",
  ],
  metafile: true,
  logLevel: "warning",
});

// What an earlier build left behind would be packed too.
for (const name of await readdir(join(folder, "dist"), { recursive: true })) {
  const file = relative(folder, join(folder, "dist", name));
  if (/\.js$/.test(name) && !(file in metafile.outputs)) await rm(join(folder, file));
}
