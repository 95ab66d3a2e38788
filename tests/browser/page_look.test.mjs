import assert from "node:assert/strict";
import { pageTest } from "./support/browser.mjs";
import { call } from "./support/console.mjs";

/** The texts whose contrast with what is painted behind them is below WCAG AA (4.5 : 1). */
function weakTexts() {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((value) =>
      value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const weak = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || !node.checkVisibility()) continue;
    const [light, dark] = [luminance(channels(getComputedStyle(node).color)), luminance(behind(node))].sort(
      (a, b) => b - a,
    );
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) weak.push(`${ratio.toFixed(2)} ${text.data.trim()}`);
  }
  return weak;
}

for (const colorScheme of ["light", "dark"]) {
  pageTest(
    `Every text has a contrast of 4.5 or more in the ${colorScheme} scheme`,
    { context: { colorScheme } },
    async (page) => {
      await call(page, "view_invoices__table__setFilters_at_open", { colour: "red" });
      await page.getByLabel("Select INV-2044, Atelier Brandt").check();
      await page.getByRole("button", { name: "Remind Casa Verde Foods of INV-2047" }).click();
      await page.getByRole("dialog").waitFor();
      await page.getByRole("button", { name: "Hold descriptor" }).click();
      assert.deepEqual(await page.evaluate(weakTexts), []);
    },
  );
}

for (const width of [1280, 768, 390]) {
  pageTest(
    `Nothing is wider than a window of ${width} pixels`,
    { context: { viewport: { width, height: 844 } } },
    async (page) => {
      await call(page, "view_invoices__table__setFilters_at_open", { colour: "red" });
      await page.getByRole("button", { name: "Hold descriptor" }).click();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    },
  );
}

pageTest("The result is announced to assistive technology and scrolled into view", async (page) => {
  assert.equal(await page.locator("#result").getAttribute("role"), "status");
  await call(page, "view_app__navigation__readPage");
  const { top, bottom, height } = await page.locator("#result .verdict").evaluate((node) => {
    const box = node.getBoundingClientRect();
    return { top: box.top, bottom: box.bottom, height: innerHeight };
  });
  assert.ok(top >= 0 && bottom <= height, `verdict at ${top} to ${bottom} of ${height}`);
});

pageTest(
  "When the module cannot be fetched the page says so instead of staying empty",
  {
    prepare: (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 503 })),
    ready: "main [role=alert]",
    expectedProblems: [
      /^status 503: .*\.wasm$/,
      /^request failed: .*\.wasm /,
      /^console error: Failed to load resource/,
      /^page error: .*HTTP status 503/,
    ],
  },
  async (page) => {
    assert.match(await page.locator("main").innerText(), /^The page could not start: .*HTTP status 503/);
  },
);
