// Policies in a runtime (spec: domain.md §14, behaviours 41 to 49).

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import {
  alice,
  answering,
  codeOf,
  domain,
  GATED,
  GENERIC,
  never,
  NOT_FOUND,
  outward,
  plane,
  procedure,
} from "./support/domain.mjs";

const { allow, composePolicies, definePolicy, deny, hide, requireApproval } = domain;
const ask = (reason = "a look", more = {}) => requireApproval({ reason, ...more });

const DECISIONS = { allow: allow(), approval: ask(), hide: hide(), deny: deny("NO", "not today") };
/** Weakest first. */
const ORDER = ["allow", "approval", "hide", "deny"];
const OUTCOMES = {
  allow: "completed undefined@undefined",
  approval: "approval-required undefined@undefined",
  hide: "failed CAPABILITY_NOT_FOUND@discovery",
  deny: "failed POLICY_DENIED@policy",
};

for (const [at, weak] of ORDER.entries()) {
  for (const strong of ORDER.slice(at)) {
    test(`41: ${weak} and ${strong} together come to ${strong}, in either order`, async () => {
      for (const pair of [
        [weak, strong],
        [strong, weak],
      ]) {
        const policies = pair.map((name, index) => answering(`${name}-${index}`, DECISIONS[name]).policy);
        const { invoke } = plane({ a: procedure() }, { policies });
        assert.equal(codeOf(await invoke("a", {})), OUTCOMES[strong]);
      }
    });
  }
}

const stances = (event) => event.data.policyDecisions.map(({ policy, type }) => `${policy} ${type}`);

test("42: deny, then allow: both are asked, and their stances are recorded in order, runtime's before capability's", async () => {
  const order = [];
  const said = (name, decision) => definePolicy(name, () => (order.push(name), decision));
  const own = [said("own-1", allow()), said("own-2", deny())];
  const policies = [said("first", deny("A", "the first says no")), said("second", allow())];
  const { invoke, event } = plane({ a: procedure({ policies: own }, assert.fail) }, { policies });
  const result = await invoke("a", {});
  assert.deepEqual(order, ["first", "second", "own-1", "own-2"]);
  assert.deepEqual(stances(event("denied")), ["first deny", "second allow", "own-1 allow", "own-2 deny"]);
  assert.deepEqual(Object.keys(event("denied").data).sort(), ["policyDecisions", "publicCode", "reason"]);
  assert.equal(event("denied").data.reason, "policy-denied");
  assert.equal(outward(result).message, "the first says no");
});

test("43: a deny's message is the public message, its details hold the policy's name and code, and no details leave", async () => {
  const { invoke } = plane(
    { a: procedure() },
    { policies: [answering("hours", deny("CLOSED", "We open at nine.")).policy] },
  );
  const result = await invoke("a", {});
  assert.equal(codeOf(result), "failed POLICY_DENIED@policy");
  assert.deepEqual(result.error.details, { policy: "hours", code: "CLOSED" });
  assert.deepEqual(outward(result), { code: "POLICY_DENIED", message: "We open at nine.", retryable: false });
  const bare = plane({ a: procedure() }, { policies: [answering("hours", deny()).policy] });
  const plain = await bare.invoke("a", {});
  assert.equal(outward(plain).message, "A policy refused this operation.");
  assert.deepEqual(plain.error.details, { policy: "hours" });
});

test("44: a policy sees phase, capability, surface, actor, context and the validated input, and no approval", async () => {
  const seen = [];
  const spy = definePolicy("spy", (request) => (seen.push({ ...request }), allow()), {
    phases: ["discovery", "invocation", "execution"],
  });
  const actor = { ...alice, displayName: "Alice", attributes: { tenant: "t" } };
  const context = { db: {} };
  const input = z.object({ n: z.coerce.number() });
  const { invoke, describe, registry } = plane({ a: procedure({}, () => 1, { input }) }, { policies: [spy] });
  await describe("direct", { actor, context });
  await invoke("a", { n: "4" }, { actor, context });
  const common = { capability: { id: "a", meta: registry.get("a").meta }, surface: "direct", actor, context };
  assert.deepEqual(seen, [
    { phase: "discovery", ...common },
    { phase: "invocation", ...common, input: { n: 4 } },
    { phase: "execution", ...common, input: { n: 4 } },
  ]);
  assert.ok(seen.every((request) => request.context === context));
});

