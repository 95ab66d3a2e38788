// viewcap/inspector where there is no window: a server that renders pages may import it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { defineInspector } from "viewcap/inspector";
import { ready } from "./support.mjs";

await ready;

test("importing the inspector where there are no custom elements does nothing", () => {
  assert.equal(globalThis.customElements, undefined);
  defineInspector();
});
