// The WebMCP adapter in Chromium: on its own API, on the same through its protocol domain, and on the polyfill.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { webmcpBodies } from "../shared/webmcp_bodies.js";
import { fixtureTest, pageTest } from "./support/browser.mjs";
import { workbenchTest } from "./support/receivables.mjs";

const NATIVE = { browser: "webmcp" };
const POLYFILL = fileURLToPath(
  new URL("../../node_modules/@mcp-b/webmcp-polyfill/dist/index.iife.js", import.meta.url),
);
const expected = Object.fromEntries(webmcpBodies.map((body) => [body.title, body.expected]));

fixtureTest(
  "Every body of the adapter has its outcome on the browser's own API",
  { ...NATIVE, fixture: "webmcp" },
  (seen) => {
    assert.deepEqual(seen, expected);
  },
);

fixtureTest(
  "Every body of the adapter has its outcome on the polyfill",
  {
    fixture: "webmcp?polyfill",
    serverOptions: { scripts: { "/fixtures/polyfill.js": readFileSync(POLYFILL, "utf8") } },
  },
  (seen) => {
    assert.deepEqual(seen, expected);
  },
);

fixtureTest(
  "The browser's API does what the adapter guards against, and a published tool answers through the browser's protocol",
  {
    ...NATIVE,
    fixture: "webmcp_facts",
    expectedProblems: [/WebMCP tool execution failed: Uncaught Error: the reason/],
  },
  async (seen, _, page) => {
    assert.deepEqual(seen, {
      gives: "undefined",
      duplicate: "InvalidStateError",
      badName: "InvalidStateError",
      longName: "InvalidStateError",
      "result text": "raw",
      "result nothing": "undefined",
      "result empty": "Operation succeeded",
      "result object": '{"a":1}',
      notValidated: '{"b":1}',
      thrown: false,
      oldHandle: "second",
      late: "AbortError",
      left: 0,
    });
    const session = await page.context().newCDPSession(page);
    const added = new Promise((resolve) => session.once("WebMCP.toolsAdded", resolve));
    const responded = new Promise((resolve) => session.once("WebMCP.toolResponded", resolve));
    await session.send("WebMCP.enable");
    const [{ name, frameId, annotations }] = (await added).tools;
    assert.deepEqual([name, annotations.readOnly, annotations.consequential], ["view_t__set", false, false]);
    await session.send("WebMCP.invokeTool", { frameId, toolName: name, input: { n: 21 } });
    const { status, output } = await responded;
    assert.deepEqual([status, output], ["Completed", { status: "ok", output: 42 }]);
  },
);

const toolNames = (page) =>
  page.evaluate(async () => (await document.modelContext.getTools()).map(({ name }) => name).sort());

pageTest("The minimal page publishes its surface, and a page change changes the tools", NATIVE, async (page) => {
  const before = await toolNames(page);
  assert.ok(before.includes("view_app__navigation__goTo"));
  assert.ok(before.some((name) => name.startsWith("view_invoices__table__")));
  await page.getByRole("link", { name: "Customers" }).click();
  await page.waitForFunction(async () => {
    const tools = await document.modelContext.getTools();
    return !tools.some(({ name }) => name.startsWith("view_invoices__table__"));
  });
});

workbenchTest(
  "The workbench publishes its surface, and an agent of the browser's moves its URL",
  NATIVE,
  async ({ page }) => {
    assert.ok((await toolNames(page)).includes("view_invoices__pending__setFilters"));
    const answer = await page.evaluate(async () => {
      const tools = await document.modelContext.getTools();
      const tool = tools.find(({ name }) => name === "view_invoices__pending__setFilters");
      return document.modelContext.executeTool(tool, { status: "paid" });
    });
    assert.deepEqual(JSON.parse(answer), { status: "ok" });
    assert.match(page.url(), /status=paid/);
  },
);
