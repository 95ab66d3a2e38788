// The receivables workbench with a data folder of its own, on a day that does not move.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../../examples_web/receivables/server/main.mjs";
import { servedTest } from "./browser.mjs";

export const TODAY = "2026-12-01";

export async function startWorkbench(options = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), "receivables-"));
  const server = await startServer({ dataFolder, today: TODAY, onError: () => undefined, ...options });
  const close = async () => {
    await server.close();
    await rm(dataFolder, { recursive: true, force: true });
  };
  return { ...server, dataFolder, close };
}

/** Chromium calls a response that says no-store aborted when its reader has read it to its end before the loader has. */
export const READ_TO_ITS_END = /^request failed: .*\/agent\/step net::ERR_ABORTED$/;

/** `body({page, served, steps, ask, …})`; `steps` are the bodies of the steps that the page has posted. */
export function workbenchTest(title, options, body) {
  const { server, path = "invoices", expectedProblems = [], ...more } = options;
  const rest = { ...more, expectedProblems: [READ_TO_ITS_END, ...expectedProblems] };
  const serve = () => startWorkbench(typeof server === "function" ? server() : server);
  servedTest(title, { serve, path, ready: "tbody tr, .buckets li", ...rest }, async (given) => {
    const steps = watchSteps(given.page);
    await body({ ...given, steps, ...hands(given.page) });
  });
}

function watchSteps(page) {
  const steps = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/agent/step")) steps.push(request.postDataJSON());
  });
  return steps;
}

/** What a person does in the panel, and sees there. */
export function hands(page) {
  const send = async (text) => {
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  };
  const settled = () => page.locator('.talk[data-running="false"]').waitFor();
  const ask = async (text) => {
    await send(text);
    await settled();
  };
  const card = (tool) => page.locator(`[data-tool="${tool}"]`).last();
  const said = () => page.locator('[data-message="text"]').last().innerText();
  const open = (number) => page.getByRole("button", { name: `Open ${number}` }).click();
  return { send, settled, ask, card, said, open };
}

/** Something that a scripted model waits for: `wait` is called by it, `reached` resolves then, `open()` lets it go on. */
export function gate() {
  let open;
  let arrive;
  const opened = new Promise((resolve) => (open = resolve));
  const reached = new Promise((resolve) => (arrive = resolve));
  const wait = () => {
    arrive();
    return opened;
  };
  return { wait, reached, open };
}
