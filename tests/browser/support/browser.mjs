// Chromium for the tests of one file: one browser, a fresh context for each test, and a list of everything that went
// wrong in the page. A test passes only when that list is as it expects: empty, unless it says otherwise.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, test } from "node:test";
import { serve } from "../../../examples_web/serve.mjs";
import { launchChromium } from "./chromium.mjs";
import { closeServer, PACKAGE, serveFixtures } from "./server.mjs";

/** One browser of each kind: as it is, and with its own agent API. */
const KINDS = { plain: [], webmcp: ["--enable-features=WebMCP"] };
const browsers = new Map();
function launch(kind) {
  if (!browsers.has(kind)) browsers.set(kind, launchChromium(...KINDS[kind]));
  return browsers.get(kind);
}
after(async () => {
  for (const browser of browsers.values()) await (await browser).close();
});

/** Collects what must not happen: console errors, exceptions, unhandled rejections, failed requests, CSP violations. */
async function watch(context, page) {
  const problems = [];
  await context.exposeFunction("reportViolation", (text) => problems.push(`csp violation: ${text}`));
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      globalThis.reportViolation(`${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console error: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`page error: ${error.message}`));
  page.on("crash", () => problems.push("the page crashed"));
  page.on("requestfailed", (request) =>
    problems.push(`request failed: ${request.url()} ${request.failure()?.errorText ?? ""}`),
  );
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`status ${response.status()}: ${response.url()}`);
  });
  return problems;
}

function assertOnlyExpected(problems, expected) {
  const surprising = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
  assert.deepEqual(surprising, [], "the page reported problems");
}

async function run({ context: contextOptions = {}, expectedProblems = [], browser = "plain" }, body) {
  assert.ok(existsSync(PACKAGE), "js_glue/dist is missing: build the package before the browser tests");
  const context = await (
    await launch(browser)
  ).newContext({ viewport: { width: 1280, height: 900 }, ...contextOptions });
  context.setDefaultTimeout(10_000);
  try {
    const page = await context.newPage();
    const problems = await watch(context, page);
    await body(page, problems);
    // A problem that was caused by the last act still has to arrive.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)));
    assertOnlyExpected(problems, expectedProblems);
  } finally {
    await context.close();
  }
}

/** A test on the example page. `options.hash` is where it opens, `options.prepare(page)` runs before, `options.ready` is what it waits for. */
export function pageTest(title, options, body = options) {
  const chosen = typeof options === "function" ? {} : options;
  test(title, { timeout: 60_000 }, async () => {
    const { server, url } = await serve({ port: 0 });
    try {
      await run(chosen, async (page) => {
        await chosen.prepare?.(page);
        await page.goto(url + (chosen.hash ?? ""));
        await page
          .locator(chosen.ready ?? "#catalog .capability")
          .first()
          .waitFor();
        await body(page);
      });
    } finally {
      await closeServer(server);
    }
  });
}

/** A test of what the module `fixtures/<fixture>.js` promises in `globalThis.finished`; `serverOptions` as serveFixtures. */
export function fixtureTest(title, { fixture, serverOptions, ...options }, check) {
  test(title, { timeout: 60_000 }, async () => {
    const server = await serveFixtures(serverOptions);
    try {
      await run(options, async (page, problems) => {
        await page.goto(`${server.url}/page/${fixture}`);
        await check(await page.evaluate(() => globalThis.finished), problems, page);
      });
    } finally {
      await server.close();
    }
  });
}

/** A test on a page of `serve()`'s; it gives `{url, close()}`, and the body gets both the page and what it gave. */
export function servedTest(title, { serve: start, path = "", ready, ...options }, body) {
  test(title, { timeout: 90_000 }, async () => {
    const served = await start();
    try {
      await run(options, async (page, problems) => {
        await page.goto(served.url + path);
        await page.locator(ready).first().waitFor();
        await body({ page, served, problems });
      });
    } finally {
      await served.close();
    }
  });
}
