import assert from "node:assert/strict";
import { pageTest } from "./support/browser.mjs";
import { resultOf, rowIds } from "./support/console.mjs";

const focused = (page) => page.evaluate(() => document.activeElement.value || document.activeElement.textContent);

/** Presses Tab until `done({name, id} of the focused element)`. */
async function tabUntil(page, done, key = "Tab") {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(key);
    const at = await page.evaluate(() => {
      const { ariaLabel, textContent, id } = document.activeElement;
      return { name: ariaLabel ?? textContent, id };
    });
    if (done(at)) return;
  }
  throw new Error(`80 presses of ${key} did not reach it`);
}

async function arrowTo(page, wireName) {
  for (let presses = 0; presses < 20 && (await focused(page)) !== wireName; presses++)
    await page.keyboard.press("ArrowDown");
  assert.equal(await focused(page), wireName);
}

pageTest(
  "With the keyboard alone a person reaches the console, chooses a capability, edits the input and calls it",
  async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Skip to the console");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "console");
    await page.keyboard.press("Tab");
    await arrowTo(page, "view_invoices__table__setFilters_at_open");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "input");
    await page.keyboard.press("Control+A");
    await page.keyboard.type('{"search":"kestrel"}');
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Call");
    const { verdict } = await resultOf(page, () => page.keyboard.press("Enter"));
    assert.equal(verdict, "ok");
    assert.deepEqual(await rowIds(page, "open"), ["INV-2052", "INV-2061"]);
  },
);

pageTest(
  "With the keyboard alone a person holds a descriptor, remounts the table and sees STALE_CAPABILITY",
  async (page) => {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await arrowTo(page, "view_invoices__table__setFilters_at_paid");
    await tabUntil(page, ({ id }) => id === "hold");
    await page.keyboard.press("Enter");
    await tabUntil(page, ({ name }) => name === "Remount table", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#held-state").textContent === "no longer live");
    assert.equal(await focused(page), "Remount table", "the new table's button has the focus of the old one's");
    await tabUntil(page, ({ id }) => id === "call-held");
    const { verdict } = await resultOf(page, () => page.keyboard.press("Enter"));
    assert.equal(verdict, "STALE_CAPABILITY");
  },
);

pageTest(
  "A dialog opened by the keyboard takes the focus, Escape closes it, and the focus returns to its opener",
  async (page) => {
    await tabUntil(page, ({ name }) => name === "Remind Atelier Brandt of INV-2044");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.waitForFunction(() => document.activeElement.id === "message");
    await page.keyboard.type("Hello");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Remind Atelier Brandt of INV-2044");
  },
);

pageTest("A checkbox keeps the focus when its row is selected with the space bar", async (page) => {
  await tabUntil(page, ({ name }) => name === "Select INV-2044, Atelier Brandt");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector("tr.selected") !== null);
  assert.equal(await page.evaluate(() => document.activeElement.value), "INV-2044");
});

pageTest("Each control has a name and a visible mark of focus", async (page) => {
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, textarea, a")]
      .filter((node) => !(node.ariaLabel || node.textContent.trim() || node.labels?.length))
      .map((node) => node.outerHTML),
  );
  assert.deepEqual(unnamed, []);
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press("Tab");
    const mark = await page.evaluate(() => {
      const style = getComputedStyle(document.activeElement);
      return {
        width: parseFloat(style.outlineWidth),
        kind: style.outlineStyle,
        tag: document.activeElement.outerHTML.slice(0, 60),
      };
    });
    assert.ok(mark.width >= 2 && mark.kind === "solid", `no visible focus on ${mark.tag}`);
  }
});
