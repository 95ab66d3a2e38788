// Policies as values: defined, composed, put into a governance (spec: domain.md §4, behaviours 21 and 22).

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allow,
  composePolicies,
  defineGovernance,
  definePolicy,
  deny,
  flattenPolicies,
  hide,
  requireApproval,
} from "../../js_glue/dist/domain/index.js";

const registry = { ids: () => [], get: () => undefined, capabilities: () => [], inspect: () => ({}) };
const saying = (name, decision, phases) =>
  definePolicy(name, () => decision, phases === undefined ? undefined : { phases });
const request = (phase = "invocation") => ({ phase });
const namesOf = (policies) => policies.map((policy) => policy.name);

test("the helpers make frozen decisions that hold what was given and no more", () => {
  assert.deepEqual(allow(), { type: "allow" });
  assert.deepEqual(allow({ note: 1 }), { type: "allow", metadata: { note: 1 } });
  assert.deepEqual(deny(), { type: "deny" });
  assert.deepEqual(deny("CODE", "Text."), { type: "deny", code: "CODE", message: "Text." });
  assert.deepEqual(hide(), { type: "hide" });
  const demand = { reason: "large sum", approvalType: "finance", expiresInMs: 5 };
  assert.deepEqual(requireApproval(demand), { type: "require-approval", ...demand });
  for (const decision of [allow(), deny(), hide(), requireApproval(demand)]) assert.ok(Object.isFrozen(decision));
});

test("an approval without a reason is a type error, so that its policy fails closed", () => {
  for (const demand of [undefined, {}, { reason: "" }, { reason: "  " }, { reason: 5 }]) {
    assert.throws(() => requireApproval(demand), TypeError);
  }
});

test("a policy is asked at invocation unless it names its phases", () => {
  const evaluate = () => allow();
  assert.deepEqual(definePolicy("p", evaluate), { name: "p", phases: ["invocation"], evaluate });
  const both = definePolicy("p", evaluate, { phases: ["execution", "discovery", "execution"] });
  assert.deepEqual(both.phases, ["execution", "discovery"]);
  assert.throws(() => both.phases.push("invocation"), TypeError);
  assert.throws(() => void (both.name = "q"), TypeError);
});

test("a policy without a name, without a function or with phases that are none is a type error", () => {
  const evaluate = () => allow();
  for (const args of [
    ["", evaluate],
    [undefined, evaluate],
    [5, evaluate],
    ["p"],
    ["p", {}],
    ["p", evaluate, null],
    ["p", evaluate, { phases: "invocation" }],
    ["p", evaluate, { phases: ["sometimes"] }],
    ["p", evaluate, { phases: [] }],
  ]) {
    assert.throws(() => definePolicy(...args), TypeError);
  }
});

test("behaviour 21: a manifest has name and phases in order, no evaluate, and takes no pushes", () => {
  const [first, second] = [saying("first", allow()), saying("second", allow(), ["discovery", "execution"])];
  const governance = defineGovernance({ registry, policies: [first, second] });
  assert.deepEqual(governance.manifest, [
    { name: "first", phases: ["invocation"] },
    { name: "second", phases: ["discovery", "execution"] },
  ]);
  assert.equal(governance.registry, registry);
  assert.deepEqual(governance.policies, [first, second]);
  for (const list of [governance.manifest, governance.policies, governance.manifest[0].phases]) {
    assert.throws(() => list.push({}), TypeError);
  }
  assert.throws(() => void (governance.policies = []), TypeError);
  assert.throws(() => void (governance.manifest[0].name = "other"), TypeError);
});

test("behaviour 21: without policies the manifest is an empty list", () => {
  assert.deepEqual(defineGovernance({ registry }).manifest, []);
  assert.deepEqual(defineGovernance({ registry, policies: [] }).manifest, []);
});

test("behaviour 22: a composite lists its members in the manifest, and dropping one shows", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => saying(name, allow()));
  const names = (...members) =>
    namesOf(defineGovernance({ registry, policies: [composePolicies(...members), c] }).manifest);
  assert.deepEqual(names(a, b), ["a", "b", "c"]);
  assert.deepEqual(names(a), ["a", "c"]);
  assert.deepEqual(names(composePolicies(a, composePolicies(b)), a), ["a", "b", "a", "c"]);
});

test("a governance takes its policies as they are: later changes of the list or of a policy change nothing", () => {
  const own = {
    name: "own",
    phases: ["invocation"],
    answer: deny(),
    evaluate() {
      return this.answer;
    },
  };
  const list = [own];
  const governance = defineGovernance({ registry, policies: list });
  list.push(saying("late", allow()));
  own.name = "renamed";
  own.phases.push("execution");
  own.evaluate = () => allow();
  assert.deepEqual(governance.manifest, [{ name: "own", phases: ["invocation"] }]);
  assert.deepEqual(namesOf(governance.policies), ["own"]);
  assert.deepEqual(governance.policies[0].phases, ["invocation"]);
  assert.deepEqual(governance.policies[0].evaluate(request()), deny());
});

