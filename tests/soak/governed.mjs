// A random history of one registry whose every call is governed: policies that wait, refuse, throw and hide, people who
// approve, deny or never answer, a server operation bound to what is on the screen. What must hold at every moment:
//
//   - each call gets exactly one result, and each (consumer, invocation id) is executed at most once
//   - no handler of an unmounted registration starts, and none that needs a person without an approval of exactly its
//     input, its registration and its consumer, that was not used before
//   - a hidden capability is never spoken of to the consumer whom it is hidden from
//   - at most as many confirmations are pending as allowed; the version never goes back
//   - a registry that was disposed of leaves no call, no wait and no timer behind

import * as viewcap from "viewcap";
import { projectStep } from "viewcap/protocol";
import { createClock } from "./clock.mjs";
import { RandomHistory } from "./random_history.mjs";

const consumers = ["one", "two"].map((id) => ({ id, kind: "test" }));
const kMostPending = 4;
const kWeights = {
  register: 14,
  unregister: 5,
  live: 4,
  invoke: 34,
  again: 6,
  decide: 18,
  release: 10,
  settle: 10,
  advance: 6,
  cancel: 3,
  project: 4,
};
const codes = new Set(Object.values(viewcap.AGENT_CAPABILITY_ERROR_CODES));
const input = viewcap.fromJsonSchema({
  type: "object",
  properties: { n: { type: "integer", minimum: 0 } },
  required: ["n"],
  additionalProperties: false,
});
const action = (more = {}) => ({ description: "Acts.", input, effect: "local-state", ...more });
const contract = viewcap.defineAgentComponentContract({
  type: "desk",
  description: "A desk.",
  observations: { look: { description: "Looks.", output: viewcap.fromJsonSchema({}) } },
  actions: { act: action(), risk: action({ confirmation: "required" }), secret: action() },
});
const erase = viewcap.defineAgentProcedureContract({
  id: "domain:erase",
  description: "Erases.",
  input: viewcap.fromJsonSchema({
    type: "object",
    properties: { n: { type: "integer" }, id: { type: "integer" } },
    required: ["n", "id"],
    additionalProperties: false,
  }),
  effect: "destructive",
});
const canonical = (value) => JSON.stringify(Object.fromEntries(Object.entries(value).sort()));

export class GovernedHistory extends RandomHistory {
  clock = createClock();
  counts = { steps: 0, calls: 0, executions: 0, confirmed: 0, asked: 0, denied: 0, hidden: 0 };
  results = {};
  #mounts = new Map(); // instance → mount
  #open = new Set(); // calls without a result
  #made = []; // the last calls that had an id of their own
  #waiting = []; // policies and handlers that wait to go on
  #executed = new Set();
  #approved = new Map(); // confirmation id → what it is for
  #next = 0;
  #live = 1;

  constructor(random) {
    super(random, kWeights);
    this.registry = viewcap.createAgentSurfaceRegistry({
      environment: "test",
      clock: this.clock,
      limits: { maxPendingConfirmations: kMostPending, actionQueueDepth: 1 },
      policies: [
        this.#hides(),
        this.#decides("onAuthorize"),
        this.#decides("onInvoke"),
        viewcap.requireConfirmation({ if: ({ effectiveInput }) => effectiveInput?.n % 7 === 0 }),
      ],
    });
    this.registry.setProcedureExecutor({
      execute: ({ input: given, info }) => this.#execute("erase", info, given, undefined),
    });
  }

  check() {
    if (!this.registry) return;
    this.checkVersion(this.registry);
    const pending = this.registry.confirmations.pending();
    if (pending.length > kMostPending) this.fail(`${pending.length} confirmations are pending`);
  }

  // policies

