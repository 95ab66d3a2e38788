// The contract compiler: viewcap contracts compile | check | inspect, as a process over real files.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { projectStep } from "viewcap/protocol";
import { ready, tableBinding, viewcap } from "./support.mjs";

await ready;

const folder = mkdtempSync(join(tmpdir(), "viewcap-cli-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const root = fileURLToPath(new URL("../../", import.meta.url));
const command = join(root, "js_glue/dist/cli/viewcap.js");
mkdirSync(join(folder, "node_modules"));
symlinkSync(join(root, "js_glue"), join(folder, "node_modules", "viewcap"), "dir");

const run = (...args) =>
  spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: "utf8", timeout: 30_000 });
const write = (name, text) => writeFileSync(join(folder, name), text);

const contracts = ({ description = "Sets filters.", more = "" } = {}) => `
import { defineAgentComponentContract, defineAgentProcedureContract, fromJsonSchema } from "viewcap";
const input = fromJsonSchema({ type: "object", properties: { status: { enum: ["open", "paid"] } } });
export const table = defineAgentComponentContract({
  type: "invoices",
  description: "The invoices table.",
  policies: [{ name: "open" }],
  observations: { rows: { description: "The rows shown.", output: fromJsonSchema({}) } },
  actions: { set: { description: ${JSON.stringify(description)}, input, effect: "local-state" }${more} },
});
export const procedures = { approve: defineAgentProcedureContract({ id: "domain:approve", description: "Approve.", input, effect: "server-mutation" }) };
export default 7;
`;
write("contracts.mjs", contracts());
write(
  "other.mjs",
  `
import { defineAgentComponentContract } from "viewcap";
export const list = [defineAgentComponentContract({ type: "customers", description: "Customers." })];
`,
);

test("compile writes the manifest of all exported contracts, the same bytes whatever the order of the modules", () => {
  const one = run("contracts", "compile", "contracts.mjs", "other.mjs", "--out", "one.json");
  assert.deepEqual([one.status, one.stdout, one.stderr], [0, "", "3 contracts written to one.json\n"]);
  run("contracts", "compile", "./other.mjs", "./contracts.mjs", "--out", "two.json");
  const text = readFileSync(join(folder, "one.json"), "utf8");
  assert.equal(readFileSync(join(folder, "two.json"), "utf8"), text);
  assert.ok(text.endsWith("}\n"));
  assert.deepEqual(Object.keys(JSON.parse(text).contracts), ["customers", "domain:approve", "invoices"]);
});

test("what was compiled is the authority of a production registry, which refuses a contract that differs", async () => {
  run("contracts", "compile", "contracts.mjs", "--out", "authority.json");
  const authority = viewcap.createCapabilityAuthority(JSON.parse(readFileSync(join(folder, "authority.json"), "utf8")));
  const { table } = await import(join(folder, "contracts.mjs"));
  const registry = viewcap.createAgentSurfaceRegistry({ authority });
  assert.equal(
    registry.register(viewcap.defineAgentComponentContract(table).bind(tableBinding())).status,
    "registered",
  );
  const changed = viewcap.defineAgentComponentContract({ ...table, description: "Another table." });
  assert.throws(() => registry.register(changed.bind(tableBinding())), { code: "INVALID_DEFINITION" });
  registry.dispose();
});

test("check says nothing and exits 0 while a model would see the same", () => {
  run("contracts", "compile", "contracts.mjs", "--out", "same.json");
  const { status, stdout } = run("contracts", "check", "contracts.mjs", "--against", "same.json");
  assert.deepEqual([status, stdout], [0, ""]);
});

test("check prints each difference in a line, before → after, and exits 1", () => {
  run("contracts", "compile", "contracts.mjs", "other.mjs", "--out", "before.json");
  write(
    "changed.mjs",
    contracts({
      description: "Narrow the table.",
      more: ", clear: { description: 'Clear.', effect: 'local-state' }",
    }).replace('["open", "paid"]', '["open"]'),
  );
  const { status, stdout } = run("contracts", "check", "changed.mjs", "--against", "before.json");
  assert.equal(status, 1);
  assert.deepEqual(stdout.trim().split("\n"), [
    "- component customers is gone",
    '~ domain:approve /input/properties/status/enum/1: "paid" → nothing',
    "+ view:invoices.clear is new",
    '~ view:invoices.set /description: "Sets filters." → "Narrow the table."',
    '~ view:invoices.set /input/properties/status/enum/1: "paid" → nothing',
  ]);
});

test("inspect --json is byte for byte what a projection of the mounted contracts gives", async () => {
  const { table } = await import(join(folder, "contracts.mjs"));
  const registry = viewcap.createAgentSurfaceRegistry({ environment: "test" });
  registry.register(viewcap.defineAgentComponentContract(table).bind(tableBinding()));
  const { procedures } = await import(join(folder, "contracts.mjs"));
  registry.registerProcedure(procedures.approve, { path: "approve" }, {});
  const { bytes } = projectStep(registry, { consumer: { id: "inspect", kind: "other" } });
  const { status, stdout } = run("contracts", "inspect", "contracts.mjs", "--json");
  assert.equal(status, 0);
  assert.equal(stdout, new TextDecoder().decode(bytes));
});

