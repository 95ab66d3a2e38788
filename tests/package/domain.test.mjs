// The domain plane as a server's developer gets it: the tarball in an empty folder, none of the optional peers there.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { installedFolder, runIn, write } from "./workplace.mjs";

let folder;
before(async () => {
  folder = await installedFolder();
});

async function run(lines) {
  await write(folder, { "server.mjs": lines.join("\n") });
  return runIn(folder, process.execPath, "server.mjs");
}

test("viewcap/domain runs without any peer: a procedure with a literal schema is described, called and refused", async () => {
  const said = await run([
    'import * as domain from "viewcap/domain";',
    'const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };',
    "const double = domain.defineProcedure({",
    "  input: domain.fromJsonSchema(schema),",
    '  meta: { agent: { description: "Doubles.", expose: { aiSdk: true }, sideEffect: "none", risk: "low" } },',
    "  handler: ({ input }) => input.n * 2,",
    "});",
    "const registry = domain.createCapabilityRegistry({ math: { double } });",
    "const runtime = domain.createAgentRuntime({ governance: domain.defineGovernance({ registry }) });",
    'const options = { actor: { id: "a", kind: "user" }, surface: "aiSdk" };',
    'const [listed] = await runtime.describe("aiSdk", options);',
    'const done = await runtime.invoke("math.double", { n: 4 }, options);',
    'const refused = await runtime.invoke("math.double", { n: 0.5 }, options);',
    "console.log(JSON.stringify([listed.id, listed.inputSchema, done.output, domain.outwardError(refused.error)]));",
  ]);
  const [id, schema, output, error] = JSON.parse(said);
  assert.equal(id, "math.double");
  assert.deepEqual(schema, { type: "object", properties: { n: { type: "integer" } }, required: ["n"] });
  assert.equal(output, 8);
  assert.equal(error.code, "INPUT_INVALID");
  assert.deepEqual(error.details.issues[0].path, ["n"]);
});

test("importing viewcap/domain and viewcap/sqlite compiles no module and opens no file", async () => {
  const said = await run([
    'for (const name of ["Module", "Instance", "compile", "instantiate"]) {',
    '  WebAssembly[name] = () => { throw new Error("a module was compiled"); };',
    "}",
    'await import("viewcap/domain");',
    'await import("viewcap/sqlite");',
    'console.log("quiet");',
  ]);
  assert.equal(said, "quiet\n");
});

test("an adapter without its peer names the package that is missing", async () => {
  for (const [entry, peer] of [
    ["mcp", "@modelcontextprotocol/sdk"],
    ["opentelemetry", "@opentelemetry/api"],
  ]) {
    await assert.rejects(run([`await import("viewcap/${entry}");`]), new RegExp(`Cannot find package '${peer}'`));
  }
});

test("viewcap/sqlite works with what this Node has, or says what to install", async () => {
  const said = await run([
    'import { createSqliteApprovalCoordinator } from "viewcap/sqlite";',
    "try {",
    '  using(createSqliteApprovalCoordinator({ path: "approvals.db" }));',
    "} catch (error) {",
    "  console.log(error.message);",
    "}",
    'function using(coordinator) { coordinator.close(); console.log("opened"); }',
  ]);
  const hasOwn = process.getBuiltinModule?.("node:sqlite") !== undefined;
  assert.match(said, hasOwn ? /opened/ : /@photostructure\/sqlite/);
});