  #hides() {
    return {
      name: "hides",
      onDiscovery: ({ capabilityId, consumer }) => ({
        decision: capabilityId === "view:desk.secret" && consumer.id === "two" ? "hide" : "expose",
      }),
    };
  }

  #decides(hook) {
    const run = (_, next) => {
      const way = this.random.below(24);
      if (way === 0) return undefined;
      if (way === 1) throw new Error("a policy failed");
      if (way === 2) throw new viewcap.AgentSurfaceError({ code: "NOT_AUTHORIZED", message: "No.", retry: "no" });
      if (way < 6) return this.#later().then(next);
      if (way < 9) return Promise.resolve().then(next);
      if (way === 9) return next().then(() => next().catch(() => undefined));
      return next();
    };
    return { name: `decides in ${hook}`, [hook]: run };
  }

  #later() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  // handlers

  #execute(name, { consumer, invocationId, confirmation }, given, mount) {
    this.counts.executions++;
    const key = `${consumer.id}\n${invocationId}`;
    if (this.#executed.has(key)) this.fail(`${invocationId} of ${consumer.id} was executed twice`);
    this.#executed.add(key);
    if (mount && !mount.alive) this.fail(`a handler of ${mount.instance} started after its unmount`);
    if (name === "secret" && consumer.id === "two") this.fail("what is hidden from two was executed for two");
    if (name === "risk" || name === "erase" || given.n % 7 === 0)
      this.#spend(name, consumer, given, confirmation, mount);
    return this.random.chance(0.3) ? this.#later() : { done: given.n };
  }

  #spend(name, consumer, given, confirmation, mount) {
    const record = confirmation && this.#approved.get(confirmation.id);
    if (!record) return this.fail(`${name} ran without an approval`);
    const wrong =
      record.spent ||
      record.input !== canonical(given) ||
      record.consumerKey !== `test:${consumer.id}` ||
      (mount && record.registrationId !== mount.registrationId);
    if (wrong) this.fail(`${name} ran with ${JSON.stringify(record)} for ${canonical(given)}`);
    record.spent = true;
    this.counts.confirmed++;
  }

  // what a history consists of

  register() {
    const instance = this.random.pick(["left", "right"]);
    if (this.#mounts.has(instance)) return;
    const mount = { instance, alive: true };
    const run = (name) => ({ execute: (given, ctx) => this.#execute(name, ctx, given, mount) });
    mount.handle = this.registry.register(
      contract.bind({
        instanceId: instance,
        observations: { look: { read: () => (this.random.chance(0.2) ? this.#later() : []) } },
        actions: { act: run("act"), risk: run("risk"), secret: run("secret") },
        procedures: [
          viewcap.bindAgentProcedure({ path: "erase" }, { contract: erase, bind: () => ({ id: this.#live }) }),
        ],
      }),
    );
    mount.registrationId = mount.handle.registrationId;
    this.#mounts.set(instance, mount);
  }

  unregister() {
    const mount = this.random.pick([...this.#mounts.values()]);
    if (!mount) return;
    mount.alive = false;
    this.#mounts.delete(mount.instance);
    mount.handle.unregister();
  }

  live() {
    this.#live = 1 + this.random.below(3);
  }

  invoke() {
    const capabilityId = this.random.pick([
      "view:desk.act",
      "view:desk.risk",
      "view:desk.secret",
      "view:desk.look",
      "domain:erase",
    ]);
    const instanceId = this.random.chance(0.8) ? this.random.pick(["left", "right"]) : undefined;
    const request = {
      capabilityId,
      instanceId,
      ...(this.random.chance(0.5) && { invocationId: `call-${this.#next++}` }),
    };
    if (capabilityId !== "view:desk.look") request.input = { n: this.random.below(30) };
    this.#call(request, this.random.pick(consumers));
  }

  /** A repetition, or a call with the evidence that the first one asked for. */
  again() {
    const made = this.random.pick(this.#made);
    if (!made) return;
    const { confirmationId } = made;
    this.#call(
      confirmationId && this.random.chance(0.8) ? { ...made.request, confirmationId } : made.request,
      made.consumer,
    );
  }

  decide() {
    const pending = this.random.pick(this.registry.confirmations.pending());
    if (!pending) return;
    const approved = this.random.chance(0.75);
    const { confirmationId, registrationId, consumerKey } = pending;
    if (approved)
      this.#approved.set(confirmationId, {
        registrationId,
        consumerKey,
        input: canonical(pending.input),
        spent: false,
      });
    if (!this.registry.confirmations.resolve(confirmationId, { approved }))
      this.fail("a pending confirmation could not be decided");
    if (this.registry.confirmations.resolve(confirmationId, { approved: true }))
      this.fail("a confirmation was decided twice");
    if (!approved) this.counts.denied++;
    const made = this.#made.find((one) => one.confirmationId === confirmationId);
    if (made && this.random.chance(0.8)) this.#call({ ...made.request, confirmationId }, made.consumer);
  }

  release() {
    this.#waiting.splice(this.random.below(this.#waiting.length + 1), 1)[0]?.();
  }

  settle() {
    for (const resolve of this.#waiting.splice(0, 3)) resolve({ late: true });
  }

  advance() {
    this.clock.advance(this.random.pick([1, 300, 5000, 31_000, 121_000]));
  }

  cancel() {
    this.random.pick([...this.#open])?.controller.abort();
  }

  project() {
    for (const consumer of consumers) {
      const { descriptors, wireNames } = projectStep(this.registry, { consumer });
      const hidden = consumer.id === "two";
      const expected = this.#mounts.size * (hidden ? 4 : 5);
      if (descriptors.length !== expected)
        this.fail(`${consumer.id} is shown ${descriptors.length}, ${expected} are there`);
      if (hidden && JSON.stringify([...wireNames]).includes("secret")) this.fail("two is shown what is hidden");
    }
  }

  // calls

  #call(request, consumer) {
    const call = { request, consumer, controller: new AbortController() };
    this.counts.calls++;
    this.#open.add(call);
    if (request.invocationId !== undefined) {
      this.#made.push(call);
      if (this.#made.length > 12) this.#made.shift();
    }
    this.registry.invoke(request, { consumer, signal: call.controller.signal }).then(
      (result) => this.#answered(call, result),
      (error) => this.fail(`a call was rejected: ${error.message}`),
    );
  }

  #answered(call, result) {
    if (!this.#open.delete(call)) this.fail("a call got a second result");
    const { capabilityId } = call.request;
    const code = result.status === "ok" ? "ok" : result.error.code;
    this.results[code] = (this.results[code] ?? 0) + 1;
    if (code !== "ok" && !codes.has(code)) this.fail(`a result has the unknown code ${code}`);
    if (capabilityId === "view:desk.secret" && call.consumer.id === "two") {
      this.counts.hidden++;
      if (!["CAPABILITY_NOT_FOUND", "INVOCATION_CONFLICT", "CANCELLED"].includes(code))
        this.fail(`two heard ${code} of what is hidden`);
    }
    if (code === "CONFIRMATION_REQUIRED") {
      this.counts.asked++;
      call.confirmationId = result.error.details.confirmationId;
    }
  }

  /** Disposes of the registry with whatever is in flight; nothing may be left. */
  async end() {
    const wait = this.registry.confirmations.pending()[0];
    const waited = wait && this.registry.confirmations.waitFor(wait.confirmationId);
    this.registry.dispose();
    this.registry = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
    await this.settleDown();
    if (waited && (await waited) !== "expired") this.fail("the end of the registry did not end the wait");
    if (this.#open.size > 0) this.fail(`${this.#open.size} calls have no result after dispose()`);
    if (this.clock.pending() > 0) this.fail(`${this.clock.pending()} timers are armed after dispose()`);
    this.throwViolation();
  }
}
