// The governed runtime of a server (spec: domain.md §§5 to 8).
//
//     const governance = defineGovernance({ registry, policies: [tenantBoundary] });
//     const runtime = createAgentRuntime({ governance, approvals: { coordinator }, audit: sink });
//     const result = await runtime.invoke("invoices.issue", { id: "i-1" }, { actor, context, surface: "aiSdk" });
//
// invoke and resume throw a TypeError at once for misuse (no options, no id) and never reject: every execution ends in
// one envelope. Stateless per call; any number of calls may run at once.

import { isRecord, member } from "../contract/values.js";
import { ACTOR_KINDS } from "../generated/domain_vocabulary.js";
import type { Step } from "../runtime/domain_module.js";
import { detach } from "./detach.js";
import { describe } from "./discovery.js";
import { actorAsGiven, actorFacts, actorSnapshot, contextOf, isSurface, type Engine } from "./engine.js";
import { internalError } from "./error_text.js";
import type { Call } from "./call.js";
import { Execution } from "./execution.js";
import { liveModule } from "./module.js";
import type { CapabilityIdOf, InputOf, OutputOf } from "./procedures/infer.js";
import type { CapabilityRegistry } from "./registry.js";
import { approvalsOf, ownRecord, recordFacts } from "./runtime_approvals.js";
import { Spans } from "./spans.js";
import type {
  AgentRuntimeLike,
  ApprovalRecord,
  CapabilityDescriptor,
  DescribeOptions,
  ExecutionResult,
  ExposureSurface,
  Governance,
  InvokeOptions,
  ResumeOptions,
  RuntimeApprovals,
} from "./types.js";
import { factRecord, textFact, valueFacts } from "./value_facts.js";

const collected = new FinalizationRegistry<number>((handle) => {
  const module = liveModule();
  if (!module.dead) module.call("", (table) => table.freeRuntime(handle));
});

export class AgentRuntime<Definitions = unknown> implements AgentRuntimeLike {
  readonly governance: Governance & { readonly registry: CapabilityRegistry<Definitions> };
  readonly registry: CapabilityRegistry<Definitions>;
  readonly approvals: RuntimeApprovals;
  readonly #engine: Engine;

  /** Only by createAgentRuntime. */
  constructor(governance: Governance & { readonly registry: CapabilityRegistry<Definitions> }, engine: Engine) {
    this.governance = governance;
    this.registry = governance.registry;
    this.#engine = engine;
    this.approvals = approvalsOf(engine);
    // Not the runtime: a call that is under way may outlive it, and needs what the handle stands for.
    collected.register(engine, engine.handle);
    Object.freeze(this);
  }

