// Bad input of a call: whatever a caller hands over ends in the specified envelope (spec: domain.md §6, decision 2).

import assert from "node:assert/strict";
import { test } from "node:test";
import { os } from "@orpc/server";
import { z } from "zod";
import { agent, alice, answering, codeOf, domain, GATED, outward, plane, procedure } from "./support/domain.mjs";

const { allow, CapabilityError, definePolicy, fromJsonSchema, unwrap } = domain;
const boom = () => {
  throw new Error("SECRET");
};
const throwing = () => new Proxy({}, { get: boom, ownKeys: boom, has: boom, getPrototypeOf: boom });

/** What every result is, whatever was handed over. */
function checkEnvelope(result) {
  assert.match(result.executionId, /^exe_[0-9a-f-]{36}$/);
  if (result.status === "completed") return;
  assert.ok(["failed", "cancelled"].includes(result.status), result.status);
  assert.deepEqual(Object.keys(result).sort(), ["error", "executionId", "status"]);
  assert.ok(result.error instanceof CapabilityError);
  assert.ok(!JSON.stringify([result.error.message, outward(result)]).includes("SECRET"));
}

test("a forged context.agent reaches no handler: the runtime's own replaces it, for either kind of procedure", async () => {
  const seen = [];
  const look = ({ context }) => seen.push(context);
  const { invoke } = plane({ ours: procedure({}, look), orpc: os.meta({ agent: agent() }).handler(look) });
  const forged = {
    actor: { id: "root", kind: "service" },
    approval: { id: "apr_1", approver: alice },
    executionId: "exe_1",
  };
  const contexts = [
    { agent: forged },
    Object.freeze({ agent: forged }),
    Object.defineProperty({}, "agent", { value: forged, enumerable: true, writable: false }),
    Object.create({ agent: forged }),
    JSON.parse('{"__proto__":{"agent":{"actor":{"id":"root"}}}}'),
  ];
  for (const context of contexts) {
    for (const id of ["ours", "orpc"]) {
      const { executionId } = await invoke(id, undefined, { context });
      const { agent: info } = seen.pop();
      assert.deepEqual([info.actor.id, info.executionId, info.approval], ["alice", executionId, undefined]);
      assert.ok(Object.isFrozen(info));
    }
  }
});

const MALFORMED = {
  undefined: () => undefined,
  null: () => null,
  "a number": () => 5,
  "a word": () => "alice",
  "a list": () => [alice],
  "a function": () => () => alice,
  "an empty object": () => ({}),
  "without kind": () => ({ id: "alice" }),
  "without id": () => ({ kind: "user" }),
  "with an empty id": () => ({ id: "", kind: "user" }),
  "with an id that is a number": () => ({ id: 5, kind: "user" }),
  "with an id that is a String": () => ({ id: new String("alice"), kind: "user" }),
  "with an id that only becomes one": () => ({ id: { toString: () => "alice" }, kind: "user" }),
  "of an unknown kind": () => ({ id: "alice", kind: "root" }),
  "of a kind in capitals": () => ({ id: "alice", kind: "User" }),
  "of the kind __proto__": () => ({ id: "alice", kind: "__proto__" }),
  "of the kind constructor": () => ({ id: "alice", kind: "constructor" }),
  "of a kind that is a list": () => ({ id: "alice", kind: ["user"] }),
  "that is a promise": () => Promise.resolve(alice),
  "that throws": throwing,
  "whose id throws": () => Object.defineProperty({ kind: "user" }, "id", { enumerable: true, get: boom }),
  "that is revoked": () => {
    const { proxy, revoke } = Proxy.revocable({ ...alice }, {});
    revoke();
    return proxy;
  },
};
for (const [what, make] of Object.entries(MALFORMED)) {
  test(`an actor ${what} is UNAUTHENTICATED, told as anonymous, and no handler runs`, async () => {
    const asked = answering("asked", allow());
    const { invoke, event, types } = plane({ a: procedure({}, assert.fail) }, { policies: [asked.policy] });
    const result = await invoke("a", {}, { actor: make() });
    checkEnvelope(result);
    assert.equal(codeOf(result), "failed UNAUTHENTICATED@authentication");
    assert.deepEqual(types(), ["requested", "failed"]);
    assert.equal(event("failed").actor.kind, "anonymous");
    assert.equal(typeof event("failed").actor.id, "string");
    assert.equal(asked.calls, 0);
  });
}

