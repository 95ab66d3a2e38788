// Where the built things are. The package itself is imported by its name, as an application would.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const benchFolder = dirname(fileURLToPath(import.meta.url));
export const rootFolder = resolve(benchFolder, "../..");
export const buildFolder = join(rootFolder, "build");
export const distFolder = join(rootFolder, "js_glue/dist");
export const moduleFolder = join(distFolder, "module");

/** A file of the package's output; throws when the package has not been built. */
export function shipped(...parts) {
  const file = join(distFolder, ...parts);
  if (!existsSync(file))
    throw new Error(`js_glue/dist/${parts.join("/")} is missing: build the package first (make package)`);
  return file;
}
