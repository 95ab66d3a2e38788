// A random history of one registry through the JavaScript API, and what must hold at every moment of it:
//
//   - each call gets exactly one result, of a known shape; the same call id gets the same result (call_book.mjs)
//   - at most one execution per (consumer, call id) (call_book.mjs)
//   - no handler of an unmounted registration starts, and no two actions of one registration run at once (page.mjs)
//   - a registration never has more than one running and `actionQueueDepth` waiting calls
//   - the version never goes back
//   - the projection shows exactly what is mounted, with the availability that the page has
//   - a registry that was disposed of leaves no timer and no call behind
//
// The first violation ends the history with an error that names it; the seed replays it.

import * as viewcap from "viewcap";
import { projectStep } from "viewcap/protocol";
import { CallBook, consumers } from "./call_book.mjs";
import { createClock } from "./clock.mjs";
import { actions, capabilityNames, defineMount, instances, types } from "./page.mjs";
import { RandomHistory } from "./random_history.mjs";

const kWeights = {
  register: 14,
  unregister: 9,
  update: 5,
  invalidate: 1,
  gate: 5,
  invoke: 34,
  burst: 3,
  repeat: 6,
  settle: 16,
  cancel: 4,
  advance: 8,
  project: 4,
  snapshot: 1,
};
const kGoneKept = 30;

export class History extends RandomHistory {
  clock = createClock();
  book = new CallBook(this);
  open = []; // handlers that wait to be settled
  counts = { steps: 0, mounts: 0, reads: 0, late: 0, projections: 0 };
  ways = {}; // how handlers behaved, and how often
  disposed = false;
  #mounts = new Map(); // "type\ninstance" → mount
  #gone = []; // some registrations that were unmounted
  #events = { started: 0, settled: 0 };
  #nextCall = 0;

  constructor(random, { replace = false } = {}) {
    super(random, kWeights);
    this.replace = replace;
    const onDuplicateInstance = replace ? "replace" : "reject";
    this.registry = viewcap.createAgentSurfaceRegistry({ environment: "test", clock: this.clock, onDuplicateInstance });
    this.registry.subscribe(({ type }) => {
      if (type === "invocation-started") this.#events.started++;
      if (type === "invocation-settled") this.#events.settled++;
    });
  }

  check() {
    if (!this.disposed) this.checkVersion(this.registry);
    this.book.checkQueues();
  }

  // what a history consists of

  register() {
    const mount = {
      type: this.random.pick(types),
      instance: this.random.pick(instances),
      alive: true,
      enabled: true,
      overrides: {},
      running: new Set(),
    };
    mount.gates = Object.fromEntries(capabilityNames.map((name) => [name, this.random.chance(0.9)]));
    const slot = `${mount.type}\n${mount.instance}`;
    const holder = this.#mounts.get(slot);
    if (holder && this.replace) this.#leave(holder);
    mount.handle = this.registry.register(defineMount(mount, this));
    mount.registrationId = mount.handle.registrationId;
    const refused = holder !== undefined && !this.replace;
    if ((mount.handle.status === "rejected") !== refused)
      this.fail(`register answered ${mount.handle.status} for ${slot}`);
    mount.alive = !refused;
    if (refused) return;
    this.#mounts.set(slot, mount);
    this.counts.mounts++;
  }

  unregister() {
    const mount = this.#anyMount();
    if (!mount) return;
    this.#leave(mount);
    mount.handle.unregister();
    if (this.random.chance(0.2)) mount.handle.unregister();
  }

  update() {
    const mount = this.#anyMount();
    if (!mount) return;
    if (this.random.chance(0.4)) {
      mount.enabled = this.random.chance(0.7);
      mount.handle.update({ enabled: mount.enabled });
      return;
    }
    const name = this.random.pick(capabilityNames);
    const state = this.random.pick([null, { available: true }, { available: false, reason: "closed for now" }]);
    if (state === null) delete mount.overrides[name];
    else mount.overrides[name] = state;
    mount.handle.update({ availability: { [name]: state } });
  }

  invalidate() {
    this.#anyMount()?.handle.invalidate();
  }

  gate() {
    const mount = this.#anyMount();
    if (mount) mount.gates[this.random.pick(capabilityNames)] = this.random.chance(0.8);
  }

  mutate() {
    if (this.random.chance(0.5)) this.register();
    else this.unregister();
  }

