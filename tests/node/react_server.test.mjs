// Rendering on a server: no module, no registry, nothing touched.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";

const PAGE = `
import * as React from "react";
import { renderToString } from "react-dom/server";
import * as viewcap from "viewcap";
import { AgentSurfaceProvider, useAgentComponent, useAgentSurface, useConfirmations } from "viewcap/react";

const contract = viewcap.defineAgentComponentContract({
  type: "shop.cart",
  description: "The cart.",
  observations: { total: { description: "The total.", output: viewcap.fromJsonSchema({ type: "integer" }) } },
});
function Cart({ total }) {
  const ref = useAgentComponent(contract, { observations: { total: { read: () => total, when: () => total > 0 } } });
  const { pending, resolve } = useConfirmations();
  const state = [ref.current, useAgentSurface(), pending.length, resolve("a", { approved: true })];
  return React.createElement("p", null, total + " " + JSON.stringify(state));
}
const cart = React.createElement(Cart, { total: 3 });
export const version = React.version;
export const bare = renderToString(cart);
export const provided = renderToString(
  React.createElement(React.StrictMode, null, React.createElement(AgentSurfaceProvider, { registry: undefined }, cart)),
);
export const loaded = viewcap.isRuntimeLoaded();
`;

/** Built for Node with one version of React, and run. */
async function rendered(alias) {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: import.meta.dirname ?? new URL(".", import.meta.url).pathname },
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    define: { "process.env.NODE_ENV": '"development"' },
    alias,
    logLevel: "error",
    logOverride: { "empty-import-meta": "silent" },
  });
  const folder = await mkdtemp(join(tmpdir(), "viewcap-react-"));
  try {
    const file = join(folder, "page.cjs");
    await writeFile(file, outputFiles[0].text);
    return createRequire(file)(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [version, alias] of [
  [18, { react: "react18", "react-dom": "react-dom18" }],
  [19, {}],
]) {
  test(`React ${version} renders on a server without the module, without a registry and without a warning`, async (t) => {
    const warnings = t.mock.method(console, "error", () => undefined);
    const page = await rendered(alias);
    assert.equal(Number.parseInt(page.version, 10), version);
    const text = "<p>3 [null,null,0,false]</p>";
    assert.deepEqual([page.bare.replaceAll("&quot;", '"'), page.provided, page.loaded], [text, text, false]);
    assert.deepEqual(warnings.mock.calls, []);
  });
}
