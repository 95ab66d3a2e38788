// The inspector without its window: what it knows of a surface, and of what happened; and that a server may import it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { defineInspector } from "viewcap/inspector";
import { ready } from "./support.mjs";

await ready;

test("importing the inspector where there are no custom elements does nothing", () => {
  assert.equal(globalThis.customElements, undefined);
  defineInspector();
});
