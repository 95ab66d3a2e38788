import assert from "node:assert/strict";
import { test } from "node:test";
import { failure, fakeClock, makeRegistry, mounted, ready, tableBinding, tableContract, viewcap } from "./support.mjs";

await ready;

const { authenticated, environment, hasPermission, rateLimit, requireConfirmation, tenantBoundary } = viewcap;
const throws = () => {
  throw new Error("no");
};

/** Whether the action is shown, and what a call comes to. */
async function tried(policy, options = {}) {
  let ran = 0;
  const { registry, set } = mounted({ policies: [policy], execute: () => void ran++ }, { options });
  const visible = registry.snapshot().components[0].actions.length === 1;
  const result = await set({ input: {} });
  registry.dispose();
  assert.equal(ran, result.status === "ok" ? 1 : 0);
  return { visible, ...failure(result) };
}
const SEEN = { visible: true, status: "ok" };

test("authenticated: hidden, and NOT_AUTHENTICATED, where nobody is signed in", async () => {
  const refused = { visible: false, code: "NOT_AUTHENTICATED" };
  assert.deepEqual(await tried(authenticated(), { context: { user: { id: 1 } } }), SEEN);
  for (const context of [undefined, null, "ada", {}, { user: null }, { user: "" }]) {
    assert.deepEqual(await tried(authenticated(), { context }), refused);
  }
  assert.deepEqual(await tried(authenticated({ key: "session" }), { context: { session: "s" } }), SEEN);
  assert.deepEqual(await tried(authenticated({ key: "session" }), { context: { user: "ada" } }), refused);
});

test("authenticated: a context that throws denies", async () => {
  const { registry, set } = mounted({ policies: [authenticated()] }, { options: { context: throws } });
  assert.equal(registry.snapshot().components[0].actions.length, 0);
  assert.equal(failure(await set({ input: {} })).code, "NOT_AUTHENTICATED");
  registry.dispose();
});

test("hasPermission: hidden, and NOT_AUTHORIZED of the client, unless the check says yes; a throw and a promise say no", async () => {
  const refused = { visible: false, code: "NOT_AUTHORIZED", origin: "client" };
  const check = (host, permission) => host.may.includes(permission);
  assert.deepEqual(await tried(hasPermission("write", check), { context: { may: ["write"] } }), SEEN);
  assert.deepEqual(await tried(hasPermission("write", check), { context: { may: ["read"] } }), refused);
  for (const no of [throws, async () => true, () => Promise.reject(new Error("late")), () => undefined, () => 0]) {
    assert.deepEqual(await tried(hasPermission("write", no)), refused);
  }
});

test("tenantBoundary: the page's tenant is the capability's; none is not the same as none", async () => {
  const refused = { visible: false, code: "NOT_AUTHORIZED", origin: "client" };
  const boundary = (expected) => tenantBoundary({ current: (host) => host.tenant, expected });
  const of = (tenant, expected) => tried(boundary(expected), { context: { tenant } });
  assert.deepEqual(await of("a", () => "a"), SEEN);
  assert.deepEqual(await of("a", () => "b"), refused);
  assert.deepEqual(await of(undefined, () => undefined), refused);
  assert.deepEqual(await of(null, () => null), refused);
  assert.deepEqual(await of("a", throws), refused);
  const registry = makeRegistry({ context: { tenant: "a" }, policies: [boundary(({ internal }) => internal?.tenant)] });
  registry.register(tableContract().bind(tableBinding({}, { internal: { tenant: "a" } })));
  registry.register(tableContract().bind(tableBinding({}, { instanceId: "other", internal: { tenant: "b" } })));
  assert.deepEqual(
    registry.snapshot().components.map(({ instanceId }) => instanceId),
    ["default"],
  );
  registry.dispose();
});

test("environment: elsewhere the capability does not exist", async () => {
  assert.deepEqual(await tried(environment(["test"])), SEEN);
  assert.deepEqual(await tried(environment("test")), SEEN);
  assert.deepEqual(await tried(environment(["production", "development"])), {
    visible: false,
    code: "CAPABILITY_NOT_FOUND",
  });
  const { registry, set } = mounted({ policies: [environment("production")] });
  const never = await registry.invoke({ capabilityId: "view:invoices.never", input: {} });
  assert.deepEqual((await set({ input: {} })).error, never.error);
  registry.dispose();
});

test("built-in policies refuse arguments that they could not work with", () => {
  const wrong = [
    () => environment([]),
    () => environment("prod"),
    () => environment(["test", "staging"]),
    () => hasPermission("p"),
    () => tenantBoundary({ current: () => 1 }),
    () => tenantBoundary(),
    () => rateLimit({ limit: 0, windowMs: 1 }),
    () => rateLimit({ limit: 1.5, windowMs: 1 }),
    () => rateLimit({ limit: 1, windowMs: 0 }),
    () => rateLimit({ limit: 1, windowMs: Infinity }),
    () => requireConfirmation({ if: true }),
    () => requireConfirmation({ summary: "Sure?" }),
    () => viewcap.audit({}),
    () => viewcap.audit(undefined, "everything"),
  ];
  for (const make of wrong) assert.throws(make, { code: "INVALID_DEFINITION" }, String(make));
});