test("a governance without config, without a registry that looks up, or with policies that are none is a type error", () => {
  const evaluate = () => allow();
  for (const config of [
    undefined,
    null,
    {},
    { registry: {} },
    { registry: null },
    { registry, policies: null },
    { registry, policies: {} },
    { registry, policies: saying("p", allow()) },
    { registry, policies: [undefined] },
    { registry, policies: [{ name: "p", evaluate }] },
    { registry, policies: [{ name: "p", evaluate, phases: ["never"] }] },
    { registry, policies: [{ name: "", evaluate, phases: ["invocation"] }] },
    { registry, policies: [{ name: "p", phases: ["invocation"] }] },
    { registry, policies: Array(1) },
  ]) {
    assert.throws(() => defineGovernance(config), TypeError);
  }
});

test("a composite has the names of its members in order and the union of their phases", () => {
  const a = saying("a", allow(), ["execution"]);
  const b = saying("b", allow(), ["discovery", "execution"]);
  const composite = composePolicies(a, composePolicies(b, a));
  assert.equal(composite.name, "composed(a,b,a)");
  assert.deepEqual(composite.phases, ["execution", "discovery"]);
  assert.ok(Object.isFrozen(composite) && Object.isFrozen(composite.phases));
  assert.deepEqual(Object.keys(composite), ["name", "phases", "evaluate"]);
});

test("a composite of nothing has no phases and allows", async () => {
  const none = composePolicies();
  assert.equal(none.name, "composed()");
  assert.deepEqual(none.phases, []);
  assert.deepEqual(await none.evaluate(request()), allow());
});

test("evaluated alone, a composite gives the first decision of the strongest kind: deny, hide, approval, allow", async () => {
  const demand = (reason) => requireApproval({ reason });
  for (const [decisions, expected] of [
    [[allow("a"), demand("b"), hide(), deny("1"), deny("2")], deny("1")],
    [[demand("a"), hide(), demand("b")], hide()],
    [[allow("a"), demand("a"), demand("b")], demand("a")],
    [[allow("a"), allow("b")], allow()],
  ]) {
    const composite = composePolicies(...decisions.map((decision, at) => saying(`p${at}`, decision)));
    assert.deepEqual(await composite.evaluate(request()), expected);
  }
});

test("evaluated alone, a composite asks every member of the phase, one after the other, also after a deny", async () => {
  const log = [];
  const logging = (name, phases) =>
    definePolicy(
      name,
      async () => {
        log.push(`${name} in`);
        await null;
        log.push(`${name} out`);
        return deny(name);
      },
      { phases },
    );
  const composite = composePolicies(
    logging("a", ["invocation"]),
    logging("b", ["execution"]),
    logging("c", ["invocation"]),
  );
  assert.deepEqual(await composite.evaluate(request("invocation")), deny("a"));
  assert.deepEqual(log, ["a in", "a out", "c in", "c out"]);
});

test("evaluated alone, what a member throws comes through, and what is no decision is never a consent", async () => {
  const broken = new Error("broken");
  const throwing = composePolicies(
    definePolicy("t", () => {
      throw broken;
    }),
  );
  await assert.rejects(throwing.evaluate(request()), broken);
  for (const garbage of [undefined, null, true, "allow", {}, { type: "permit" }]) {
    await assert.rejects(composePolicies(saying("g", garbage)).evaluate(request()), TypeError);
  }
});

test("composing what is no policy is a type error", () => {
  for (const value of [undefined, null, {}, "p", [saying("p", allow())], { name: "p", evaluate: () => allow() }]) {
    assert.throws(() => composePolicies(value), TypeError);
  }
});

test("flattening gives members in the place of their composite, in order, and leaves others as they are", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => saying(name, allow()));
  const flat = flattenPolicies([a, composePolicies(b, composePolicies(), composePolicies(c, a)), b]);
  assert.deepEqual(flat, [a, b, c, a, b]);
});

test("a composite made by hand that holds itself, or doubles without end, is a type error and no hang", () => {
  const members = Symbol.for("viewcap.policyMembers");
  const knot = { name: "knot", phases: ["invocation"], evaluate: () => allow() };
  knot[members] = [saying("a", allow()), knot];
  assert.throws(() => flattenPolicies([knot]), /must not hold itself/);
  let doubled = saying("a", allow());
  for (let level = 0; level < 30; level++) doubled = { ...knot, [members]: [doubled, doubled] };
  assert.throws(() => flattenPolicies([doubled]), /more than 10000/);
});
