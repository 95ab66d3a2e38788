import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { installedFolder } from "./workplace.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

let folder;
let files;
let manifest;
before(async () => {
  folder = join(await installedFolder(), "node_modules/viewcap");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
  manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
});

test("the tarball holds the built package, its papers, and nothing else", () => {
  const allowed = /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/[\w./-]+\.(?:js|mjs|d\.ts|d\.mts|wasm))$/;
  assert.deepEqual(
    files.filter((name) => !allowed.test(name)),
    [],
  );
  for (const name of [
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "dist/module/viewcap.wasm",
    "dist/module/viewcap.full.wasm",
  ]) {
    assert.ok(files.includes(name), `${name} is missing`);
  }
});

test("the tarball holds no test, no source map and no path of the machine that built it", async () => {
  assert.deepEqual(
    files.filter((name) => /\.map$|\btests?\b|fixture/.test(name)),
    [],
  );
  const paths = [ROOT.slice(0, -1), join(homedir(), "/"), "/usr/share/emscripten"];
  for (const name of files) {
    const bytes = await readFile(join(folder, name));
    for (const path of paths) assert.ok(!bytes.includes(path), `${name} names ${path}`);
    assert.ok(!bytes.includes("sourceMappingURL"), `${name} points to a source map`);
  }
});

test("every target of the exports map is in the tarball", () => {
  const targets = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry).flatMap(targets));
  const missing = targets(manifest.exports).filter((target) => !files.includes(target.replace("./", "")));
  assert.deepEqual(missing, []);
});

test("the package depends on nothing and runs nothing at install time", () => {
  assert.equal(manifest.dependencies, undefined);
  assert.deepEqual(
    Object.keys(manifest.scripts ?? {}).filter((name) => /install|prepare/.test(name)),
    [],
  );
});

test("every module imports only files that the tarball holds", async () => {
  for (const name of files.filter((file) => file.endsWith(".js"))) {
    const text = await readFile(join(folder, name), "utf8");
    for (const [, target] of text.matchAll(/(?:from|import\()\s*["'](\.[^"']+)["']/g)) {
      const path = relative(folder, join(folder, name, "..", target));
      assert.ok(files.includes(path), `${name} imports ${path}, which the tarball does not hold`);
    }
  }
});

test("both modules compile as WebAssembly, and the full one is the larger", async () => {
  const lean = await readFile(join(folder, "dist/module/viewcap.wasm"));
  const full = await readFile(join(folder, "dist/module/viewcap.full.wasm"));
  await Promise.all([WebAssembly.compile(lean), WebAssembly.compile(full)]);
  assert.ok(lean.length < full.length, `lean has ${lean.length} bytes, full ${full.length}`);
});
