// The governed runtime of a server (spec: domain.md §§5 to 8).
//
//     const governance = defineGovernance({ registry, policies: [tenantBoundary] });
//     const runtime = createAgentRuntime({ governance, approvals: { coordinator }, audit: sink });
//     const result = await runtime.invoke("invoices.issue", { id: "i-1" }, { actor, context, surface: "aiSdk" });
//
// invoke and resume throw a TypeError at once for misuse (no options, no id) and never reject: every execution ends in
// one envelope. Stateless per call; any number of calls may run at once.

import { isRecord, member } from "../contract/values.js";
import type { Step } from "../runtime/domain_module.js";
import { auditSettings, AuditDelivery, type AuditOptions } from "./audit.js";
import { createInMemoryApprovalCoordinator } from "./approvals/memory.js";
import { detach } from "./detach.js";
import { describe } from "./discovery.js";
import { actorAsGiven, actorFacts, actorSnapshot, contextOf, Engine, isSurface } from "./engine.js";
import { Execution, type Call } from "./execution.js";
import { asTypeError, liveModule } from "./module.js";
import { flattenPolicies } from "./policies.js";
import type { CapabilityIdOf, InputOf, OutputOf } from "./procedures/infer.js";
import { CapabilityRegistry, registryParts, type RegistryParts } from "./registry.js";
import { toAdvertisedSchema } from "./schema/json_schema.js";
import { Spans } from "./spans.js";
import type {
  AgentRuntimeLike,
  ApprovalCoordinator,
  ApprovalHandler,
  ApprovalRecord,
  AuditSink,
  CapabilityDescriptor,
  DescribeOptions,
  ExecutionResult,
  ExposureSurface,
  Governance,
  InvokeOptions,
  ResumeOptions,
  RuntimeApprovals,
  Tracing,
} from "./types.js";
import { factRecord, textFact, valueFacts } from "./value_facts.js";

