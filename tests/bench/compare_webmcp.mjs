// A call by the browser's own agent API, of a tool of the adapter's beside a bare tool in the same page; and the frames of
// a page with 1,000 mounted instances while one of them changes 60 times a second, with the inspector open and closed.
// In Chromium: without one there is nothing to measure.

import { launchChromium } from "../browser/support/chromium.mjs";
import { serveFixtures } from "../browser/support/server.mjs";
import { report } from "./measure.mjs";

const server = await serveFixtures();
const browser = await launchChromium("--enable-features=WebMCP");

async function measured(name) {
  const page = await browser.newPage();
  await page.goto(`${server.url}/page/${name}`);
  const figures = await page.evaluate(() => globalThis.finished);
  await page.close();
  return figures;
}

const calls = await measured("webmcp_bench");
const frames = await measured("inspector_bench");
await browser.close();
await server.close();

report({
  figures: { webmcp_added_us: calls.adapter - calls.bare, webmcp_bare_us: calls.bare, inspector_frame_ms: frames.open },
  details: {
    "a call of the adapter's tool, µs": calls.adapter,
    "a call of a bare tool that calls registry.invoke, µs": calls.registry,
    "the adapter's function alone, without the browser's way to it, µs": calls.alone,
    "the page's thread was busy at a time with the inspector closed, ms at most": frames.closed,
    "the same with it open, ms, all but ten times": frames.openMost,
  },
});
