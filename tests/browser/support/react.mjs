// The React fixture, bundled with one version of React, and the tests that run one of its scenarios in a page.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { fixtureTest } from "./browser.mjs";

export const REACT_VERSIONS = [18, 19];

/** What a bundler is told so that `react` is the version asked for; the newest is what the plain names resolve to. */
export const aliasOf = (version) => (version === 18 ? { react: "react18", "react-dom": "react-dom18" } : {});

const bundles = new Map();

async function bundle(version) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../fixtures/react/page.js", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    // The development build mounts twice under StrictMode, and says what it does not like.
    define: { "process.env.NODE_ENV": '"development"' },
    alias: aliasOf(version),
    logLevel: "warning",
  });
  return outputFiles[0].text;
}

function bundleOf(version) {
  if (!bundles.has(version)) bundles.set(version, bundle(version));
  return bundles.get(version);
}

/** One test per scenario and version. A scenario is {title, run(kit), expected, expectedProblems?}. */
export async function reactTests(scenarios) {
  for (const version of REACT_VERSIONS) {
    const scripts = { [`/fixtures/react${version}.js`]: await bundleOf(version) };
    for (const { title, expected, expectedProblems = [] } of scenarios) {
      const fixture = `react${version}?${encodeURIComponent(title)}`;
      fixtureTest(`React ${version}: ${title}`, { fixture, serverOptions: { scripts }, expectedProblems }, (seen) => {
        const { reactVersion, ...rest } = seen;
        assert.equal(Number.parseInt(reactVersion, 10), version);
        assert.deepEqual(rest.outcome, expected);
      });
    }
  }
}
