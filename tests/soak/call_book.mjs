// The book of calls: which were made, how often each ran, what it was answered, and the rules that join the three.

import * as viewcap from "viewcap";

const kQueueDepth = 2;
const kReusable = 20;
const kWindowMs = 500_000;
const kExecutionsKept = 5000;
const kUncached = new Set(["CONFIRMATION_REQUIRED", "RATE_LIMITED", "INVOCATION_CONFLICT"]);
const kGone = new Set(["STALE_CAPABILITY", "COMPONENT_UNMOUNTED", "CAPABILITY_NOT_FOUND", "CANCELLED"]);
const codes = new Set(Object.values(viewcap.AGENT_CAPABILITY_ERROR_CODES));

export const consumers = ["one", "two", "three"].map((id) => ({ id, kind: "test" }));

const keyOf = (consumer, invocationId) => `${consumer.kind}:${consumer.id}\n${invocationId}`;
const outcomeOf = (result) => (result.status === "ok" ? "ok" : result.error.code);

export class CallBook {
  unanswered = new Set();
  results = {}; // outcome → how often
  counts = { calls: 0, executions: 0, repeats: 0, rejected: 0 };
  #history;
  #recent = new Map(consumers.map(({ id }) => [id, []])); // the last calls of a consumer that had an id of their own
  #executions = new Map(); // call → "once", or why it may run again
  #defects = 0;

  constructor(history) {
    this.#history = history;
  }

  /** Makes a call. `repeated` is the earlier call whose id it uses again. */
  make(request, consumer, { repeated, dead = false } = {}) {
    const { random, registry, clock } = this.#history;
    const call = { request, consumer, at: clock.now(), repeated, dead };
    if (request.invocationId !== undefined && !repeated) this.#remember(call);
    if (!repeated && random.chance(0.3)) call.controller = new AbortController();
    if (call.controller && random.chance(0.1)) call.controller.abort();
    this.unanswered.add(call);
    this.counts.calls++;
    if (repeated) this.counts.repeats++;
    const options = {
      consumer,
      ...(call.controller && { signal: call.controller.signal }),
      ...(random.chance(0.2) && { timeoutMs: 200 }),
    };
    return registry.invoke(request, options).then(
      (result) => this.#answered(call, result),
      (error) => this.#rejected(call, error),
    );
  }

  /** One of the consumer's last calls, when its id is still within the window of one execution. */
  recentOf(consumer) {
    const { random, clock } = this.#history;
    const call = random.pick(this.#recent.get(consumer.id));
    return call && clock.now() - call.at <= kWindowMs ? call : undefined;
  }

  cancellable() {
    return [...this.unanswered].filter((call) => call.controller);
  }

  // what handlers report of their own calls

  executed({ consumer, invocationId }) {
    this.counts.executions++;
    const key = keyOf(consumer, invocationId);
    const earlier = this.#executions.get(key);
    if (earlier === "once") this.#history.fail(`${invocationId} of ${consumer.id} was executed twice`);
    // Once a call may run again, its later results need not be those of the first run.
    if (earlier === undefined) this.#executions.set(key, "once");
    if (this.#executions.size > kExecutionsKept) this.#executions.delete(this.#executions.keys().next().value);
  }

  /** A transient failure is not kept: the same id may run again. */
  transient({ consumer, invocationId }) {
    this.#executions.set(keyOf(consumer, invocationId), "transient");
  }

  /** An output that is no JSON value rejects the promise outside production. */
  defect({ consumer, invocationId }) {
    this.#defects++;
    this.#executions.set(keyOf(consumer, invocationId), "defect");
  }

  /** A registration has at most one call that runs and `actionQueueDepth` that wait. */
  checkQueues() {
    const held = new Map();
    for (const { request } of this.unanswered) {
      if (request.registrationId === undefined || request.capabilityId.endsWith(".look")) continue;
      const ids = held.get(request.registrationId) ?? new Set();
      held.set(request.registrationId, ids.add(request.invocationId ?? request));
      if (ids.size > 1 + kQueueDepth) this.#history.fail(`${request.registrationId} holds ${ids.size} calls`);
    }
  }

  #remember(call) {
    const list = this.#recent.get(call.consumer.id);
    list.push(call);
    if (list.length > kReusable) list.shift();
  }

  #answered(call, result) {
    const { registry, disposed } = this.#history;
    const { invocationId } = call.request;
    if (!this.unanswered.delete(call)) this.#history.fail(`${invocationId} got a second result`);
    call.result = result;
    const outcome = outcomeOf(result);
    this.results[outcome] = (this.results[outcome] ?? 0) + 1;
    if (outcome !== "ok" && !codes.has(outcome)) this.#history.fail(`a result has the unknown code ${outcome}`);
    if (invocationId !== undefined && result.invocationId !== invocationId) {
      this.#history.fail(`asked as ${invocationId}, answered as ${result.invocationId}`);
    }
    if (!disposed && BigInt(result.surfaceVersion) > BigInt(registry.getVersion())) {
      this.#history.fail(`a result speaks of version ${result.surfaceVersion}, which is in the future`);
    }
    if (call.repeated) this.#checkRepeat(call, outcome);
    else if (call.dead && !kGone.has(outcome))
      this.#history.fail(`a call for an unmounted registration was answered ${outcome}`);
  }

  /** The same request under the same id gets the result of the first one; another request a conflict. */
  #checkRepeat(call, outcome) {
    const { repeated, request, consumer } = call;
    const execution = this.#executions.get(keyOf(consumer, request.invocationId));
    const first = repeated.result;
    if (!first || kUncached.has(outcomeOf(first)) || (execution ?? "once") !== "once") return;
    const same = JSON.stringify(repeated.request) === JSON.stringify(request);
    if (same && JSON.stringify(first) !== JSON.stringify(call.result)) {
      this.#history.fail(`the same call was answered ${JSON.stringify(first)}, then ${JSON.stringify(call.result)}`);
    }
    if (!same && outcome !== "INVOCATION_CONFLICT")
      this.#history.fail(`another request under a used id was answered ${outcome}`);
  }

  #rejected(call, error) {
    this.unanswered.delete(call);
    this.counts.rejected++;
    const { invocationId } = call.request;
    const known =
      invocationId === undefined
        ? this.#defects > 0
        : this.#executions.get(keyOf(call.consumer, invocationId)) === "defect";
    if (!known) this.#history.fail(`${invocationId} was rejected: ${error?.message}`);
  }
}
