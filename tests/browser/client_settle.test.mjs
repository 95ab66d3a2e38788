// The client's bodies in Chromium, whose tasks are those that settle is about.
import assert from "node:assert/strict";
import { clientBodies } from "../shared/client_bodies.js";
import { fixtureTest } from "./support/browser.mjs";

fixtureTest(
  "Every body of the client that Node runs has the same outcome in a page",
  { fixture: "client_settle" },
  (seen) => {
    assert.deepEqual(seen, Object.fromEntries(clientBodies.map(({ title, expected }) => [title, expected])));
  },
);
