// One page in a Chromium of its own: what it leaves in `globalThis.finished`, or everything that went wrong in it.
import { launchChromium } from "../browser/support/chromium.mjs";

/** Rejects on any console error, exception, failed request or status of 400 and up; a missing icon is none of them. */
export async function finishedIn(url) {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("requestfailed", (request) => problems.push(`${request.url()} failed`));
    await page.goto(url);
    const finished = await page.evaluate(() => globalThis.finished).catch((error) => problems.push(error.message));
    if (problems.length > 0) throw new Error(`the page reported: ${problems.join("; ")}`);
    return finished;
  } finally {
    await browser.close();
  }
}
