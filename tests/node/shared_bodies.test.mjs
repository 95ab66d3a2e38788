// The bodies that run in a page as well (tests/browser/shared_bodies.test.mjs).
import assert from "node:assert/strict";
import { test } from "node:test";
import * as protocol from "viewcap/protocol";
import { bodies } from "../shared/bodies.js";
import { ready, viewcap } from "./support.mjs";

await ready;

for (const { title, run, expected } of bodies) {
  test(title, async () => {
    assert.deepEqual(await run(viewcap, protocol), expected);
  });
}
