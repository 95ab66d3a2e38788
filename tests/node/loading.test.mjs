// Loading the module. Each case has a process of its own: what is loaded there is nobody else's.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const LEAN = 'import.meta.resolve("viewcap/viewcap.wasm")';

/** Runs a script as an application would and gives what it printed as JSON. */
async function script(body) {
  const source = `
    import assert from "node:assert/strict";
    import { readFile } from "node:fs/promises";
    const before = Object.keys(globalThis).length;
    const viewcap = await import("viewcap");
    ${body}`;
  const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "--eval", source], { cwd: here });
  assert.equal(stderr, "");
  return stdout.trim();
}

test("importing the package loads nothing and touches no global", async () => {
  await script(`
    assert.equal(Object.keys(globalThis).length, before);
    assert.equal(viewcap.isRuntimeLoaded(), false);`);
});

test("data can be made before the module is loaded; what needs the module says so by name", async () => {
  await script(`
    const schema = viewcap.fromJsonSchema({ type: "object" });
    const contract = viewcap.defineAgentComponentContract({ type: "a", description: "A.",
      actions: { go: viewcap.actionContract({ description: "Goes.", input: viewcap.emptyObjectSchema, effect: "local-state" }) } });
    contract.bind({ actions: { go: { execute() {} } } });
    new viewcap.AgentSurfaceError({ code: "NOT_AUTHORIZED", message: "No." });
    for (const use of [
      () => viewcap.createAgentSurfaceRegistry({ environment: "test" }),
      () => schema.parse({}),
      () => viewcap.encodeWireName("view:a.b"),
      () => viewcap.decodeWireName("view_a__b"),
      () => viewcap.assignWireNames([]),
      () => viewcap.parseCapabilityId("view:a.b"),
      () => viewcap.createCapabilityAuthority({ format: 1, contracts: {}, sha256: "" }),
    ]) assert.throws(use, { name: "RuntimeNotLoadedError", message: /loadRuntime/ });`);
});

test("loadRuntime is idempotent: calls while loading and afterwards are all fulfilled", async () => {
  await script(`
    await Promise.all([viewcap.loadRuntime(), viewcap.loadRuntime()]);
    await viewcap.loadRuntime();
    assert.equal(viewcap.isRuntimeLoaded(), true);`);
});

test("another variant while one is live, or while one is loading, is refused", async () => {
  await script(`
    const first = viewcap.loadRuntime({ variant: "lean" });
    await assert.rejects(viewcap.loadRuntime({ variant: "full" }), /lean module is loaded/);
    await first;
    await assert.rejects(viewcap.loadRuntime({ variant: "full" }), /lean module is loaded/);
    await viewcap.loadRuntime({ variant: "lean" });`);
});

test("an unknown variant is refused", async () => {
  await script(`await assert.rejects(viewcap.loadRuntime({ variant: "fat" }), /"fat"/);`);
});

for (const [what, source] of [
  ["bytes", `await readFile(new URL(${LEAN}))`],
  ["an ArrayBuffer", `(await readFile(new URL(${LEAN}))).buffer.slice(0)`],
  ["a compiled module", `await WebAssembly.compile(await readFile(new URL(${LEAN})))`],
  ["a URL", `new URL(${LEAN})`],
  ["a file URL as text", LEAN],
  ["a path", `(await import("node:url")).fileURLToPath(${LEAN})`],
  ["a response", `new Response(await readFile(new URL(${LEAN})), { headers: { "content-type": "application/wasm" } })`],
  [
    "a promise of a response with the wrong MIME type",
    `readFile(new URL(${LEAN})).then((bytes) => new Response(bytes, { headers: { "content-type": "text/plain" } }))`,
  ],
]) {
  test(`the module may be given as ${what}`, async () => {
    const given = what === "an ArrayBuffer" ? `new Uint8Array(await readFile(new URL(${LEAN}))).buffer` : source;
    await script(`
      await viewcap.loadRuntime({ variant: "lean", wasm: ${given} });
      assert.equal(viewcap.encodeWireName("view:a.b"), "view_a__b");`);
  });
}

test("a failed load rejects, and the next one starts over", async () => {
  await script(`
    await assert.rejects(viewcap.loadRuntime({ variant: "lean", wasm: new Uint8Array([1, 2, 3]) }));
    await assert.rejects(viewcap.loadRuntime({ variant: "lean", wasm: new Response("no", { status: 404 }) }), /404/);
    assert.equal(viewcap.isRuntimeLoaded(), false);
    await viewcap.loadRuntime({ variant: "lean" });
    assert.equal(viewcap.isRuntimeLoaded(), true);`);
});

test("the lean module refuses the full schema profile with one clear error", async () => {
  await script(`
    await viewcap.loadRuntime({ variant: "lean" });
    assert.throws(() => viewcap.createAgentSurfaceRegistry({ environment: "test", schemaProfile: "full" }),
      { name: "AgentSurfaceDefinitionError", message: /full/ });`);
});

test("development without an authority warns once per process", async () => {
  await script(`
    const warnings = [];
    console.warn = (text) => warnings.push(text);
    await viewcap.loadRuntime();
    viewcap.createAgentSurfaceRegistry().dispose();
    viewcap.createAgentSurfaceRegistry().dispose();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /authority/);`);
});

test("a process ends by itself when nothing is in flight, whatever the deadlines of settled calls were", async () => {
  const started = Date.now();
  await script(`
    await viewcap.loadRuntime();
    const contract = viewcap.defineAgentComponentContract({ type: "a", description: "A.",
      actions: { go: { description: "Goes.", input: viewcap.emptyObjectSchema, effect: "local-state", timeoutMs: 60000 } } });
    const registry = viewcap.createAgentSurfaceRegistry({ environment: "test" });
    registry.register(contract.bind({ actions: { go: { execute: async () => undefined } } }));
    assert.equal((await registry.invoke({ capabilityId: "view:a.go" })).status, "ok");`);
  assert.ok(Date.now() - started < 30_000);
});

test("a process waits for a call in flight, and for its timeout", async () => {
  const printed = await script(`
    await viewcap.loadRuntime();
    const contract = viewcap.defineAgentComponentContract({ type: "a", description: "A.",
      actions: { go: { description: "Goes.", input: viewcap.emptyObjectSchema, effect: "local-state", timeoutMs: 50 } } });
    const registry = viewcap.createAgentSurfaceRegistry({ environment: "test" });
    registry.register(contract.bind({ actions: { go: { execute: () => new Promise(() => undefined) } } }));
    registry.invoke({ capabilityId: "view:a.go" }).then((result) => console.log(result.error.code));`);
  assert.equal(printed, "TIMEOUT");
});