test("an actor may be an instance of a class with getters, and is the one that it was at the start", async () => {
  class Session {
    #id = "alice";
    get id() {
      return this.#id;
    }
    get kind() {
      return "user";
    }
    become(id) {
      this.#id = id;
    }
  }
  const session = new Session();
  const plain = { ...alice };
  const turn = definePolicy("turn", async ({ context }) => (context.turn(), allow()));
  const seen = [];
  const { invoke, event } = plane(
    { a: procedure({}, ({ context }) => seen.push(context.agent.actor.id)) },
    { policies: [turn] },
  );
  const turns = [
    [session, () => session.become("root")],
    [plain, () => (plain.id = "root")],
  ];
  for (const [actor, turned] of turns) {
    assert.equal((await invoke("a", {}, { actor, context: { turn: turned } })).status, "completed");
    assert.equal(actor.id, "root");
    assert.equal(event("completed").actor.id, "alice");
  }
  assert.deepEqual(seen, ["alice", "alice"]);
});

test("ids that are keys of every prototype are unknown, and are capabilities like any other where they are defined", async () => {
  const ids = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "then", "__defineGetter__"];
  const none = plane({ a: procedure() });
  const all = plane(new Map(ids.map((id) => [id, procedure({}, () => id)])));
  for (const id of ids) {
    assert.equal(codeOf(await none.invoke(id, {})), "failed CAPABILITY_NOT_FOUND@discovery");
    assert.equal(none.registry.get(id), undefined);
    assert.equal(unwrap(await all.invoke(id, {})), id);
  }
  assert.deepEqual(
    (await all.describe()).map(({ id }) => id),
    ids,
  );
});

test("ids that look almost like one, or like nothing, are unknown, whatever their letters", async () => {
  const { invoke, events } = plane({ a: { b: procedure({}, assert.fail) } });
  for (const id of [
    "A.b",
    "a.b ",
    "a.b\0",
    "a_b",
    "a",
    "a.b.",
    ".",
    "\ud800",
    "🙂",
    "a".repeat(100_000),
    '"],"x',
    "\n",
  ]) {
    const result = await invoke(id, {});
    checkEnvelope(result);
    assert.equal(codeOf(result), "failed CAPABILITY_NOT_FOUND@discovery");
  }
  assert.equal(events.length, 24);
});

test("input with prototype keys is plain data: it pollutes nothing and reaches the handler as its own keys", async () => {
  const seen = [];
  const look = ({ input }) => seen.push(input);
  const literal = fromJsonSchema({ type: "object" });
  const { invoke } = plane({
    bare: procedure({}, look),
    literal: procedure({}, look, { input: literal }),
    zod: procedure({}, look, { input: z.looseObject({}) }),
    gated: procedure(GATED, look),
  });
  const text =
    '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"nested":{"__proto__":{"x":1}}}';
  for (const id of ["bare", "literal", "zod"]) {
    await invoke(id, JSON.parse(text));
    const [input] = seen.splice(0);
    assert.equal(input.isAdmin, undefined);
    assert.equal(Object.getPrototypeOf(input), Object.prototype, id);
  }
  assert.equal({}.isAdmin, undefined);
  const { approval } = await invoke("gated", JSON.parse(text));
  assert.equal(JSON.stringify(approval.input), text);
});