test("45: a hide at invocation cannot be told from an unknown id; the audit says hidden", async () => {
  const { invoke, event, describe } = plane(
    { a: procedure({}, assert.fail) },
    { policies: [answering("h", hide()).policy] },
  );
  const hidden = await invoke("a", {});
  const unknown = await invoke("nope", {});
  assert.deepEqual(
    { ...hidden.error, message: hidden.error.message },
    { ...unknown.error, message: unknown.error.message },
  );
  assert.deepEqual(outward(hidden), outward(unknown));
  assert.equal(outward(hidden).message, NOT_FOUND);
  await invoke("a", {});
  assert.equal(event("denied").data.reason, "hidden");
  assert.deepEqual(stances(event("denied")), ["h hide"]);
  // In its default phase it lists the capability all the same.
  assert.equal((await describe()).length, 1);
});

const thrower = (error) =>
  definePolicy("bad", () => {
    throw error;
  });

test("46: a policy that throws is POLICY_FAILED, concealed, with stance error; the later policy is still asked", async () => {
  const error = new Error("SECRET");
  for (const bad of [thrower(error), definePolicy("bad", () => Promise.reject(error))]) {
    const later = answering("later", deny("NO", "a deny is weaker than a failure"));
    const { invoke, event, events } = plane({ a: procedure({}, assert.fail) }, { policies: [bad, later.policy] });
    const result = await invoke("a", {});
    assert.equal(codeOf(result), "failed POLICY_FAILED@policy");
    assert.deepEqual(outward(result), { code: "INTERNAL_ERROR", message: GENERIC, retryable: false });
    assert.equal(later.calls, 1);
    assert.deepEqual(stances(event("denied")), ["bad error", "later deny"]);
    assert.equal(event("denied").data.reason, "policy-failed");
    assert.ok(!JSON.stringify(events).includes("SECRET"));
    // For the developer alone.
    assert.equal(result.error.cause, error);
  }
});

test("46: of two policies that throw the first failure is the private cause", async () => {
  const [one, two] = [new Error("one"), new Error("two")];
  const { invoke } = plane({ a: procedure() }, { policies: [thrower(one), thrower(two)] });
  assert.equal((await invoke("a", {})).error.cause, one);
});

test("46: a policy that takes longer than the batch's time is a failure, and the rest is error and not asked", async () => {
  const later = answering("later", allow());
  const policies = [definePolicy("slow", never), later.policy];
  const { invoke, event } = plane({ a: procedure() }, { policies, defaults: { policyTimeoutMs: 10 } });
  const result = await invoke("a", {});
  assert.equal(codeOf(result), "failed POLICY_FAILED@policy");
  assert.equal(later.calls, 0);
  assert.deepEqual(stances(event("denied")), ["slow error", "later error"]);
  assert.match(String(result.error.cause), /"slow".*10/);
});

test("46: a batch shares one deadline: two policies that block for 15 ms are over a limit of 20, each alone is not", async (t) => {
  let time = 0;
  t.mock.method(performance, "now", () => time);
  const slow = (name) => definePolicy(name, () => ((time += 15), allow()));
  const three = answering("three", allow());
  const defaults = { policyTimeoutMs: 20 };
  const { invoke, event } = plane({ a: procedure() }, { policies: [slow("one"), slow("two"), three.policy], defaults });
  assert.equal(codeOf(await invoke("a", {})), "failed POLICY_FAILED@policy");
  assert.deepEqual(stances(event("denied")), ["one allow", "two error", "three error"]);
  assert.equal(three.calls, 0);
  const alone = plane({ a: procedure() }, { policies: [slow("one")], defaults });
  assert.equal((await alone.invoke("a", {})).status, "completed");
});

const GARBAGE = [
  undefined,
  null,
  true,
  1,
  "allow",
  "late",
  [],
  {},
  { type: "Allow" },
  { type: 1 },
  { type: "toString" },
];
for (const value of [...GARBAGE, { type: "require-approval" }, { type: "require-approval", reason: "" }]) {
  test(`46: a policy that answers ${JSON.stringify(value) ?? "undefined"} is POLICY_FAILED, at once and as a promise`, async () => {
    for (const answer of [() => value, async () => value]) {
      const { invoke, event } = plane({ a: procedure({}, assert.fail) }, { policies: [definePolicy("bad", answer)] });
      assert.equal(codeOf(await invoke("a", {})), "failed POLICY_FAILED@policy");
      assert.deepEqual(stances(event("denied")), ["bad error"]);
    }
  });
}

