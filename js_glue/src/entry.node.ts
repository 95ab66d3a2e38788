// The package's entry for Node: the module's file is read from the disk.

import { readFile } from "node:fs/promises";
import { compileResponse, setPlatform } from "./runtime/load.js";

setPlatform({
  variant: "full",
  factory: async (variant) =>
    variant === "full"
      ? (await import("./module/viewcap.full.mjs")).default
      : (await import("./module/viewcap.mjs")).default,
  compile: async (variant, source) => {
    const own = new URL(variant === "full" ? "./module/viewcap.full.wasm" : "./module/viewcap.wasm", import.meta.url);
    const place = source ?? own;
    // A single letter before the colon is a drive, not a scheme.
    const address = typeof place === "string" && /^[a-z][a-z0-9+.-]+:/i.test(place) ? new URL(place) : place;
    if (address instanceof URL && address.protocol !== "file:") return compileResponse(await fetch(address));
    return WebAssembly.compile(await readFile(address));
  },
});

export * from "./index.js";
