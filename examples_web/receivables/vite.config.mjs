// The page, built into build/receivables; server/main.mjs serves it.
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default {
  root: here("web"),
  logLevel: "warn",
  esbuild: { jsx: "automatic" },
  build: {
    outDir: here("../../build/receivables"),
    emptyOutDir: true,
    target: "es2022",
    // The policy of the page allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
};