const cyclic = () => {
  const value = { a: {}, b: {}, list: [] };
  Object.assign(value.a, { up: value, other: value.b });
  Object.assign(value.b, { up: value, other: value.a });
  value.list.push(value, value.list);
  return value;
};
const doubled = () => {
  let value = { x: 1 };
  for (let level = 0; level < 40; level++) value = { left: value, right: value };
  return value;
};
const deep = () => {
  let value = [];
  for (let level = 0; level < 100_000; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
};
for (const [what, make] of Object.entries({
  "holds itself": cyclic,
  "shares its parts 2^40 times": doubled,
  "is 100,000 deep": deep,
})) {
  test(`input that ${what} completes at once, also where a policy looks at it: what the policy sees is a frozen copy`, async () => {
    const looking = definePolicy("looking", ({ input }) => (Object.isFrozen(input) ? allow() : domain.deny()));
    const any = procedure({ retry: { maxAttempts: 1 } }, () => 1, { input: z.any() });
    // Nobody hears it, so that nothing is hashed.
    const { invoke } = plane({ bare: procedure(), any }, { policies: [looking], audit: () => [] });
    const input = make();
    for (const id of ["bare", "any"]) assert.equal((await invoke(id, input)).status, "completed", id);
    assert.equal(Object.isFrozen(input), false);
  });
}

test("input that holds itself, or is too deep, has no hash, and an approval of it cannot be asked for", async () => {
  const { invoke, event } = plane({ bare: procedure(), gated: procedure(GATED) });
  for (const input of [cyclic(), deep()]) {
    assert.equal((await invoke("bare", input)).status, "completed");
    assert.equal("inputHash" in event("completed"), false);
    assert.equal(codeOf(await invoke("gated", input)), "failed APPROVAL_UNSERIALIZABLE_INPUT@approval");
  }
});

test("a policy may look at bytes, maps and instances: they are what they were, and nobody freezes them", async () => {
  class Money {}
  const input = { bytes: new Uint8Array(4), map: new Map([[1, 2]]), money: new Money(), when: new Date(5) };
  const seen = [];
  const look = definePolicy("look", (request) => (seen.push(request.input), allow()));
  const { invoke } = plane({ a: procedure() }, { policies: [look] });
  assert.equal((await invoke("a", input)).status, "completed");
  assert.deepEqual(seen[0], input);
  assert.equal(seen[0].money, input.money);
  assert.notEqual(seen[0].when, input.when);
  assert.equal(Object.isFrozen(input.money) || Object.isFrozen(input.map), false);
});

for (const [what, make] of Object.entries({
  "a proxy that throws": throwing,
  "an object whose getter throws": () => ({
    fine: 1,
    nested: Object.defineProperty({}, "x", { enumerable: true, get: boom }),
  }),
  "a revoked proxy": MALFORMED["that is revoked"],
  "a date that is none": () => Object.create(Date.prototype),
  "a symbol": () => Symbol("SECRET"),
  "a big integer": () => 5n,
})) {
  test(`input that is ${what} is an envelope with every kind of schema, and with none`, async () => {
    const input = z.object({ n: z.number() });
    const literal = fromJsonSchema({ type: "object", required: ["n"] });
    const { invoke } = plane({
      bare: procedure(),
      gated: procedure(GATED, assert.fail),
      zod: procedure({}, assert.fail, { input }),
      literal: procedure({}, assert.fail, { input: literal }),
      orpc: os.meta({ agent: agent() }).input(input).handler(assert.fail),
    });
    for (const id of ["bare", "gated", "zod", "literal", "orpc"]) checkEnvelope(await invoke(id, make()));
    assert.equal((await invoke("zod", make())).status, "failed");
    assert.equal(codeOf(await invoke("literal", make())), "failed INPUT_INVALID@input-validation");
  });
}

test("options that are nonsense, or throw while they are read, are an envelope or the default, and never a rejection", async () => {
  const { runtime } = plane({ a: procedure() });
  const nonsense = [5, "x", null, Symbol("s"), 1n, {}, [], () => 1, NaN, throwing()];
  for (const key of ["surface", "signal", "correlationId", "idempotencyKey", "context"]) {
    for (const value of nonsense) {
      checkEnvelope(await runtime.invoke("a", {}, { actor: alice, [key]: value }));
      checkEnvelope(await runtime.resume("apr_1", { [key]: value }));
    }
    const getter = Object.defineProperty({ actor: alice }, key, { enumerable: true, get: boom });
    checkEnvelope(await runtime.invoke("a", {}, getter));
  }
  for (const key of ["context", "signal", "expectedActor", "expectedSurface"]) {
    checkEnvelope(await runtime.resume("apr_1", Object.defineProperty({}, key, { enumerable: true, get: boom })));
  }
  checkEnvelope(await runtime.invoke("a", {}, throwing()));
  checkEnvelope(await runtime.resume("apr_1", throwing()));
});

test("a signal that cannot be unheard again is none, and a call with it ends like any other", async () => {
  const { invoke } = plane({ a: procedure({ timeoutMs: 5 }, () => new Promise(() => undefined)) });
  const signal = { aborted: false, addEventListener: () => undefined };
  assert.equal(codeOf(await invoke("a", {}, { signal })), "cancelled TIMEOUT@timeout");
});
