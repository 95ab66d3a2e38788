import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkBindings,
  checkCpp,
  checkExamples,
  checkGlue,
  checkLengths,
  checkTests,
  importsOf,
  includesOf,
} from "./arrows.mjs";
import { sourceFiles } from "./sources.mjs";

const files = sourceFiles();
const planted = (entries) => new Map(Object.entries(entries));

test("the sources are found: an empty list would pass every rule", () => {
  for (const folder of ["host_protocol/src/", "wasm/core/src/", "wasm/bindings/", "js_glue/src/", "tests/unit/"]) {
    assert.ok(
      [...files.keys()].some((path) => path.startsWith(folder)),
      `no source under ${folder}`,
    );
  }
});

test("C++ includes point down, never up or sideways past a layer", () => assert.deepEqual(checkCpp(files), []));
test("wasm/bindings holds the table and the boundary, nothing else", () => assert.deepEqual(checkBindings(files), []));
test("only js_glue/src/runtime touches the raw module, and adapters never import each other", () =>
  assert.deepEqual(checkGlue(files), []));
test("an example imports the package and itself, nothing else", () => assert.deepEqual(checkExamples(files), []));
test("nothing looks at tests", () => assert.deepEqual(checkTests(files), []));
test("headers have at most 150 lines, sources 300, tests 400", () => assert.deepEqual(checkLengths(files), []));

const HEADERS = {
  "wasm/core/include/viewcap/registry.h": "",
  "wasm/core/src/audit/log.h": "",
  "wasm/domain/include/domain/plane.h": "",
  "host_protocol/include/host_protocol/ids.h": "",
};

for (const [rule, path, text] of [
  ["host_protocol including the core", "host_protocol/src/ids.cpp", '#include "viewcap/registry.h"\n'],
  ["host_protocol including embind", "host_protocol/src/ids.cpp", "#include <emscripten/bind.h>\n"],
  ["the core including the domain plane", "wasm/core/src/registry.cpp", '#include "domain/plane.h"\n'],
  ["the domain plane including the core", "wasm/domain/src/plane.cpp", '#include "viewcap/registry.h"\n'],
  ["the core including nlohmann", "wasm/core/src/registry.cpp", "#include <nlohmann/json.hpp>\n"],
  ["a second file including valijson", "host_protocol/schema/schema.cpp", "  #  include <valijson/validator.hpp>\n"],
  ["the bindings including the core's insides", "wasm/bindings/bindings.cpp", '#include "audit/log.h"\n'],
  ["the core including Catch2", "wasm/core/src/registry.cpp", "#include <catch2/catch.hpp>\n"],
  ["the core including a header that nobody has", "wasm/core/src/registry.cpp", '#include "nowhere.h"\n'],
  ["the core reading a clock", "wasm/core/src/registry.cpp", "auto now = std::chrono::steady_clock::now();\n"],
  ["the core reading the time of day", "wasm/core/src/registry.cpp", "auto now = time(nullptr);\n"],
  ["the core drawing randomness", "wasm/core/src/registry.cpp", "int dice = rand() % 6;\n"],
  ["the core calling JavaScript", "wasm/core/src/registry.cpp", "EM_ASM({ alert(1) });\n"],
  ["the core using streams", "wasm/core/src/registry.cpp", "#include <sstream>\n"],
]) {
  test(`a planted violation is caught: ${rule}`, () =>
    assert.equal(checkCpp(planted({ ...HEADERS, [path]: text })).length, 1));
}

test("what the rules allow passes: comments, strings, methods, the fence and the bindings", () => {
  const allowed = {
    ...HEADERS,
    "wasm/core/src/registry.cpp":
      '// rand() and std::chrono\n#include "audit/log.h"\n#include "host_protocol/ids.h"\n#include <vector>\nauto s = "time(0)"; auto t = timer.clock();\n',
    "host_protocol/schema/valijson_fence.cpp": "#include <valijson/validator.hpp>\n",
    "wasm/bindings/bindings.cpp": '#include <emscripten/bind.h>\n#include "viewcap/registry.h"\n',
  };
  assert.deepEqual(checkCpp(planted(allowed)), []);
});

for (const [rule, path, text] of [
  [
    "the registry importing the raw module",
    "js_glue/src/registry/index.ts",
    'import load from "../module/viewcap.mjs";\n',
  ],
  ["an adapter importing another", "js_glue/src/react/index.ts", 'import { x } from "../webmcp/index.js";\n'],
  ["the runtime importing the registry", "js_glue/src/runtime/load.ts", 'export * from "../registry/index.js";\n'],
  ["a dynamic import of a dependency", "js_glue/src/registry/index.ts", 'const ajv = await import("ajv");\n'],
  ["node: outside the Node entry", "js_glue/src/entry.browser.ts", 'import { readFile } from "node:fs/promises";\n'],
  ["the glue leaving its folder", "js_glue/src/index.ts", 'import "../../tests/shared/body.mjs";\n'],
]) {
  test(`a planted violation is caught: ${rule}`, () => assert.equal(checkGlue(planted({ [path]: text })).length, 1));
}

test("a planted violation is caught: a rule beside the table", () => {
  assert.equal(checkBindings(planted({ "wasm/bindings/policy.cpp": "" })).length, 1);
});

test("a planted violation is caught: an example or a source that looks at tests", () => {
  assert.equal(
    checkExamples(planted({ "examples_web/minimal/app.js": 'import "../../tests/shared/a.mjs";' })).length,
    1,
  );
  assert.equal(checkTests(planted({ "js_glue/src/index.ts": 'import "../../tests/a.mjs";' })).length, 1);
  assert.equal(checkTests(planted({ "wasm/core/src/a.cpp": '#include "tests/unit/a.h"' })).length, 1);
});

test("a planted violation is caught: one line too many", () => {
  const lines = (count) => "\n".repeat(count);
  assert.deepEqual(
    checkLengths(planted({ "a/b.h": lines(150), "a/b.cpp": lines(300), "tests/unit/b.cpp": lines(400) })),
    [],
  );
  assert.equal(
    checkLengths(planted({ "a/b.h": lines(151), "a/b.cpp": lines(301), "tests/unit/b.cpp": lines(401) })).length,
    3,
  );
});

test("imports and includes are read in every form they are written in", () => {
  const script =
    'import a, { b } from "./a.js";\nimport "./b.js";\nexport * from "./c.js";\nimport type {\n  D,\n} from "./d.js"; // import "./no.js"\nconst e = import("./e.js");\n';
  assert.deepEqual(importsOf(script), ["./a.js", "./b.js", "./c.js", "./d.js", "./e.js"]);
  assert.deepEqual(
    includesOf('#include <a>\n # include "b.h"\n// #include <c>\n').map((entry) => entry.angle ?? entry.quoted),
    ["a", "b.h"],
  );
});
