import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allFiles, ROOT, sourceFiles } from "./sources.mjs";

const FOLDERS = ["wasm", "js_glue", "host_protocol", "examples_web", "tests", "docs", ".ci"];

test("the top level has the folders of the house and no other", () => {
  const folders = new Set(
    allFiles()
      .filter((path) => path.includes("/"))
      .map((path) => path.split("/")[0]),
  );
  assert.deepEqual(
    [...folders].filter((folder) => !FOLDERS.includes(folder)),
    [],
  );
});

test("docs holds one numbered page per decision", () => {
  const pages = allFiles().filter((path) => path.startsWith("docs/"));
  assert.ok(pages.length > 0);
  assert.deepEqual(
    pages.filter((path) => !/^docs\/decisions\/\d{4}-[a-z0-9-]+\.md$/.test(path)),
    [],
  );
});

test("the lock file records versions and hashes, no addresses", () => {
  const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, "utf8"));
  const addressed = Object.entries(packages).filter(([, entry]) => /^https?:/.test(entry.resolved ?? ""));
  assert.deepEqual(
    addressed.map(([name]) => name),
    [],
  );
});

test("every development tool is pinned exactly, and the package has no dependency", () => {
  const workspace = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));
  const loose = Object.entries(workspace.devDependencies).filter(
    ([, version]) => !/^(?:npm:[a-z-]+@)?\d+\.\d+\.\d+$/.test(version),
  );
  assert.deepEqual(loose, []);
  assert.equal(JSON.parse(readFileSync(`${ROOT}js_glue/package.json`, "utf8")).dependencies, undefined);
});

test("every C++ source is listed by name in its folder's CMakeLists.txt", () => {
  const owners = ["host_protocol", "wasm/core", "wasm/domain", "wasm/bindings", "tests/unit"];
  const unlisted = [...sourceFiles().keys()].filter((path) => {
    const owner = owners.find((folder) => path.startsWith(`${folder}/`));
    if (!path.endsWith(".cpp") || owner === undefined) return false;
    const list = readFileSync(`${ROOT}${owner}/CMakeLists.txt`, "utf8").split(/[\s()]+/);
    return !list.includes(path.slice(owner.length + 1));
  });
  assert.deepEqual(unlisted, []);
});

test("no test is skipped, narrowed or postponed", () => {
  const marks = /\b(?:test|it|describe)\.(?:skip|only|todo)\s*\(|\[\.\]|\[!mayfail\]|\[!shouldfail\]/;
  const marked = [...sourceFiles()].filter(
    ([path, text]) => path.startsWith("tests/") && !path.startsWith("tests/architecture/") && marks.test(text),
  );
  assert.deepEqual(
    marked.map(([path]) => path),
    [],
  );
});