test("47: two require-approvals of 60 s and 30 s are one request with both reasons and types, for 30 s", async () => {
  const policies = [
    answering("a", ask("amount", { approvalType: "finance", expiresInMs: 60_000 })).policy,
    answering("b", ask("country", { approvalType: "legal", expiresInMs: 30_000 })).policy,
    answering("c", ask("amount", { approvalType: "finance" })).policy,
  ];
  const { invoke, types, runtime, event } = plane({ a: procedure({}, assert.fail) }, { policies });
  const { approval, status } = await invoke("a", {});
  assert.equal(status, "approval-required");
  assert.deepEqual(approval.reasons, ["amount", "country", "amount"]);
  assert.deepEqual(approval.types, ["finance", "legal"]);
  assert.equal(approval.expiresAt - approval.requestedAt, 30_000);
  assert.deepEqual(types(), ["requested", "approval_requested"]);
  assert.equal((await runtime.approvals.list()).length, 1);
  assert.deepEqual(event("approval_requested").data, {
    approvalId: approval.id,
    reasons: ["amount", "country", "amount"],
    types: ["finance", "legal"],
    expiresAt: approval.expiresAt,
  });
});

test("47: the static reason and type come first, and a policy's type that equals it is not repeated", async () => {
  const policies = [answering("a", ask("amount", { approvalType: "finance" })).policy];
  const meta = { ...GATED, approval: { required: true, type: "finance" } };
  const { invoke } = plane({ a: procedure(meta) }, { policies });
  const { approval } = await invoke("a", {});
  assert.equal(approval.reasons.length, 2);
  assert.equal(approval.reasons[1], "amount");
  assert.deepEqual(approval.types, ["finance"]);
  assert.equal(approval.expiresAt - approval.requestedAt, 900_000);
});

test("48: a policy of the default phase is asked once a call; one of the execution phase that denies makes it failed", async () => {
  const once = answering("once", allow());
  const late = answering("late", deny("L", "no longer"), ["execution"]);
  const { invoke, event, types } = plane({ a: procedure({}, assert.fail) }, { policies: [late.policy, once.policy] });
  const result = await invoke("a", {});
  assert.deepEqual([once.calls, late.calls], [1, 1]);
  assert.equal(codeOf(result), "failed POLICY_DENIED@policy");
  assert.deepEqual(types(), ["requested", "failed"]);
  assert.deepEqual(event("failed").data, {
    code: "POLICY_DENIED",
    stage: "policy",
    retryable: false,
    attempts: 0,
    policyDecisions: [
      { policy: "once", type: "allow" },
      { policy: "late", type: "deny" },
    ],
  });
});

test("48: an execution policy that hides or throws is failed, too, concealed as it must be", async () => {
  const cases = [
    [hide(), "failed CAPABILITY_NOT_FOUND@discovery", "CAPABILITY_NOT_FOUND"],
    [5, "failed POLICY_FAILED@policy", "INTERNAL_ERROR"],
  ];
  for (const [decision, code, outside] of cases) {
    const { invoke, types } = plane({ a: procedure() }, { policies: [answering("x", decision, ["execution"]).policy] });
    const result = await invoke("a", {});
    assert.equal(codeOf(result), code);
    assert.equal(outward(result).code, outside);
    assert.deepEqual(types(), ["requested", "failed"]);
  }
});

test("49: a composite's members are named in the audit, and evaluated alone the strongest decision holds", async () => {
  const phased = definePolicy("other-phase", () => deny("D"), { phases: ["discovery"] });
  const composite = composePolicies(
    phased,
    answering("a", allow()).policy,
    composePolicies(
      answering("b", ask("one")).policy,
      answering("c", hide()).policy,
      answering("d", ask("two")).policy,
    ),
  );
  const { invoke, event } = plane({ a: procedure() }, { policies: [composite] });
  await invoke("a", {});
  assert.deepEqual(stances(event("denied")), ["a allow", "b require-approval", "c hide", "d require-approval"]);
  const decision = await composite.evaluate({ phase: "invocation" });
  assert.deepEqual(decision, hide());
  assert.equal(composite.name, "composed(other-phase,a,b,c,d)");
});

test("49: a composite among a capability's own policies is expanded, too", async () => {
  const own = [composePolicies(answering("a", allow()).policy, answering("b", deny("B")).policy)];
  const { invoke, event } = plane({ a: procedure({ policies: own }) });
  assert.equal((await invoke("a", {})).error.details.policy, "b");
  assert.deepEqual(stances(event("denied")), ["a allow", "b deny"]);
});
