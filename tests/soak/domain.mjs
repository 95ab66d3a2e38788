// A random life of one governed runtime: calls, listings, decisions and resumes, many at once, over capabilities of every
// kind; and what must hold of it whatever happens.
import {
  allow,
  CapabilityError,
  createAgentRuntime,
  createCapabilityRegistry,
  defineGovernance,
  definePolicy,
  defineProcedure,
  deny,
  fromJsonSchema,
  hide,
  requireApproval,
} from "viewcap/domain";

const MAX_RETRIES = 2;
const input = fromJsonSchema({ type: "object", properties: { n: { type: "integer" } }, required: ["n"] });
const TERMINAL = "capability.(denied|failed|cancelled|completed)";
const GRAMMARS = {
  invoke: new RegExp(
    `^capability.requested,(capability.approval_requested|(capability.started,)(capability.retried,)*${TERMINAL}|${TERMINAL}),$`,
  ),
  resume: new RegExp(`^((capability.started,)(capability.retried,)*)?${TERMINAL},$`),
};

export class DomainHistory {
  #random;
  #events = new Map();
  #starts = new Map();
  #runs = new Map();
  /** Which execution ran with an approval. */
  #users = new Map();
  #approved = [];
  #counts = {};

  constructor(random) {
    this.#random = random;
    this.runtime = createAgentRuntime({
      governance: defineGovernance({
        registry: createCapabilityRegistry(this.#definitions()),
        policies: [
          this.#policy("first", ["invocation"]),
          this.#policy("second", ["discovery", "invocation", "execution"]),
        ],
      }),
      approvals: { coordinator: undefined },
      audit: (event) => this.#hear(event),
      defaults: { timeoutMs: 20, policyTimeoutMs: 20 },
    });
  }

  #definitions() {
    const effects = ["read", "write", "destructive"];
    const named = {};
    for (let at = 0; at < 12; at++) {
      const meta = {
        description: "One of many.",
        expose: { direct: at % 5 !== 4, aiSdk: true },
        sideEffect: effects[at % 3],
        risk: "low",
        tags: [`t${at % 2}`],
        idempotent: at % 4 !== 3,
        ...(at % 4 !== 3 && { retry: { maxAttempts: MAX_RETRIES, backoffMs: 1 } }),
        ...(at % 6 === 5 && { approval: { required: true } }),
      };
      named[`c${at}`] = defineProcedure({ input, meta: { agent: meta }, handler: (call) => this.#handle(call) });
    }
    return named;
  }

  #policy(name, phases) {
    const say = () => this.#random.weighted({ allow: 30, deny: 1, hide: 1, approval: 1, throws: 1, garbage: 1 });
    const answers = {
      allow: () => allow(),
      deny: () => deny("NO", "not now"),
      hide: () => hide(),
      approval: () => requireApproval({ reason: "a look" }),
      throws: () => {
        throw new Error("SECRET");
      },
      garbage: () => "allow",
    };
    const evaluate = () => {
      const answer = answers[say()];
      return this.#random.chance(0.5) ? answer() : Promise.resolve().then(answer);
    };
    return definePolicy(name, evaluate, { phases });
  }

  async #handle({ input: { n }, context, signal }) {
    const { executionId, approval } = context.agent;
    this.#runs.set(executionId, (this.#runs.get(executionId) ?? 0) + 1);
    if (approval !== undefined) {
      const user = this.#users.get(approval.id) ?? executionId;
      if (user !== executionId) throw new Error("one approval, two executions");
      this.#users.set(approval.id, executionId);
    }
    switch (this.#random.below(12)) {
      case 0:
        throw new CapabilityError({ code: "EXECUTION_FAILED", retryable: true });
      case 1:
        throw new Error("SECRET");
      case 2:
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      default:
        return { n };
    }
  }

  #hear(event) {
    if (JSON.stringify(event).includes("SECRET")) throw new Error("a secret in an event");
    const { executionId, type } = event;
    if (executionId === undefined) return;
    this.#events.set(executionId, `${this.#events.get(executionId) ?? ""}${type},`);
    if (type === "capability.started") this.#starts.set(executionId, (this.#starts.get(executionId) ?? 0) + 1);
  }

  #count(what) {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }

  async step() {
    const actor = { id: `u${this.#random.below(3)}`, kind: this.#random.chance(0.02) ? "ghost" : "user" };
    const kind = this.#random.weighted({ invoke: 20, describe: 3, decide: 4, resume: 5 });
    await this[`_${kind}`](actor);
  }

  async _invoke(actor) {
    const aborter = new AbortController();
    if (this.#random.chance(0.05)) aborter.abort();
    else if (this.#random.chance(0.05)) setTimeout(() => aborter.abort(), this.#random.below(4));
    const id = `c${this.#random.below(13)}`;
    const given = this.#random.chance(0.05) ? { n: "SECRET" } : { n: this.#random.below(5) };
    const surface = this.#random.pick(["direct", "aiSdk", "mcp"]);
    this.#check("invoke", await this.runtime.invoke(id, given, { actor, surface, signal: aborter.signal }));
  }

  async _describe(actor) {
    if (actor.kind === "ghost") return;
    const listed = await this.runtime.describe("aiSdk", { actor, scope: { tags: ["t0"] } });
    if (listed.some(({ tags }) => !tags.includes("t0"))) throw new Error("listed out of scope");
  }

  async _decide() {
    const [record] = await this.runtime.approvals.list({ status: "pending" });
    if (record === undefined) return;
    const status = this.#random.chance(0.8) ? "approved" : "rejected";
    const approver = { id: this.#random.chance(0.1) ? record.actor.id : "boss", kind: "user" };
    try {
      await this.runtime.approvals.decide(record.id, { status, approver });
    } catch (error) {
      // Another worker was faster.
      if (error.code !== "DECISION_REFUSED") throw error;
      return;
    }
    if (status === "approved") this.#approved.push(record.id);
  }

  async _resume() {
    if (this.#approved.length === 0) return;
    const id = this.#random.pick(this.#approved);
    const both = this.#random.chance(0.3) ? [0, 1] : [0];
    const results = await Promise.all(both.map(() => this.runtime.resume(id, { context: {} })));
    for (const result of results) this.#check("resume", result);
  }

  #check(kind, result) {
    const { executionId, status } = result;
    const events = this.#events.get(executionId);
    this.#events.delete(executionId);
    const runs = this.#runs.get(executionId) ?? 0;
    this.#runs.delete(executionId);
    const starts = this.#starts.get(executionId) ?? 0;
    this.#starts.delete(executionId);
    if (!GRAMMARS[kind].test(events)) throw new Error(`${kind} ${status}: ${events}`);
    if (starts > 1) throw new Error(`started ${starts} times`);
    if (runs > 1 + MAX_RETRIES) throw new Error(`ran ${runs} times`);
    if (runs > 0 && starts === 0) throw new Error("ran without having started");
    if (status === "completed" && runs === 0) throw new Error("completed without having run");
    this.#count(status);
  }

  /** How often each end was seen, after a last look. */
  finish() {
    if (this.#events.size > 0) throw new Error(`${this.#events.size} executions made events and no envelope`);
    return { ...this.#counts, "approvals used": this.#users.size };
  }
}
