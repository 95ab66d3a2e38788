// The types as an author meets them, checked by the compiler against the package's own declarations.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

test("a binding that leaves out, adds or mistypes something does not compile; a right one does", async () => {
  const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const project = fileURLToPath(new URL("types/tsconfig.json", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", project]).catch((error) => error);
  assert.equal(stdout, "");
});
