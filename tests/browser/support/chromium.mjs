// The installed Chromium, started the same way by every test that needs one.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)];
  for (const path of folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      continue;
    }
  }
  throw new Error(`no browser: none of ${NAMES.join(", ")} is in /usr/bin or on the PATH; install chromium`);
}

/** A browser of its own with a fresh profile; whoever starts it closes it. */
export const launchChromium = (...more) =>
  chromium.launch({ executablePath: findChromium(), args: [...FLAGS, ...more] });