  /** TypeError at once without options or with an id that is no non-empty string; else exactly one envelope. */
  invoke<const Id extends string>(
    capabilityId: Id,
    input: Id extends CapabilityIdOf<Definitions> ? InputOf<Definitions, Id> : unknown,
    options: InvokeOptions,
  ): Promise<ExecutionResult<Id extends CapabilityIdOf<Definitions> ? OutputOf<Definitions, Id> : unknown>>;
  invoke(capabilityId: string, input: unknown, options: InvokeOptions): Promise<ExecutionResult> {
    checkCall("invoke", "a capability id", capabilityId, options);
    const executionId = `exe_${crypto.randomUUID()}`;
    return enveloped(executionId, () => this.#invoke(executionId, capabilityId, input, options));
  }

  #invoke(executionId: string, capabilityId: string, input: unknown, options: InvokeOptions): Promise<ExecutionResult> {
    const actor = actorSnapshot(options.actor);
    const { surface = "direct", signal, correlationId, idempotencyKey } = options;
    const call: Call = {
      executionId,
      actor: actorAsGiven(actor),
      surface: isSurface(surface) ? surface : "direct",
      context: contextOf(options.context),
      // Without a schema nothing else makes a value of our own out of it.
      input: detached(input),
      signal: isToken(signal) ? signal : undefined,
      correlationId: typeof correlationId === "string" && correlationId !== "" ? correlationId : undefined,
      idempotencyKey:
        typeof idempotencyKey === "string" && idempotencyKey !== "" ? idempotencyKey : `idk_${crypto.randomUUID()}`,
    };
    const named = typeof surface === "string" ? surface : "";
    const spans = new Spans(this.#engine.tracing);
    if (this.#engine.tracing !== undefined) {
      spans.begin(wordsOf(call, capabilityId, named), this.registry.get(capabilityId));
    }
    const text = requestText([
      textFact(executionId),
      textFact(capabilityId),
      textFact(named),
      actorFacts(actor),
      call.correlationId === undefined ? "null" : textFact(call.correlationId),
      call.signal?.aborted === true ? "true" : "false",
    ]);
    const { module, handle } = this.#engine;
    return new Execution(this.#engine, call, spans).run(() => module.begin(handle, this.#engine.now(), text));
  }

  /** Rejects with a TypeError for a malformed actor or scope, with a CapabilityError TIMEOUT over the budget. */
  async describe(surface: ExposureSurface, options: DescribeOptions): Promise<CapabilityDescriptor[]> {
    if (!isRecord(options)) throw new TypeError("describe: options { actor, context?, scope? } are needed");
    const actor = actorSnapshot(options.actor);
    // A scope of null is malformed, not absent.
    const scope = options.scope === undefined ? "null" : options.scope === null ? "false" : valueFacts(options.scope);
    const text = requestText([
      valueFacts(surface),
      actorFacts(actor),
      scope === "null" && options.scope === null ? "false" : scope,
    ]);
    const asking = { surface, actor: actorAsGiven(actor), context: contextOf(options.context) };
    return describe(this.#engine, text, asking);
  }

  /** Runs an approved request as its record's actor. TypeError at once without options or id; else one envelope. */
  resume(approvalId: string, options: ResumeOptions): Promise<ExecutionResult> {
    checkCall("resume", "an approval id", approvalId, options);
    const executionId = `exe_${crypto.randomUUID()}`;
    return enveloped(executionId, () => this.#resume(executionId, approvalId, options));
  }

  async #resume(executionId: string, approvalId: string, options: ResumeOptions): Promise<ExecutionResult> {
    const spans = new Spans(this.#engine.tracing);
    spans.begin({ execution_id: executionId, approval_id: approvalId }, undefined);
    let record: ApprovalRecord | null = null;
    let cause: unknown;
    try {
      record = ownRecord(await this.#engine.coordinator.get(approvalId));
    } catch (error) {
      cause = error;
    }
    const { signal, expectedActor, expectedSurface } = options;
    const actor = actorSnapshot(record?.actor);
    const surface = record?.surface;
    const call: Call = {
      executionId,
      actor: actorAsGiven(actor),
      surface: isSurface(surface) ? surface : "direct",
      context: contextOf(options.context),
      input: record?.input,
      signal: isToken(signal) ? signal : undefined,
      correlationId: typeof record?.correlationId === "string" ? record.correlationId : undefined,
      idempotencyKey: `idk_${crypto.randomUUID()}`,
      ...(record === null ? {} : { record }),
    };
    if (record !== null) spans.describe(wordsOf(call, record.capabilityId, call.surface));
    const guards = factRecord({
      actor: expectedActor === undefined ? undefined : actorFacts(expectedActor),
      // A guard that is no surface matches none; it must not stand open.
      surface:
        expectedSurface === undefined ? undefined : isSurface(expectedSurface) ? valueFacts(expectedSurface) : '"?"',
    });
    const text = requestText([
      textFact(executionId),
      recordFacts(record, actor),
      guards,
      call.signal?.aborted === true ? "true" : "false",
    ]);
    const { module, handle } = this.#engine;
    const first = (): Step => module.resume(handle, this.#engine.now(), text);
    return new Execution(this.#engine, call, spans).run(first, cause);
  }
}

function wordsOf({ executionId, actor }: Call, capabilityId: string, surface: string) {
  return {
    execution_id: executionId,
    capability_id: capabilityId,
    surface,
    // As the audit names an actor that is none.
    actor_kind: ACTOR_KINDS.find((kind) => kind === actor.kind && actor.id !== "") ?? "anonymous",
    actor_id: typeof actor.id === "string" ? actor.id : "unknown",
  };
}

function checkCall(what: string, named: string, id: unknown, options: unknown): void {
  if (typeof id !== "string" || id === "") throw new TypeError(`${what}: ${named} must be a non-empty string`);
  if (typeof options !== "object" || options === null) throw new TypeError(`${what}: options must be an object`);
}

/** Options may be a proxy that throws: that, too, ends in an envelope (decision 2). */
async function enveloped(executionId: string, run: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  try {
    return await run();
  } catch (error) {
    return { status: "failed", executionId, error: internalError(error) };
  }
}

function detached(input: unknown): unknown {
  try {
    return detach(input);
  } catch {
    // A proxy that throws: whoever validates it says so.
    return input;
  }
}

function isToken(signal: unknown): signal is AbortSignal {
  const isHeard = ["addEventListener", "removeEventListener"].every((key) => typeof member(signal, key) === "function");
  return isHeard && typeof member(signal, "aborted") === "boolean";
}

const requestText = (parts: readonly string[]): string => `[${parts.join(",")}]`;