export interface AgentRuntimeOptions<Definitions = unknown> {
  readonly governance: Governance & { readonly registry: CapabilityRegistry<Definitions> };
  readonly approvals?: {
    /** Default: in memory, sharing `now`. */
    readonly coordinator?: ApprovalCoordinator;
    /** Decides inline, in the same execution. */
    readonly handler?: ApprovalHandler;
    /** Requester and approver must differ; default true. */
    readonly rejectSelfApproval?: boolean;
  };
  readonly audit?: AuditSink | readonly AuditSink[] | AuditOptions;
  readonly tracing?: Tracing;
  readonly defaults?: {
    /** Of one attempt; default 30000. */
    readonly timeoutMs?: number;
    /** Of one batch of policies; default 5000. */
    readonly policyTimeoutMs?: number;
    /** Capabilities at once in a listing; default 16. */
    readonly policyConcurrency?: number;
    /** Of a whole listing; default 30000. */
    readonly discoveryBudgetMs?: number;
    /** Default 900000. */
    readonly approvalExpiresInMs?: number;
  };
  /** Milliseconds of the Unix epoch; default: the system's clock. */
  readonly now?: () => number;
}

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
    collected.register(this, engine.handle);
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
    const actor = actorSnapshot(options.actor);
    const { surface = "direct", signal, correlationId, idempotencyKey } = options;
    const call: Call = {
      executionId,
      actor: actorAsGiven(actor),
      surface: isSurface(surface) ? surface : "direct",
      context: contextOf(options.context),
      // Without a schema nothing else makes a value of our own out of it.
      input: isRecord(input) || Array.isArray(input) ? detached(input) : input,
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
    const scope = options.scope === undefined ? "null" : valueFacts(options.scope);
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
    return this.#resume(approvalId, options);
  }

  async #resume(approvalId: string, options: ResumeOptions): Promise<ExecutionResult> {
    const executionId = `exe_${crypto.randomUUID()}`;
    const spans = new Spans(this.#engine.tracing);
    spans.begin({ execution_id: executionId, approval_id: approvalId }, undefined);
    let record: ApprovalRecord | null = null;
    let cause: unknown;
    try {
      record = await this.#engine.coordinator.get(approvalId);
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
      surface: expectedSurface === undefined ? undefined : valueFacts(expectedSurface),
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

/** Synchronous and without I/O. TypeError for options that cannot be; an Error for the first schema that no model can read. */
export function createAgentRuntime<Definitions>(options: AgentRuntimeOptions<Definitions>): AgentRuntime<Definitions> {
  const governance: unknown = isRecord(options) ? options.governance : undefined;
  const parts = registryParts(member(governance, "registry"));
  if (parts === undefined || !Array.isArray(member(governance, "manifest"))) {
    throw new TypeError("createAgentRuntime: governance must be what defineGovernance({ registry, policies? }) gave");
  }
  const audit = auditSettings(options.audit);
  const now = options.now ?? Date.now;
  const policies = flattenPolicies(options.governance.policies);
  const { coordinator, handler } = checkedApprovals(options.approvals);
  const facts = factRecord({
    policies: valueFacts(policies.map(({ name, phases }) => ({ name, phases }))),
    defaults: options.defaults === undefined ? undefined : valueFacts(options.defaults),
    approvals: valueFacts({
      coordinator: coordinator !== undefined,
      handler: handler !== undefined,
      rejectSelfApproval: options.approvals?.rejectSelfApproval,
    }),
    audit: valueFacts({ sinks: audit.emits.length, strict: audit.strict, verbose: audit.verbose }),
  });
  const module = liveModule();
  let made: unknown;
  try {
    made = module.answer(facts, (table) => table.createRuntime(parts.handle));
  } catch (error) {
    throw asTypeError(error);
  }
  checkConvertible(parts);
  const fields = isRecord(made) ? made : {};
  for (const warning of Array.isArray(fields["warnings"]) ? fields["warnings"] : []) console.warn(String(warning));
  const engine = new Engine({
    module,
    handle: Number(fields["runtime"]),
    parts,
    policies,
    policyTimeoutMs: Number(fields["policyTimeoutMs"]),
    audit: new AuditDelivery(audit),
    tracing: options.tracing,
    coordinator: coordinator ?? createInMemoryApprovalCoordinator({ now }),
    handler,
    now,
  });
  return new AgentRuntime(options.governance, engine);
}

function checkedApprovals(approvals: AgentRuntimeOptions["approvals"]) {
  if (approvals !== undefined && !isRecord(approvals))
    throw new TypeError("createAgentRuntime: approvals must be an object");
  const { coordinator, handler } = approvals ?? {};
  if (handler !== undefined && typeof handler !== "function") {
    throw new TypeError("createAgentRuntime: approvals.handler must be a function");
  }
  for (const method of coordinator === undefined ? [] : ["create", "get", "decide", "markConsumed"]) {
    if (typeof member(coordinator, method) !== "function") {
      throw new TypeError(`createAgentRuntime: approvals.coordinator must have ${method}()`);
    }
  }
  return { coordinator, handler };
}

/** Again, because a converter may have been registered since the registry was built (spec §11). */
function checkConvertible({ capabilities }: RegistryParts): void {
  for (const { id, meta, inputSchema } of capabilities) {
    if (inputSchema === undefined || (meta.expose.aiSdk !== true && meta.expose.mcp !== true)) continue;
    try {
      toAdvertisedSchema(inputSchema);
    } catch (error) {
      const why = error instanceof Error ? error.message : "the converter threw";
      throw new Error(`createAgentRuntime: the input schema of ${JSON.stringify(id)}: ${why}`, { cause: error });
    }
  }
}

function approvalsOf(engine: Engine): RuntimeApprovals {
  const { coordinator } = engine;
  return Object.freeze({
    create: (request) => coordinator.create(request),
    get: (id) => coordinator.get(id),
    decide: async (id, decision) => {
      const record = await coordinator.decide(id, decision);
      const facts = factRecord({
        approved: String(record.status === "approved"),
        record: recordFacts(record, record.actor),
        approver: actorFacts(record.decision?.approver),
        comment: record.decision?.comment === undefined ? undefined : valueFacts(record.decision.comment),
      });
      engine.module.call(facts, (table) => table.approvalDecided(engine.handle, engine.now()));
      void engine.deliver();
      return record;
    },
    markConsumed: (id, executionId) => coordinator.markConsumed(id, executionId),
    ...(coordinator.list === undefined ? {} : { list: (filter) => coordinator.list?.(filter) ?? Promise.resolve([]) }),
  } satisfies RuntimeApprovals);
}

function recordFacts(record: ApprovalRecord | null, actor: unknown): string {
  if (!isRecord(record)) return "null";
  const approver: unknown = member(record["decision"], "approver");
  return factRecord({
    id: valueFacts(record["id"]),
    capabilityId: valueFacts(record["capabilityId"]),
    surface: valueFacts(record["surface"]),
    actor: actorFacts(actor),
    correlationId: typeof record["correlationId"] === "string" ? valueFacts(record["correlationId"]) : undefined,
    inputHash: valueFacts(record["inputHash"]),
    status: valueFacts(record["status"]),
    expiresAt: valueFacts(record["expiresAt"]),
    decision: isRecord(record["decision"]) ? factRecord({ approver: actorFacts(approver) }) : undefined,
  });
}

function wordsOf({ executionId, actor }: Call, capabilityId: string, surface: string) {
  return {
    execution_id: executionId,
    capability_id: capabilityId,
    surface,
    actor_kind: typeof actor.kind === "string" ? actor.kind : "anonymous",
    actor_id: typeof actor.id === "string" ? actor.id : "unknown",
  };
}

function checkCall(what: string, named: string, id: unknown, options: unknown): void {
  if (typeof id !== "string" || id === "") throw new TypeError(`${what}: ${named} must be a non-empty string`);
  if (!isRecord(options)) throw new TypeError(`${what}: options must be an object`);
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
  return typeof member(signal, "addEventListener") === "function" && typeof member(signal, "aborted") === "boolean";
}

const requestText = (parts: readonly string[]): string => `[${parts.join(",")}]`;
