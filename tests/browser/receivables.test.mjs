// The workbench from one end to the other: a page in Chromium, its server, a SQLite file, the scripted model.
import assert from "node:assert/strict";
import { scriptedModel } from "../../js_glue/dist/host/index.js";
import { gate, workbenchTest } from "./support/receivables.mjs";

const CHASE = "domain_update-collection-status";
const pausing = (turns) => {
  const paused = gate();
  return { paused, options: { model: scriptedModel({ turns: turns(paused.wait) }) } };
};

workbenchTest(
  "What is overdue: one message calls a server tool and a browser tool, and URL, table and figure agree with the answer after three steps",
  {},
  async ({ page, steps, ask, said, served }) => {
    await ask("What is overdue?");
    assert.deepEqual(
      steps.map(({ stepIndex }) => stepIndex),
      [0, 1, 2],
    );
    const asked = steps[1].messages.find(({ role }) => role === "assistant").content;
    assert.deepEqual(
      asked.flatMap(({ type, toolName }) => (type === "tool-call" ? [toolName] : [])),
      ["domain_receivables-summary", "view_invoices__pending__setFilters"],
    );
    const { overdue } = served.store.summary();
    assert.match(page.url(), /\/invoices\?status=overdue$/);
    assert.equal(await page.getByLabel("Status").inputValue(), "overdue");
    const figure = page.getByRole("region", { name: "Overdue" });
    assert.equal(await figure.getAttribute("data-count"), String(overdue.count));
    assert.equal(await page.locator("[data-total]").getAttribute("data-total"), String(overdue.count));
    assert.equal(
      await said(),
      `${overdue.count} invoices are overdue, ${await figure.locator("strong").innerText()} in all. The table shows the same ones.`,
    );
    assert.equal(await page.locator("details.reasoning").first().getAttribute("open"), null);
  },
);

workbenchTest(
  "What the agent sets and what the person sets go through the same setter: back undoes either",
  {},
  async ({ page, ask }) => {
    await page.getByLabel("Status").selectOption("paid");
    await ask("What is overdue?");
    assert.match(page.url(), /status=overdue/);
    await page.goBack();
    assert.match(page.url(), /status=paid/);
    assert.equal(await page.getByLabel("Status").inputValue(), "paid");
  },
);

workbenchTest(
  "A contextual call that sends the locked field is refused, no person is asked, and nothing is recorded",
  {},
  async ({ page, ask, card, open, served }) => {
    await open("INV-1001");
    const before = served.store.get("i1001");
    await ask("They promise to pay (locked)");
    assert.equal(await card(CHASE).getAttribute("data-state"), "failed");
    assert.match(await card(CHASE).innerText(), /INVALID_INPUT/);
    assert.equal(await page.locator("[data-confirmation]").count(), 0);
    assert.deepEqual(served.store.get("i1001"), before);
  },
);

workbenchTest(
  "A contextual call records the status of the invoice that is open, once a person has confirmed it",
  {},
  async ({ page, send, settled, card, open, served, steps }) => {
    await open("INV-1001");
    await send("They promise to pay");
    const ask = page.locator('[data-confirmation="domain:update-collection-status"]');
    assert.match(await ask.innerText(), /i1001/);
    assert.equal(served.store.get("i1001").collectionStatus, "reminded");
    await ask.getByRole("button", { name: "Confirm" }).click();
    await settled();
    assert.equal(await card(CHASE).getAttribute("data-state"), "done");
    assert.equal(served.store.get("i1001").collectionStatus, "promised");
    const tool = steps[0].catalog.frontendTools.find(
      ({ canonicalId }) => canonicalId === "domain:update-collection-status",
    );
    assert.equal("invoiceId" in tool.inputSchema.properties, false);
    assert.match(JSON.stringify(steps[0].catalog.frontendState), /INV-1001 of Acme Fabrication is open/);
  },
);

workbenchTest(
  "A confirmation that a person rejects runs nothing, and says so to the model",
  {},
  async ({ page, send, settled, card, open, served }) => {
    await open("INV-1001");
    await send("They promise to pay");
    await page.getByRole("button", { name: "Reject" }).click();
    await settled();
    assert.match(await card(CHASE).innerText(), /CONFIRMATION_INVALID/);
    assert.equal(served.store.get("i1001").collectionStatus, "reminded");
  },
);

const closing = pausing((wait) => [
  {
    when: /promise/,
    steps: [
      async () => {
        await wait();
        return { calls: [{ tool: CHASE, input: { status: "promised" } }] };
      },
      ({ lastResult }) => ({ text: String(lastResult(CHASE).error?.code) }),
    ],
  },
]);
workbenchTest(
  "A dialog that is closed between the projection and the call: the call is refused as of an unmounted component",
  { server: closing.options },
  async ({ page, send, settled, said, open, served }) => {
    await open("INV-1001");
    await send("They promise to pay");
    await closing.paused.reached;
    await page.getByRole("button", { name: "Close", exact: true }).click();
    closing.paused.open();
    await settled();
    assert.equal(await said(), "COMPONENT_UNMOUNTED");
    assert.equal(served.store.get("i1001").collectionStatus, "reminded");
  },
);

workbenchTest(
  "A dialog that shows another invoice by the time of the confirmation: neither invoice is touched",
  {},
  async ({ page, send, settled, card, open, served }) => {
    await open("INV-1001");
    const other = served.store.list({ status: "overdue", pageSize: 2 }).rows[1];
    await send("They promise to pay");
    await page.locator("[data-confirmation]").waitFor();
    await open(other.number);
    await page.getByRole("button", { name: "Confirm" }).click();
    await settled();
    assert.equal(await card(CHASE).getAttribute("data-state"), "failed");
    assert.match(await card(CHASE).innerText(), /COMPONENT_UNMOUNTED|STALE_CAPABILITY/);
    for (const { id, collectionStatus } of [served.store.get("i1001"), other])
      assert.equal(served.store.get(id).collectionStatus, id === "i1001" ? "reminded" : collectionStatus);
  },
);

workbenchTest(
  "An operation that the page exposes a second time is dropped from the catalog and reported",
  { path: "invoices?double-exposed" },
  async ({ page, ask, open, steps }) => {
    await open("INV-1001");
    await ask("Sort by amount");
    const declared = steps[0].catalog.frontendTools.map(({ canonicalId }) => canonicalId);
    assert.ok(declared.includes("domain:mark-invoice-paid"));
    await page.locator(".log summary").click();
    const report = page.locator('[data-event="catalog.collision"]').first();
    assert.match(await report.innerText(), /mark-invoice-paid/);
    assert.match(page.url(), /sort=amount/);
  },
);
