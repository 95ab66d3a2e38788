// The workbench in the sizes and colours that people have.
import assert from "node:assert/strict";
import { scriptedModel } from "../../js_glue/dist/host/index.js";
import { gate, workbenchTest } from "./support/receivables.mjs";

for (const colorScheme of ["light", "dark"]) {
  workbenchTest(
    `At 390 px in ${colorScheme} colours nothing but the table scrolls sideways, and the assistant is a drawer`,
    { context: { viewport: { width: 390, height: 844 }, colorScheme } },
    async ({ page, ask }) => {
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok((await overflow()) <= 0);
      assert.equal(await page.getByLabel("Message").isVisible(), false);
      await page.getByRole("button", { name: "Assistant", exact: true }).click();
      await ask("What is overdue?");
      assert.ok((await overflow()) <= 0);
      await page.getByRole("button", { name: "Close the assistant" }).click();
      assert.match(page.url(), /status=overdue/);
    },
  );
}

workbenchTest("Every control has a name, and each can be reached by the keyboard", {}, async ({ page, open }) => {
  await open("INV-1001");
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, a, summary")]
      .filter((one) => !(one.labels?.length || one.ariaLabel || one.textContent.trim()))
      .map((one) => one.outerHTML),
  );
  assert.deepEqual(nameless, []);
  await page.getByLabel("Message").focus();
  await page.keyboard.type("Sort by amount");
  await page.keyboard.press("Enter");
  await page.getByText("Sorted by amount").waitFor();
});

workbenchTest(
  "What a model writes is text: markup in it stays as it is",
  { server: () => MARKUP },
  async ({ page, ask, said }) => {
    await ask("hello");
    assert.equal(await said(), "<img src=x onerror=alert(1)> **bold**");
    assert.equal(await page.locator(".talk img").count(), 0);
  },
);

const MARKUP = { model: scriptedModel({ turns: [], otherwise: { text: "<img src=x onerror=alert(1)> **bold**" } }) };

const usage = { inputTokens: 120, outputTokens: 7 };
workbenchTest(
  "Tokens are counted over the turns, input and output apart, once a provider reports some",
  { server: { model: scriptedModel({ turns: [], otherwise: { text: "Hello.", usage } }) } },
  async ({ page, ask }) => {
    assert.equal(await page.locator("[data-tokens]").count(), 0);
    await ask("hello");
    await ask("hello again");
    assert.equal(await page.locator("[data-tokens]").innerText(), "240 in · 14 out");
  },
);

const cancelling = gate();
workbenchTest(
  "A turn that is cancelled ends at once without an error, and the next message works",
  {
    server: {
      model: scriptedModel({
        turns: [
          { when: /wait/, steps: [() => cancelling.wait().then(() => ({ text: "late" }))] },
          { when: /hello/, steps: [{ text: "Hello." }] },
        ],
      }),
    },
  },
  async ({ page, send, settled, ask, said }) => {
    await send("wait for me");
    await cancelling.reached;
    await page.getByRole("button", { name: "Cancel" }).click();
    await settled();
    assert.equal(await page.locator("[data-error]").count(), 0);
    await ask("hello");
    assert.equal(await said(), "Hello.");
    cancelling.open();
  },
);
