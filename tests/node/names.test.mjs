// Ids and wire names: the shared vectors through the package's own functions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { makeRegistry, ready, viewcap } from "./support.mjs";

await ready;

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf8"));
const ids = vectors("ids");
const names = vectors("wire-names");
const { encodeWireName, encodeWireNameForInstance, assignWireNames, decodeWireName, parseCapabilityId } = viewcap;

test("a valid id has the parts that the vectors say", () => {
  for (const [id, parts] of ids.valid) assert.deepEqual({ ...parseCapabilityId(id) }, parts);
});

test("a malformed id, or a value that is no id, has no parts and throws nothing", () => {
  for (const id of [...ids.invalid, undefined, Symbol("x"), 1n, "view:a.b".padEnd(200, "b")]) {
    assert.equal(parseCapabilityId(id), undefined);
  }
});

test("a faithful name goes both ways", () => {
  for (const [id, name] of names.faithful) {
    assert.equal(encodeWireName(id), name);
    assert.equal(decodeWireName(name), id);
  }
});

test("an instance-qualified name is as the vectors say and is not decodable", () => {
  for (const [id, instanceId, name] of names.instances) {
    assert.equal(encodeWireNameForInstance(id, instanceId), name);
    assert.equal(decodeWireName(name), undefined);
  }
});

test("a shortened name has at most 64 characters of the alphabet, is stable, and is not decodable", () => {
  for (const id of names.shortened) {
    const name = encodeWireName(id);
    assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    assert.equal(encodeWireName(id), name);
    assert.equal(decodeWireName(name), undefined);
    const levels = [0, 1, 2].map((level) => encodeWireNameForInstance(id, undefined, level));
    assert.equal(new Set(levels).size, 3);
  }
});

test("what was not encoded faithfully is not decoded, and neither is a value that is no name", () => {
  for (const name of [...names.notDecodable, undefined, null, 7, {}, "\ud800"])
    assert.equal(decodeWireName(name), undefined);
});

test("the names of a catalog are unique and do not depend on the order of its entries", () => {
  for (const catalog of names.catalogs) {
    const forward = assignWireNames(catalog);
    const backward = assignWireNames([...catalog].reverse()).reverse();
    assert.deepEqual(forward, backward);
    assert.equal(new Set(forward).size, catalog.length);
    for (const name of forward) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
  }
});

test("two equal entries of a catalog get no name: neither can be offered", () => {
  assert.deepEqual(assignWireNames([{ id: "view:a.b" }, { id: "view:a.b" }]), [undefined, undefined]);
});

test("a malformed id or instance id has no wire name: INVALID_ID", () => {
  for (const id of ids.invalid) assert.throws(() => encodeWireName(id), { code: "INVALID_ID" });
  assert.throws(() => encodeWireNameForInstance("view:a.b", "no spaces"), { code: "INVALID_ID" });
  assert.throws(() => assignWireNames([{ id: "nonsense" }]), { code: "INVALID_ID" });
});

test("surface, registration and invocation ids are base62 of the specified shape, and never repeat", async () => {
  const registry = makeRegistry();
  assert.match(registry.surfaceId, /^srf_[A-Za-z0-9]{22}$/);
  const seen = new Set();
  for (let turn = 0; turn < 500; turn++) {
    const { invocationId } = await registry.invoke({ capabilityId: "view:a.b" });
    assert.match(invocationId, /^inv_[A-Za-z0-9]{12}$/);
    seen.add(invocationId);
  }
  assert.equal(seen.size, 500);
  assert.notEqual(makeRegistry().surfaceId, registry.surfaceId);
});

test("every letter of the alphabet comes about equally often in generated ids", async () => {
  const registry = makeRegistry();
  const counts = new Map();
  for (let turn = 0; turn < 3000; turn++) {
    const { invocationId } = await registry.invoke({ capabilityId: "view:a.b" });
    for (const letter of invocationId.slice(4)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  // 36,000 letters, 581 each; five standard deviations are 120.
  for (const count of counts.values()) assert.ok(Math.abs(count - 581) < 150, String(count));
});
