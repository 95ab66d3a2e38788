// The domain half of a catalog (spec: host-protocol.md, "Catalog composition").
import assert from "node:assert/strict";
import { test } from "node:test";
import * as viewcap from "viewcap";
import { ann, bob, context, domain, governed, named, SECRET } from "./fixtures/governed.mjs";

await viewcap.loadRuntime();
const { describeDomainTools } = domain;
const idsOf = (entries) => entries.map(({ canonicalId }) => canonicalId);

test("a domain tool's entry has exactly the fields that a catalog takes", async () => {
  const { runtime } = governed();
  const entries = await describeDomainTools(runtime, { actor: ann, context });
  const [descriptor] = await runtime.describe("aiSdk", { actor: ann });
  assert.deepEqual(entries[0], {
    wireName: "domain_ledger__show",
    canonicalId: "domain:ledger.show",
    description: "Shows a ledger.",
    inputSchema: descriptor.inputSchema,
    requiresApproval: false,
    sideEffect: "read",
  });
  assert.deepEqual(entries[1], {
    wireName: "domain_ledger__close",
    canonicalId: "domain:ledger.close",
    description: "Closes a ledger. Requires approval.",
    inputSchema: { type: "object", properties: { ledger: { type: "string" } } },
    requiresApproval: true,
    sideEffect: "destructive",
  });
  assert.deepEqual(entries[2].inputSchema, { type: "object" });
  assert.equal(JSON.stringify(entries).includes(SECRET), false);
});

test("a wire name is the one that the view plane's module gives the same id, whatever the id holds", async () => {
  const deep = { "a b": { c_d: named(named_), "ü😀": named(named_) }, ["x".repeat(90)]: named(named_) };
  const { runtime } = governed({ capabilities: { ...deep, "list-invoices": named() } });
  const entries = await describeDomainTools(runtime, { actor: ann });
  assert.equal(entries.length, 6 + 4);
  for (const { wireName, canonicalId } of entries) {
    assert.equal(wireName, viewcap.encodeWireName(canonicalId));
    assert.match(wireName, /^domain_[A-Za-z0-9_-]{1,57}$/);
  }
  assert.equal(new Set(entries.map(({ wireName }) => wireName)).size, entries.length);
  assert.equal(viewcap.decodeWireName("domain_list-invoices"), "domain:list-invoices");
});
let next = 0;
const named_ = {
  get aiSdk() {
    return { toolName: `t${next++}` };
  },
  get mcp() {
    return { toolName: `t${next++}` };
  },
};

test("names of the adapters' tools play no part in a wire name", async () => {
  const { runtime } = governed();
  const entries = await describeDomainTools(runtime, { actor: ann, scope: { ids: ["ledger.rename"] } });
  assert.deepEqual(entries.map(({ wireName }) => wireName), ["domain_ledger__rename"]); // prettier-ignore
});

test("the listing is the actor's own, in registry order, narrowed by scope", async () => {
  const { runtime } = governed({ capabilities: { tagged: named({}, { tags: ["t"] }) } });
  const anns = await describeDomainTools(runtime, { actor: ann, context });
  const bobs = await describeDomainTools(runtime, { actor: bob, context });
  assert.equal(idsOf(anns).includes("domain:ledger.hidden"), false);
  assert.equal(idsOf(bobs).includes("domain:ledger.hidden"), true);
  assert.deepEqual(idsOf(bobs), (await runtime.describe("aiSdk", { actor: bob })).map(({ id }) => `domain:${id}`)); // prettier-ignore
  assert.deepEqual(idsOf(await describeDomainTools(runtime, { actor: ann, scope: { tags: ["t"] } })), ["domain:tagged"]); // prettier-ignore
  assert.deepEqual(await describeDomainTools(runtime, { actor: ann, scope: { tags: [] } }), []);
});

test("it lists what the surface aiSdk exposes; another surface is named", async () => {
  const { runtime, events } = governed({ capabilities: { page: named({}, { expose: { workflow: true } }) } });
  const usual = await describeDomainTools(runtime, { actor: ann });
  assert.equal(idsOf(usual).some((id) => ["domain:page", "domain:ledger.inside"].includes(id)), false); // prettier-ignore
  assert.deepEqual(idsOf(await describeDomainTools(runtime, { actor: ann, surface: "workflow" })), ["domain:page"]);
  assert.deepEqual(events.map(({ surface }) => surface), ["aiSdk", "workflow"]); // prettier-ignore
});

test("a policy that requires an approval in a listing shows in the flag and in the description", async () => {
  const gate = domain.definePolicy("gate", () => domain.requireApproval({ reason: SECRET }), { phases: ["discovery"] });
  const { runtime } = governed({ policies: [gate] });
  const [show] = await describeDomainTools(runtime, { actor: ann });
  assert.deepEqual([show.requiresApproval, show.description], [true, "Shows a ledger. Requires approval."]);
});

test("an actor or a scope that is malformed is refused as the runtime refuses it", async () => {
  const { runtime } = governed();
  for (const options of [{}, { actor: null }, { actor: ann, scope: [] }, { actor: ann, scope: { tags: "x" } }]) {
    await assert.rejects(describeDomainTools(runtime, options), TypeError);
  }
});
