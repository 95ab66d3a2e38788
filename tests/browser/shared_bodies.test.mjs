import assert from "node:assert/strict";
import { bodies } from "../shared/bodies.js";
import { fixtureTest } from "./support/browser.mjs";

fixtureTest("Every body that Node runs has the same outcome in a page", { fixture: "shared_bodies" }, (seen) => {
  assert.deepEqual(seen, Object.fromEntries(bodies.map(({ title, expected }) => [title, expected])));
});
