// <viewcap-inspector> on a page with a thousand mounted instances.
import assert from "node:assert/strict";
import { fixtureTest } from "./support/browser.mjs";

const inspectorTest = (title, body, options = {}) =>
  fixtureTest(title, { fixture: "inspector", ...options }, async (defined, _, page) => {
    assert.equal(defined, true);
    await body(page, page.locator("viewcap-inspector"));
  });
const open = (inspector) => inspector.getByRole("button", { name: "viewcap" }).click();
const tab = (inspector, name) => inspector.getByRole("tab", { name }).click();
const entries = (inspector) => inspector.getByRole("list", { name: "Entries" }).locator(":scope > li");

inspectorTest(
  "The catalog says of every capability its availability, effect and holder; a filter finds the rest of a long one",
  async (page, inspector) => {
    await open(inspector);
    assert.equal(await entries(inspector).count(), 201);
    assert.match(await entries(inspector).last().innerText(), /802 more/);
    await inspector.getByLabel("Filter").fill("row #r999");
    await entries(inspector).nth(0).waitFor();
    assert.match(
      await entries(inspector).first().innerText(),
      /view:row\.set\s+available\s+local-state\s+row #r999 · \S+/,
    );
    assert.equal(await entries(inspector).count(), 1);
  },
);

inspectorTest("A hidden capability is listed with the policy that hides it", async (page, inspector) => {
  await open(inspector);
  await inspector.getByLabel("Filter").fill("view:hidden");
  await inspector.getByText("view:hidden.set").click();
  const detail = await inspector.locator("pre").innerText();
  assert.match(await entries(inspector).first().innerText(), /hidden/);
  assert.match(detail, /nobody-sees-it/);
});

inspectorTest("Closed it listens to nothing; open it does, and closing it again ends that", async (page, inspector) => {
  const count = () => page.evaluate(() => globalThis.subscriptions());
  await page.evaluate(() => (globalThis.inspector.registry = globalThis.watched));
  assert.equal(await count(), 0);
  await page.evaluate(() => (globalThis.inspector.open = true)).catch(() => undefined);
  assert.equal(await count(), 1);
  await page.keyboard.press("Tab");
  await inspector.getByRole("button", { name: "Close" }).click();
  assert.equal(await count(), 0);
  await page.evaluate(() => globalThis.inspector.remove());
  assert.equal(await count(), 0);
});

inspectorTest(
  "Calls are on the timeline with their duration, and what a host dropped is among the drops",
  async (page, inspector) => {
    await open(inspector);
    await page.evaluate(async () => {
      const { registry, inspector: element } = globalThis;
      await registry.invoke({ capabilityId: "view:row.set", instanceId: "r1", input: {} });
      const ids = { stepId: "s", turnId: "t", conversationId: "c" };
      const tool = {
        wireName: "domain_list",
        canonicalId: "domain:list",
        description: "",
        inputSchema: {},
        requiresApproval: true,
        sideEffect: "read",
      };
      element.push({ type: "step-start", ...ids, domainTools: [tool], catalogMode: "direct", scope: [] });
      element.push({
        type: "inspector",
        lane: "host",
        eventType: "catalog.collision",
        summary: "Dropped.",
        data: { canonicalId: "domain:pay" },
      });
      element.push({ type: "text-delta", text: "not a line" });
      element.push({ type: "no-frame" });
      element.push({
        type: "step-finish",
        stepId: "s",
        finishReason: "stop",
        responseMessages: [],
        pendingToolCalls: [],
      });
    });
    await tab(inspector, "Timeline");
    const text = await inspector.getByRole("list", { name: "Entries" }).innerText();
    assert.match(text, /step-finish[\s\S]*catalog\.collision[\s\S]*step-start[\s\S]*invocation-settled/);
    assert.match(text, /invocation-settled\s+view:row\.set\s+\d+\.\d ms/);
    assert.match(text, /step-finish\s+stop\s+\d+\.\d ms/);
    assert.doesNotMatch(text, /not a line|no-frame/);
    await tab(inspector, "Drops");
    assert.equal(await entries(inspector).count(), 1);
    assert.match(await entries(inspector).first().innerText(), /catalog\.collision\s+domain:pay/);
    await tab(inspector, "Catalog");
    await inspector.getByLabel("Filter").fill("domain:list");
    assert.match(
      await entries(inspector).first().innerText(),
      /domain:list\s+available\s+read\s+server\s+Needs an approval/,
    );
  },
);

inspectorTest("A confirmation that waits can be decided there", async (page, inspector) => {
  await open(inspector);
  await tab(inspector, "Pending");
  await page.evaluate(() => {
    const call = globalThis.registry.invoke({ capabilityId: "view:asks.set", input: { a: 1 } });
    globalThis.outcome = call.then(({ error }) => error.code);
  });
  await inspector.getByRole("button", { name: "Approve" }).click();
  assert.equal(await page.evaluate(() => globalThis.outcome), "CONFIRMATION_REQUIRED");
  assert.equal(await page.evaluate(() => globalThis.registry.confirmations.pending().length), 0);
});

inspectorTest(
  "What a tab shows is copied as JSON, and the panel can be used and left by the keyboard",
  async (page, inspector) => {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.type("view:asks");
    await inspector.getByRole("button", { name: "Copy JSON" }).press("Enter");
    await inspector.getByRole("button", { name: "Copied" }).waitFor();
    const [row, ...rest] = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    assert.deepEqual([row.id, row.outcome, rest.length], ["view:asks.set", "available", 0]);
    await page.keyboard.press("Escape");
    await inspector.getByRole("button", { name: "viewcap" }).waitFor();
  },
  { context: { permissions: ["clipboard-read", "clipboard-write"] } },
);

inspectorTest("An entry that is unfolded stays as it is while others change", async (page, inspector) => {
  await open(inspector);
  await inspector.getByLabel("Filter").fill("row #r1");
  await inspector.getByText("view:row.set").first().click();
  await page.evaluate(() => globalThis.handles[500].unregister());
  await page.waitForTimeout(600);
  assert.equal(await inspector.locator("details[open]").count(), 1);
});