test("inspect prints name, description and schema of each tool", () => {
  const { stdout } = run("contracts", "inspect", "contracts.mjs");
  assert.match(stdout, /^view_invoices__rows\n {2}\[view · read\] The rows shown\.\n {2}\{"type":"object"/);
  assert.match(stdout, /^domain_approve\n/m);
});

test("a module that talks and leaves a timer behind spoils neither the result nor the end", () => {
  write("noisy.mjs", `console.log("NOISE"); setInterval(() => undefined, 1000);\n${contracts()}`);
  const { status, stdout, stderr } = run("contracts", "inspect", "noisy.mjs", "--json");
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).length, 3);
  assert.match(stderr, /NOISE/);
});

test("what a contract's own policy hides is inspected all the same", () => {
  write(
    "hiding.mjs",
    contracts().replace('{ name: "open" }', '{ name: "no", onDiscovery: () => ({ decision: "hide" }) }'),
  );
  assert.equal(JSON.parse(run("contracts", "inspect", "hiding.mjs", "--json").stdout).length, 3);
});

test("a change that no model sees is drift for the authority, and said to be one", () => {
  run("contracts", "compile", "contracts.mjs", "--out", "priority.json");
  write("priority.mjs", contracts().replace('type: "invoices",', 'type: "invoices", priority: 2,'));
  const { status, stdout } = run("contracts", "check", "priority.mjs", "--against", "priority.json");
  assert.deepEqual([status, stdout], [1, "~ component invoices /priority: nothing → 2 (no model sees this)\n"]);
});

test("a manifest that somebody edited is refused before it is compared", () => {
  run("contracts", "compile", "contracts.mjs", "--out", "edited.json");
  const text = readFileSync(join(folder, "edited.json"), "utf8");
  write("edited.json", text.replace("The invoices table.", "Another table."));
  const { status, stderr } = run("contracts", "check", "contracts.mjs", "--against", "edited.json");
  assert.equal(status, 2);
  assert.match(stderr, /edited\.json could not be read: authority: the sha256 of 'invoices'/);
});

for (const [what, args, message] of [
  ["no module", ["contracts", "compile", "--out", "x.json"], /needs at least one module/],
  ["no --out", ["contracts", "compile", "contracts.mjs"], /needs --out/],
  ["no --against", ["contracts", "check", "contracts.mjs"], /needs --against/],
  ["an unknown command", ["contracts", "bake", "contracts.mjs"], /unknown command "contracts bake"/],
  ["an unknown option", ["contracts", "inspect", "contracts.mjs", "--yaml"], /--yaml/],
  ["a module that is not there", ["contracts", "inspect", "nowhere.mjs"], /nowhere\.mjs/],
  ["a module that throws", ["contracts", "inspect", "throws.mjs"], /throws\.mjs could not be loaded: no luck/],
  ["a module without a contract", ["contracts", "inspect", "empty.mjs"], /no contract is exported by empty\.mjs/],
  [
    "two contracts of one type",
    ["contracts", "inspect", "contracts.mjs", "changed.mjs"],
    /changed\.mjs: table: another contract is named "invoices": contracts\.mjs: table/,
  ],
  ["a schema outside the profile", ["contracts", "inspect", "outside.mjs"], /outside\.mjs: bad: .*oneOf/],
  [
    "a manifest that is none",
    ["contracts", "check", "contracts.mjs", "--against", "contracts.mjs"],
    /contracts\.mjs could not be read/,
  ],
]) {
  test(`${what}: exit 2, one clear message on stderr, nothing on stdout`, () => {
    write("throws.mjs", "throw new Error('no luck');");
    write("empty.mjs", "export const nothing = 7;");
    write("changed.mjs", contracts({ description: "Narrow the table." }));
    write(
      "outside.mjs",
      `
      import { defineAgentComponentContract, fromJsonSchema } from "viewcap";
      const input = fromJsonSchema({ oneOf: [{ type: "object" }] });
      export const bad = defineAgentComponentContract({ type: "a", description: "d", actions: { run: { description: "d", input, effect: "local-state" } } });
    `,
    );
    const { status, stdout, stderr } = run(...args);
    assert.deepEqual([status, stdout], [2, ""], stderr);
    assert.match(stderr, message);
    assert.ok(!/\n\s+at /.test(stderr), "a stack is no message");
  });
}

test("without arguments, or with --help, the usage is shown", () => {
  for (const args of [[], ["--help"]]) {
    const { status, stdout } = run(...args);
    assert.equal(status, 0);
    assert.match(stdout, /compile <modules…> --out/);
  }
});