function limited(policy, clock = fakeClock()) {
  const { registry, set } = mounted({ policies: [policy] }, { options: { clock } });
  const call = async (id = "ada") => failure(await set({ input: {} }, { consumer: { id, kind: "test" } }));
  return { registry, clock, call };
}
const OK = { status: "ok" };
const later = (retryAfterMs) => ({ code: "RATE_LIMITED", reason: "rate", retryAfterMs });

test("rateLimit: a window that slides, per consumer; what it refuses does not count", async () => {
  const { registry, clock, call } = limited(rateLimit({ limit: 2, windowMs: 1000 }));
  assert.deepEqual(await call(), OK);
  await clock.advance(400);
  assert.deepEqual(await call(), OK);
  assert.deepEqual(await call(), later(600));
  assert.deepEqual(await call("bob"), OK);
  await clock.advance(599);
  assert.deepEqual(await call(), later(1));
  await clock.advance(1);
  assert.deepEqual(await call(), OK);
  assert.deepEqual(await call(), later(400));
  registry.dispose();
});

test("rateLimit: each capability has a window of its own", async () => {
  const registry = makeRegistry({ policies: [rateLimit({ limit: 1, windowMs: 1000 })], clock: fakeClock() });
  registry.register(tableContract().bind(tableBinding()));
  const call = async (name) => failure(await registry.invoke({ capabilityId: `view:invoices.${name}` }));
  assert.deepEqual(await call("set"), OK);
  assert.deepEqual(await call("rows"), OK);
  assert.equal((await call("set")).code, "RATE_LIMITED");
  registry.dispose();
});

test("rateLimit: a clock that goes back opens no window", async () => {
  const { registry, clock, call } = limited(rateLimit({ limit: 1, windowMs: 1000 }));
  assert.deepEqual(await call(), OK);
  await clock.advance(-500_000);
  assert.equal((await call()).code, "RATE_LIMITED");
  await clock.advance(500_999);
  assert.equal((await call()).code, "RATE_LIMITED");
  await clock.advance(1);
  assert.deepEqual(await call(), OK);
  registry.dispose();
});

test("rateLimit: of more than 1,000 consumers the least recently used are forgotten", async () => {
  const { registry, call } = limited(rateLimit({ limit: 1, windowMs: 1_000_000 }));
  for (let at = 0; at < 1000; at++) assert.deepEqual(await call(`c${at}`), OK);
  assert.equal((await call("c0")).code, "RATE_LIMITED");
  assert.deepEqual(await call("c1000"), OK);
  assert.equal((await call("c0")).code, "RATE_LIMITED");
  assert.deepEqual(await call("c1"), OK);
  registry.dispose();
});

test("rateLimit: a refused call may come again with the same invocation id", async () => {
  const { registry, clock, call } = limited(rateLimit({ limit: 1, windowMs: 1000 }));
  const again = async () =>
    failure(await registry.invoke({ capabilityId: "view:invoices.set", invocationId: "same", input: {} }));
  await registry.invoke({ capabilityId: "view:invoices.set", input: {} });
  assert.equal((await again()).code, "RATE_LIMITED");
  await clock.advance(1000);
  assert.deepEqual(await again(), OK);
  assert.deepEqual(await call(), OK);
  registry.dispose();
});

test("requireConfirmation: always, or where its condition says so; a throw says so too", async () => {
  const code = async (rule, input) => {
    const { registry, set } = mounted({ policies: [requireConfirmation(rule)] });
    const result = failure(await set({ input }));
    registry.dispose();
    return result.code ?? result.status;
  };
  assert.equal(await code({}, {}), "CONFIRMATION_REQUIRED");
  const large = { if: ({ effectiveInput }) => effectiveInput.amount > 100 };
  assert.equal(await code(large, { amount: 101 }), "CONFIRMATION_REQUIRED");
  assert.equal(await code(large, { amount: 100 }), "ok");
  assert.equal(await code({ if: throws }, {}), "CONFIRMATION_REQUIRED");
  assert.equal(await code({ if: async () => false }, {}), "CONFIRMATION_REQUIRED");
});

test("requireConfirmation: the summary is the policy's, clipped; without one, or with a broken one, the registry's", async () => {
  const asked = async (...rules) => {
    const { registry, set } = mounted({ policies: rules.map((rule) => requireConfirmation(rule)) });
    const { summary } = failure(await set({ input: { page: 2 } }));
    registry.dispose();
    return summary;
  };
  const standard = await asked({});
  assert.match(standard, /^Sets filters\. .* input: \{"page":2\}$/);
  assert.equal(await asked({ summary: ({ page }) => `Go to page ${page}?` }), "Go to page 2?");
  assert.equal((await asked({ summary: () => "x".repeat(400) })).length, 300);
  for (const broken of [throws, () => undefined, () => "", async () => "late"]) {
    assert.equal(await asked({ summary: broken }), standard);
  }
  assert.equal(await asked({ if: () => false, summary: () => "no" }, {}, { summary: () => "third" }), "third");
});

test("two copies of the package mix: a mark is known by its symbol", async () => {
  const foreign = { name: "foreign", [Symbol.for("viewcap.policy.confirmation")]: { summary: () => "Theirs?" } };
  const { registry, set } = mounted({ policies: [foreign] });
  assert.equal(failure(await set({ input: {} })).summary, "Theirs?");
  registry.dispose();
});
