// The package's entry for browsers, Workers and bundlers: the module's file lies beside this one.
//
// Vite understands the literal `new URL(…, import.meta.url)` and ships the file. esbuild leaves it as it is: copy
// "viewcap/viewcap.wasm" beside the bundle and say where: loadRuntime({ wasm: new URL("viewcap.wasm", import.meta.url) }).

import { compileResponse, setPlatform } from "./runtime/load.js";

setPlatform({
  variant: "lean",
  // Two literal imports, so that a bundler sees both files and a page loads only the one it uses.
  factory: async (variant) =>
    variant === "full"
      ? (await import("./module/viewcap.full.mjs")).default
      : (await import("./module/viewcap.mjs")).default,
  compile: async (variant, source) =>
    compileResponse(
      await fetch(
        source ??
          (variant === "full"
            ? new URL("./module/viewcap.full.wasm", import.meta.url)
            : new URL("./module/viewcap.wasm", import.meta.url)),
      ),
    ),
});

export * from "./index.js";