  invoke() {
    const mount = this.#anyMount();
    const name = this.random.pick([...capabilityNames, ...actions]);
    const request = { capabilityId: `view:${mount?.type ?? this.random.pick(types)}.${name}` };
    const target = this.random.weighted({ pinned: 6, instance: 2, open: 1, gone: this.#gone.length > 0 ? 1 : 0 });
    if (target === "pinned" && mount) request.registrationId = mount.registrationId;
    if (target === "instance" && mount) request.instanceId = mount.instance;
    if (target === "gone") Object.assign(request, this.random.pick(this.#gone));
    if (!request.capabilityId.endsWith(".look")) request.input = this.#input();
    if (this.random.chance(0.8)) request.invocationId = `call-${this.#nextCall++}`;
    void this.book.make(request, this.random.pick(consumers), { dead: target === "gone" });
  }

  /** More calls at once than a queue holds, with repetitions of earlier ones among them. */
  burst() {
    const mount = this.#anyMount();
    if (!mount) return;
    const consumer = this.random.pick(consumers);
    for (let count = 0; count < 5; count++) {
      const capabilityId = `view:${mount.type}.${this.random.pick(actions)}`;
      const { registrationId } = mount;
      const request = { capabilityId, registrationId, input: this.#input(), invocationId: `call-${this.#nextCall++}` };
      void this.book.make(request, consumer);
      const repeated = this.book.recentOf(consumer);
      if (repeated) void this.book.make(repeated.request, consumer, { repeated });
    }
  }

  /** The same id again: the same request, or another one under the same id. */
  repeat() {
    const repeated = this.book.recentOf(this.random.pick(consumers));
    if (!repeated) return;
    const request = this.random.chance(0.3)
      ? { ...repeated.request, input: { n: 77, label: "another" } }
      : repeated.request;
    void this.book.make(request, repeated.consumer, { repeated });
  }

  /** A handler's call of its own action. */
  invokeOwn(mount, name) {
    const request = {
      capabilityId: `view:${mount.type}.${name}`,
      registrationId: mount.registrationId,
      input: { n: 1 },
    };
    return this.book.make(request, this.random.pick(consumers));
  }

  settle() {
    if (this.open.length === 0) return;
    const [run] = this.open.splice(this.random.below(this.open.length), 1);
    if (run.context.signal.aborted) this.counts.late++;
    if (this.random.chance(0.8)) run.resolve({ done: 5 });
    else run.reject(new Error("the handler failed later"));
  }

  cancel() {
    this.random.pick(this.book.cancellable())?.controller.abort();
  }

  advance() {
    this.clock.advance(this.random.pick([1, 50, 400, 3000, 11_000]));
  }

  project() {
    const step = projectStep(this.registry, { consumer: this.random.pick(consumers) });
    const descriptors = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(step.bytes));
    const expected = this.#mounts.size * capabilityNames.length;
    this.counts.projections++;
    if (descriptors.length !== expected)
      this.fail(`the projection has ${descriptors.length} descriptors, ${expected} are mounted`);
    if (step.wireNames.size !== expected)
      this.fail(`the projection has ${step.wireNames.size} wire names, ${expected} are mounted`);
    if (`${step.surfaceVersion}` !== `${this.registry.getVersion()}`)
      this.fail(`the projection is of version ${step.surfaceVersion}`);
    const byId = new Map([...this.#mounts.values()].map((mount) => [mount.registrationId, mount]));
    for (const { wireName, canonicalId, available } of descriptors) {
      const mount = byId.get(step.wireNames.get(wireName)?.registrationId);
      const name = canonicalId.slice(canonicalId.lastIndexOf(".") + 1);
      if (!mount) this.fail(`${wireName} leads to a registration that is not mounted`);
      else if (available !== this.#isAvailable(mount, name))
        this.fail(`${wireName} is shown with available: ${available}`);
    }
  }

  snapshot() {
    const { components } = this.registry.snapshot({ consumer: this.random.pick(consumers) });
    if (components.length !== this.#mounts.size)
      this.fail(`the snapshot has ${components.length} components, ${this.#mounts.size} are mounted`);
  }

  // how a history ends

  /** Lets every call come to its end: none may be left without a result. */
  async quiesce() {
    const { unanswered } = this.book;
    for (let round = 0; round < 8 && unanswered.size > 0; round++) {
      this.clock.advance(11_000);
      await this.settleDown();
    }
    if (unanswered.size > 0)
      this.fail(`${unanswered.size} calls never got a result, such as ${JSON.stringify([...unanswered][0].request)}`);
    const { started, settled } = this.#events;
    if (started !== settled) this.fail(`${started} invocations were reported as started, ${settled} as settled`);
    await this.settleDown();
  }

  /** Unmounts everything and lets every record expire; the next call notices. What is left is an idle registry. */
  async becomeIdle() {
    await this.quiesce();
    for (const mount of [...this.#mounts.values()]) {
      this.#leave(mount);
      mount.handle.unregister();
    }
    this.clock.advance(11 * 60_000);
    this.project();
    await this.book.make({ capabilityId: "view:soak.nothing.act" }, consumers[0]);
    await this.settleDown();
  }

  /** Disposes of the registry with whatever is in flight. */
  async dispose() {
    for (const mount of [...this.#mounts.values()]) this.#leave(mount);
    this.disposed = true;
    this.registry.dispose();
    await this.settleDown();
    if (this.book.unanswered.size > 0) this.fail(`${this.book.unanswered.size} calls have no result after dispose()`);
    if (this.clock.pending() > 0) this.fail(`${this.clock.pending()} timers are armed after dispose()`);
    await this.settleDown();
  }

  #anyMount() {
    return this.random.pick([...this.#mounts.values()]);
  }

  #leave(mount) {
    mount.alive = false;
    this.#mounts.delete(`${mount.type}\n${mount.instance}`);
    this.#gone.push({ capabilityId: `view:${mount.type}.act`, registrationId: mount.registrationId });
    if (this.#gone.length > kGoneKept) this.#gone.shift();
  }

  #isAvailable(mount, name) {
    return mount.enabled && mount.overrides[name]?.available !== false && mount.gates[name];
  }

  #input() {
    if (this.random.chance(0.85)) return { n: this.random.below(100) };
    return this.random.pick([{ n: -1 }, { n: 1.5 }, {}, { n: 1, more: true }, "text", null]);
  }
}
